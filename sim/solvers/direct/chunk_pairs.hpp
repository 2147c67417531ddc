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
             std::size_t most_sums);
  /// Returns the bytes of memory used.
  static std::size_t bytes(std::size_t n, int threads, std::size_t most_sums);

  /// Computes `count` sums per body. Calls finish(begin, end) for the bodies of a chunk, on any thread, when their sums
  /// are complete.
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

  void sum_pair(const simd::PairKernels& kernel, const simd::ParticleView& field, const Band& band, Pair pair);
  void gather(const Band& band, std::size_t K, std::size_t count);
  /// The partial sums of chunk c on chunk K: [most_sums][chunk].
  double* slot(const Band& band, std::size_t K, std::size_t c);

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
