// SPDX-License-Identifier: MIT
// Keys, limits and stamps that figures of bodies have in common.
#pragma once

#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"
#include "render/furniture.hpp"
#include "render/paths.hpp"
#include "render/reference.hpp"

namespace orrery::render {

inline constexpr Parameter frame_parameter{.name = "frame",
                                           .kind = Kind::text,
                                           .fallback = "\"inertial\"",
                                           .meaning = "what rests: inertial | barycentric | body:NAME"};

/// [low, high, low, high, …]: throws ArgumentError for "limits" where a pair does not rise.
inline std::vector<double> checked_limits(const std::vector<double>& limits) {
  for (std::size_t i = 0; i + 1 < limits.size(); i += 2) {
    if (!(limits[i] < limits[i + 1]))
      throw ArgumentError("limits", "each lower limit must be below its upper one");
  }
  return limits;
}

/// What a figure has to hold. Limits must not move during a film, so there it is a bound that is known
/// beforehand; a still knows what it was shown.
inline Extent shown_extent(const Reference& reference, const Paths& paths, bool still) {
  return still && reference.moves() && !paths.empty() ? paths.extent() : reference.extent();
}

/// The stamp of a film, or of a still that shows one moment and no paths.
inline Stamp shown_time(const Cast& cast, const Paths& paths, bool still) {
  if (paths.empty() || (still && paths.bodies() <= most_bodies_with_paths)) return {};
  Stamp stamp = time_stamp(cast, paths.now().time);
  if (still) stamp.longest = stamp.words;
  return stamp;
}

}  // namespace orrery::render
