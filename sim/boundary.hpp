// SPDX-License-Identifier: MIT
// A boundary describes itself: what becomes of a body that leaves a box along one axis; the list of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// One body along one axis. Where the two ends of a box are one place, `image` counts how many lengths of the box `x` was moved
/// down, so that x + image · length is where the body would be had it gone straight on, but for rounding.
struct Coordinate {
  double x = 0, v = 0;
  std::int64_t image = 0;
};

/// How often a body may cross in one go. One that would have to do so more often, which is infinite, or further away than any
/// step should take it, stays as it is: outside, where whoever looks finds it. So does one that is not a number.
inline constexpr int most_crossings = 1024;

struct Boundary {
  std::string_view name;
  std::string_view meaning;
  bool bounded;  ///< needs a length above 0 along its axis
  bool joined;   ///< the two ends are one place, so that bodies feel each other across them
  /// What every backend does with a coordinate after positions have changed: the box reaches from low to low + length, both
  /// as `check` of sim/domain.hpp allows them. Sums, differences and comparisons of doubles alone, so the same bits everywhere.
  Coordinate (*cross)(Coordinate at, double low, double length);
};

/// Every boundary, in the order of sim/boundaries/list.hpp.
std::span<const Boundary* const> boundaries();

/// Where `boundary` stands in that list, by which kernels know it.
std::size_t boundary_index(const Boundary& boundary);

}  // namespace orrery::sim
