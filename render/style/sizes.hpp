// SPDX-License-Identifier: MIT
#pragma once

#include "common/parameter.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

inline constexpr Parameter line_width_parameter{.name = "line_width",
                                                .example = "1.0",
                                                .meaning = "width of curves and paths; default: 0.5 to 0.8 on paper",
                                                .unit = "points",
                                                .range = {.low = 0, .high = 50, .low_open = true},
                                                .optional = true};

inline constexpr Parameter marker_size_parameter{.name = "marker_size",
                                                 .example = "4.0",
                                                 .meaning =
                                                     "diameter of marks, of the heaviest body, or of all bodies in a "
                                                     "point cloud; default: depends on the picture size",
                                                 .unit = "points",
                                                 .range = {.low = 0, .high = 200, .low_open = true},
                                                 .optional = true};

/// Returns the style with the sizes of those keys.
inline Style with_sizes(Style style, const Arguments& arguments) {
  const auto pixels = [&](const char* key) { return style.point * static_cast<float>(arguments.number(key)); };
  if (arguments.has("line_width")) style.line = style.path_line = pixels("line_width");
  if (arguments.has("marker_size")) style.mark = pixels("marker_size") / 2;
  return style;
}

}  // namespace orrery::render
