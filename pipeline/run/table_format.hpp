// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "pipeline/run/run_table.hpp"

namespace orrery::pipeline {

struct TableFormat {
  std::string_view name;
  int digits;  ///< default number of significant digits; 0: all
  std::string (*write)(const RunTable& table, int digits);
};

/// Returns the format csv, markdown or latex; "" is csv. Throws Error, exit code 2.
const TableFormat& table_format(const std::string& name);

}  // namespace orrery::pipeline
