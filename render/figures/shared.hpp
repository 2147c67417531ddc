// SPDX-License-Identifier: MIT
// Keys that figures of bodies have in common.
#pragma once

#include <array>
#include <string_view>

#include "common/parameter.hpp"
#include "render/chosen.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {

inline constexpr Parameter frame_parameter{.name = "frame",
                                           .kind = Kind::text,
                                           .fallback = "\"inertial\"",
                                           .meaning =
                                               "what rests: inertial | barycentric | body:NAME | corotating | "
                                               "corotating:A,B, where two bodies stay on the x axis"};

inline constexpr std::array<std::string_view, 6> colorings{"body", "component", "speed", "mass", "density", "id"};

inline constexpr Parameter color_parameter{.name = "color_by",
                                           .kind = Kind::text,
                                           .meaning = "what colours tell; left out: body, of a crowd component",
                                           .choices = colorings,
                                           .optional = true};

/// For figures of bodies: which of the two keys above asks for velocities.
inline std::string_view velocity_key_of_bodies(const Arguments& arguments) {
  if (arguments.has("color_by") && arguments.text("color_by") == "speed") return "color_by";
  return arguments.text("frame").starts_with("corotating") ? "frame" : "";
}

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
    .example = "[-1.0, 1.0, -1.0, 1.0]",
    .meaning =
        "what is shown: [right from, to, up from, to]; left out, the box, or without one all of the run but `outliers`",
    .unit = "length",
    .count = 4,
    .optional = true};

inline constexpr Parameter space_limits_parameter{.name = "limits",
                                                  .kind = Kind::numbers,
                                                  .example = "[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0]",
                                                  .meaning =
                                                      "what is shown: [x from, to, y from, to, z from, to]; left out, "
                                                      "the box, or without one all of the run but `outliers`",
                                                  .unit = "length",
                                                  .count = 6,
                                                  .optional = true};

inline constexpr std::array<std::string_view, 2> outlier_ways{"leave-out", "show"};

inline constexpr Parameter outliers_parameter{
    .name = "outliers",
    .kind = Kind::text,
    .fallback = "\"leave-out\"",
    .meaning =
        "leave-out | show: whether limits hold bodies that escape (docs/view.md has the rule), the outermost "
        "hundredth of a crowd",
    .choices = outlier_ways};

inline constexpr Parameter zoom_parameter{.name = "zoom",
                                          .fallback = "1.0",
                                          .meaning = "above 1 closer, below 1 from further off",
                                          .range = {.low = 1e-3, .high = 1e6}};

inline constexpr Parameter follow_parameter{
    .name = "follow",
    .kind = Kind::number_or_text,
    .example = "\"center-of-mass\"",
    .meaning = "who stays in the middle while axes go by: a body, or center-of-mass; `limits` then count from there",
    .optional = true};

inline constexpr std::array<std::string_view, 2> frame_limit_ways{"fixed", "follow"};

inline constexpr Parameter frame_limits_parameter{
    .name = "frame_limits",
    .kind = Kind::text,
    .fallback = "\"fixed\"",
    .meaning = "fixed | follow: one frame for the whole run, or one that widens and narrows slowly with the bodies",
    .choices = frame_limit_ways};

}  // namespace orrery::render
