// SPDX-License-Identifier: MIT
// A table for people: aligned columns under their names.
#pragma once

#include <string>
#include <vector>

namespace orrery::pipeline {

struct Column {
  std::string name;
  bool to_the_left;  ///< words; numbers go to the right
  std::vector<std::string> cells{};
};

/// A column without a cell that says something is left away. `remarks` stand behind the rows; there may be none.
std::string aligned(std::vector<Column> columns, const std::vector<std::string>& remarks = {});

/// Digits enough for what is small: 0.0012 %, 0.45 %, 51 %.
std::string percent(double share);

/// Three digits at least.
std::string in_microseconds(double seconds);

}  // namespace orrery::pipeline
