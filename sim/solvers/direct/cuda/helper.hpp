// SPDX-License-Identifier: MIT
// Several GPUs share the pairs: each takes some rows of chunks, and the sums of a body go from one to the next, in the order of
// chunks, so that the bits are those of one GPU.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/backends/cuda/device.hpp"
#include "sim/solvers/direct/cuda/bands.hpp"
#include "sim/solvers/direct/cuda/kernels.cuh"

namespace orrery::sim::cuda {

/// Returns the first row of each of `gpus` GPUs, and the number of chunks: about the same number of pairs for each, somewhat fewer
/// for earlier ones, for which later ones wait. Row I has the chunks J ≥ I.
inline std::vector<std::uint32_t> rows_of_gpus(std::size_t chunks, std::size_t gpus) {
  constexpr double ahead = 0.02;  // of the time of an evaluation
  const auto count = static_cast<double>(chunks), parts = static_cast<double>(gpus);
  std::vector<std::uint32_t> first{0};
  for (std::size_t k = 1; k < gpus; ++k) {
    const double work = static_cast<double>(k) / parts * (1 - ahead * (parts - static_cast<double>(k)) / parts);
    const auto row = static_cast<std::uint32_t>(std::lround(count * (1 - std::sqrt(1 - work))));
    first.push_back(std::max(row, first.back() + 1));
  }
  first.push_back(static_cast<std::uint32_t>(chunks));
  return first;
}

/// The sums of each body on one GPU, [outputs_per_body(outputs)][stride], and the event after which they are complete.
struct RunningSums {
  const double* total;
  Event* complete;
};

/// A GPU that computes some rows of chunks. It keeps the partial sums of all its rows, because they are added only after those of the
/// rows before it.
template <class Number>
class Helper {
 public:
  /// `inputs`: numbers of type Number per body that pairs depend on, besides the weights.
  Helper(int index, std::size_t n, std::size_t stride, Order order, std::size_t inputs, Outputs most)
      : device_(index),
        n_(n),
        stride_(stride),
        order_(order),
        most_(most),
        inputs_(device_, inputs * stride),
        total_(device_, outputs_per_body(most) * stride),
        compute_{std::make_unique<Stream>(device_), std::make_unique<Stream>(device_)},
        fold_(device_),
        begun_(device_),
        complete_(device_),
        finished_(device_) {}

  /// Adds a force: the weights of the bodies, and the rows. Call `reserve` after the last one.
  void add_force(const std::vector<Number>& weights, std::uint32_t first, std::uint32_t last) {
    Part part{{device_, weights.size()}, bands_of_part(first, last, n_, order_, most_), 0};
    fold_.copy_in(part.weight.get(), weights.data(), weights.size() * sizeof(Number));
    fold_.wait();
    for (const Share& share : part.bands.shares) part.slots += share.slots;
    while (computed_.size() < part.bands.shares.size()) computed_.push_back(std::make_unique<Event>(device_));
    parts_.push_back(std::move(part));
  }
  void reserve() {
    std::size_t slots = 0;
    for (const Part& part : parts_) slots = std::max(slots, part.slots);
    partial_ = DeviceArray<Number>(device_, slots * order_.chunk * outputs_per_body(most_));
  }
  [[nodiscard]] const Device& device() const { return device_; }

  /// Queues a copy of inputs [from, from + count) of all bodies from another GPU, as soon as they are `ready` there.
  void take(Event& ready, const Number* values, std::size_t from, std::size_t count) {
    ready.hold(*compute_[0]);
    compute_[0]->copy_rows(inputs_.get() + from * stride_, values, n_ * sizeof(Number), count,
                           stride_ * sizeof(Number));
  }
  [[nodiscard]] const Number* input(std::size_t k) const { return inputs_.get() + k * stride_; }
  [[nodiscard]] const Number* weight(std::size_t force) const { return parts_[force].weight.get(); }

