// SPDX-License-Identifier: MIT
// Multithreaded sums over all pairs of chunks, whose partial sums are added in the canonical order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/backends/cpu/array.hpp"
#include "sim/backends/simd/columns.hpp"
#include "sim/pair_order.hpp"
#include "sim/solvers/direct/simd/pairs.hpp"

namespace orrery::sim {

/// Rows of chunks are processed in bands. A band completes the sums of its own chunks and adds one partial sum per row
/// to those after it, so partial sums take 64 bytes per body and row of a band instead of 32 per body and chunk, and
/// stay in the caches. Neither bands nor threads change the order in which a body's partial sums are added.
class ChunkPairs {
 public:
  /// For n bodies in arrays of `stride` numbers, with at most `most_sums` sums per body.
  ChunkPairs(const simd::ColumnKernels& kernels, ThreadPool& threads, std::size_t n, std::size_t stride,
             std::size_t most_sums)
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
    for (std::size_t first = 0; first < chunks_; first += rows_) {
      const std::size_t last = std::min(first + rows_, chunks_), begin = pairs_.size();
      // Small tasks last, so that threads finish at about the same time.
      for (std::size_t I = first; I < last; ++I) {
        for (std::size_t J = I + 1; J < chunks_; ++J) pairs_.push_back({I, J});
      }
      for (std::size_t I = first; I < last; ++I) pairs_.push_back({I, I});
      bands_.push_back({first, last, begin, pairs_.size()});
    }
  }
  /// Returns the bytes of memory used.
  static std::size_t bytes(std::size_t n, int threads, std::size_t most_sums) {
    return (most_sums * n + partial_sums(n, threads, most_sums)) * sizeof(double);
  }

  /// Computes `count` sums per body. Calls finish(begin, end), on any thread, when the sums of a chunk are complete.
  template <class Finish>
  void evaluate(const simd::PairKernels& kernel, const simd::ParticleView& field, std::size_t count,
                const Finish& finish) {
    if (chunks_ == 1) {
      kernel.within(field, 0, n_, {total_.get(), stride_});
      finish(0, n_);
      return;
    }
    for (const Band& band : bands_) {
      threads_.for_each(band.begin, band.end, [&](std::size_t p) { sum_pair(kernel, field, band, pairs_[p]); });
      threads_.for_each(band.first, chunks_, [&](std::size_t K) {
        gather(band, K, count);
        if (K < band.last) finish(K * chunk_, std::min((K + 1) * chunk_, n_));
      });
    }
  }

  /// The same over few sources, in the same order.
  template <class Finish>
  void walk(const simd::PairKernels& kernel, const simd::ParticleView& field, const simd::SourceFields& sources,
            const Finish& finish) {
    threads_.for_each(0, (n_ + tile_size - 1) / tile_size, [&](std::size_t k) {
      const std::size_t begin = k * tile_size, end = std::min(begin + tile_size, n_);
      kernel.walk(field, sources, begin, end, {sums(0) + begin, stride_});
      finish(begin, end);
    });
  }

  /// Returns row q of the last sums, [count][stride].
  double* sums(std::size_t q) { return total_.get() + q * stride_; }

 private:
  struct Pair {
    std::size_t I, J;
  };
  struct Band {
    std::size_t first, last;  ///< rows
    std::size_t begin, end;   ///< pairs
  };

  /// A band of r rows has about r · chunks / 2 tasks, and its partial sums take 2r slots per chunk.
  static std::size_t rows_of_band(std::size_t n, int threads) {
    if (threads == 1) return 1;
    constexpr std::size_t tasks_a_thread = 16;                    // at least, so that little time is lost at the end
    constexpr std::size_t bytes_a_thread = std::size_t{1} << 20;  // about a core's own cache, unless tasks are too few
    const std::size_t enough = 2 * tasks_a_thread * static_cast<std::size_t>(threads) / chunk_count(n);
    const std::size_t in_cache = bytes_a_thread * static_cast<std::size_t>(threads) / (64 * n);
    return std::clamp<std::size_t>(std::max(enough, in_cache), 1, chunk_count(n));
  }
  /// Returns the number of doubles in all slots. A single band has no chunks after it.
  static std::size_t partial_sums(std::size_t n, int threads, std::size_t most_sums) {
    const std::size_t chunks = chunk_count(n), rows = rows_of_band(n, threads);
    return chunks > 1 ? (rows < chunks ? 2 : 1) * rows * chunks * most_sums * chunk_size(n) : 0;
  }
  void sum_pair(const simd::PairKernels& kernel, const simd::ParticleView& field, const Band& band, Pair pair) {
    const auto [I, J] = pair;
    if (I == J) {
      kernel.within(field, I * chunk_, std::min((I + 1) * chunk_, n_), {slot(band, I, I), chunk_});
    } else {
      kernel.between(field, I * chunk_, J * chunk_, chunk_, {slot(band, I, J), chunk_}, {slot(band, J, I), chunk_});
    }
  }
  /// A ← A + P_c for the chunks c paired with K in this band, in order.
  void gather(const Band& band, std::size_t K, std::size_t count) {
    const std::size_t begin = K * chunk_, bodies = std::min(chunk_, n_ - begin);
    const std::size_t end = K < band.last ? chunks_ : band.last;
    for (std::size_t q = 0; q < count; ++q) {
      kernels_.add(sums(q) + begin, slot(band, K, band.first) + q * chunk_, most_sums_ * chunk_, end - band.first,
                   band.first == 0, bodies);
    }
  }
  /// The partial sums of chunk c on chunk K: [most_sums][chunk].
  double* slot(const Band& band, std::size_t K, std::size_t c) {
    const std::size_t k = K < band.last ? (K - band.first) * chunks_ + c : rows_ * (chunks_ + K) + (c - band.first);
    return partial_.get() + k * most_sums_ * chunk_;
  }

  const simd::ColumnKernels& kernels_;
  ThreadPool& threads_;
  std::size_t n_, stride_, chunk_, chunks_, most_sums_;
  std::size_t rows_;  ///< of a band
  std::vector<Pair> pairs_;
  std::vector<Band> bands_;
  AlignedArray total_;    ///< [most_sums][stride]
  AlignedArray partial_;  ///< slots: [rows][chunks] of chunks in the band, [chunks][rows] of those after it
};

}  // namespace orrery::sim
