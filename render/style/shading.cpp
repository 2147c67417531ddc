// SPDX-License-Identifier: MIT
// Half-Lambert shading with a small Blinn highlight; one light from the upper left behind the viewer.
#include "render/style/shading.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::render {
namespace {

/// Returns the colour of a lit surface with this unit normal (x right, y down, z to the viewer).
Color lit(Color color, double x, double y, double z) {
  constexpr double lx = -0.48, ly = -0.56, lz = 0.675;  // towards the light; a unit vector
  const double cosine = x * lx + y * ly + z * lz;
  const double diffuse = 0.42 + 0.62 * std::pow(std::max(0.0, 0.5 + 0.5 * cosine), 1.4);
  // Blinn's half vector between light and viewer (0, 0, 1).
  constexpr double h = 1.8303;  // |l + e|
  const double gloss = 0.55 * std::pow(std::max(0.0, (x * lx + y * ly + z * (lz + 1)) / h), 42);
  const auto channel = [&](std::uint8_t c) {
    return static_cast<std::uint8_t>(std::lround(std::min(255.0, c * std::min(1.0, diffuse) + (255 - c) * gloss)));
  };
  return {channel(color.red), channel(color.green), channel(color.blue), color.alpha};
}

}  // namespace

Shades shades_of(Color color) {
  // Along the diameter towards the light, from the highlight at -0.42 to the far edge at 1.
  constexpr double start = -0.42, dx = 0.651, dy = 0.759;
  Shades shades{start * dx, start * dy, 1 - start, {}};
  for (int i = 0; i <= 10; ++i) {
    const double s = start + (1 - start) * i / 10.0;
    shades.stops.push_back({i / 10.0, lit(color, s * dx, s * dy, std::sqrt(std::max(0.0, 1 - s * s)))});
  }
  return shades;
}

}  // namespace orrery::render
