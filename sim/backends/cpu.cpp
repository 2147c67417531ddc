// SPDX-License-Identifier: MIT
// The cpu backend: every chunk pair is a task for some thread, and nobody's sum depends on who did it.
#include "sim/backends/cpu.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "common/error.hpp"
#include "sim/backends/cpu/array.hpp"
#include "sim/backends/cpu/pair_sums.hpp"
#include "sim/backends/simd/kernels.hpp"
#include "sim/integrator.hpp"
#include "sim/observables.hpp"
#include "sim/pair_order.hpp"
#include "sim/scaling.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

simd::Numbers numbers_of(const BackendOptions& options) {
  if (options.precision == Precision::float64) return simd::Numbers::float64;
  if (options.precision == Precision::mixed) return simd::Numbers::mixed;
  return options.exact_root ? simd::Numbers::float32_exact_root : simd::Numbers::float32;
}

/// From one coordinate of a column to the next: whole groups, or whole vectors where one tile holds all.
size_t stride_of(size_t n, simd::Numbers numbers) {
  const size_t vector = numbers == simd::Numbers::float64 ? 8 : 16, unit = n <= tile_size ? vector : group_size;
  return (n + unit - 1) / unit * unit;
}

size_t most_sums(bool jerk) {
  return sums_of(jerk ? Wanted::jerk : Wanted::potential);
}

class Cpu final : public Backend {
 public:
  Cpu(System system, const BackendOptions& options, const simd::Kernels& kernels)
      : kernels_(kernels),
        numbers_(numbers_of(options)),
        has_jerks_(system.jerk && numbers_ == simd::Numbers::float64),
        n_(system.bodies.size()),
        stride_(stride_of(n_, numbers_)),
        threads_(options.threads),
        pair_sums_(kernels, n_, stride_, options.threads, most_sums(system.jerk)),
        mass_(padded(system.bodies.mass)),
        potential_(stride_),
        fields_(std::move(system.fields)) {
    for (int k = 0; k < static_cast<int>(Column::own) + system.own_columns; ++k) columns_.emplace_back(3 * stride_);
    for (PairForce& force : system.forces) {
      const simd::LawKernels& law = kernels_.laws[law_index(*force.law)][static_cast<size_t>(numbers_)];
      const Scaling scaling = numbers_ == simd::Numbers::float64 ? Scaling() : scaling_of(system.bodies, force);
      least_r2_ = std::max(least_r2_, least_r2_in(options.precision, force, scaling));
      forces_.push_back({&law, scaling, force.softening2, force.number, padded(force.source), padded(force.response)});
    }
    upload(Column::position, system.bodies.position);
    upload(Column::velocity, system.bodies.velocity);
  }

  [[nodiscard]] Vectors download(Column column) const override {
    const VectorsView from = view(column);
    Vectors values(n_);
    std::ranges::copy(from.x, values.x.begin());
    std::ranges::copy(from.y, values.y.begin());
    std::ranges::copy(from.z, values.z.begin());
    return values;
  }

  void upload(Column column, const Vectors& values) override {
    double* to = at(column);
    std::ranges::copy(values.x, to);
    std::ranges::copy(values.y, to + stride_);
    std::ranges::copy(values.z, to + 2 * stride_);
    forget(column);
  }

  [[nodiscard]] double least_r2() const override { return least_r2_; }
  [[nodiscard]] std::string hardware() const override {
    return std::string(kernels_.name) + ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }

 private:
  struct Force {
    const simd::LawKernels* law;
    Scaling scaling;
    double softening2, number;
    Array source, response;  ///< [stride]
  };

  [[nodiscard]] Array padded(const std::vector<double>& values) const {
    Array array(stride_);
    std::ranges::copy(values, array.get());
    return array;
  }
  double* at(Column column) { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] const double* at(Column column) const { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] VectorsView view(Column column) const {
    const double* p = at(column);
    return {{p, n_}, {p + stride_, n_}, {p + 2 * stride_, n_}};
  }

  void compute_acceleration(bool with_potential) override {
    sum_forces(with_potential ? Wanted::potential : Wanted::forces, nullptr);
  }

  void compute_acceleration_and_jerk(Column jerk) override {
    if (!has_jerks_) throw Error("cpu: jerks need precision = \"float64\", and a system that asks for them");
    sum_forces(Wanted::jerk, at(jerk));
  }

  void sum_forces(Wanted wanted, double* jerk) {
    const double *x = at(Column::position), *v = at(Column::velocity);
    if (forces_.empty()) {
      std::fill_n(at(Column::acceleration), 3 * stride_, 0.0);
      if (wanted == Wanted::jerk) std::fill_n(jerk, 3 * stride_, 0.0);
      if (wanted == Wanted::potential) std::fill_n(potential_.get(), n_, 0.0);
      add_fields(0, n_, wanted, jerk);
    }
    for (size_t k = 0; k < forces_.size(); ++k) {
      const Force& force = forces_[k];
      const simd::Field field{{x, x + stride_, x + 2 * stride_},
                              {v, v + stride_, v + 2 * stride_},
                              force.source.get(),
                              n_,
                              force.softening2,
                              force.number,
                              force.scaling.length,
                              force.scaling.weight};
      pair_sums_.evaluate(force.law->wanted[static_cast<size_t>(wanted)], field, sums_of(wanted),
                          [&](size_t begin, size_t end) {
                            respond(force, begin, end, k > 0, wanted, jerk);
                            if (k + 1 == forces_.size()) add_fields(begin, end, wanted, jerk);
                          });
    }
  }

