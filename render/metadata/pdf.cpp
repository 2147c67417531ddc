// SPDX-License-Identifier: MIT
// Reads the properties of a PDF, also if another program has put them into compressed objects.
#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "common/error.hpp"
#include "common/utf8.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

/// Returns the bytes of "(…)", which may contain nested parentheses and escapes.
std::string literal(std::string_view text) {
  std::string bytes;
  int depth = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    char c = text[i];
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return bytes;
    if (c != '\\') {
      bytes += c;
      continue;
    }
    if (++i == text.size()) break;
    c = text[i];
    if (c >= '0' && c <= '7') {
      unsigned value = 0;
      std::size_t digits = 0;
      for (; digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7'; ++digits)
        value = value * 8 + static_cast<unsigned>(text[i + digits] - '0');
      i += digits - 1;
      bytes += static_cast<char>(value);
    } else if (c == '\r' || c == '\n') {  // line continuation
      if (c == '\r' && text.substr(i + 1, 1) == "\n") ++i;
    } else {
      bytes += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
    }
  }
  throw Error("has a text that is damaged: it has no end", Fault::request);
}

/// Returns the bytes of "<FEFF…>".
std::string hexadecimal(std::string_view text) {
  std::string bytes, pair;
  for (const char c : text.substr(1)) {
    if (c == '>') return bytes;
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) continue;
    pair += c;
    if (pair.size() < 2) continue;
    bytes += static_cast<char>(std::strtoul(pair.c_str(), nullptr, 16));
    pair.clear();
  }
  throw Error("has a text that is damaged: it has no end", Fault::request);
}

/// Converts UTF-16 with a byte order mark; other bytes are UTF-8.
std::string in_utf8(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return std::string(bytes.substr(3));
  if (!bytes.starts_with("\xFE\xFF")) return std::string(bytes);
  std::string text;
  char32_t high = 0;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const char32_t unit = static_cast<unsigned char>(bytes[i]) * 256U + static_cast<unsigned char>(bytes[i + 1]);
    if (unit >= 0xD800 && unit < 0xDC00) {
      high = unit;
    } else if (unit >= 0xDC00 && unit < 0xE000) {
      append_utf8(text, 0x10000 + ((high & 0x3FFU) << 10U | (unit & 0x3FFU)));
    } else {
      append_utf8(text, unit);
    }
  }
  return text;
}

/// Returns the text after a key such as "/Subject", or "".
std::string value_of(std::string_view key, std::string_view objects) {
  const std::size_t found = objects.rfind(key);
  if (found == std::string_view::npos) return "";
  std::string_view rest = objects.substr(found + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return rest.starts_with('(') ? in_utf8(literal(rest)) : rest.starts_with('<') ? in_utf8(hexadecimal(rest)) : "";
}

std::optional<Provenance> properties_in(std::string_view objects) {
  const std::string subject = value_of("/Subject", objects);
  if (!subject.starts_with(pdf_subject)) return std::nullopt;
  Provenance found{.version = value_of("/Creator", objects),
                   .state = subject.substr(pdf_subject.size()),
                   .scenario = value_of("/Keywords", objects)};
  return found.ours() ? std::optional(found) : std::nullopt;
}

}  // namespace

std::optional<Provenance> provenance_of_pdf(std::string_view bytes) {
  if (bytes.substr(0, 1024).find("%PDF-") == std::string_view::npos)
    throw Error("is not a PDF file in spite of its name: give a picture that orrery drew", Fault::request);
  if (bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 1024)).find("%%EOF") == std::string_view::npos)
    throw Error("is cut short: take a whole copy of the picture", Fault::request);
  if (auto found = properties_in(bytes)) return found;
  std::size_t budget =
      std::size_t{64} << 20U;  // for all streams together, since a small file may decompress to any size
  std::string_view rest = bytes;
  while (budget > 0) {
    for (const std::string_view mark : {"/ObjStm", "stream", "\n"}) {
      const std::size_t found = rest.find(mark);
      if (found == std::string_view::npos) return std::nullopt;
      rest.remove_prefix(found + mark.size());
    }
    budget -= std::min<std::size_t>(budget, 256);  // empty streams also take time
    try {
      if (auto found = properties_in(inflated(rest, budget))) return found;
    } catch (const Error&) {
      continue;  // another compression, or encrypted
    }
  }
  return std::nullopt;
}

}  // namespace orrery::render
