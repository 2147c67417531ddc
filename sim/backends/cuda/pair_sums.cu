// SPDX-License-Identifier: MIT
// Which kernel, in which precision, with which scales.
#include "sim/backends/cuda/pair_sums.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace orrery::sim::cuda {
namespace {

Launch launch_of(const BackendOptions& options, PairKernel best) {
  const PairKernel kernel = options.kernel == "pair-once" ? PairKernel::pair_once
                            : options.kernel == "tiled"   ? PairKernel::tiled
                            : options.kernel == "direct"  ? PairKernel::direct
                                                          : best;
  return {kernel, options.block, options.unroll};
}

}  // namespace

PairSums::PairSums(const System& system, const BackendOptions& options, Queue& queue, std::size_t stride)
    : n_(system.bodies.size()),
      stride_(stride),
      precision_(options.precision),
      exact_root_(options.exact_root),
      order_(order_of(in_floats(), n_)),
      launch_(launch_of(options, best_kernel())) {
  const std::size_t sums = sums_of(system.jerk ? Wanted::jerk : Wanted::potential) * stride * chunks();
  if (!system.forces.empty())
    in_floats() ? void(partial_floats_ = Array<float>(sums)) : void(partial_ = Array<double>(sums));
  if (in_floats()) {
    high_ = Array<float>(3 * stride);
    rest_ = Array<float>(3 * stride);
  }
  const auto on_device = [&](const std::vector<double>& values) {
    Array<double> array(n_);
    queue.copy_in(array.get(), values.data(), n_ * sizeof(double));
    queue.wait();
    return array;
  };
  for (const PairForce& force : system.forces) {
    Force& f = forces_.emplace_back(Force{law_index(*force.law),
                                          force.softening2,
                                          force.number,
                                          Array<double>(),
                                          on_device(force.response),
                                          Array<float>(),
                                          {}});
    if (!in_floats()) {
      f.source = on_device(force.source);
      continue;
    }
    f.scaling = scaling_of(system.bodies, force);
    if (forces_.size() > 1 && f.scaling.length != length_) {
      throw Error("cuda: these forces need different scales of length in floats: take precision = \"float64\"");
    }
    length_ = f.scaling.length;
    least_r2_ = std::max(least_r2_, least_r2_in(precision_, force, f.scaling));
    std::vector<float> weights;
    for (const double w : force.source) weights.push_back(static_cast<float>(w * f.scaling.weight));
    f.weight = Array<float>(n_);
    queue.copy_in(f.weight.get(), weights.data(), n_ * sizeof(float));
    queue.wait();
  }
}

/// Each pair once takes the least work; where float64 has few chunks, more threads that each do less end sooner.
PairKernel PairSums::best_kernel() const {
  return !in_floats() && n_ < 3500 ? PairKernel::tiled : PairKernel::pair_once;
}

Partials PairSums::start(std::size_t k, const Targets& of, Stream stream) const {
  const double *x = of.position, *v = of.velocity;
  const Force& f = forces_[k];
  Partials partials{.values = partial_.get(),
                    .single = in_floats(),
                    .first = k == 0,
                    .wanted = of.wanted,
                    .chunks = chunks(),
                    .response = f.response.get(),
                    .unit = f.scaling.acceleration,
                    .potential_unit = f.scaling.potential,
                    .acceleration = of.acceleration,
                    .potential = of.potential,
                    .jerk = of.jerk};
  if (!in_floats()) {
    const Field<double> field{
        x,  x + stride_, x + 2 * stride_, f.source.get(), nullptr, nullptr, nullptr, v, v + stride_, v + 2 * stride_,
        n_, stride_,     order_,          f.softening2,   f.number};
    sum_pairs_float64(launch_, f.law, of.wanted, field, partial_.get(), stream);
    return partials;
  }
  const float *high = high_.get(), *rest = rest_.get();
  float* partial = partial_floats_.get();
  const Field<float> field{high,
                           high + stride_,
                           high + 2 * stride_,
                           f.weight.get(),
                           rest,
                           rest + stride_,
                           rest + 2 * stride_,
                           nullptr,
                           nullptr,
                           nullptr,
                           n_,
                           stride_,
                           order_,
                           static_cast<float>(f.softening2 * length_ * length_),
                           f.number};
  partials.values = partial;
  if (precision_ == Precision::mixed) {
    partials.unit /= mixed_unit(f.law);
    sum_pairs_mixed(launch_, f.law, of.wanted, field, partial, stream);
  } else if (exact_root_) {
    sum_pairs_float32_exact(launch_, f.law, of.wanted, field, partial, stream);
  } else {
    sum_pairs_float32(launch_, f.law, of.wanted, field, partial, stream);
  }
  return partials;
}

std::string PairSums::kernel() const {
  if (launch_.kernel == PairKernel::pair_once) return "pair-once";
  return std::string(launch_.kernel == PairKernel::tiled ? "tiled" : "direct") + ", block " +
         std::to_string(launch_.block) + ", unroll " + std::to_string(launch_.unroll);
}

}  // namespace orrery::sim::cuda
