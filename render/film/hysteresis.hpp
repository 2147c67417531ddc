// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// Suppresses small changes between frames, for formats that store differences. A pixel changes at once if a channel differs
/// from what is shown by more than `coarse` of 256 levels; a difference above `fine` is shown after `patience` frames, so
/// that moving objects leave no traces.
class Hysteresis {
 public:
  static constexpr int coarse = 10, fine = 3;

  Hysteresis(Size size, int patience);

  /// The fraction of changed bytes between frames above which the suppression is invisible, as with many moving bodies.
  static constexpr double busy = 0.25;

  /// Replaces the pixels of the next frame that do not change. Rows have four bytes per pixel and are `stride` bytes apart.
  void hold(std::uint8_t* pixels, std::ptrdiff_t stride);

 private:
  Size size_;
  int patience_;
  std::vector<std::uint8_t> shown_;   ///< [height][width][4]; empty before the first frame
  std::vector<std::uint8_t> waited_;  ///< [height][width]: number of frames, up to `patience_`
};

}  // namespace orrery::render
