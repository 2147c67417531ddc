// SPDX-License-Identifier: MIT
#include "pipeline/study/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/measure/columns.hpp"

namespace orrery::pipeline {
namespace {

/// The cells of the setting columns: "2048, float32".
std::string settings_of(const ResultTable& table, const std::vector<Cell>& row) {
  std::string words;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (table.columns[k].role != Role::setting) continue;
    words += (words.empty() ? "" : ", ") + to_text(row[k], table.columns[k].unit);
  }
  return words;
}

/// The number in that row and column; null if there is none.
const double* find(const StudyResult& result, const std::string& table_name, const std::string& settings,
                   const std::string& column_name) {
  for (const ResultTable& table : result.tables) {
    if (table.name != table_name) continue;
    const auto column = std::ranges::find(table.columns, column_name, &ResultColumn::name);
    if (column == table.columns.end()) continue;
    for (const auto& row : table.rows) {
      if (settings_of(table, row) == settings)
        return std::get_if<double>(&row[static_cast<std::size_t>(column - table.columns.begin())]);
    }
  }
  return nullptr;
}

}  // namespace

ResultComparison compare(const StudyResult& then, const StudyResult& now) {
  ResultComparison result;
  std::vector<Column> columns{{"table", true}, {"row", true},  {"what", true},
                              {"then", false}, {"now", false}, {"ratio", false}};
  for (const ResultTable& table : now.tables) {
    for (const auto& row : table.rows) {
      const std::string settings = settings_of(table, row);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const ResultColumn& column = table.columns[k];
        if (column.role != Role::less_is_better && column.role != Role::more_is_better) continue;
        const double *today = std::get_if<double>(&row[k]), *before = find(then, table.name, settings, column.name);
        if (today == nullptr || before == nullptr || !(*today > 0) || !(*before > 0)) continue;
        const double ratio = column.role == Role::more_is_better ? *today / *before : *before / *today;
        add_row(columns, {table.name, settings, column.name, to_text(*before, column.unit),
                          to_text(*today, column.unit), fmt::format("{:.3f}", ratio)});
        if (result.compared++ == 0 || ratio < result.worst) {
          result.worst = ratio;
          result.where = fmt::format("{}: {}: {}", table.name, settings, column.name);
        }
      }
    }
  }
  result.table = aligned(std::move(columns));
  return result;
}

}  // namespace orrery::pipeline
