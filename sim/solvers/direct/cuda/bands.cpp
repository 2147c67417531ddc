// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/cuda/bands.hpp"

#include <algorithm>

namespace orrery::sim::cuda {
namespace {

/// Maximum bytes of sums per body, including its total.
constexpr std::size_t most_bytes = 2048;

}  // namespace

Bands bands_of(PairKernel kernel, std::size_t chunks, std::size_t bytes) {
  const auto count = static_cast<std::uint32_t>(chunks);
  Bands bands{};
  const auto add = [&](const Band& band, std::size_t slots, std::uint32_t tasks) {
    bands.shares.push_back({band, tasks});
    bands.slots = std::max(bands.slots, slots);
  };
  const bool fits = chunks * bytes <= most_bytes;
  // Slots of one of two buffers; the total takes up to 6 doubles.
  const std::size_t room = (most_bytes - 6 * sizeof(double)) / 2 / bytes * chunks;
  if (kernel != PairKernel::pair_once) {
    const auto step = fits ? count : std::max(1U, static_cast<std::uint32_t>(room / chunks));
    for (std::uint32_t first = 0; first < count; first += step) {
      const std::uint32_t parts = std::min(step, count - first);
      // A slot of a walk is as long as the state.
      add({0, first, 0, 0, parts}, kernel == PairKernel::walk ? parts : std::size_t{parts} * chunks, parts);
    }
    return bands;
  }
  for (std::uint32_t first = 0; first < count;) {
    const std::uint32_t left = count - first;
    std::uint32_t rows = fits ? left : 1;
    const auto slots_of = [&](std::size_t r) { return r * left + (left - r) * r; };
    while (!fits && rows < left && slots_of(rows + 1) <= room) ++rows;
    add({first, first, rows, left, rows}, slots_of(rows), rows * (left - rows) + rows * (rows + 1) / 2);
    first += rows;
  }
  return bands;
}

}  // namespace orrery::sim::cuda
