// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/chunk_pairs.hpp"

#include <algorithm>

#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

/// Minimum tasks of a band per thread, so that little time is lost at its end.
constexpr size_t tasks_a_thread = 16;
/// Bytes of partial sums of a band per thread, unless that gives too few tasks: about a core's own cache.
constexpr size_t band_bytes = size_t{1} << 20;

/// A band of r rows has about r · chunks / 2 tasks, and its partial sums take 2r slots per chunk.
size_t rows_of_band(size_t n, int threads) {
  if (threads == 1) return 1;
  const size_t enough = 2 * tasks_a_thread * static_cast<size_t>(threads) / chunk_count(n);
  const size_t in_cache = band_bytes * static_cast<size_t>(threads) / (64 * n);
  return std::clamp<size_t>(std::max(enough, in_cache), 1, chunk_count(n));
}

/// Returns the number of doubles in all slots. A single band has no chunks after it.
size_t partial_sums(size_t n, int threads, size_t most_sums) {
  const size_t chunks = chunk_count(n), rows = rows_of_band(n, threads);
  return chunks > 1 ? (rows < chunks ? 2 : 1) * rows * chunks * most_sums * chunk_size(n) : 0;
}

}  // namespace

ChunkPairs::ChunkPairs(const simd::ColumnKernels& kernels, ThreadPool& threads, size_t n, size_t stride,
                       size_t most_sums)
    : kernels_(kernels),
      threads_(threads),
      n_(n),
      stride_(stride),
      chunk_(chunk_size(n)),
      chunks_(chunk_count(n)),
      most_sums_(most_sums),
      rows_(rows_of_band(n, threads.size())),
      total_(most_sums * stride),
      partial_(AlignedArray::uninitialized(partial_sums(n, threads.size(), most_sums))) {
  if (chunks_ == 1) return;
  for (size_t first = 0; first < chunks_; first += rows_) {
    const size_t last = std::min(first + rows_, chunks_), begin = pairs_.size();
    // Small tasks last, so that threads finish at about the same time.
    for (size_t I = first; I < last; ++I) {
      for (size_t J = I + 1; J < chunks_; ++J) pairs_.push_back({I, J});
    }
    for (size_t I = first; I < last; ++I) pairs_.push_back({I, I});
    bands_.push_back({first, last, begin, pairs_.size()});
  }
}

size_t ChunkPairs::bytes(size_t n, int threads, size_t most_sums) {
  return (most_sums * n + partial_sums(n, threads, most_sums)) * sizeof(double);
}

double* ChunkPairs::slot(const Band& band, size_t K, size_t c) {
  const size_t k = K < band.last ? (K - band.first) * chunks_ + c : rows_ * (chunks_ + K) + (c - band.first);
  return partial_.get() + k * most_sums_ * chunk_;
}

void ChunkPairs::sum_pair(const simd::PairKernels& kernel, const simd::ParticleView& field, const Band& band,
                          Pair pair) {
  const auto [I, J] = pair;
  if (I == J) {
    kernel.within(field, I * chunk_, std::min((I + 1) * chunk_, n_), {slot(band, I, I), chunk_});
  } else {
    kernel.between(field, I * chunk_, J * chunk_, chunk_, {slot(band, I, J), chunk_}, {slot(band, J, I), chunk_});
  }
}

/// A ← A + P_c for the chunks c paired with K in this band, in order.
void ChunkPairs::gather(const Band& band, size_t K, size_t count) {
  const size_t begin = K * chunk_, bodies = std::min(chunk_, n_ - begin);
  const size_t end = K < band.last ? chunks_ : band.last;
  for (size_t q = 0; q < count; ++q) {
    kernels_.add(sums(q) + begin, slot(band, K, band.first) + q * chunk_, most_sums_ * chunk_, end - band.first,
                 band.first == 0, bodies);
  }
}

}  // namespace orrery::sim
