// SPDX-License-Identifier: MIT
// What a file is, in words.
#pragma once

#include <sys/stat.h>

namespace orrery {

/// "a folder", "a pipe", "a socket", "a device" by the mode that stat(2) gives; null for an ordinary file.
inline const char* not_ordinary(mode_t mode) {
  return S_ISREG(mode)    ? nullptr
         : S_ISDIR(mode)  ? "a folder"
         : S_ISFIFO(mode) ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

}  // namespace orrery
