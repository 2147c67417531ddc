// SPDX-License-Identifier: MIT
// All text that is read, from scenarios, tables, pictures and the command line, is UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::pipeline {

/// The first place where a text is not UTF-8, and what encoding it seems to have.
struct Misencoded {
  std::size_t line = 1, column = 1;  ///< column in characters, both from 1
  std::string why;                   ///< "is not UTF-8 text: byte 0xe9 is “é” in Latin-1; save it as UTF-8, …"
};

/// Nullopt for UTF-8 without zero bytes. UTF-16 and binary data are recognised by byte order marks and zero bytes.
std::optional<Misencoded> misencoded(std::string_view text);

enum class Utf16 { none, little_endian, big_endian };

/// Whether a text begins with a byte order mark of UTF-16, or with ASCII letters in UTF-16: every second byte is 0.
Utf16 utf16_order(std::string_view text);

/// Appends UTF-16 as UTF-8 without a byte order mark, and returns how many of its bytes were used: all but an unfinished letter. Half of a
/// surrogate pair becomes a byte that is no UTF-8.
std::size_t append_utf16(std::string& utf8, std::string_view utf16, Utf16 order);

/// Throws Error, Fault::request, "FILE:LINE:COLUMN: why", unless `text` is UTF-8; `line` is that of its beginning.
void require_utf8(std::string_view text, std::string_view file, std::size_t line = 1);

/// A text without the blanks and tabs at its ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace orrery::pipeline
