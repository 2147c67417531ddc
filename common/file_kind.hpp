// SPDX-License-Identifier: MIT
// What a file is, in words.
#pragma once

#include <filesystem>

namespace orrery {

/// "a folder", "a pipe", "a socket", "a device"; null for an ordinary file, and for none.
inline const char* not_ordinary(std::filesystem::file_type type) {
  using Type = std::filesystem::file_type;
  switch (type) {
    case Type::directory:
      return "a folder";
    case Type::fifo:
      return "a pipe";
    case Type::socket:
      return "a socket";
    case Type::block:
    case Type::character:
      return "a device";
    default:
      return nullptr;
  }
}

}  // namespace orrery
