// SPDX-License-Identifier: MIT
// How many bodies are how far from each other in a box.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "render/bounds.hpp"

namespace orrery::render {

struct PairCounts {
  std::uint64_t centers = 0;            ///< bodies around which was counted
  std::vector<std::uint64_t> others{};  ///< in each of equal shells about them, from 0 to the reach
};

/// Counts about every body that is at least `reach` from every wall, so that its shells lie in the box, along joined axes by
/// nearest images. The box is closed along each of its axes, and `reach` at most half of a joined one. In time that goes as the
/// bodies and those within their reach, on all threads, the same with any number of them. Bodies that are not finite, or not in
/// the box, are nowhere.
PairCounts pair_counts(const std::array<std::span<const double>, 3>& position, const Bounds& bounds, double reach,
                       std::size_t shells);

}  // namespace orrery::render
