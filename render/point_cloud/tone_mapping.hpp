// SPDX-License-Identifier: MIT
// How much light makes which brightness: chosen once from what is to be seen, and then held through a film.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace orrery::render {

/// Brightness is (asinh(light/s) / asinh(white/s))^contrast, as astronomers stretch their plates (Lupton et
/// al. 2004, PASP 116, 133): in proportion where light is faint, by its logarithm where it is bright.
class ToneMapping {
 public:
  /// `light`: what each body stands in, of one moment or of several. Three bodies of ten are fainter than
  /// `faint` (0 … 1), where the run of the light allows it; the brightest are white.
  ToneMapping(std::vector<float> light, double faint, double contrast);

  /// 0 dark … 1 white; goes on up to 2 beyond.
  [[nodiscard]] float operator()(float light) const {
    const auto bits = std::bit_cast<std::uint32_t>(light * scale_);
    const std::int64_t i = static_cast<std::int64_t>(bits >> shift) - first;
    if (i < 0 || light <= 0) return 0;
    return table_[static_cast<std::size_t>(i) < table_.size() ? static_cast<std::size_t>(i) : table_.size() - 1];
  }
  [[nodiscard]] float white() const { return 1 / scale_; }
  /// Less light than this is darker than `brightness`.
  [[nodiscard]] float light_of(float brightness) const;

 private:
  // The table goes over the leading bits of a float: 128 entries an octave, from 2⁻²⁰ of the white to 2⁸.
  static constexpr int shift = 16;
  static constexpr std::int64_t first = (127 - 20) << 7;

  float scale_ = 1;
  std::array<float, (28 << 7)> table_{};
};

}  // namespace orrery::render
