// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// Returns a text as a field of CSV (RFC 4180): quoted if it has commas, quotes or line breaks.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace orrery
