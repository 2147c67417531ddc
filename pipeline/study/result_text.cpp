// SPDX-License-Identifier: MIT
// Cells and tables as text, CSV and Markdown.
#include <fmt/format.h>

#include <cmath>

#include "common/csv.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/result.hpp"

namespace orrery::pipeline {
namespace {

/// Three digits and a prefix from n to P; a power of ten beyond.
std::string with_any_prefix(double value) {
  if (value == 0) return "0 ";
  const double size = std::abs(value);
  if (size >= 0.9995)
    return size < 1e18 ? with_prefix(value) + (size < 999.5 ? " " : "") : fmt::format("{:.2e} ", value);
  constexpr const char* prefixes[] = {"m", "µ", "n"};
  int k = -1;
  for (; k < 2 && std::abs(value) < 0.9995; ++k) value *= 1000;
  return std::abs(value) < 0.1 ? fmt::format("{:.2e} {}", value, prefixes[k])
                               : fmt::format("{:.3g} {}", value, prefixes[k]);
}

}  // namespace

std::string markdown_cell(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '|') all += '\\';
    all += c == '\n' ? ' ' : c;
  }
  return all;
}

std::string to_text(const Cell& cell, const std::string& unit) {
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr || std::isnan(*number)) return "";
  if (unit == "%") return fmt::format("{:.3g} %", 100 * *number);
  if (!unit.empty()) return with_any_prefix(*number) + unit;
  const double size = std::abs(*number);
  if (*number == std::round(*number) && size < 1e15) return fmt::format("{:.0f}", *number);
  return size >= 1e-3 && size < 1e6 ? fmt::format("{:.3g}", *number) : fmt::format("{:.2e}", *number);
}

std::string to_csv(const ResultTable& table) {
  std::string text;
  const auto line = [&](const auto& cells, const auto& field) {
    std::size_t k = 0;
    for (const auto& cell : cells) text += (k++ > 0 ? "," : "") + csv_field(field(cell));
    text += "\n";
  };
  line(table.columns, [](const ResultColumn& column) {
    return column.unit.empty() || column.unit == "%" ? column.name : fmt::format("{} ({})", column.name, column.unit);
  });
  for (const auto& row : table.rows) {
    line(row, [](const Cell& cell) {
      const auto* number = std::get_if<double>(&cell);
      return number == nullptr ? to_text(cell, "") : std::isfinite(*number) ? fmt::format("{}", *number) : "";
    });
  }
  return text;
}

std::string to_markdown(const ResultTable& table) {
  std::string text, rule;
  for (const ResultColumn& column : table.columns) {
    text += fmt::format("| {} ", markdown_cell(column.name));
    rule += column.role == Role::remark ? "|---" : "|--:";
  }
  text += "|\n" + rule + "|\n";
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < row.size(); ++k)
      text += fmt::format("| {} ", markdown_cell(to_text(row[k], table.columns[k].unit)));
    text += "|\n";
  }
  return text;
}

}  // namespace orrery::pipeline
