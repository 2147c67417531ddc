// SPDX-License-Identifier: MIT
// A result beside an earlier one of the same study.
#pragma once

#include <string>

#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

struct ResultComparison {
  std::string table;  ///< for people: row, column, then, now, ratio
  double worst = 1;   ///< the least of all ratios; above 1: now is better
  std::string where;  ///< the row and column of that
  std::size_t compared = 0;
};

/// Rows are the same whose settings are. A ratio is now / then of what is better great, then / now of what is better small.
ResultComparison compare(const StudyResult& then, const StudyResult& now);

}  // namespace orrery::pipeline
