// SPDX-License-Identifier: MIT
#include "pipeline/text_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "common/utf8.hpp"

namespace orrery::pipeline {
namespace {

/// Whether a text that is not UTF-8 begins with a byte order mark of UTF-16, or with ASCII letters in UTF-16: every second
/// byte is 0.
bool is_utf16(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  text = text.substr(0, 64);
  const auto all_zero = [&](std::size_t first) {
    bool all = text.size() >= 4;
    for (std::size_t i = first; i < text.size(); i += 2) all = all && text[i] == 0;
    return all;
  };
  return all_zero(0) || all_zero(1);
}

std::string why(std::string_view text, std::size_t at) {
  constexpr std::string_view remedy = "save it as UTF-8, as `iconv -f {} -t UTF-8` does";
  const auto byte = static_cast<unsigned char>(text[at]);
  if (is_utf16(text)) return "is UTF-16 text: " + fmt::format(fmt::runtime(remedy), "UTF-16");
  if (byte == 0) return "has a zero byte, so it is no text";
  const bool windows = byte < 0xA0;  // control characters of Latin-1
  std::string letter;
  append_utf8(letter, byte);
  return fmt::format("is not UTF-8 text: byte 0x{:02x}{}; {}", byte,
                     windows ? " is perhaps Windows-1252" : fmt::format(" is “{}” in Latin-1", letter),
                     fmt::format(fmt::runtime(remedy), windows ? "WINDOWS-1252" : "LATIN1"));
}

}  // namespace

std::optional<Misencoded> misencoded(std::string_view text) {
  const auto plain = [](char c) { return c > 0; };
  Misencoded place;
  for (std::size_t at = 0; at < text.size();) {
    if (plain(text[at])) {
      place.column = text[at] == '\n' ? 1 : place.column + 1;
      if (text[at++] == '\n') ++place.line;
      continue;
    }
    const Letter letter = first_letter(text.substr(at));
    if (letter.code == 0 || !letter.valid) {
      place.why = why(text, at);
      return place;
    }
    at += letter.bytes;
    ++place.column;
  }
  return std::nullopt;
}

void require_utf8(std::string_view text, std::string_view file, std::size_t line) {
  if (const auto found = misencoded(text))
    throw Error(fmt::format("{}:{}:{}: {}", file, line - 1 + found->line, found->column, found->why), Fault::request);
}

}  // namespace orrery::pipeline
