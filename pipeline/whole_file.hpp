// SPDX-License-Identifier: MIT
// Small files that are whole from the first moment at which they have their name.
#pragma once

#include <filesystem>
#include <string_view>

namespace orrery::pipeline {

/// Writes a file under another name beside it, makes sure that it is on the disk, and renames it. Throws Error, one line
/// with the cause; then nothing of it is left, and what had the name before still has it.
void write_whole(const std::filesystem::path& file, std::string_view content);

}  // namespace orrery::pipeline
