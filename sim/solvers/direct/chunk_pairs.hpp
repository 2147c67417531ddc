// SPDX-License-Identifier: MIT
// Multithreaded sums over all pairs of chunks, whose partial sums are added in the canonical order. Several ranks share the pairs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

#include "common/thread_pool.hpp"
#include "sim/backends/cpu/array.hpp"
#include "sim/backends/simd/columns.hpp"
#include "sim/pair_order.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/solvers/direct/rows_of_ranks.hpp"
#include "sim/solvers/direct/simd/pairs.hpp"

namespace orrery::sim {

/// Rows of chunks are processed in bands. A band completes the sums of its own chunks and adds one partial sum per row
/// to those after it, so partial sums take 64 bytes per body and row of a band instead of 32 per body and chunk, and
/// stay in the caches. Neither bands, threads nor ranks change the order in which a body's partial sums are added.
///
/// Each rank has some rows. Those after the first compute all their partial sums, in one band, before they receive the
/// sums of the ranks before them, to which they add theirs.
class ChunkPairs {
 public:
  /// For n bodies in arrays of `stride` numbers, with at most `max_sums` sums per body. `ranks`: null for a single one.
  ChunkPairs(const simd::ColumnKernels& kernels, ThreadPool& threads, std::size_t n, std::size_t stride,
             std::size_t max_sums, Ranks* ranks = nullptr)
      : kernels_(kernels),
        threads_(threads),
        n_(n),
        stride_(stride),
        chunk_(chunk_size(n)),
        chunks_(chunk_count(n)),
        max_sums_(max_sums),
        ranks_(ranks),
        rows_(chunks_, ranks),
        total_(max_sums * stride) {
    if (chunks_ > 1) make_bands();
  }
  /// Returns the bytes of memory used, at most, by one of so many ranks.
  static std::size_t bytes(std::size_t n, int threads, std::size_t max_sums, int ranks) {
    const std::size_t chunks = chunk_count(n), step = rows_of_band(n, threads);
    std::size_t slots = 0;
    for (const RankRange& rows : rows_of_ranks(chunks, ranks)) {
      slots =
          std::max(slots, Band{rows.first, rows.first > 0 ? rows.last : std::min(step, rows.last), 0, 0}.slots(chunks));
    }
    return max_sums * (n + (chunks > 1 ? slots * chunk_size(n) : 0)) * sizeof(double);
  }

  /// Computes `count` sums per body. Calls finish(begin, end), on any thread, when the sums of a chunk are complete.
  template <class Finish>
  void evaluate(const simd::PairKernels& kernel, const simd::ParticleView& field, std::size_t count,
                const Finish& finish) {
    if (chunks_ <= 1) {
      kernel.within(field, 0, n_, {total_.get(), stride_});
      finish(0, n_);
      return;
    }
    const auto finish_chunk = [&](std::size_t K) { finish(K * chunk_, end_of(K + 1)); };
    const RankRange mine = rows_.mine();
    using Timer = std::chrono::steady_clock;
    const auto now = [this] { return ranks_ != nullptr ? Timer::now() : Timer::time_point(); };
    std::chrono::duration<double> pairs_took{};
    for (const Band& band : bands_) {
      const auto begin = now();
      threads_.for_each(band.begin, band.end, [&](std::size_t p) { sum_pair(kernel, field, band, pairs_[p]); });
      pairs_took += now() - begin;
      if (mine.first > 0) exchange(ranks_->rank() - 1, mine.first, count, false);
      threads_.for_each(band.first, chunks_, [&](std::size_t K) {
        gather(band, K, count);
        if (K < band.last && ranks_ == nullptr) finish_chunk(K);
      });
    }
    if (ranks_ == nullptr) return;
    if (mine.last < chunks_) exchange(ranks_->rank() + 1, mine.last, count, true);
    std::vector<RankRange> bodies;
    for (const RankRange& rows : rows_.of_all()) bodies.push_back({end_of(rows.first), end_of(rows.last)});
    share(bodies, count);
    threads_.for_each(0, chunks_, finish_chunk);
    if (rows_.took(pairs_took.count())) make_bands();
  }

