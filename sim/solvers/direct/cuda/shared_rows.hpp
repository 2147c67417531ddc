// SPDX-License-Identifier: MIT
// Several GPUs share the pairs: each takes some rows of chunks, and the sums of a body go from one to the next, in the order of
// chunks, so that the bits are those of one GPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/backends/cuda/device.hpp"
#include "sim/backends/cuda/exchange.hpp"
#include "sim/backends/cuda/timed.hpp"
#include "sim/solvers/direct/cuda/bands.hpp"
#include "sim/solvers/direct/cuda/kernels.cuh"
#include "sim/solvers/direct/cuda/pass_on.hpp"
#include "sim/solvers/direct/rows_of_ranks.hpp"

namespace orrery::sim::cuda {

/// By how much earlier GPUs get less (see rows_of_ranks), as later ones add their sums to those of the earlier ones. Against
/// the pairs, that takes less time the larger chunks are; of few chunks a row would already be more. Measured with two H200.
inline double ahead_of_later(std::size_t chunks, std::size_t row, int ranks) {
  return chunks < 128 ? 0 : std::min(6.0 * ranks / static_cast<double>(row), 0.5);
}
/// All rows of a rank are one band: its sums are added at the end, to those of the ranks before.
inline Bands band_of_rank(RankRange rows, std::size_t chunks) {
  return bands_of_rows(static_cast<std::uint32_t>(rows.first), static_cast<std::uint32_t>(rows.last),
                       static_cast<std::uint32_t>(chunks), chunks * chunks);
}

/// The sums of all bodies on the GPUs of all ranks. The buffer of each has the running sums that it receives,
/// [sums][stride], and twice the complete sums, for even and odd evaluations: a rank may be one evaluation ahead of
/// another, which still uses those of the one before.
class SharedSums {
 public:
  SharedSums(Ranks& ranks, const Device& device, std::size_t n, std::size_t stride, std::size_t row,
             std::size_t max_sums)
      : ranks_(ranks),
        n_(n),
        stride_(stride),
        row_(row),
        size_(max_sums * stride),
        chunks_((n + row - 1) / row),
        rows_(chunks_, &ranks, ahead_of_later(chunks_, row, ranks.size())),
        exchange_(ranks, device, 3 * size_),
        times_(device) {}

  /// The band of this rank.
  [[nodiscard]] Bands band() const { return band_of_rank(rows_.mine(), chunks_); }

  /// Begins an evaluation. Returns whether rows have moved, by the times of the one before.
  bool have_moved() {
    const std::optional<double> seconds = times_.next();
    return seconds && rows_.are_moved_by(*seconds);
  }
  /// Calls sum_pairs(), which queues the pair sums of the evaluation.
  template <class SumPairs>
  void time(Stream& stream, const SumPairs& sum_pairs) {
    times_.begin(stream);
    sum_pairs();
    times_.end(stream);
  }

  /// Queues: adds the sums of this rank's band to those of the ranks before, and sends them to the others. Returns the complete
  /// sums of all bodies, once the stream is there.
  template <class Number>
  double* complete(const Slots<Number>& band, std::size_t sums, Stream& stream) {
    even_ = !even_;
    if (!exchange_.is_direct()) {
      if (ranks_.rank() > 0) exchange_.receive(ranks_.rank() - 1, stream);
      gather(band, sums, n_, running(), stride_, stream.get());
      send_and_receive(sums, stream);
      return complete_on(ranks_.rank());
    }
    PassedOn to{.begin = begin(),
                .end = end(),
                .stride = stride_,
                .running = running(),
                .next = exchange_.buffer_of((ranks_.rank() + 1) % ranks_.size()),
                .complete = {},
                .signals = exchange_.next_signals()};
    for (int rank = 0; rank < ranks_.size(); ++rank) to.complete[rank] = complete_on(rank);
    pass_on(band, sums, n_, to, stream.get());
    return complete_on(ranks_.rank());
  }

 private:
  void send_and_receive(std::size_t sums, Stream& stream) {
    const double* const mine = running() + begin();
    const PitchedRows finished = rows_of(mine, complete_at() + begin(), stride_, end() - begin(), sums);
    const PitchedRows unfinished = rows_of(running() + end(), end(), stride_, n_ - end(), sums);
    for (int k = 1; k < ranks_.size(); ++k) {
      const int other = (ranks_.rank() + k) % ranks_.size();  // first the next one, which waits
      const PitchedRows both[] = {unfinished, finished};
      exchange_.send(other, std::span(both).subspan(other == ranks_.rank() + 1 ? 0 : 1), stream);
    }
    stream.copy_rows(complete_on(ranks_.rank()) + begin(), stride_ * sizeof(double), mine, stride_ * sizeof(double),
                     (end() - begin()) * sizeof(double), sums);
    for (int other = 0; other < ranks_.size(); ++other) {
      if (other != ranks_.rank() && other != ranks_.rank() - 1) exchange_.receive(other, stream);
    }
  }
  /// The sums to which this rank adds its own.
  [[nodiscard]] double* running() const { return exchange_.buffer(); }
  [[nodiscard]] std::size_t complete_at() const { return even_ ? size_ : 2 * size_; }
  [[nodiscard]] double* complete_on(int rank) const { return exchange_.buffer_of(rank) + complete_at(); }
  /// The bodies of this rank's rows, whose sums it completes.
  [[nodiscard]] std::size_t begin() const { return rows_.mine().first * row_; }
  [[nodiscard]] std::size_t end() const { return std::min(rows_.mine().last * row_, n_); }

  Ranks& ranks_;
  std::size_t n_, stride_, row_, size_, chunks_;
  MovingRows rows_;
  Exchange exchange_;
  TimedEvaluations times_;
  bool even_ = false;
};

}  // namespace orrery::sim::cuda
