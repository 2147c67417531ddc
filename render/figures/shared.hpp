// SPDX-License-Identifier: MIT
// Keys that figures of bodies have in common.
#pragma once

#include <array>
#include <string_view>

#include "common/parameter.hpp"

namespace orrery::render {

inline constexpr Parameter frame_parameter{.name = "frame",
                                           .kind = Kind::text,
                                           .fallback = "\"inertial\"",
                                           .meaning =
                                               "what rests: inertial | barycentric | body:NAME | corotating | "
                                               "corotating:A,B, where two bodies stay on the x axis"};

inline constexpr std::array<std::string_view, 5> colorings{"body", "component", "speed", "mass", "id"};
inline constexpr std::array<std::string_view, 1> later_colorings{"density"};

inline constexpr Parameter color_parameter{.name = "color_by",
                                           .kind = Kind::text,
                                           .meaning = "what colours tell; left out: body, of a crowd component",
                                           .choices = colorings,
                                           .optional = true,
                                           .later = later_colorings};

inline constexpr std::array<std::string_view, 3> planes{"xy", "xz", "yz"};

inline constexpr Parameter plane_parameter{.name = "plane",
                                           .kind = Kind::text,
                                           .fallback = "\"xy\"",
                                           .meaning = "the coordinates to the right and up",
                                           .choices = planes};

inline constexpr Parameter plane_limits_parameter{
    .name = "limits",
    .kind = Kind::numbers,
    .meaning = "what is shown: [right from, to, up from, to]; left out, all of the run but `outliers`",
    .unit = "length",
    .count = 4,
    .optional = true};

inline constexpr Parameter space_limits_parameter{
    .name = "limits",
    .kind = Kind::numbers,
    .meaning = "what is shown: [x from, to, y from, to, z from, to]; left out, all of the run but `outliers`",
    .unit = "length",
    .count = 6,
    .optional = true};

inline constexpr std::array<std::string_view, 2> outlier_ways{"leave-out", "show"};

inline constexpr Parameter outliers_parameter{
    .name = "outliers",
    .kind = Kind::text,
    .fallback = "\"leave-out\"",
    .meaning =
        "leave-out | show: whether limits hold bodies that escape (docs/stage.md has the rule), the outermost "
        "hundredth of a crowd",
    .choices = outlier_ways};

}  // namespace orrery::render
