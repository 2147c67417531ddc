// SPDX-License-Identifier: MIT
// A table of runs as text: for programs, for pages, for papers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/run/run_table.hpp"

namespace orrery::pipeline {

struct TableFormat {
  std::string_view name, meaning;
  int digits;  ///< significant ones, where none are asked for; 0: all
  std::string (*write)(const RunTable& table, int digits);
};

/// csv, markdown and latex, in this order.
std::span<const TableFormat> table_formats();

/// The one of that name; "" is csv. Throws Error, exit code 2.
const TableFormat& table_format(const std::string& name);

}  // namespace orrery::pipeline
