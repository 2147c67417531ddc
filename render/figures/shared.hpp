// SPDX-License-Identifier: MIT
// Keys that several figures of bodies share.
#pragma once

#include <array>
#include <string_view>

#include "common/parameter.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/style/colormap.hpp"
#include "render/style/sizes.hpp"

namespace orrery::render {

inline constexpr Parameter frame_parameter = choice_key(
    "frame", "\"inertial\"", {},
    "reference frame: inertial | barycentric | body:NAME | corotating (with the two heaviest bodies on the x "
    "axis) | corotating:NAME,NAME");

inline constexpr std::array<std::string_view, 6> colorings{"body", "component", "speed", "mass", "density", "id"};
inline constexpr Parameter color_parameter{
    .name = "color_by",
    .kind = Kind::text,
    .example = "\"mass\"",
    .meaning = "quantity that sets the colour of a body; default: component for more than 64 bodies, otherwise body",
    .choices = colorings,
    .optional = true};

/// The key `colormap`, with a description of its default.
constexpr Parameter colormap_key(std::string_view meaning) {
  return choice_key("colormap", "", colormap_names, meaning);
}
inline constexpr Parameter colormap_parameter = colormap_key(
    "colour map if `color_by` is speed, mass, density or id; default: plasma without its end near the colour of the "
    "background");

/// Returns which of the keys `color_by` and `frame` needs velocities of the frames, or "".
inline std::string_view velocity_key_of_bodies(const Arguments& arguments) {
  if (arguments.has("color_by") && arguments.text("color_by") == "speed") return "color_by";
  return arguments.text("frame").starts_with("corotating") ? "frame" : "";
}

inline constexpr std::array<std::string_view, 3> name_choices{"fit", "always", "never"};
inline constexpr Parameter names_parameter = choice_key(
    "names", "\"fit\"", name_choices,
    "names beside the bodies of a still; fit: where they cover no body, no other text and few lines; always: "
    "also elsewhere");

inline constexpr Parameter labels_parameter = optional_key(
    "labels", Kind::texts, "[\"a\", \"b\"]", "names of several runs in the legend; default: what distinguishes them");

inline constexpr std::array<std::string_view, 3> planes{"xy", "xz", "yz"};
inline constexpr Parameter plane_parameter =
    choice_key("plane", "\"xy\"", planes, "coordinate plane: horizontal axis, vertical axis");

/// The key `limits` of that many numbers.
constexpr Parameter limits_key(std::size_t count, std::string_view example, std::string_view meaning) {
  Parameter key = optional_key("limits", Kind::numbers, example, meaning, "length");
  key.count = count;
  return key;
}
inline constexpr Parameter plane_limits_parameter =
    limits_key(4, "[-1.0, 1.0, -1.0, 1.0]",
               "visible region, [from, to] of the horizontal and of the vertical axis; default: the box of [domain], "
               "otherwise all positions of the run, see `outliers`");
inline constexpr Parameter space_limits_parameter =
    limits_key(6, "[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0]",
               "visible region, [from, to] of x, y and z; default: the box of [domain], otherwise all positions of the "
               "run, see `outliers`");

inline constexpr std::array<std::string_view, 2> outlier_choices{"leave-out", "show"};
inline constexpr Parameter outliers_parameter = choice_key(
    "outliers", "\"leave-out\"", outlier_choices,
    "whether the default limits include escaping bodies (docs/view.md defines them), or for more than 64 bodies "
    "the outermost 1 % on each side");

inline constexpr Parameter zoom_parameter{.name = "zoom",
                                          .fallback = "1.0",
                                          .meaning = "magnification about the centre of the view",
                                          .range = {.low = 1e-3, .high = 1e6}};

inline constexpr Parameter follow_parameter =
    optional_key("follow", Kind::number_or_text, "\"center-of-mass\"",
                 "keep this body (name or number), center-of-mass or densest (the density centre, docs/view.md) in the "
                 "centre of the view; `limits` are then relative to it");

inline constexpr std::array<std::string_view, 2> frame_limit_choices{"fixed", "follow"};
inline constexpr Parameter frame_limits_parameter =
    choice_key("frame_limits", "\"fixed\"", frame_limit_choices,
               "fixed: the same limits for the whole run; follow: limits that grow and shrink slowly with the bodies");

}  // namespace orrery::render
