// SPDX-License-Identifier: MIT
// Colour maps by name, 256 colours each: what `colormap` of a figure may be.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

struct Colormap {
  std::string_view name;
  bool diverging;           ///< from one colour by a pale middle, which is 0, to another
  std::string_view digits;  ///< of all colours, the lowest first

  /// 256 of them.
  [[nodiscard]] std::vector<Color> colors() const;
};

inline constexpr std::array<std::string_view, 5> colormap_names{"viridis", "magma", "cividis", "turbo", "coolwarm"};

/// In the order of their names.
std::span<const Colormap> colormaps();

}  // namespace orrery::render
