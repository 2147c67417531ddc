// SPDX-License-Identifier: MIT
// Pixels that hardly change from frame to frame stay as they are: a format that stores what changes then stores little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// What is on the screen while frames go by. A pixel changes at once where a channel differs by more than `coarse` levels
/// of 256; where it differs by more than `fine`, it does so after `patience` frames, so that nothing that has moved on
/// leaves a trace behind.
class Hysteresis {
 public:
  static constexpr int coarse = 10, fine = 3;

  Hysteresis(Size size, int patience);

  /// The share of bytes in which two pictures differ above which what is said above goes unseen: a crowd on the move. Few
  /// bodies and thin lines are better shown as they are.
  static constexpr double busy = 0.25;

  /// The next frame: rows of four bytes a pixel, `stride` bytes apart, of which those that stay are put back.
  void hold(std::uint8_t* pixels, std::ptrdiff_t stride);

 private:
  Size size_;
  int patience_;
  std::vector<std::uint8_t> shown_;   ///< [height][width][4]; empty before the first frame
  std::vector<std::uint8_t> waited_;  ///< [height][width] frames, up to `patience_`
};

}  // namespace orrery::render
