// SPDX-License-Identifier: MIT
// Studies as Markdown with tables and figures.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

/// `studies.md` in `folder`, of all results, study by study and machine by machine, and beside it in `studies/` for each its JSON,
/// its tables as CSV and its figures as PNG, which a build without pictures leaves out. Returns what was written. Throws Error:
/// exit code 2 where a file may not be replaced.
std::vector<std::filesystem::path> write_page(const std::filesystem::path& folder, std::span<const StudyResult> results,
                                              Replacing replacing);

/// The page by itself.
std::string page(std::span<const StudyResult> results);

}  // namespace orrery::pipeline
