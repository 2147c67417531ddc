// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/messages.hpp"

namespace orrery::pipeline {

struct TableColumn {
  std::string name;    ///< in CSV: "energy_error", or the key of a scenario
  std::string words;   ///< in Markdown: "|ΔE/E₀|, final"; empty: the name
  std::string latex;   ///< in LaTeX
  bool report = true;  ///< whether Markdown and LaTeX have it: not hashes, files and redundant columns
};

struct RunTable {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< one text per column; empty: unknown
};

/// Returns a table with a row for each trajectory in a subfolder of `folder`, sorted by task: the number or name of the
/// subfolder. For the members of a sweep (see runs_in), missing members have rows too, and the columns are the keys of
/// the sweep and others that --set gave to some members; for other runs, the keys in which they differ. If E₀ or L₀ is
/// 0, errors are absolute. Throws Error, exit code 2, if there are no runs.
RunTable run_table(const std::filesystem::path& folder, Messages& messages);

struct TableFormat {
  std::string_view name;
  int digits;  ///< default number of significant digits; 0: all
  std::string (*write)(const RunTable& table, int digits);
};

/// Returns the format csv, markdown or latex; "" is csv. Throws Error, exit code 2.
const TableFormat& table_format(std::string_view name);

}  // namespace orrery::pipeline
