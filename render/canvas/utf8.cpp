// SPDX-License-Identifier: MIT
// Six bits a byte behind the first.
#include "render/canvas/utf8.hpp"

namespace orrery::render {

std::vector<char32_t> code_points(std::string_view words) {
  std::vector<char32_t> letters;
  int missing = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 || byte >= 0xC0) {
      if (missing > 0) letters.pop_back();  // cut short by another letter
      missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
      letters.push_back(missing == 0 ? byte : byte & (0x3FU >> missing));
    } else if (missing > 0) {
      letters.back() = letters.back() << 6U | (byte & 0x3FU);
      --missing;
    }
  }
  if (missing > 0) letters.pop_back();
  return letters;
}

void append_utf8(std::string& text, char32_t letter) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (letter < 0x80) return put(letter);
  if (letter < 0x800) {
    put(0xC0U | letter >> 6U);
  } else {
    if (letter < 0x10000) {
      put(0xE0U | letter >> 12U);
    } else {
      put(0xF0U | (letter >> 18U & 7U));
      put(0x80U | (letter >> 12U & 63U));
    }
    put(0x80U | (letter >> 6U & 63U));
  }
  put(0x80U | (letter & 63U));
}

}  // namespace orrery::render
