// SPDX-License-Identifier: MIT
// Asynchronous readback of the state.
#pragma once

#include <span>
#include <vector>

#include "sim/backend.hpp"
#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// One readback at a time: copied on the device, then by a stream of its own to pinned host memory.
class Readbacks {
 public:
  Readbacks(const Device& device, std::size_t n, std::size_t stride)
      : device_(device),
        n_(n),
        stride_(stride),
        scratch_{DeviceArray<double>(device, observable_count * sum_rows(n)),
                 DeviceArray<double>(device, observable_count * sum_rows(n))},
        sums_(device, number_count),
        sums_copy_(device, number_count),
        copying_(device),
        written_(device),
        copied_(device) {}

  /// Makes `stream` wait until the last readback is copied. To be called before the next one is prepared.
  void begin(const Stream& stream) { copied_.hold(stream); }
  /// Scratch memory and destination of observe().
  [[nodiscard]] double* scratch(int k) const { return scratch_[k].get(); }
  [[nodiscard]] double* sums() const { return sums_.get(); }
  /// Destination of widen_approach() for this state alone, cleared.
  [[nodiscard]] double* closest(Stream& stream) const {
    double* const approach = sums_.get() + closest_begin;
    stream.clear(approach, approach_count * sizeof(double));
    return approach;
  }

  /// Queues copies of the sums, of the extremes, which are then reset, and of columns of shape [3][stride].
  void write(std::span<const double* const> columns, double* extremes, Stream& stream) {
    const std::size_t bytes = 3 * stride_ * sizeof(double);
    count_ = columns.size();
    while (columns_.size() < count_) {
      columns_.emplace_back(device_, 3 * stride_);
      copies_.emplace_back(device_, 3 * stride_);
    }
    for (std::size_t k = 0; k < count_; ++k) stream.copy(columns_[k].get(), columns[k], bytes);
    stream.copy(sums_.get() + observable_count, extremes, extreme_count * sizeof(double));
    stream.clear(extremes, extreme_count * sizeof(double));
    written_.record(stream);
    written_.hold(copying_);
    copying_.copy_out(sums_copy_.get(), sums_.get(), number_count * sizeof(double));
    for (std::size_t k = 0; k < count_; ++k) copying_.copy_out(copies_[k].get(), columns_[k].get(), bytes);
    copied_.record(copying_);
  }
  /// Waits for the readback. Throws Error if the device failed.
  [[nodiscard]] Backend::Readback read() {
    copied_.wait();
    const double* sum = sums_copy_.get();
    const auto mean = [&](double moment) { return sum[0] > 0 ? moment / sum[0] : 0.0; };
    Backend::Readback readback{.observables = {.kinetic_energy = sum[1],
                                               .potential_energy = sum[2],
                                               .momentum = {sum[3], sum[4], sum[5]},
                                               .angular_momentum = {sum[6], sum[7], sum[8]},
                                               .center_of_mass = {mean(sum[9]), mean(sum[10]), mean(sum[11])},
                                               .virial = sum[12]},
                               .extremes = extremes_of(sum + observable_count),
                               .closest = approach_of(sum + closest_begin),
                               .columns = {}};
    for (std::size_t k = 0; k < count_; ++k) {
      Vectors& values = readback.columns.emplace_back(n_);
      const double* from = copies_[k].get();
      values.x.assign(from, from + n_);
      values.y.assign(from + stride_, from + stride_ + n_);
      values.z.assign(from + 2 * stride_, from + 2 * stride_ + n_);
    }
    return readback;
  }
  /// Returns and resets the extremes, synchronously.
  [[nodiscard]] static Extremes take(double* extremes, Stream& stream) {
    double values[extreme_count];
    stream.copy_out(values, extremes, sizeof(values));
    stream.clear(extremes, sizeof(values));
    stream.wait();
    return extremes_of(values);
  }

 private:
  static constexpr std::size_t closest_begin = observable_count + extreme_count,
                               number_count = closest_begin + approach_count;

  static Extremes extremes_of(const double* e) {
    return {.states = static_cast<std::int64_t>(e[0]),
            .energy_low = e[1],
            .energy_high = e[5],
            .momentum_low = {e[2], e[3], e[4]},
            .momentum_high = {e[6], e[7], e[8]},
            .approach = approach_of(e + approach_begin)};
  }
  static Approach approach_of(const double* a) {
    if (a[2] == 0) return {};
    return {.r2 = a[0], .body = static_cast<std::int64_t>(a[1]), .other = static_cast<std::int64_t>(a[2])};
  }

  const Device& device_;
  std::size_t n_, stride_;
  DeviceArray<double> scratch_[2], sums_;  ///< sums_: the observables, the extremes, the closest pair
  std::vector<DeviceArray<double>> columns_;
  std::vector<DeviceArray<double, Place::pinned>> copies_;
  DeviceArray<double, Place::pinned> sums_copy_;
  std::size_t count_ = 0;  ///< columns in the present readback
  Stream copying_;
  Event written_, copied_;
};

}  // namespace orrery::sim::cuda
