// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace orrery::render {

/// Maps a luminance (an amount of light) to a brightness (asinh(luminance/s) / asinh(white/s))^contrast (Lupton et al.
/// 2004, PASP 116, 133): linear for faint light, logarithmic for bright light.
class ToneMapping {
 public:
  /// `luminances`: those at the positions of bodies, at one or several moments; 0 where there is none. The parameters are
  /// chosen so that about 30 % of them are fainter than `faint` (0 … 1), and the brightest are white. A body without others
  /// around it, whose luminance is `alone`, has at least the brightness `visible`. O(N) on all threads.
  ToneMapping(const std::vector<float>& luminances, double faint, double contrast, double alone = 0,
              double visible = 0);

  /// Returns 0 (dark) … 1 (white), up to 2 for brighter light.
  [[nodiscard]] float operator()(float luminance) const {
    const auto bits = std::bit_cast<std::uint32_t>(luminance * scale_);
    const std::int64_t i = static_cast<std::int64_t>(bits >> shift) - first;
    if (i < 0 || luminance <= 0) return 0;
    return table_[static_cast<std::size_t>(i) < table_.size() ? static_cast<std::size_t>(i) : table_.size() - 1];
  }
  /// Returns the luminance with this brightness.
  [[nodiscard]] float luminance_of(float brightness) const;

 private:
  // A table over the leading bits of a float: 128 entries per octave, from 2⁻²⁰ to 2⁸ times white.
  static constexpr int shift = 16;
  static constexpr std::int64_t first = (127 - 20) << 7;

  float scale_ = 1;
  std::array<float, (28 << 7)> table_{};
};

}  // namespace orrery::render
