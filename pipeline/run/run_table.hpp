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
  std::string words;   ///< in Markdown: "|ΔE|/|E₀|, final"; empty: the name
  std::string latex;   ///< in LaTeX
  bool report = true;  ///< whether Markdown and LaTeX have it by default
};

struct RunTable {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< one text per column; empty: unknown
  std::vector<std::string> partial{};          ///< keys that reports leave out because some rows do not have them
};

/// Returns a table with a row for each of these trajectories, or of those in folders (see runs_of), sorted by task: the
/// number or name of the subfolder. For the members of a sweep, missing members have rows too, and the columns are the
/// keys of the sweep and others that --set gave to some members; for other runs, the keys in which they differ. Reports
/// have by default what differs between rows and what all have, and the hash of the state. If E₀ or L₀ is 0, errors are
/// absolute. A warning names each damaged file; its row has no hash. Throws Error, Fault::request, if there are no runs.
RunTable run_table(const std::vector<std::filesystem::path>& runs, Messages& messages);

/// Returns the table with these columns only, in this order: names as in CSV, separated by commas. Throws Error, exit
/// code 2, if there is no such column.
RunTable with_columns(const RunTable& table, const std::string& names);

struct TableFormat {
  std::string_view name;
  int digits;  ///< default number of significant digits; 0: all
  std::string (*write)(const RunTable& table, int digits);
};

/// Returns the format csv, markdown or latex; "" is csv. Throws Error, Fault::request.
const TableFormat& table_format(std::string_view name);

}  // namespace orrery::pipeline
