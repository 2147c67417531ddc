// SPDX-License-Identifier: MIT
// Loops over bodies and rows of pixels on several threads, with the same results for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/thread_pool.hpp"
#include "common/usable_threads.hpp"

namespace orrery::render {

/// The number of pixels, or four times the number of bodies, above which several threads are faster than one.
inline constexpr std::size_t min_parallel_size = 1U << 15;

/// Calls work(first, end) for consecutive parts of [0, count), on all threads if `size` (pixels, or four times bodies) is above
/// min_parallel_size. Rethrows exceptions of `work`.
template <class Index, class Work>
void parallel_parts(Index count, std::size_t size, const Work& work) {
  const int threads = size > min_parallel_size ? usable_threads() : 1;
  if (threads == 1) return work(Index{0}, count);
  const Index share = std::max<Index>(1, count / static_cast<Index>(8 * threads));
  process_pool(threads)->for_each(0, static_cast<std::size_t>((count + share - 1) / share), [&](std::size_t k) {
    const Index first = static_cast<Index>(k) * share;
    work(first, std::min<Index>(first + share, count));
  });
}

/// The number of bodies in a part of by_parts().
inline constexpr std::size_t part_size = 1U << 15;

/// Returns work(first, end) for consecutive parts of [0, count), in order, computed on all threads. The parts do not depend on
/// the number of threads; there is at least one.
template <class Work>
auto by_parts(std::size_t count, const Work& work) {
  std::vector<decltype(work(std::size_t{}, std::size_t{}))> results(
      std::max<std::size_t>(1, (count + part_size - 1) / part_size));
  const auto one = [&](std::size_t k) { results[k] = work(k * part_size, std::min((k + 1) * part_size, count)); };
  process_pool(results.size() > 1 ? usable_threads() : 1)->for_each(0, results.size(), one);
  return results;
}

/// A range of rows of pixels, including `last`; empty if `last` < `first`.
struct Rows {
  int first = 0, last = -1;
};

/// Divides `rows` rows of pixels into bands, and on all threads calls paint(i, part) for each band and each item i that
/// touches it, with the rows of the item in that band. `rows_of(i)` returns all rows of an item. Items come in order within a
/// band, so that sums in a pixel are always added in the same order.
template <class RowsOf, class Paint>
void for_bands(std::size_t items, int rows, RowsOf rows_of, Paint paint) {
  constexpr int height = 32;
  const int bands = (rows + height - 1) / height;
  const auto touched = [&](std::size_t i, auto&& with) {
    const Rows r = rows_of(i);
    const int first = std::max(r.first, 0), last = std::min(r.last, rows - 1);
    if (first > last) return;
    for (int band = first / height; band <= last / height; ++band) with(static_cast<std::size_t>(band));
  };
  std::vector<std::size_t> start(static_cast<std::size_t>(bands) + 1, 0);
  for (std::size_t i = 0; i < items; ++i) touched(i, [&](std::size_t band) { ++start[band + 1]; });
  for (std::size_t band = 0; band + 1 < start.size(); ++band) start[band + 1] += start[band];
  std::vector<std::uint32_t> order(start.back());
  std::vector<std::size_t> end(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < items; ++i) {
    touched(i, [&](std::size_t band) { order[end[band]++] = static_cast<std::uint32_t>(i); });
  }
  parallel_parts(bands, 4 * order.size(), [&](int from, int to) {
    for (int band = from; band < to; ++band) {
      const auto b = static_cast<std::size_t>(band);
      for (std::size_t k = start[b]; k < start[b + 1]; ++k) {
        const Rows r = rows_of(order[k]);
        paint(static_cast<std::size_t>(order[k]),
              Rows{std::max({r.first, band * height, 0}), std::min({r.last, (band + 1) * height - 1, rows - 1})});
      }
    }
  });
}

}  // namespace orrery::render
