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

/// Throws Error, Fault::request, "FILE:LINE:COLUMN: why", unless `text` is UTF-8; `line` is that of its beginning.
void require_utf8(std::string_view text, std::string_view file, std::size_t line = 1);

/// A text without the blanks and tabs at its ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace orrery::pipeline
