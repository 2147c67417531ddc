// SPDX-License-Identifier: MIT
// Loops over bodies and rows of pixels on several threads, with the same results for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/thread_pool.hpp"

namespace orrery::render {

/// The number of pixels, or four times the number of bodies, above which several threads are faster than one.
inline constexpr std::size_t min_parallel_size = 1U << 15;

/// Calls work(first, end) for consecutive parts of [0, count), on all threads if `size` (pixels, or four times bodies) is above
/// min_parallel_size. Rethrows exceptions of `work`.
template <class Index, class Work>
void parallel_parts(Index count, std::size_t size, const Work& work) {
  const int threads = size > min_parallel_size ? loop_threads() : 1;
  if (threads == 1) return work(Index{0}, count);
  const Index share = std::max<Index>(1, count / static_cast<Index>(8 * threads));
  thread_pool(threads)->for_each(0, static_cast<std::size_t>((count + share - 1) / share), [&](std::size_t k) {
    const Index first = static_cast<Index>(k) * share;
    work(first, std::min<Index>(first + share, count));
  });
}

/// Calls work(i) for [0, count), likewise.
template <class Index, class Work>
void parallel_for(Index count, std::size_t size, const Work& work) {
  parallel_parts(count, size, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) work(i);
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
  thread_pool(results.size() > 1 ? loop_threads() : 1)->for_each(0, results.size(), one);
  return results;
}

}  // namespace orrery::render
