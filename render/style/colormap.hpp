// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

struct Colormap {
  std::string_view name;
  std::string_view digits;  ///< six hexadecimal digits per colour, the lowest first

  /// Returns 256 colours.
  [[nodiscard]] std::vector<Color> colors() const;
};

inline constexpr std::array<std::string_view, 5> colormap_names{"viridis", "magma", "cividis", "turbo", "coolwarm"};

/// Returns all maps, in the order of colormap_names.
std::span<const Colormap> colormaps();

}  // namespace orrery::render
