// SPDX-License-Identifier: MIT
// Frames are compared with what is shown rather than with the previous frame, so that slow changes do not accumulate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// Suppresses small changes between frames, for formats that store differences. A pixel changes at once if a channel differs
/// from what is shown by more than `coarse` of 256 levels; a difference above `fine` is shown after `patience` frames, so
/// that moving objects leave no traces.
class Hysteresis {
 public:
  static constexpr int coarse = 10, fine = 3;

  Hysteresis(Size size, int patience)
      : size_(size),
        patience_(std::clamp(patience, 1, 255)),
        waited_(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height)) {}

  /// The fraction of changed bytes between frames above which the suppression is invisible, as with many moving bodies.
  static constexpr double busy = 0.25;

  /// Replaces the pixels of the next frame that do not change. Rows have four bytes per pixel and are `stride` bytes apart.
  void hold(std::uint8_t* pixels, std::ptrdiff_t stride) {
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

 private:
  Size size_;
  int patience_;
  std::vector<std::uint8_t> shown_;   ///< [height][width][4]; empty before the first frame
  std::vector<std::uint8_t> waited_;  ///< [height][width]: number of frames, up to `patience_`
};

}  // namespace orrery::render
