// SPDX-License-Identifier: MIT
// The cpu backend: every chunk pair is a task for some thread, and nobody's sum depends on who did it.
#include "sim/backends/cpu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "sim/backends/simd/kernels.hpp"
#include "sim/observables.hpp"
#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

/// Doubles that start on a cache line.
class Array {
 public:
  explicit Array(size_t n = 0) : data_(n == 0 ? nullptr : new (std::align_val_t(64)) double[n]()) {}
  double* get() { return data_.get(); }
  const double* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<double[], Free> data_;
};

class Cpu final : public Backend {
 public:
  Cpu(System system, int threads, const simd::Kernels& kernels)
      : kernels_(kernels),
        n_(system.bodies.size()),
        stride_((n_ + group_size - 1) / group_size * group_size),
        chunk_(chunk_size(n_)),
        threads_(threads),
        mass_(std::move(system.bodies.mass)),
        potential_(n_),
        forces_(std::move(system.forces)),
        fields_(std::move(system.fields)),
        source_(stride_),
        partial_(chunk_count(n_) * row()) {
    for (int k = 0; k < static_cast<int>(Column::own) + system.own_columns; ++k) columns_.emplace_back(3 * stride_);
    upload(Column::position, system.bodies.position);
    upload(Column::velocity, system.bodies.velocity);
    // Whole tiles first: a thread that is late with the last task should be late with a small one.
    const size_t chunks = chunk_count(n_);
    for (size_t I = 0; I < chunks; ++I) {
      for (size_t J = I + 1; J < chunks; ++J) pairs_.emplace_back(I, J);
    }
    for (size_t I = 0; I < chunks; ++I) pairs_.emplace_back(I, I);
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

  [[nodiscard]] std::string hardware() const override {
    return std::string(kernels_.name) + ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }

 private:
  /// Below so many bodies a parallel region costs more than it gains.
  static constexpr size_t worth_threads = 2 * tile_size;

  double* at(Column column) { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] const double* at(Column column) const { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] VectorsView view(Column column) const {
    const double* p = at(column);
    return {{p, n_}, {p + stride_, n_}, {p + 2 * stride_, n_}};
  }
  /// What one chunk does to all bodies: three accelerations and a potential.
  [[nodiscard]] size_t row() const { return 4 * stride_; }
  [[nodiscard]] simd::SumsView from_chunk(size_t c) { return {partial_.get() + c * row(), stride_}; }

  void compute_acceleration(bool with_potential) override {
    for (size_t k = 0; k < forces_.size(); ++k) {
      const auto& law = kernels_.laws[law_index(*forces_[k].law)];
      sum_pairs(forces_[k], with_potential ? law.forces_and_potential : law.forces);
      add_partials(forces_[k], k == 0, with_potential);
    }
    if (forces_.empty()) {
      std::fill_n(at(Column::acceleration), 3 * stride_, 0.0);
      std::ranges::fill(potential_, 0.0);
    }
    if (fields_.empty()) return;
    each((n_ + sum_block - 1) / sum_block, [&](size_t block) { add_fields(block * sum_block, with_potential); });
  }

  void sum_pairs(const PairForce& force, const simd::PairKernels& kernel) {
    const double* x = at(Column::position);
    std::ranges::copy(force.source, source_.get());
    const simd::Field field{x, x + stride_, x + 2 * stride_, source_.get(), n_, force.softening2, force.number};
    each(pairs_.size(), [&](size_t p) {
      const auto [I, J] = pairs_[p];
      if (I == J) {
        kernel.within(field, I * chunk_, std::min((I + 1) * chunk_, n_), from_chunk(I));
      } else {
        kernel.between(field, I * chunk_, J * chunk_, chunk_, from_chunk(J), from_chunk(I));
      }
    });
  }

  /// a ← s Σ partials in the order of the chunks; a further force is added to what the first ones gave.
  void add_partials(const PairForce& force, bool first, bool with_potential) {
    const auto add = [&](size_t begin, size_t q) {
      const size_t count = std::min(sum_block, n_ - begin), chunks = chunk_count(n_);
      const double* from = partial_.get() + q * stride_ + begin;
      const double* s = force.response.data() + begin;
      double* to = (q < 3 ? at(Column::acceleration) + q * stride_ : potential_.data()) + begin;
      std::array<double, sum_block> sum;
      std::fill_n(sum.begin(), count, 0.0);
      for (size_t c = 0; c < chunks; ++c, from += row()) {
        for (size_t i = 0; i < count; ++i) sum[i] += from[i];
      }
      for (size_t i = 0; i < count; ++i) to[i] = first ? s[i] * sum[i] : std::fma(s[i], sum[i], to[i]);
    };
    const size_t components = with_potential ? 4 : 3;
    each((n_ + sum_block - 1) / sum_block * components,
         [&](size_t k) { add(k / components * sum_block, k % components); });
  }

  /// The external fields on a block of bodies, after all pair forces: a + g, and the potential + 2φ, since an energy
  /// takes half of the potential.
  void add_fields(size_t begin, bool with_potential) {
    const double* x = at(Column::position);
    double* a = at(Column::acceleration);
    for (const ExternalField& field : fields_) {
      for (size_t i = begin; i < std::min(begin + sum_block, n_); ++i) {
        const Vec3 position{x[i], x[stride_ + i], x[2 * stride_ + i]};
        const Vec3 g = field.law->acceleration(field.numbers, position);
        a[i] += g.x, a[stride_ + i] += g.y, a[2 * stride_ + i] += g.z;
        if (with_potential) potential_[i] += 2 * field.law->potential(field.numbers, position);
      }
    }
  }

  /// work(0) … work(count − 1), on all threads where that pays.
  template <class Work>
  void each(size_t count, const Work& work) {
    if (n_ <= worth_threads || threads_ == 1) {
      for (size_t k = 0; k < count; ++k) work(k);
      return;
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (size_t k = 0; k < count; ++k) work(k);
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

  Observables measure() override {
    return sim::measure(mass_, view(Column::position), view(Column::velocity), potential_);
  }

  const simd::Kernels& kernels_;
  size_t n_;
  size_t stride_;  ///< from one coordinate of a column to the next; padding holds zeros or what does not matter
  size_t chunk_;
  int threads_;
  std::vector<double> mass_;
  std::vector<double> potential_;
  std::vector<PairForce> forces_;
  std::vector<ExternalField> fields_;
  std::vector<Array> columns_;
  Array source_;
  Array partial_;  ///< [chunks][4][stride]
  std::vector<std::pair<size_t, size_t>> pairs_;
};

constexpr std::string_view kernels[] = {"pair-once"};
constexpr Precision precisions[] = {Precision::float64};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(System system, int threads, std::size_t target) {
  return std::make_unique<Cpu>(std::move(system), threads, *simd::available_kernels()[target]);
}

const BackendKind cpu_backend{
    .name = "cpu",
    .meaning = "all cores and their SIMD units, the same bits as the reference",
    .kernels = kernels,
    .precisions = precisions,
    .absence = [] { return std::string(); },
    .make = [](System system,
               const BackendOptions& options) { return make_cpu_backend(std::move(system), options.threads, 0); },
    .fma_rate = [](const BackendOptions& options) { return cpu_fma_rate(options, 0); },
};

}  // namespace orrery::sim
