// SPDX-License-Identifier: MIT
// docs/validation.md: the checks of `orrery validate`, and figures of what they measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/validate/suites.hpp"

namespace orrery::pipeline {

/// Draws the findings into `folder` as PNG; returns the files in order.
std::vector<std::filesystem::path> draw(const Findings& findings, const std::filesystem::path& folder);

/// Returns every check as Markdown, suite by suite, with links to the pictures relative to the page.
std::string page(const Findings& findings, const std::vector<std::string>& pictures);

}  // namespace orrery::pipeline
