// SPDX-License-Identifier: MIT
// The figures of `orrery validate`, and the page that shows them beside the checks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/validate/suites.hpp"

namespace orrery::pipeline {

/// Draws what was found into `folder` as PNG; the files, in order: none in a build without pictures. Throws Error: exit code
/// 2 where one may not be replaced.
std::vector<std::filesystem::path> draw(const Findings& findings, const std::filesystem::path& folder,
                                        Replacing replacing);
/// Throws the same before there is anything to draw.
void refuse_to_draw(const std::filesystem::path& folder, Replacing replacing);

/// Every check as Markdown, suite by suite, and pictures by their names as seen from where the page will be.
std::string page(const Findings& findings, const std::vector<std::string>& pictures);

}  // namespace orrery::pipeline
