// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipeline/study/result.hpp"

namespace orrery::pipeline {

struct ResultComparison {
  std::string table;  ///< text: row, column, then, now, ratio
  double worst = 1;   ///< minimum ratio; above 1: now is better
  std::string where;  ///< row and column of the minimum
  std::size_t compared = 0;
};

/// Compares rows with equal settings. Ratios are now / then if more is better, then / now if less is better.
ResultComparison compare(const StudyResult& then, const StudyResult& now);

}  // namespace orrery::pipeline
