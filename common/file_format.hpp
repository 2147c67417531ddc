// SPDX-License-Identifier: MIT
// Formats, names and types of files.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

#include "common/utf8.hpp"

namespace orrery {

/// The extension in lower case: ".png" of "A.PNG".
inline std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

/// Returns whether an untrusted file name denotes a file in its folder that can be created, shown and typed: valid
/// UTF-8 without folders and control characters, with room for the suffixes of temporary files (file systems limit
/// names to 255 bytes).
inline bool is_plain_name(const std::string& name) {
  constexpr std::size_t most = 200;
  bool plain = !name.empty() && name.size() <= most && name != "." && name != "..";
  each_letter(name, [&](const Letter& letter) {
    plain = plain && letter.valid && !is_control(letter.code) && letter.code != '/';
  });
  return plain;
}

/// "a folder", "a pipe", "a socket" or "a device", by the mode of stat(2); null for a regular file.
inline const char* special_file_type(mode_t mode) {
  return S_ISREG(mode)    ? nullptr
         : S_ISDIR(mode)  ? "a folder"
         : S_ISFIFO(mode) ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

}  // namespace orrery
