// SPDX-License-Identifier: MIT
// The result of a study as data: tables, charts and sentences, from which pages and figures are made on any machine.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

struct ResultCurve {
  enum class Stroke { line, marks, both, dashed };

  std::string name;  ///< dashed without a name: a guide
  std::vector<double> x{}, y{};
  std::vector<double> least{}, greatest{};  ///< error bar of each point; or empty
  Stroke stroke = Stroke::both;
  std::string note{};  ///< written beside the curve
};

struct ResultAxis {
  std::string name, unit{};
  bool logarithmic = true;
};

struct ResultChart {
  std::string name;  ///< part of the file name
  std::string title;
  ResultAxis x, y;
  std::vector<ResultCurve> curves{};
};

/// Numbers over two settings, drawn as a heat map with a logarithmic scale.
struct ResultMap {
  std::string name, title;
  ResultAxis x, y, value;
  std::vector<double> xs{}, ys{};
  std::vector<double> values{};  ///< [ys × xs]; not finite: not measured
};

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
/// Throws Error, exit code 2, with a one-line message if the file is not of the form that `to_json` writes.
StudyResult read_result(const std::filesystem::path& file);

/// A table as CSV (RFC 4180), numbers with all digits, and as Markdown.
std::string to_csv(const ResultTable& table);
std::string to_markdown(const ResultTable& table);
/// Escapes text for a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

}  // namespace orrery::pipeline
