// SPDX-License-Identifier: MIT
// What a study found, as data: tables, charts and sentences, from which pages and figures are made on any machine.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "pipeline/study/machine_facts.hpp"

namespace orrery::pipeline {

/// Nothing, a number in the unit of its column, or words.
using Cell = std::variant<std::monostate, double, std::string>;

/// What a column holds: what was set, what was measured and is better small or great, or what is told besides.
enum class Role { setting, less_is_better, more_is_better, remark };

struct ResultColumn {
  std::string name, unit{};  ///< SI; empty: a pure number
  Role role = Role::setting;
};

struct ResultTable {
  std::string name;  ///< of its file: letters, digits and -
  std::string title;
  std::vector<ResultColumn> columns;
  std::vector<std::vector<Cell>> rows;  ///< a cell a column

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
};

struct ResultCurve {
  enum class Stroke { line, marks, both, dashed };

  std::string name;  ///< dashed without a name: a guide
  std::vector<double> x{}, y{};
  std::vector<double> least{}, greatest{};  ///< of each point, drawn as a bar; or empty
  Stroke stroke = Stroke::both;
  std::string note{};  ///< beside the curve
};

struct ResultAxis {
  std::string name, unit{};
  bool logarithmic = true;
};

struct ResultChart {
  std::string name;  ///< of its file
  std::string title;
  ResultAxis x, y;
  std::vector<ResultCurve> curves;
};

/// Numbers over two settings, as a field of colours on a logarithmic scale.
struct ResultMap {
  std::string name, title;
  ResultAxis x, y, value;
  std::vector<double> xs, ys;
  std::vector<double> values;  ///< [ys × xs]; not finite: nothing was measured
};

struct StudyResult {
  std::string study, question;
  std::string command;  ///< that makes it again
  std::string program;  ///< version and commit
  bool quick = false;
  MachineFacts machine;
  std::vector<std::string> method;  ///< how it was measured: a paragraph each
  std::vector<std::string>
      findings;       ///< what the numbers answer, a sentence or two each; the first is the answer in short
  std::string limit;  ///< how far from which limit of the machine: "87 % of the rate of fma"; may be empty
  std::vector<ResultTable> tables;
  std::vector<ResultChart> charts;
  std::vector<ResultMap> maps;
};

/// "12.3 µs", "4.56 TB/s", "0.987": a cell for people.
std::string in_words(const Cell& cell, const std::string& unit);

std::string to_json(const StudyResult& result);
/// Throws Error, exit code 2, with one line where the file is none that `to_json` made.
StudyResult read_result(const std::filesystem::path& file);

/// A table as CSV (RFC 4180), numbers with all digits, and as Markdown.
std::string to_csv(const ResultTable& table);
std::string to_markdown(const ResultTable& table);

}  // namespace orrery::pipeline
