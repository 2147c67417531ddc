// SPDX-License-Identifier: MIT
// The rows of a suite as text for people and as records for programs.
#pragma once

#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/measure/forces.hpp"

namespace orrery::pipeline {

/// Aligned columns under their names; a row that has no numbers says why.
std::string table(const std::vector<BenchRow>& rows);

/// A record a row, in SI units; what was not measured is left away (docs/bench.md has the keys).
std::vector<Arguments> records(const std::vector<BenchRow>& rows);
std::vector<Arguments> records(const std::vector<FmaRates>& rates);

}  // namespace orrery::pipeline
