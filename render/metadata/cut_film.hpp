// SPDX-License-Identifier: MIT
// Whether a film is there to its end.
#pragma once

#include <filesystem>

namespace orrery::render {

/// Of an .mp4 or .webm, whatever its name: it ends before its own sizes say it does. False of what is no such film, and of
/// one that was written without a size.
bool is_cut_short(const std::filesystem::path& film);

}  // namespace orrery::render
