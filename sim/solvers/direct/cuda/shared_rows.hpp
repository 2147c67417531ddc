// SPDX-License-Identifier: MIT
// Several GPUs share the pairs: each takes some rows of chunks, and the sums of a body go from one to the next, in the order of
// chunks, so that the bits are those of one GPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/exchange.hpp"
#include "sim/solvers/direct/cuda/bands.hpp"
#include "sim/solvers/direct/cuda/kernels.cuh"
#include "sim/solvers/direct/rows_of_ranks.hpp"

namespace orrery::sim::cuda {

/// Of GPUs.
inline std::vector<RankRange> rows_of_gpus(std::size_t chunks, int ranks) {
  return rows_of_ranks(chunks, ranks, 0.02);
}

/// Several bands if their sums take long to add, so that those of one are added while the next ones are computed; of a
/// rank that keeps the partial sums of all its rows, because they are added only after those of the rows before it.
inline Bands bands_of_part(std::uint32_t first, std::uint32_t last, std::uint32_t chunks, std::size_t bytes_of_slot) {
  constexpr std::size_t bytes_of_band = std::size_t{32} << 20, most_bands = 8;
  const std::size_t slots = slots_of_rows(last - first, chunks - first);
  const std::size_t bands = std::clamp<std::size_t>(slots * bytes_of_slot / bytes_of_band, 1, most_bands);
  return bands_of_rows(first, last, chunks, slots / bands + 1);
}
inline std::size_t slots_of_all(const Bands& bands) {
  std::size_t slots = 0;
  for (const Share& share : bands.shares) slots += share.slots;
  return slots;
}

/// The sums of all bodies on the GPUs of all ranks. The buffer of each has the running sums that it receives,
/// [sums][stride], and twice the complete sums, for even and odd evaluations: a rank may be one evaluation ahead of
/// another, which still uses those of the one before.
class SharedSums {
 public:
  SharedSums(Ranks& ranks, const Device& device, std::size_t n, std::size_t stride, std::size_t row,
             std::size_t most_sums)
      : ranks_(ranks),
        n_(n),
        stride_(stride),
        row_(row),
        size_(most_sums * stride),
        rows_(rows_of_gpus((n + row - 1) / row, ranks.size())),
        exchange_(ranks, device, 3 * size_) {}

  [[nodiscard]] std::uint32_t first() const { return static_cast<std::uint32_t>(part_of(rows_, &ranks_).first); }
  [[nodiscard]] std::uint32_t last() const { return static_cast<std::uint32_t>(part_of(rows_, &ranks_).last); }
  [[nodiscard]] std::uint32_t chunks() const { return static_cast<std::uint32_t>(rows_.back().last); }
  /// The sums to which this rank adds its own: on rank 0 nothing yet, on others those of the ranks before.
  [[nodiscard]] double* running() const { return exchange_.buffer(); }
  void receive_running(Stream& stream) {
    if (ranks_.rank() > 0) exchange_.receive(ranks_.rank() - 1, stream);
  }
  /// This rank has added its own: passes them on. Returns the complete sums of all bodies.
  double* complete(std::size_t sums, Stream& stream) {
    even_ = !even_;
    const std::size_t at = even_ ? size_ : 2 * size_, begin = end_of(first()), end = end_of(last());
    const double* const mine = running() + begin;
    const Rows finished = rows_of(mine, at + begin, stride_, end - begin, sums);
    const Rows unfinished = rows_of(running() + end, end, stride_, n_ - end, sums);
    for (int k = 1; k < ranks_.size(); ++k) {
      const int other = (ranks_.rank() + k) % ranks_.size();  // first the next one, which waits
      const Rows both[] = {unfinished, finished};
      exchange_.send(other, std::span(both).subspan(other == ranks_.rank() + 1 ? 0 : 1), stream);
    }
    stream.copy_rows(exchange_.buffer() + at + begin, stride_ * sizeof(double), mine, stride_ * sizeof(double),
                     (end - begin) * sizeof(double), sums);
    for (int other = 0; other < ranks_.size(); ++other) {
      if (other != ranks_.rank() && other != ranks_.rank() - 1) exchange_.receive(other, stream);
    }
    return exchange_.buffer() + at;
  }

 private:
  [[nodiscard]] std::size_t end_of(std::uint32_t chunks) const { return std::min(chunks * row_, n_); }

  Ranks& ranks_;
  std::size_t n_, stride_, row_, size_;
  std::vector<RankRange> rows_;  ///< of each rank
  Exchange exchange_;
  bool even_ = false;
};

}  // namespace orrery::sim::cuda
