// SPDX-License-Identifier: MIT
#pragma once

#include "common/parameter.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// A key that takes points, at most `most`.
constexpr Parameter points_key(std::string_view name, std::string_view example, std::string_view meaning, double most) {
  return {.name = name,
          .example = example,
          .meaning = meaning,
          .unit = "points",
          .range = {.low = 0, .high = most, .low_open = true},
          .optional = true};
}
inline constexpr Parameter line_width_parameter =
    points_key("line_width", "1.0", "width of curves and paths; default: 0.5 to 0.8 on paper", 50);
inline constexpr Parameter marker_size_parameter =
    points_key("marker_size", "4.0",
               "diameter of marks, of the heaviest body, or of all bodies in a point cloud; default: depends on the "
               "picture size",
               200);

/// Returns the style with the sizes of those keys.
inline Style with_sizes(Style style, const Arguments& arguments) {
  const auto pixels = [&](const char* key) { return style.point * static_cast<float>(arguments.number(key)); };
  if (arguments.has("line_width")) style.line = style.path_line = pixels("line_width");
  if (arguments.has("marker_size")) style.mark = pixels("marker_size") / 2;
  return style;
}

}  // namespace orrery::render
