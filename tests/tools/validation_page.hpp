// SPDX-License-Identifier: MIT
// docs/validation.md: the checks of `orrery validate`, and figures of what they measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/validate/suites.hpp"

namespace orrery::pipeline {

/// Draws what was found into `folder` as PNG; the files, in order.
std::vector<std::filesystem::path> draw(const Findings& findings, const std::filesystem::path& folder);

/// Every check as Markdown, suite by suite, and pictures by their names as seen from where the page will be.
std::string page(const Findings& findings, const std::vector<std::string>& pictures);

}  // namespace orrery::pipeline
