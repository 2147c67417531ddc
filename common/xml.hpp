// SPDX-License-Identifier: MIT
// Words as XML can hold them.
#pragma once

#include <string>
#include <string_view>

#include "common/utf8.hpp"

namespace orrery {

/// For text and for attributes in double quotes; what XML cannot have, escaped or not, is left out: most control
/// characters, U+FFFE, U+FFFF, and bytes that are not UTF-8.
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
      safe += "&#13;";  // as itself it would be read as the end of a line
    } else if ((letter >= 0x20 || letter == '\n' || letter == '\t') && letter != 0xFFFE && letter != 0xFFFF) {
      append_utf8(safe, letter);
    }
  }
  return safe;
}

}  // namespace orrery
