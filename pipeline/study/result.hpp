// SPDX-License-Identifier: MIT
// The result of a study as data: tables, charts and sentences, from which pages and figures are made on any machine.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "render/chart/chart.hpp"

namespace orrery::pipeline {

/// The machine that a study was measured on.
struct MachineFacts {
  std::string name;  ///< short, for file names: "nvidia-h200", "amd-epyc-2"
  bool has_gpu = false;
  std::vector<std::pair<std::string, std::string>> facts{};  ///< "processor", "AMD EPYC, 2 threads", …
};

/// Empty, a number in the unit of its column, or text.
using Cell = std::variant<std::monostate, double, std::string>;

/// A column identifies the row, holds a measured number (smaller or larger is better), or a remark.
enum class Role { setting, less_is_better, more_is_better, remark };

struct ResultColumn {
  std::string name, unit{};  ///< SI; "%" for shares; empty: a pure number
  Role role = Role::setting;
};

struct ResultTable {
  std::string name;  ///< part of the file name: letters, digits and -
  std::string title;
  std::vector<ResultColumn> columns{};
  std::vector<std::vector<Cell>> rows{};  ///< [rows × columns]

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
};

/// Curves may have error bars: see bars_of.
struct ResultChart {
  std::string name;  ///< part of the file name
  render::Chart chart{};
};

/// Numbers over two settings; not finite: not measured.
struct ResultMap {
  std::string name;
  render::HeatMap map{};
};

/// A curve of points that are joined and marked.
inline render::Curve marked_curve(std::string name) {
  return {.name = std::move(name), .stroke = render::Curve::Stroke::both};
}
/// A line to compare with.
inline render::Curve guide(std::vector<double> x, std::vector<double> y, std::string note) {
  return {.x = std::move(x), .y = std::move(y), .stroke = render::Curve::Stroke::dashed, .note = std::move(note)};
}
/// Error bars of a curve, which they follow in a chart: bands of one point each.
render::Curve bars_of(const render::Curve& curve, const std::vector<double>& least,
                      const std::vector<double>& greatest);
inline render::ChartAxis log_axis(std::string name, std::string unit = "") {
  return {.name = std::move(name), .unit = std::move(unit), .logarithmic = true};
}

struct StudyResult {
  std::string study, question;
  std::string command;  ///< that repeats the measurement
  std::string program;  ///< version and commit
  bool quick = false;
  MachineFacts machine{};
  std::vector<std::string> method{};    ///< paragraphs
  std::vector<std::string> findings{};  ///< answers to the question; the first is the short answer
  std::string limit{};                  ///< share of a limit of the machine: "87 % of the rate of fma"; may be empty
  std::vector<ResultTable> tables{};
  std::vector<ResultChart> charts{};
  std::vector<ResultMap> maps{};
};

/// A cell as text: "12.3 µs", "4.56 TB/s", "0.987".
std::string to_text(const Cell& cell, const std::string& unit);

std::string to_json(const StudyResult& result);
/// Throws Error, Fault::request, with a one-line message if the file is not of the form that `to_json` writes.
StudyResult read_result(const std::filesystem::path& file);

/// A table as CSV (RFC 4180), numbers with all digits, and as Markdown.
std::string to_csv(const ResultTable& table);
std::string to_markdown(const ResultTable& table);
/// Escapes text for a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

}  // namespace orrery::pipeline
