// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

/// Writes `studies.md` into `folder`, and into `studies/` the JSON of each result, its tables as CSV and its figures as
/// PNG (not in a build without pictures). Returns the files written. Throws Error; Fault::request if a file may not be
/// replaced.
std::vector<std::filesystem::path> write_page(const std::filesystem::path& folder, std::span<const StudyResult> results,
                                              Replacing replacing);

/// The text of studies.md: machines, then each study with its results by machine.
std::string page(std::span<const StudyResult> results);

}  // namespace orrery::pipeline
