// SPDX-License-Identifier: MIT
// Dots and brackets of a TOML text outside of strings and comments. Up to its first syntax error, where the parser stops, a
// text is divided here as by the parser.
#include "pipeline/scenario/toml_depth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::pipeline {
namespace {

/// Returns the end of the string that begins at `begin` with a quotation mark.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool long_string = text.substr(begin).starts_with(three);
  std::size_t at = begin + (long_string ? 3 : 1);
  while (at < text.size()) {
    if (text[at] == '\\' && quote == '"') {
      at += 2;
    } else if (!long_string && (text[at] == quote || text[at] == '\n')) {
      return at + 1;
    } else if (long_string && text.substr(at).starts_with(three)) {
      // Up to two quotation marks before the end belong to the string.
      for (at += 3; at < text.size() && text[at] == quote;) ++at;
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

}  // namespace

std::optional<TooDeep> too_deep(std::string_view text) {
  std::size_t dots = 0, depth = 0;
  const auto fault = [&](std::size_t at, const std::string& what) {
    const auto line_begin = text.substr(0, at).rfind('\n') + 1;  // npos + 1 is 0
    return TooDeep{static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n')) + 1, at - line_begin + 1,
                   what};
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') {
      if (++dots == max_depth) return fault(at, fmt::format("a key has at most {} parts", max_depth));
    } else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
      if (c == '[' || c == '{') ++depth;
      if ((c == ']' || c == '}') && depth > 0) --depth;
      if (depth > max_depth) return fault(at, fmt::format("arrays and tables are at most {} deep", max_depth));
    }
    ++at;
  }
  return std::nullopt;
}

}  // namespace orrery::pipeline
