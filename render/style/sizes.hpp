// SPDX-License-Identifier: MIT
// The keys of line widths and marker sizes, which figures of curves and figures of paths share.
#pragma once

#include "common/parameter.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

inline constexpr Parameter line_width_parameter{.name = "line_width",
                                                .example = "1.0",
                                                .meaning = "of curves and paths; left out, 0.5 to 0.8 on paper",
                                                .unit = "points",
                                                .range = {.low = 0, .high = 50, .low_open = true},
                                                .optional = true};

inline constexpr Parameter marker_size_parameter{
    .name = "marker_size",
    .example = "4.0",
    .meaning = "diameter of marks, of bodies that of the heaviest, in a crowd of all; left out, as there is room",
    .unit = "points",
    .range = {.low = 0, .high = 200, .low_open = true},
    .optional = true};

/// The look with the sizes of those keys, of 1/72 inch, in pixels of its canvas.
Style with_sizes(Style style, const Arguments& arguments);

}  // namespace orrery::render
