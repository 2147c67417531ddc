// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "render/bounds.hpp"

namespace orrery::render {

struct PairCounts {
  std::uint64_t centers = 0;            ///< number of bodies whose neighbours were counted
  std::vector<std::uint64_t> others{};  ///< number of neighbours in each of equally thick shells from 0 to `reach`
};

/// Counts the neighbours of every body that is at least `reach` from every wall, with nearest images along periodic axes. The
/// box must be closed along all its axes, and `reach` at most half of each period. Bodies that are not finite or outside of
/// the box are ignored. O(bodies + pairs within reach) on all threads; the result does not depend on their number.
PairCounts pair_counts(const std::array<std::span<const double>, 3>& position, const Bounds& bounds, double reach,
                       std::size_t shells);

}  // namespace orrery::render