  /// a ← s Σ partials, and what comes with it; a further force is added to what the first ones gave.
  void respond(const Force& force, size_t begin, size_t end, bool added, Wanted wanted, double* jerk) {
    const auto one = [&](double* to, size_t q, double unit) {
      kernels_.respond(to + begin, pair_sums_.sums(q) + begin, force.response.get() + begin, unit, added, end - begin);
    };
    for (size_t q = 0; q < 3; ++q) {
      one(at(Column::acceleration) + q * stride_, q, force.scaling.acceleration);
      if (wanted == Wanted::jerk) one(jerk + q * stride_, 3 + q, 1);
    }
    if (wanted == Wanted::potential) one(potential_.get(), 3, force.scaling.potential);
  }

  /// The external fields on some bodies, after all pair forces: a + g, the jerk + dg/dt, and the potential + 2φ, since an
  /// energy takes half of the potential.
  void add_fields(size_t begin, size_t end, Wanted wanted, double* jerk) {
    const auto at_body = [this](const double* p, size_t i) { return Vec3{p[i], p[stride_ + i], p[2 * stride_ + i]}; };
    const auto add = [this](double* p, size_t i, Vec3 g) {
      p[i] += g.x, p[stride_ + i] += g.y, p[2 * stride_ + i] += g.z;
    };
    for (const ExternalField& field : fields_) {
      for (size_t i = begin; i < end; ++i) {
        const Vec3 x = at_body(at(Column::position), i);
        add(at(Column::acceleration), i, field.law->acceleration(field.numbers, x));
        if (wanted == Wanted::jerk) add(jerk, i, field.law->jerk(field.numbers, x, at_body(at(Column::velocity), i)));
        if (wanted == Wanted::potential) potential_.get()[i] += 2 * field.law->potential(field.numbers, x);
      }
    }
  }

  void compute_combination(Column target, std::span<const Term> terms) override {
    std::array<const double*, 32> sources;
    std::array<double, 32> factors;
    for (size_t k = 0; k < terms.size(); ++k) {
      sources.at(k) = at(terms[k].source);
      factors[k] = terms[k].factor;
    }
    kernels_.combine(at(target), sources.data(), factors.data(), terms.size(), 3 * stride_);
  }

  void widen_extremes() override {
    if (n_ > sum_block) return Backend::widen_extremes();
    const double *x = at(Column::position), *v = at(Column::velocity);
    const simd::Conserved now = kernels_.conserved(
        {mass_.get(), {x, x + stride_, x + 2 * stride_}, {v, v + stride_, v + 2 * stride_}, potential_.get(), n_});
    extremes_.meet(now.kinetic_energy + now.potential_energy,
                   {now.angular_momentum[0], now.angular_momentum[1], now.angular_momentum[2]});
  }

  Observables measure() override {
    return sim::measure({mass_.get(), n_}, view(Column::position), view(Column::velocity), {potential_.get(), n_});
  }

  const simd::Kernels& kernels_;
  simd::Numbers numbers_;
  bool has_jerks_;
  double least_r2_ = least_r2_of_any_law;
  size_t n_;
  size_t stride_;  ///< padding holds zeros or what does not matter
  int threads_;
  PairSums pair_sums_;
  Array mass_, potential_;  ///< [stride]
  std::vector<Force> forces_;
  std::vector<ExternalField> fields_;
  std::vector<Array> columns_;
};

constexpr std::string_view kernels[] = {"pair-once"};
constexpr Precision precisions[] = {Precision::float64, Precision::mixed, Precision::float32};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(System system, int threads, std::size_t target) {
  return make_cpu_backend(std::move(system), BackendOptions{.threads = threads}, target);
}

std::unique_ptr<Backend> make_cpu_backend(System system, const BackendOptions& options, std::size_t target) {
  return std::make_unique<Cpu>(std::move(system), options, *simd::available_kernels()[target]);
}

std::size_t cpu_backend_bytes(std::size_t bodies, int threads, const Integrator& integrator) {
  // position, velocity, acceleration and the integrator's; weight, response; mass, potential
  const size_t numbers = 3 * (3 + integrator.columns.size()) + 2 + 2;
  return bodies * numbers * sizeof(double) + PairSums::bytes(bodies, threads, most_sums(integrator.jerk));
}

const BackendKind cpu_backend{
    .name = "cpu",
    .meaning = "all cores and their SIMD units, the same bits as the reference",
    .kernels = kernels,
    .precisions = precisions,
    .absence = [] { return std::string(); },
    .make = [](System system,
               const BackendOptions& options) { return make_cpu_backend(std::move(system), options, 0); },
    .fma_rate = [](const BackendOptions& options) { return cpu_fma_rate(options, 0); },
};

}  // namespace orrery::sim
