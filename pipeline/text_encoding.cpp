// SPDX-License-Identifier: MIT
#include "pipeline/text_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "common/utf8.hpp"

namespace orrery::pipeline {
namespace {

std::string why(std::string_view text, std::size_t at) {
  constexpr std::string_view remedy = "save it as UTF-8, as `iconv -f {} -t UTF-8` does";
  const auto byte = static_cast<unsigned char>(text[at]);
  if (utf16_order(text) != Utf16::none) return "is UTF-16 text: " + fmt::format(fmt::runtime(remedy), "UTF-16");
  if (byte == 0) return "has a zero byte, so it is no text";
  const bool windows = byte < 0xA0;  // control characters of Latin-1
  std::string letter;
  append_utf8(letter, byte);
  return fmt::format("is not UTF-8 text: byte 0x{:02x}{}; {}", byte,
                     windows ? " is perhaps Windows-1252" : fmt::format(" is “{}” in Latin-1", letter),
                     fmt::format(fmt::runtime(remedy), windows ? "WINDOWS-1252" : "LATIN1"));
}

}  // namespace

Utf16 utf16_order(std::string_view text) {
  if (text.starts_with("\xFF\xFE")) return Utf16::little_endian;
  if (text.starts_with("\xFE\xFF")) return Utf16::big_endian;
  text = text.substr(0, 64);
  const auto all_zero = [&](std::size_t first) {
    bool all = text.size() >= 4;
    for (std::size_t i = first; i < text.size(); i += 2) all = all && text[i] == 0;
    return all;
  };
  const bool even = all_zero(0), odd = all_zero(1);
  return even == odd ? Utf16::none : even ? Utf16::big_endian : Utf16::little_endian;
}

std::size_t append_utf16(std::string& utf8, std::string_view utf16, Utf16 order) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(utf16[at]), second = static_cast<unsigned char>(utf16[at + 1]);
    return static_cast<char32_t>(order == Utf16::big_endian ? first << 8U | second : second << 8U | first);
  };
  std::size_t at = 0;
  for (; at + 2 <= utf16.size(); at += 2) {
    char32_t letter = unit(at);
    if (letter >= 0xD800 && letter < 0xDC00) {
      if (at + 4 > utf16.size()) break;
      const char32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        letter = 0x10000U + ((letter - 0xD800U) << 10U) + (low - 0xDC00U);
        at += 2;
      }
    }
    if (letter >= 0xD800 && letter < 0xE000)
      utf8 += '\xFF';
    else if (letter != 0xFEFF)
      append_utf8(utf8, letter);
  }
  return at;
}

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
