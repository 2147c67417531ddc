// SPDX-License-Identifier: MIT
// The rows of the suite `short-range` as text for people and as records for programs.
#pragma once

#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/measure/short_range.hpp"

namespace orrery::pipeline {

std::string table(const std::vector<ShortRangeRow>& rows);

/// In SI units; what was not measured is left away (docs/bench.md has the keys).
std::vector<Arguments> records(const std::vector<ShortRangeRow>& rows);
std::vector<Arguments> records(const std::vector<CopyRate>& rates);
/// What others published of the problems and numbers of bodies that are measured.
std::vector<Arguments> published_records(const std::vector<ShortRangeRow>& rows);

}  // namespace orrery::pipeline
