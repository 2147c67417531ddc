// SPDX-License-Identifier: MIT
// What came of many runs: a row each, for other programs and for reports.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/messages.hpp"

namespace orrery::pipeline {

struct TableColumn {
  std::string name;    ///< for programs: "energy_error", or the key of a scenario
  std::string words;   ///< for people: "|ΔE/E₀|, final"; empty: the name, which is a key
  std::string latex;   ///< the same for LaTeX, with its mathematics
  bool report = true;  ///< a table for people has it: hashes, files and what stands in another column too are left out
};

struct RunTable {
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;  ///< a text a column; empty: not known
};

/// A row for each trajectory in a folder within `folder`, by its task, which is the number that its folder has for a name,
/// or else the name. Of the members of a sweep (runs_in says which those are) those that are missing have rows too, and the
/// keys of the sweep are columns, besides others that --set gave some of them; of other runs, the keys are in which they
/// differ. |ΔE| and |ΔL| take the place of what relates to an E₀ or L₀ of 0. Throws Error, exit code 2, where there is none.
RunTable run_table(const std::filesystem::path& folder, Messages& messages);

}  // namespace orrery::pipeline
