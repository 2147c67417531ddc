// SPDX-License-Identifier: MIT
#include "sim/backends/cuda/readbacks.hpp"

#include "sim/backends/cuda/kernels.cuh"

namespace orrery::sim::cuda {
namespace {

Extremes extremes_of(const double* e) {
  return {.states = static_cast<std::int64_t>(e[0]),
          .energy_low = e[1],
          .energy_high = e[5],
          .momentum_low = {e[2], e[3], e[4]},
          .momentum_high = {e[6], e[7], e[8]}};
}

}  // namespace

Readbacks::Readbacks(const Device& device, std::size_t n, std::size_t stride)
    : device_(device),
      n_(n),
      stride_(stride),
      scratch_{DeviceArray<double>(device, observable_count * sum_rows(n)),
               DeviceArray<double>(device, observable_count * sum_rows(n))},
      sums_(device, observable_count + extreme_count),
      sums_copy_(device, observable_count + extreme_count),
      copying_(device),
      written_(device),
      copied_(device) {}

void Readbacks::write(std::span<const double* const> columns, double* extremes, Stream& stream) {
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
  copying_.copy_out(sums_copy_.get(), sums_.get(), (observable_count + extreme_count) * sizeof(double));
  for (std::size_t k = 0; k < count_; ++k) copying_.copy_out(copies_[k].get(), columns_[k].get(), bytes);
  copied_.record(copying_);
}

Backend::Readback Readbacks::read() {
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

Extremes Readbacks::take(double* extremes, Stream& stream) {
  double values[extreme_count];
  stream.copy_out(values, extremes, sizeof(values));
  stream.clear(extremes, sizeof(values));
  stream.wait();
  return extremes_of(values);
}

}  // namespace orrery::sim::cuda
