// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/run/run_table.hpp"

namespace orrery::pipeline {

struct TableFormat {
  std::string_view name, meaning;
  int digits;  ///< default number of significant digits; 0: all
  std::string (*write)(const RunTable& table, int digits);
};

/// Returns csv, markdown and latex, in this order.
std::span<const TableFormat> table_formats();

/// Returns the format with that name; "" is csv. Throws Error, exit code 2.
const TableFormat& table_format(const std::string& name);

}  // namespace orrery::pipeline
