// SPDX-License-Identifier: MIT
#include "pipeline/printable.hpp"

#include <iterator>

#include "common/utf8.hpp"

namespace orrery::pipeline {
namespace {

/// Returns whether a character affects its surroundings or can be taken for a line end.
bool must_be_escaped(char32_t letter) {
  const auto within = [&](char32_t first, char32_t last) { return letter >= first && letter <= last; };
  return is_control(letter) || letter == 0x61C || within(0x200E, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2066, 0x2069);
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string shown;
  const auto to = std::back_inserter(shown);
  each_letter(text, [&](const Letter& letter) {
    const char32_t code = letter.code;
    if (!letter.valid) {
      fmt::format_to(to, "\\x{:02x}", static_cast<unsigned>(code));
    } else if (!must_be_escaped(code) || (lines == Lines::several && (code == '\n' || code == '\t'))) {
      append_utf8(shown, code);
    } else if (code == '\n' || code == '\t' || code == '\r') {
      shown += code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r";
    } else {
      fmt::format_to(to, "\\u{:04x}", static_cast<unsigned>(code));
    }
  });
  return shown;
}

}  // namespace orrery::pipeline
