// SPDX-License-Identifier: MIT
// UTF-8, taken apart and put together (Unicode 15, table 3-7).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// What stands at the front of a text: a letter, or a byte that belongs to none.
struct Letter {
  char32_t code;      ///< of a byte that belongs to none: the byte
  std::size_t bytes;  ///< that it takes up
  bool sound;         ///< false for a byte that belongs to none
};

/// Of a text that is not empty.
inline Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // below, it has a shorter form
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {lead, 1, false};
  char32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {lead, 1, false};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < least[bytes] || code > 0x10FFFF || surrogate) return {lead, 1, false};
  return {code, bytes, true};
}

/// Calls `use` with each Letter of the text.
template <class Use>
void each_letter(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    use(letter);
    text.remove_prefix(letter.bytes);
  }
}

/// The letters of a text; a byte that belongs to none is left out.
inline std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> letters;
  each_letter(text, [&](const Letter& letter) {
    if (letter.sound) letters.push_back(letter.code);
  });
  return letters;
}

/// Puts a letter behind a text; U+FFFD for a number that is no letter's.
inline void append_utf8(std::string& text, char32_t letter) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (letter > 0x10FFFF || (letter >= 0xD800 && letter < 0xE000)) letter = 0xFFFD;
  if (letter < 0x80) return put(letter);
  if (letter < 0x800) {
    put(0xC0U | letter >> 6U);
  } else {
    if (letter < 0x10000) {
      put(0xE0U | letter >> 12U);
    } else {
      put(0xF0U | letter >> 18U);
      put(0x80U | (letter >> 12U & 63U));
    }
    put(0x80U | (letter >> 6U & 63U));
  }
  put(0x80U | (letter & 63U));
}

/// A control character of ASCII, DEL, or one of U+0080 … U+009F.
constexpr bool is_control(char32_t letter) {
  return letter < 0x20 || (letter >= 0x7F && letter < 0xA0);
}

}  // namespace orrery
