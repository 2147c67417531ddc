// SPDX-License-Identifier: MIT
// The forces of pairs on a device: their weights there, partial sums, and the kernel that is best for so many bodies.
#pragma once

#include <string>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/kernels.cuh"
#include "sim/backends/cuda/waiting.hpp"
#include "sim/scaling.hpp"

namespace orrery::sim::cuda {

class PairSums {
 public:
  PairSums(const System& system, const BackendOptions& options, Queue& queue, std::size_t stride);

  /// How many forces there are.
  [[nodiscard]] std::size_t size() const { return forces_.size(); }
  [[nodiscard]] bool in_floats() const { return precision_ != Precision::float64; }
  [[nodiscard]] Floats floats() const { return {high_.get(), rest_.get(), length_}; }
  /// Queues the partial sums of force k; what is returned adds them up.
  [[nodiscard]] Partials start(std::size_t k, const Targets& of, Stream stream) const;
  /// "pair-once", or "tiled, block 128, unroll 4".
  [[nodiscard]] std::string kernel() const;
  /// Below this r² a pair has no force in this precision.
  [[nodiscard]] double least_r2() const { return least_r2_; }

 private:
  struct Force {
    std::size_t law;
    double softening2, number;
    Array<double> source, response;
    Array<float> weight;  ///< the source in floats
    Scaling scaling;
  };
  [[nodiscard]] PairKernel best_kernel() const;
  [[nodiscard]] std::size_t chunks() const { return (n_ + order_.chunk - 1) / order_.chunk; }

  std::size_t n_, stride_;
  Precision precision_;
  bool exact_root_;
  Order order_;
  Launch launch_;
  double length_ = 1;  ///< scale of positions in floats
  double least_r2_ = least_r2_of_any_law;
  std::vector<Force> forces_;
  Array<double> partial_;
  Array<float> partial_floats_, high_, rest_;
};

}  // namespace orrery::sim::cuda
