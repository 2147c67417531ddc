// SPDX-License-Identifier: MIT
// Text tables with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace orrery::pipeline {

struct Column {
  std::string name;
  bool to_the_left;  ///< left-aligned (text) or right-aligned (numbers)
  std::vector<std::string> cells{};
};

/// Appends a cell to each column.
void add_row(std::vector<Column>& columns, std::vector<std::string> cells);

/// The table as text. Columns without any nonempty cell are omitted. `remarks`: appended to the rows; may be empty.
std::string aligned(std::vector<Column> columns, const std::vector<std::string>& remarks = {});

/// At least two significant digits: 0.0012 %, 0.45 %, 51 %.
std::string percent(double share);

/// At least three digits.
std::string in_microseconds(double seconds);

}  // namespace orrery::pipeline
