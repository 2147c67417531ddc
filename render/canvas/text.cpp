// SPDX-License-Identifier: MIT
#include "render/canvas/text.hpp"

#include <algorithm>

namespace orrery::render {
namespace {

// Of DejaVu Sans, in font sizes: the height of ascenders and the depth of descenders.
constexpr float ascent = 0.76F, descent = 0.236F;

}  // namespace

Extents extents_of(const std::string& words, float size, bool bold) {
  if (words.empty()) return {};
  return {static_cast<float>(glyphs_of(words, bold).width) * size, ascent * size, descent * size};
}

float widest_of(const std::vector<std::string>& lines, float size) {
  float widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, extents_of(line, size).width);
  return widest;
}

Point baseline_offset(const Text& text) {
  const Extents extents = extents_of(text.words, text.size, text.bold);
  const float left = text.across == Across::center  ? -extents.width / 2
                     : text.across == Across::right ? -extents.width
                                                    : 0;
  // Middle: of digits and capitals, which are 0.73 font sizes high.
  const float down = text.along == Along::top ? extents.ascent : text.along == Along::middle ? 0.365F * text.size : 0;
  return {left, down};
}

Box room_of(const Text& text) {
  const Extents extents = extents_of(text.words, text.size, text.bold);
  const Point from = baseline_offset(text);
  const auto [x, y] = text.at;
  if (text.upwards)
    return {x + from.y - extents.ascent, y - from.x - extents.width, x + from.y + extents.descent, y - from.x};
  return {x + from.x, y + from.y - extents.ascent, x + from.x + extents.width, y + from.y + extents.descent};
}

}  // namespace orrery::render
