// SPDX-License-Identifier: MIT
// Decoding and encoding of UTF-8 (Unicode 15, table 3-7).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A code point, or an invalid byte.
struct Letter {
  char32_t code;      ///< code point, or the invalid byte
  std::size_t bytes;  ///< encoded length
  bool valid;         ///< false for an invalid byte
};

/// Decodes the beginning of a nonempty text.
inline Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // below, the encoding is overlong
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

/// The code points of a text, without invalid bytes.
inline std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> letters;
  each_letter(text, [&](const Letter& letter) {
    if (letter.valid) letters.push_back(letter.code);
  });
  return letters;
}

/// Appends a code point; U+FFFD if it is invalid.
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

/// ASCII control characters, DEL and U+0080 … U+009F.
constexpr bool is_control(char32_t letter) {
  return letter < 0x20 || (letter >= 0x7F && letter < 0xA0);
}

}  // namespace orrery
