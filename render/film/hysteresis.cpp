// SPDX-License-Identifier: MIT
// Frames are compared with what is shown rather than with the previous frame, so that slow changes do not accumulate.
#include "render/film/hysteresis.hpp"

#include <algorithm>
#include <cstdlib>

namespace orrery::render {

Hysteresis::Hysteresis(Size size, int patience)
    : size_(size),
      patience_(std::clamp(patience, 1, 255)),
      waited_(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height)) {}

void Hysteresis::hold(std::uint8_t* pixels, std::ptrdiff_t stride) {
  const bool first = shown_.empty();
  shown_.resize(4 * waited_.size());
  std::uint8_t* shown = shown_.data();
  std::uint8_t* waited = waited_.data();
  for (int y = 0; y < size_.height; ++y, pixels += stride) {
    std::uint8_t* pixel = pixels;
    for (int x = 0; x < size_.width; ++x, pixel += 4, shown += 4, ++waited) {
      int difference = 0;
      for (int k = 0; k < 4; ++k) difference = std::max(difference, std::abs(pixel[k] - shown[k]));
      if (first || difference > (*waited < patience_ ? coarse : fine)) {
        std::copy_n(pixel, 4, shown);
        *waited = 0;
      } else {
        std::copy_n(shown, 4, pixel);
        *waited = static_cast<std::uint8_t>(std::min(*waited + 1, patience_));
      }
    }
  }
}

}  // namespace orrery::render
