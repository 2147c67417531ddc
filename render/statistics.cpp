// SPDX-License-Identifier: MIT
#include "render/statistics.hpp"

#include <bit>
#include <cstdint>
#include <mutex>
#include <numeric>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

/// Returns an integer that has the order of the numbers.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
}

float value_of(std::uint32_t key) {
  return std::bit_cast<float>((key >> 31U) != 0 ? key & 0x7fffffffU : ~key);
}

constexpr std::size_t bins = 1U << 16;
using Histogram = std::vector<std::size_t>;  // [bins]

/// Returns the number of values in each bin. `bin_of` returns the bin of a key, or `bins` for none.
template <class BinOf>
Histogram histogram(const std::vector<float>& values, float above, const BinOf& bin_of) {
  Histogram all(bins, 0);
  std::mutex mutex;
  parallel_parts(values.size(), 4 * values.size(), [&](std::size_t first, std::size_t last) {
    std::vector<std::uint32_t> part(bins + 1, 0);
    for (std::size_t i = first; i < last; ++i) {
      if (values[i] > above && std::isfinite(values[i])) ++part[bin_of(key_of(values[i]))];
    }
    const std::lock_guard lock(mutex);
    for (std::size_t bin = 0; bin < bins; ++bin) all[bin] += part[bin];
  });
  return all;
}

/// Finds the bin of the value of this rank, and reduces the rank to that within the bin.
std::uint32_t find_bin(const Histogram& counts, std::size_t& rank) {
  std::uint32_t bin = 0;
  for (; rank >= counts[bin]; ++bin) rank -= counts[bin];
  return bin;
}

}  // namespace

// The leading 16 bits of a value follow from a first histogram, the others from one of the values that begin with these.
std::vector<float> percentiles(const std::vector<float>& values, float above, const std::vector<double>& shares) {
  const Histogram leading = histogram(values, above, [](std::uint32_t key) { return key >> 16U; });
  const std::size_t count = std::accumulate(leading.begin(), leading.end(), std::size_t{0});
  std::vector<float> found;
  for (std::size_t k = 0; count > 0 && k < shares.size(); ++k) {
    auto rank = static_cast<std::size_t>(std::lround(shares[k] * static_cast<double>(count - 1)));
    const std::uint32_t high = find_bin(leading, rank);
    const Histogram rest = histogram(values, above, [high](std::uint32_t key) {
      return key >> 16U == high ? key & 0xffffU : static_cast<std::uint32_t>(bins);
    });
    found.push_back(value_of(high << 16U | find_bin(rest, rank)));
  }
  return found;
}

}  // namespace orrery::render
