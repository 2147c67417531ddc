// SPDX-License-Identifier: MIT
// The cuda backend: the state lives on the device, every sum is made in the canonical order, only results come back.
#include "sim/backends/cuda.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/fma_rate.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

constexpr std::string_view kernels[] = {"tiled", "direct"};
constexpr Precision precisions[] = {Precision::float64};

class Cuda final : public Backend {
 public:
  Cuda(System system, const BackendOptions& options)
      : device_(options.device),
        n_(system.bodies.size()),
        stride_((n_ + group_size - 1) / group_size * group_size),
        launch_{options.kernel == "direct" ? cuda::PairKernel::direct : cuda::PairKernel::tiled, options.block,
                options.unroll},
        fields_(std::move(system.fields)),
        mass_(system.bodies.mass),
        potential_(stride_),
        partial_(4 * stride_ * chunk_count(n_)),
        terms_(cuda::observable_count * stride_),
        scratch_{cuda::Array(sum_rows()), cuda::Array(sum_rows())},
        sums_(cuda::observable_count) {
    for (int k = 0; k < static_cast<int>(Column::own) + system.own_columns; ++k) columns_.emplace_back(3 * stride_);
    for (const PairForce& force : system.forces) {
      forces_.push_back({law_index(*force.law), force.softening2, force.number, cuda::Array(force.source),
                         cuda::Array(force.response)});
    }
    upload(Column::position, system.bodies.position);
    upload(Column::velocity, system.bodies.velocity);
  }

  [[nodiscard]] Vectors download(Column column) const override {
    Vectors values(n_);
    const double* from = at(column);
    cuda::copy_out(values.x.data(), from, n_);
    cuda::copy_out(values.y.data(), from + stride_, n_);
    cuda::copy_out(values.z.data(), from + 2 * stride_, n_);
    return values;
  }

  void upload(Column column, const Vectors& values) override {
    double* to = at(column);
    cuda::copy_in(to, values.x.data(), n_);
    cuda::copy_in(to + stride_, values.y.data(), n_);
    cuda::copy_in(to + 2 * stride_, values.z.data(), n_);
    forget(column);
  }

  [[nodiscard]] std::string hardware() const override { return device_.name(); }
  [[nodiscard]] std::string kernel() const override {
    return std::string(kernels[launch_.kernel == cuda::PairKernel::direct ? 1 : 0]) + ", block " +
           std::to_string(launch_.block) + ", unroll " + std::to_string(launch_.unroll);
  }

 private:
  double* at(Column column) { return columns_[static_cast<size_t>(column)].get(); }
  [[nodiscard]] const double* at(Column column) const { return columns_[static_cast<size_t>(column)].get(); }

  void compute_acceleration(bool with_potential) override {
    const double* x = at(Column::position);
    double* a = at(Column::acceleration);
    for (size_t k = 0; k < forces_.size(); ++k) {
      const Force& force = forces_[k];
      cuda::sum_pairs(launch_, force.law, with_potential,
                      {x, x + stride_, x + 2 * stride_, force.source.get(), n_, stride_, chunk_size(n_),
                       force.softening2, force.number},
                      partial_.get());
      cuda::add_partials(partial_.get(), chunk_count(n_), n_, stride_, with_potential, force.response.get(), k == 0, a,
                         potential_.get());
    }
    if (forces_.empty()) {
      cuda::clear(a, 3 * stride_);
      cuda::clear(potential_.get(), stride_);
    }
    for (const ExternalField& field : fields_) {
      cuda::add_field(law_index(*field.law), field.numbers, x, n_, stride_, with_potential, a, potential_.get());
    }
  }

  void compute_combination(Column target, std::span<const Term> terms) override {
    if (terms.size() > cuda::Combination::most) throw Error("cuda: a combination has too many terms");
    cuda::Combination combination{};
    for (const Term& term : terms) {
      combination.sources[combination.terms] = at(term.source);
      combination.factors[combination.terms++] = term.factor;
    }
    cuda::combine(at(target), combination, 3 * stride_);
  }

  Observables measure() override {
    cuda::observable_terms(mass_.get(), at(Column::position), at(Column::velocity), potential_.get(), n_, stride_,
                           terms_.get());
    cuda::canonical_sums(terms_.get(), n_, stride_, scratch_[0].get(), scratch_[1].get(), sums_.get());
    std::array<double, cuda::observable_count> sum{};
    cuda::copy_out(sum.data(), sums_.get(), sum.size());
    const auto mean = [&](double moment) { return sum[0] > 0 ? moment / sum[0] : 0.0; };
    return {.kinetic_energy = sum[1],
            .potential_energy = sum[2],
            .momentum = {sum[3], sum[4], sum[5]},
            .angular_momentum = {sum[6], sum[7], sum[8]},
            .center_of_mass = {mean(sum[9]), mean(sum[10]), mean(sum[11])}};
  }

  /// The sums of blocks, one level of the tree.
  [[nodiscard]] size_t sum_rows() const { return cuda::observable_count * ((n_ + sum_block - 1) / sum_block); }

  struct Force {
    size_t law;
    double softening2, number;
    cuda::Array source, response;
  };

  cuda::Device device_;
  size_t n_;
  size_t stride_;  ///< from one coordinate of a column to the next
  cuda::Launch launch_;
  std::vector<ExternalField> fields_;
  cuda::Array mass_, potential_;
  cuda::Array partial_;  ///< [chunks][4][stride]
  cuda::Array terms_;    ///< [observables][stride]
  std::array<cuda::Array, 2> scratch_;
  cuda::Array sums_;
  std::vector<cuda::Array> columns_;
  std::vector<Force> forces_;
};

}  // namespace

const BackendKind cuda_backend{
    .name = "cuda",
    .meaning = "an NVIDIA GPU, the same bits as the reference",
    .kernels = kernels,
    .precisions = precisions,
    .absence = [] { return cuda::Device::absence(); },
    .make = [](System system, const BackendOptions& options) -> std::unique_ptr<Backend> {
      return std::make_unique<Cuda>(std::move(system), options);
    },
    .fma_rate =
        [](const BackendOptions& options) {
          return cuda::fma_rate(options.device, options.precision == Precision::float64);
        },
    .device = [](const BackendOptions& options) { return cuda::facts(options.device); },
};

}  // namespace orrery::sim
