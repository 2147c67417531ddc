// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// One body along one axis. Along a periodic axis x + image·length is the unwrapped coordinate, up to rounding.
struct Coordinate {
  double x = 0, v = 0;
  std::int64_t image = 0;
};

/// Maximum number of crossings in one drift. A coordinate that is still outside after that becomes NaN, so that the
/// range check ends the run with the body and the time.
inline constexpr int max_crossings = 1024;

/// A boundary condition along one axis of a box.
struct Boundary {
  std::string_view name;
  std::string_view meaning;
  bool bounded;   ///< requires a length above 0
  bool periodic;  ///< periodic: the ends coincide, and bodies interact across them
  /// Applied to each coordinate after a drift. The box extends from low to low + length, which satisfy `check` of
  /// sim/domain.hpp. Only sums, differences and comparisons of doubles, so that the bits are the same everywhere.
  Coordinate (*cross)(Coordinate at, double low, double length);
};

/// All boundaries in the order of sim/boundaries/list.hpp.
std::span<const Boundary* const> boundaries();

/// Index in that list, by which kernels identify a boundary.
std::size_t boundary_index(const Boundary& boundary);

}  // namespace orrery::sim