  /// Queues the pairs of a force: launch(share, slots, stream) for each band, alternately on two streams.
  template <class Run>
  void compute(std::size_t force, const Run& launch) {
    begun_.record(*compute_[0]);
    std::size_t slot = 0;
    const std::vector<Share>& shares = parts_[force].bands.shares;
    if (shares.size() > 1) begun_.hold(*compute_[1]);
    for (std::size_t b = 0; b < shares.size(); ++b) {
      const Stream& stream = *compute_[b % 2];
      launch(shares[b], slots(shares[b], slot), StreamHandle{stream.get().stream, false});
      computed_[b]->record(stream);
      slot += shares[b].slots;
    }
  }

  /// Queues the sums: those of the GPU before, then the partial sums of each band. Those of its own rows are complete then, and are
  /// copied to `to`.
  RunningSums fold(std::size_t force, Outputs outputs, const RunningSums& before, double* to) {
    const std::vector<Share>& shares = parts_[force].bands.shares;
    const std::size_t sums = outputs_per_body(outputs);
    const Band &first = shares.front().band, &last = shares.back().band;
    before.complete->hold(fold_);
    copy(before.total, total_.get(), sums, first.first * order_.chunk, n_);
    std::size_t slot = 0;
    for (std::size_t b = 0; b < shares.size(); ++b) {
      computed_[b]->hold(fold_);
      gather(slots(shares[b], slot), sums, n_, total_.get(), stride_, {fold_.get().stream, false});
      slot += shares[b].slots;
    }
    complete_.record(fold_);
    copy(total_.get(), to, sums, first.first * order_.chunk, std::min((last.first + last.split) * order_.chunk, n_));
    finished_.record(fold_);
    return {total_.get(), &complete_};
  }
  /// The event after which the sums of its rows have been copied.
  [[nodiscard]] Event& finished() { return finished_; }

  /// Returns the bytes of GPU memory for one force.
  static std::size_t bytes(std::size_t n, Order order, std::size_t inputs, Outputs most, std::uint32_t first,
                           std::uint32_t last) {
    std::size_t slots = 0;
    for (const Share& share : bands_of_part(first, last, n, order, most).shares) slots += share.slots;
    return n * ((inputs + 1) * sizeof(Number) + outputs_per_body(most) * sizeof(double)) +
           slots * order.chunk * outputs_per_body(most) * sizeof(Number);
  }

 private:
  struct Part {
    DeviceArray<Number> weight;
    Bands bands;
    std::size_t slots;  ///< of all bands
  };

  /// Several bands if their sums take long to add, so that those of one are added while the next ones are computed.
  static Bands bands_of_part(std::uint32_t first, std::uint32_t last, std::size_t n, Order order, Outputs most) {
    constexpr std::size_t bytes_of_band = std::size_t{32} << 20, most_bands = 8;
    const auto chunks = static_cast<std::uint32_t>((n + order.chunk - 1) / order.chunk);
    const std::size_t rows = last - first, left = chunks - first, slots = rows * left + (left - rows) * rows;
    const std::size_t bytes = slots * order.chunk * outputs_per_body(most) * sizeof(Number);
    const std::size_t bands = std::clamp<std::size_t>(bytes / bytes_of_band, 1, most_bands);
    return bands_of_rows(first, last, chunks, slots / bands + 1);
  }
  [[nodiscard]] Slots<Number> slots(const Share& share, std::size_t first) const {
    return {partial_.get() + first * order_.chunk * outputs_per_body(most_), share.band, order_.chunk};
  }
  // Of bodies begin … end − 1.
  void copy(const double* from, double* to, std::size_t sums, std::size_t begin, std::size_t end) {
    fold_.copy_rows(to + begin, from + begin, (end - begin) * sizeof(double), sums, stride_ * sizeof(double));
  }

  Device device_;
  std::size_t n_, stride_;
  Order order_;
  Outputs most_;
  std::vector<Part> parts_;      ///< of each force
  DeviceArray<Number> inputs_;   ///< [inputs][stride]
  DeviceArray<Number> partial_;  ///< slots of all bands
  DeviceArray<double> total_;    ///< [outputs][stride]
  std::unique_ptr<Stream> compute_[2];
  Stream fold_;
  std::vector<std::unique_ptr<Event>> computed_;  ///< bands
  Event begun_, complete_, finished_;
};

}  // namespace orrery::sim::cuda
