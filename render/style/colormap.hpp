// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "render/canvas/drawing.hpp"
#include "render/style/palette.hpp"

namespace orrery::render {

/// Reads a colour from six hexadecimal digits in lower case, from `digits[first]` on.
constexpr Color color_at(std::string_view digits, std::size_t first) {
  const auto channel = [&](std::size_t at) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    return static_cast<std::uint8_t>(16 * digit(digits[at]) + digit(digits[at + 1]));
  };
  return {channel(first), channel(first + 2), channel(first + 4)};
}

/// The number of colours of a map.
inline constexpr std::size_t colormap_size = 256;

inline constexpr std::array<std::string_view, 5> colormap_names{"viridis", "magma", "cividis", "turbo", "coolwarm"};

/// Returns the colours of a map by its name, the lowest first. Throws ArgumentError for "colormap" if there is none.
std::vector<Color> colormap_colors(std::string_view name);

/// Returns the colours of a scale, the lowest first: those of the map called `name`, or if it is empty those that
/// `of_theme`, which is scalar_color() or field_color(), has for evenly spaced values.
std::vector<Color> scale_colors(std::string_view name, Theme theme, Color (*of_theme)(Theme theme, double t));

}  // namespace orrery::render
