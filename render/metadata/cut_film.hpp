// SPDX-License-Identifier: MIT
// Whether a film is there to its end.
#pragma once

#include <cstdint>
#include <filesystem>

namespace orrery::render {

/// Of an .mp4 or .webm, whatever its name: it ends before its own sizes say it does. False of what is no such film, and of
/// one that was written without a size.
bool is_cut_short(const std::filesystem::path& film);

/// Of an MP4, in bytes.
struct Mp4Ends {
  std::uint64_t playable = 0;  ///< where its last whole fragment ends
  bool cut = false;            ///< it ends before its boxes do
};
Mp4Ends ends_of_mp4(const std::filesystem::path& film);

}  // namespace orrery::render