  /// The same over few sources, in the same order.
  template <class Finish>
  void walk(const simd::PairKernels& kernel, const simd::ParticleView& field, const simd::SourceFields& sources,
            std::size_t count, const Finish& finish) {
    const std::size_t tiles = (n_ + tile_size - 1) / tile_size;
    const auto end_of_tile = [&](std::size_t k) { return std::min(k * tile_size, n_); };
    std::vector<RankRange> parts = even_parts(tiles, ranks_);
    const auto [first, last] = part_of(parts, ranks_);
    threads_.for_each(first, last, [&](std::size_t k) {
      const std::size_t begin = k * tile_size, end = end_of_tile(k + 1);
      kernel.walk(field, sources, begin, end, {sums(0) + begin, stride_});
      if (ranks_ == nullptr) finish(begin, end);
    });
    if (ranks_ == nullptr) return;
    for (RankRange& part : parts) part = {end_of_tile(part.first), end_of_tile(part.last)};
    share(parts, count);
    finish(0, n_);
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

    [[nodiscard]] std::size_t slots(std::size_t chunks) const {
      return (last - first) * ((chunks - first) + (chunks - last));
    }
  };

  /// A band of r rows has about r · chunks / 2 tasks, and its partial sums take 2r slots per chunk.
  static std::size_t rows_of_band(std::size_t n, int threads) {
    if (threads == 1 || n == 0) return 1;
    constexpr std::size_t tasks_a_thread = 16;                    // at least, so that little time is lost at the end
    constexpr std::size_t bytes_a_thread = std::size_t{1} << 20;  // about a core's own cache, unless tasks are too few
    const std::size_t enough = 2 * tasks_a_thread * static_cast<std::size_t>(threads) / chunk_count(n);
    const std::size_t in_cache = bytes_a_thread * static_cast<std::size_t>(threads) / (64 * n);
    return std::clamp<std::size_t>(std::max(enough, in_cache), 1, chunk_count(n));
  }
  void make_bands() {
    const auto [own_first, own_last] = rows_.mine();
    const std::size_t step = own_first > 0 ? chunks_ : rows_of_band(n_, threads_.size());
    std::size_t max_slots = 0;
    pairs_.clear();
    bands_.clear();
    for (std::size_t first = own_first; first < own_last; first += step) {
      const std::size_t last = std::min(first + step, own_last), begin = pairs_.size();
      // Small tasks last, so that threads finish at about the same time.
      for (std::size_t I = first; I < last; ++I) {
        for (std::size_t J = I + 1; J < chunks_; ++J) pairs_.push_back({I, J});
      }
      for (std::size_t I = first; I < last; ++I) pairs_.push_back({I, I});
      bands_.push_back({first, last, begin, pairs_.size()});
      max_slots = std::max(max_slots, bands_.back().slots(chunks_));
    }
    partial_ = AlignedArray();  // first, so that both are never there at once
    partial_ = AlignedArray::uninitialized(max_slots * max_sums_ * chunk_);
  }
  [[nodiscard]] std::size_t end_of(std::size_t chunks) const { return std::min(chunks * chunk_, n_); }

  /// Sends the sums of chunks `first` and later to a rank, or receives them.
  void exchange(int other, std::size_t first, std::size_t count, bool sends) {
    for (std::size_t q = 0; q < count; ++q) {
      double* const from = sums(q) + first * chunk_;
      const std::size_t bodies = n_ - first * chunk_;
      sends ? ranks_->send(other, from, bodies) : ranks_->receive(other, from, bodies);
    }
  }
  void share(std::span<const RankRange> parts, std::size_t count) {
    std::vector<double*> rows;
    for (std::size_t q = 0; q < count; ++q) rows.push_back(sums(q));
    ranks_->share(rows, parts);
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
      kernels_.add(sums(q) + begin, slot(band, K, band.first) + q * chunk_, max_sums_ * chunk_, end - band.first,
                   band.first == 0, bodies);
    }
  }
  /// The partial sums of chunk c on chunk K: [max_sums][chunk].
  double* slot(const Band& band, std::size_t K, std::size_t c) {
    const std::size_t rows = band.last - band.first, row = chunks_ - band.first;
    const std::size_t before = K < band.last ? (K - band.first) * row : rows * row + (K - band.last) * rows;
    return partial_.get() + (before + (c - band.first)) * max_sums_ * chunk_;
  }

  const simd::ColumnKernels& kernels_;
  ThreadPool& threads_;
  std::size_t n_, stride_, chunk_, chunks_, max_sums_;
  Ranks* ranks_;
  MovingRows rows_;
  std::vector<Pair> pairs_;
  std::vector<Band> bands_;
  AlignedArray total_;    ///< [max_sums][stride]
  AlignedArray partial_;  ///< slots of a band: [rows][chunks] of its own chunks, [chunks][rows] of those after it
};

}  // namespace orrery::sim
