// SPDX-License-Identifier: MIT
// Charts of studies as PNG.
#pragma once

#include <filesystem>

#include "common/new_file.hpp"
#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

/// False in a build without pictures, which draws nothing. Throws Error.
bool draw(const ResultChart& chart, const std::filesystem::path& file, Replacing replacing);
bool draw(const ResultMap& map, const std::filesystem::path& file, Replacing replacing);

}  // namespace orrery::pipeline
