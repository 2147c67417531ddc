// SPDX-License-Identifier: MIT
#include "sim/backends/cpu.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "sim/analysis/closest.hpp"
#include "sim/backends/cpu/array.hpp"
#include "sim/backends/simd/columns.hpp"
#include "sim/integrator.hpp"
#include "sim/observables.hpp"
#include "sim/pair_order.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

/// Up to this number of bodies one thread is faster: 512 bodies take 80 µs on one core, and waking a thread takes some
/// 10 µs.
constexpr size_t min_parallel_size = 4 * tile_size;

int useful_threads(size_t n, int threads) {
  return n > min_parallel_size ? threads : 1;
}

/// Distance between the coordinates of a column: whole groups, or whole vectors if one tile holds all bodies.
size_t stride_of(size_t n, Precision precision) {
  const size_t vector = in_floats(precision) ? 16 : 8, unit = n <= tile_size ? vector : group_size;
  return (n + unit - 1) / unit * unit;
}

class Cpu final : public Backend {
 public:
  Cpu(System system, const BackendOptions& options, simd::Target target)
      : Backend(system),
        target_(target),
        kernels_(simd::column_kernels(target)),
        has_jerks_(system.jerk && options.precision == Precision::float64),
        n_(system.bodies.size()),
        stride_(stride_of(n_, options.precision)),
        threads_(options.threads),
        pool_(thread_pool(useful_threads(n_, options.threads))),
        mass_(padded(system.bodies.mass)),
        potential_(stride_),
        has_virial_(std::ranges::any_of(system.forces, is_short_range)),
        virial_(has_virial_ ? stride_ : 0) {
    for (size_t k = 0; k < columns_of(system); ++k) columns_.emplace_back(3 * stride_);
    if (!system.forces.empty()) {
      const ForceSolver& solver = checked_solver(system, options.precision);
      solver_ = solver.on_cpu(system, options, {*pool_, target, stride_, columns()});
      passes_ = PassQueue(solver_->resident());
    }
    fields_ = std::move(system.fields);
    store(Column::position, system.bodies.position);
    store(Column::velocity, system.bodies.velocity);
  }

  [[nodiscard]] Vectors download(Column column) const override {
    flush();
    const VectorsView from = view(column);
    Vectors values(n_);
    std::ranges::copy(from.x, values.x.begin());
    std::ranges::copy(from.y, values.y.begin());
    std::ranges::copy(from.z, values.z.begin());
    return values;
  }

  void greatest(std::span<const Column> columns, std::span<Greatest> found) const override {
    flush();
    for (size_t k = 0; k < columns.size(); ++k) found[k] = sim::greatest(view(columns[k]));
  }
  void half_extents(std::span<const Column> columns, std::span<double> found) const override {
    flush();
    for (size_t k = 0; k < columns.size(); ++k) found[k] = half_extent(view(columns[k]));
  }

