// SPDX-License-Identifier: MIT
// Several runs: in which keys they differ, and what became of each.
#include <algorithm>
#include <filesystem>

#include "pipeline/messages.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/page/phrases.hpp"
#include "pipeline/page/words.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/run/run_table.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {
namespace {

/// A cell for people: errors and times with few digits, whole numbers with all.
std::string shown(const TableColumn& column, const std::string& cell) {
  const auto value = number_of(cell);
  const bool whole = cell.find_first_not_of("+-0123456789") == std::string::npos;
  if (column.name == "state" || !value || whole) return printable(cell);
  const bool error = column.name.find("error") != std::string::npos;
  return number(*value, error ? 3 : 6);
}

}  // namespace

RunsSideBySide side_by_side(const std::vector<const TrajectoryReader*>& runs) {
  RunsSideBySide result{.titles = run_labels(runs), .swept = {}, .columns = {}, .rows = {}};
  for (std::string& title : result.titles) title = printable(title);
  std::vector<std::filesystem::path> files;
  std::vector<std::vector<std::string>> overrides;
  for (const TrajectoryReader* run : runs) {
    files.push_back(run->path());
    overrides.push_back(overrides_of(run->record()));
  }
  if (runs.size() > 1) result.swept = swept_keys(runs.front()->record().scenario, overrides);

  Messages silent;
  const RunTable table = run_table(files, silent);
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name, &TableColumn::name) - table.columns.begin());
  };
  // Keys come after the column of the task and before the results, of which `finished` is the first.
  const std::size_t file = place("file"), results = place("finished");
  std::vector<std::size_t> places;
  for (std::size_t k = 1; k < results; ++k) places.push_back(k);
  std::ranges::stable_partition(places, [&](std::size_t k) {
    return std::ranges::find(result.swept, plain_key(table.columns[k].name)) != result.swept.end();
  });
  result.keys = places.size();
  for (std::size_t k = results; k < table.columns.size(); ++k) {
    if (table.columns[k].report && table.columns[k].name != "seconds") places.push_back(k);
  }
  for (const std::size_t k : places) {
    const TableColumn& column = table.columns[k];
    result.columns.push_back(printable(column.words.empty() ? column.name : column.words));
  }
  for (const auto& path : files) {
    auto& cells = result.rows.emplace_back(places.size());
    const auto row = std::ranges::find(table.rows, path.string(), [&](const auto& each) { return each[file]; });
    if (row == table.rows.end()) continue;
    for (std::size_t k = 0; k < places.size(); ++k) cells[k] = shown(table.columns[places[k]], (*row)[places[k]]);
  }
  return result;
}

}  // namespace orrery::pipeline
