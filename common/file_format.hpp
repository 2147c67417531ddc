// SPDX-License-Identifier: MIT
// What format a file is of, by its name.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace orrery {

/// The extension in small letters: ".png" of "A.PNG".
inline std::string format_of(const std::filesystem::path& file) {
  std::string extension = file.extension();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace orrery
