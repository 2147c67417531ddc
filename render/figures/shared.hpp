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

inline constexpr std::array<std::string_view, 3> centers{"density", "mass", "origin"};

inline constexpr Parameter about_parameter{
    .name = "about",
    .kind = Kind::text,
    .fallback = "\"density\"",
    .meaning =
        "the centre: of density (of the nearest four fifths of all to it, and of those, down to a tenth), of mass, or "
        "the origin",
    .choices = centers};

inline constexpr Parameter plane_limits_parameter{
    .name = "limits",
    .kind = Kind::numbers,
    .meaning = "what is shown: [right from, to, up from, to]; left out, all of the run but outliers of a crowd",
    .unit = "length",
    .count = 4,
    .optional = true};

inline constexpr Parameter space_limits_parameter{
    .name = "limits",
    .kind = Kind::numbers,
    .meaning = "what is shown: [x from, to, y from, to, z from, to]; left out, all of the run but outliers of a crowd",
    .unit = "length",
    .count = 6,
    .optional = true};

}  // namespace orrery::render
