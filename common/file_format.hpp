// SPDX-License-Identifier: MIT
// What a file's name says.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

#include "common/utf8.hpp"

namespace orrery {

/// The extension in small letters: ".png" of "A.PNG".
inline std::string format_of(const std::filesystem::path& file) {
  std::string extension = file.extension();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

/// A name of a file that somebody else chose is one of a file in its folder that can be made, shown and typed: without
/// folders and control characters, UTF-8, and with room for what names grow by while files are written (255 bytes is
/// the most that file systems take).
inline bool is_plain_name(const std::string& name) {
  constexpr std::size_t most = 200;
  bool plain = !name.empty() && name.size() <= most && name != "." && name != "..";
  each_letter(name, [&](const Letter& letter) {
    plain = plain && letter.sound && !is_control(letter.code) && letter.code != '/';
  });
  return plain;
}

}  // namespace orrery