  [[nodiscard]] double min_r2() const override { return solver_ ? solver_->min_r2() : default_min_r2; }
  [[nodiscard]] std::string hardware() const override {
    return arithmetic() + ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  [[nodiscard]] std::string arithmetic() const override { return std::string(simd::name_of(target_)); }
  [[nodiscard]] std::string kernel() const override { return solver_ ? solver_->kernel() : "none"; }
  void flush() const override {
    if (passes_) passes_.flush();
  }

 private:
  [[nodiscard]] AlignedArray padded(const std::vector<double>& values) const {
    AlignedArray array(stride_);
    std::ranges::copy(values, array.get());
    return array;
  }
  [[nodiscard]] HostColumns columns() {
    const auto rows = [this](double* p, double*(&to)[3]) { to[0] = p, to[1] = p + stride_, to[2] = p + 2 * stride_; };
    HostColumns all{.position = {},
                    .velocity = {},
                    .acceleration = {},
                    .image = {},
                    .potential = potential_.get(),
                    .virial = virial_.get(),
                    .n = n_};
    rows(at(Column::position), all.position);
    rows(at(Column::velocity), all.velocity);
    rows(at(Column::acceleration), all.acceleration);
    if (image()) rows(at(*image()), all.image);
    return all;
  }
  void written() {
    if (passes_) passes_.columns_changed();
  }
  double* at(Column column) { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] const double* at(Column column) const { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] VectorsView view(Column column) const {
    const double* p = at(column);
    return {{p, n_}, {p + stride_, n_}, {p + 2 * stride_, n_}};
  }

  void store(Column column, const Vectors& values) override {
    flush();
    written();
    double* to = at(column);
    std::ranges::copy(values.x, to);
    std::ranges::copy(values.y, to + stride_);
    std::ranges::copy(values.z, to + 2 * stride_);
  }

  void carry_out(const Operation& one) override {
    if (one.is_evaluation()) return sum_forces(one);
    if (passes_ && one.verb != Operation::Verb::combine) return passes_.add(one);
    as_combination(one, [&](Column target, std::span<const Term> terms) { combine_columns(target, terms); });
    for (size_t axis = 0; one.is_drift() && axis < 3; ++axis) {
      if (domain().boundary[axis] != &Open::kind) cross(axis);
    }
  }

  void sum_forces(const Operation& one) {
    const Outputs outputs = one.outputs;
    if (outputs == Outputs::jerk && !has_jerks_)
      throw Error("cpu: jerks need precision = \"float64\", and a system that asks for them");
    double* const jerk = outputs == Outputs::jerk ? at(one.column) : nullptr;
    if (passes_) {
      passes_.add(one);
      if (fields_.empty()) return;
      flush();
      written();
    }
    const double *x = at(Column::position), *v = at(Column::velocity);
    double *a = at(Column::acceleration), *potential = outputs == Outputs::potential ? potential_.get() : nullptr;
    if (!passes_ && solver_) {
      HostBodies bodies{.position = {x, x + stride_, x + 2 * stride_},
                        .velocity = {v, v + stride_, v + 2 * stride_},
                        .n = n_,
                        .outputs = outputs,
                        .acceleration = {a, a + stride_, a + 2 * stride_},
                        .potential = potential,
                        .virial = potential != nullptr ? virial_.get() : nullptr,
                        .jerk = {}};
      for (size_t q = 0; jerk != nullptr && q < 3; ++q) bodies.jerk[q] = jerk + q * stride_;
      solver_->evaluate(bodies);
    } else if (!solver_) {
      std::fill_n(a, 3 * stride_, 0.0);
      if (jerk != nullptr) std::fill_n(jerk, 3 * stride_, 0.0);
      if (potential != nullptr) std::fill_n(potential, n_, 0.0);
    }
    if (fields_.empty()) return;
    pool_->for_each(0, (n_ + min_parallel_size - 1) / min_parallel_size, [&](size_t k) {
      add_fields(k * min_parallel_size, std::min((k + 1) * min_parallel_size, n_), outputs, jerk);
    });
  }

  /// Adds the external fields to some bodies, after all pair forces: g to a, dg/dt to the jerk, and 2φ to the
  /// potential, half of which is the energy.
  void add_fields(size_t begin, size_t end, Outputs outputs, double* jerk) {
    const auto at_body = [this](const double* p, size_t i) { return Vec3{p[i], p[stride_ + i], p[2 * stride_ + i]}; };
    const auto add = [this](double* p, size_t i, Vec3 g) {
      p[i] += g.x, p[stride_ + i] += g.y, p[2 * stride_ + i] += g.z;
    };
    for (const ExternalField& field : fields_) {
      if (field.law->of_bodies != nullptr) {
        const auto rows = [&](auto* p) { return std::array{p + begin, p + stride_ + begin, p + 2 * stride_ + begin}; };
        const auto x = rows(std::as_const(*this).at(Column::position));
        const auto a = rows(at(Column::acceleration));
        add_foreign(field, end - begin, {x[0], x[1], x[2]}, {a[0], a[1], a[2]},
                    outputs == Outputs::potential ? potential_.get() + begin : nullptr);
        continue;
      }
      for (size_t i = begin; i < end; ++i) {
        const Vec3 x = at_body(at(Column::position), i);
        add(at(Column::acceleration), i, field.law->acceleration(field.parameters, x));
        if (outputs == Outputs::jerk)
          add(jerk, i, field.law->jerk(field.parameters, x, at_body(at(Column::velocity), i)));
        if (outputs == Outputs::potential) potential_.get()[i] += 2 * field.law->potential(field.parameters, x);
      }
    }
  }

  /// Applies the boundary condition of an axis.
  void cross(size_t axis) {
    double *x = at(Column::position) + axis * stride_, *v = at(Column::velocity) + axis * stride_;
    double* counts = image() ? at(*image()) + axis * stride_ : nullptr;
    const double low = domain().low[axis], high = low + domain().edges[axis];
    for (size_t i = 0; i < n_; ++i) {
      if (x[i] >= low && x[i] < high) continue;
      const Coordinate after = domain().cross(axis, {x[i], v[i], 0});
      x[i] = after.x, v[i] = after.v;
      if (counts != nullptr) counts[i] += static_cast<double>(after.image);
    }
  }

  void combine_columns(Column target, std::span<const Term> terms) {
    flush();
    written();
    std::array<const double*, max_terms> sources;
    std::array<double, max_terms> factors;
    for (size_t k = 0; k < terms.size(); ++k) {
      sources.at(k) = at(terms[k].source);
      factors[k] = terms[k].factor;
    }
    kernels_.combine(at(target), sources.data(), factors.data(), terms.size(), 3 * stride_);
  }

  void widen_extremes() override {
    flush();
    if (n_ > sum_block) return Backend::widen_extremes();
    const double *x = at(Column::position), *v = at(Column::velocity);
    const simd::ObservedState state{
        mass_.get(), {x, x + stride_, x + 2 * stride_}, {v, v + stride_, v + 2 * stride_}, potential_.get(), n_};
    const simd::Conserved now = kernels_.conserved(state);
    const std::array periods = domain().periods();
    const bool closer =
        n_ <= few_bodies && kernels_.closest(state.position, n_, periods.data()) < extremes_.approach.r2;
    extremes_.include(now.kinetic_energy + now.potential_energy,
                      {now.angular_momentum[0], now.angular_momentum[1], now.angular_momentum[2]},
                      closer ? closest_of_few() : Approach());
  }

  [[nodiscard]] Approach closest_of_few() const override {
    flush();
    return sim::closest_of_few(view(Column::position), domain().periods());
  }

  Observables measure() override {
    flush();
    return sim::measure({mass_.get(), n_}, view(Column::position), view(Column::velocity), {potential_.get(), n_},
                        {virial_.get(), has_virial_ ? n_ : 0});
  }

  simd::Target target_;
  const simd::ColumnKernels& kernels_;
  bool has_jerks_;
  size_t n_;
  size_t stride_;  ///< padding contains zeros or values that are never used
  int threads_;
  std::shared_ptr<ThreadPool> pool_;
  AlignedArray mass_, potential_;  ///< [stride]
  bool has_virial_;
  AlignedArray virial_;  ///< [stride], or none
  std::unique_ptr<HostSolver> solver_;
  mutable PassQueue passes_;  ///< of a resident solver; running pending operations does not change the observable state
  std::vector<ExternalField> fields_;
  std::vector<AlignedArray> columns_;
};

constexpr std::string_view kernels[] = {"pair-once"};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(System system, int threads, std::size_t target) {
  return make_cpu_backend(std::move(system), BackendOptions{.threads = threads}, target);
}

std::unique_ptr<Backend> make_cpu_backend(System system, const BackendOptions& options, std::size_t target) {
  return std::make_unique<Cpu>(std::move(system), options, simd::available_targets()[target]);
}

std::size_t cpu_backend_bytes(const ForceSolver& solver, std::size_t bodies, const Integrator& integrator,
                              const BackendOptions& options) {
  // position, velocity, acceleration, scratch columns; mass, potential; for a heat bath mobilities and a copy of velocities
  const size_t numbers = 3 * (3 + integrator.columns.size()) + 2 + (integrator.bath ? 4 : 0);
  return bodies * numbers * sizeof(double) + solver.bytes(bodies, max_outputs(integrator.jerk), options).host;
}

const BackendKind cpu_backend{
    .name = "cpu",
    .meaning = "all cores and their SIMD units, the same bits as the reference",
    .kernels = kernels,
    .precisions = every_precision,
    .absence = [] { return std::string(); },
    .make = [](System system,
               const BackendOptions& options) { return make_cpu_backend(std::move(system), options, 0); },
    .fma_rate = [](const BackendOptions& options) { return cpu_fma_rate(options, 0); },
    .copy_rate = [](const BackendOptions& options) { return cpu_copy_rate(options.threads); },
};

}  // namespace orrery::sim
