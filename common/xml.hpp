// SPDX-License-Identifier: MIT
// Escaping for XML.
#pragma once

#include <string>
#include <string_view>

#include "common/utf8.hpp"

namespace orrery {

/// Escapes text for elements and double-quoted attributes; omits what XML cannot represent: most control characters,
/// U+FFFE, U+FFFF and invalid UTF-8.
inline std::string xml_escaped(std::string_view words) {
  std::string safe;
  for (const char32_t letter : code_points(words)) {
    if (letter == '&') {
      safe += "&amp;";
    } else if (letter == '<') {
      safe += "&lt;";
    } else if (letter == '>') {
      safe += "&gt;";
    } else if (letter == '"') {
      safe += "&quot;";
    } else if (letter == '\r') {
      safe += "&#13;";  // unescaped, it would be read as a line break
    } else if ((letter >= 0x20 || letter == '\n' || letter == '\t') && letter != 0xFFFE && letter != 0xFFFF) {
      append_utf8(safe, letter);
    }
  }
  return safe;
}

}  // namespace orrery
