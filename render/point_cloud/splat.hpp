// SPDX-License-Identifier: MIT
// Bodies as Gaussians on a grid of pixels. No other header of this folder, so that kernels can include it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::render {

/// An amount of light, and linear red, green and blue times that amount.
struct alignas(16) Texel {
  float red = 0, green = 0, blue = 0, amount = 0;
};

/// A body in whole pixels and subpixel offsets.
struct Splat {
  std::int16_t x = 0, y = 0;
  std::uint16_t color = 0;  ///< index into a palette
  std::uint8_t x_part = 0, y_part = 0;
  float weight = 0;  ///< of its light; 0: not drawn
};

/// The weights of the pixels around a body along one direction: a Gaussian, tabulated for subpixel offsets, each normalised to 1,
/// so that moving stars do not flicker.
struct Profile {
  static constexpr int parts = 16;  ///< of a pixel

  int reach;
  std::vector<float> weights;  ///< [parts][2 reach + 1]

  explicit Profile(float sigma) : reach(std::max(1, static_cast<int>(std::ceil(2.6F * sigma - 0.5F)))) {
    for (int part = 0; part < parts; ++part) {
      const std::size_t from = weights.size();
      const float at = (static_cast<float>(part) + 0.5F) / parts;
      float sum = 0;
      for (int k = -reach; k <= reach; ++k) {
        const float d = (static_cast<float>(k) + 0.5F - at) / sigma;
        weights.push_back(std::exp(-d * d / 2));
        sum += weights.back();
      }
      for (std::size_t i = from; i < weights.size(); ++i) weights[i] /= sum;
    }
  }
  [[nodiscard]] const float* of(int part) const {
    return weights.data() + static_cast<std::size_t>(part * (2 * reach + 1));
  }
};

}  // namespace orrery::render
