// SPDX-License-Identifier: MIT
#include "pipeline/run/run_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "common/csv.hpp"
#include "common/error.hpp"
#include "pipeline/named.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

/// Whether column k holds texts that may look like numbers.
bool is_text(const RunTable& table, std::size_t k) {
  return table.columns[k].name == "state" || table.columns[k].name == "task";
}

/// Rounds to `digits` significant digits (0: all); integers, such as counts of steps, keep all of theirs.
std::string rounded(const std::string& text, int digits) {
  const auto value = number_of(text);
  const bool whole = text.find_first_not_of("+-0123456789") == std::string::npos;
  return digits == 0 || whole || !value ? text : fmt::format("{:.{}g}", *value, digits);
}

std::string csv(const RunTable& table, int digits) {
  std::string text;
  const auto add = [&](std::size_t k, const std::string& cell) {
    if (k > 0) text += ',';
    text += csv_field(cell);
  };
  for (std::size_t k = 0; k < table.columns.size(); ++k) add(k, table.columns[k].name);
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < row.size(); ++k) add(k, is_text(table, k) ? row[k] : rounded(row[k], digits));
    text += "\n";
  }
  return text;
}

/// Returns the places of the columns that reports have.
std::vector<std::size_t> reported(const RunTable& table) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    if (table.columns[k].report) places.push_back(k);
  }
  return places;
}

/// Returns whether column k holds only numbers, which are right-aligned.
bool is_numeric(const RunTable& table, std::size_t k) {
  return table.columns[k].name != "state" &&
         std::ranges::all_of(table.rows, [&](const auto& row) { return row[k].empty() || number_of(row[k]); });
}

/// Returns `text` with some letters replaced.
std::string replaced(const std::string& text, std::span<const std::pair<char, std::string_view>> letters) {
  std::string all;
  for (const char letter : text) {
    const auto found = std::ranges::find(letters, letter, &std::pair<char, std::string_view>::first);
    all += found == letters.end() ? std::string_view(&letter, 1) : found->second;
  }
  return all;
}

std::string for_markdown(const std::string& text) {
  static constexpr std::pair<char, std::string_view> letters[] = {
      {'\\', R"(\\)"}, {'|', R"(\|)"}, {'*', R"(\*)"}, {'_', R"(\_)"}, {'`', R"(\`)"},
      {'[', R"(\[)"},  {']', R"(\])"}, {'<', "&lt;"},  {'&', "&amp;"}, {'\n', " "}};
  return replaced(text, letters);
}

std::string for_latex(const std::string& text) {
  static constexpr std::pair<char, std::string_view> letters[] = {{'\\', R"(\textbackslash{})"},
                                                                  {'~', R"(\textasciitilde{})"},
                                                                  {'^', R"(\textasciicircum{})"},
                                                                  {'&', R"(\&)"},
                                                                  {'%', R"(\%)"},
                                                                  {'$', R"(\$)"},
                                                                  {'#', R"(\#)"},
                                                                  {'_', R"(\_)"},
                                                                  {'{', R"(\{)"},
                                                                  {'}', R"(\})"},
                                                                  {'\n', " "},
                                                                  {'|', R"(\textbar{})"},
                                                                  {'<', R"(\textless{})"},
                                                                  {'>', R"(\textgreater{})"}};
  return replaced(text, letters);
}

/// "$1.2\times10^{-5}$", "$-0.5$", "20".
std::string latex_number(const std::string& text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text.starts_with('-') ? "$" + text + "$" : text;
  const std::string power = fmt::format("10^{{{}}}", std::stoi(text.substr(e + 1))), lead = text.substr(0, e);
  return lead == "1" ? "$" + power + "$" : lead == "-1" ? "$-" + power + "$" : "$" + lead + R"(\times)" + power + "$";
}

std::string markdown(const RunTable& table, int digits) {
  const auto columns = reported(table);
  std::string text = "|", line = "|";
  for (const std::size_t k : columns) {
    const TableColumn& column = table.columns[k];
    text += fmt::format(" {} |", column.words.empty() ? fmt::format("`{}`", column.name) : for_markdown(column.words));
    line += is_numeric(table, k) ? "---:|" : "---|";
  }
  text += "\n" + line + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::size_t k : columns)
      text += fmt::format(" {} |", for_markdown(is_text(table, k) ? row[k] : rounded(row[k], digits)));
    text += "\n";
  }
  return text;
}

std::string latex(const RunTable& table, int digits) {
  const auto columns = reported(table);
  std::string places, heads, rows;
  for (const std::size_t k : columns) {
    const TableColumn& column = table.columns[k];
    places += is_numeric(table, k) ? "r" : "l";
    if (!heads.empty()) heads += " & ";
    heads += column.words.empty() ? R"(\texttt{)" + for_latex(column.name) + "}" : column.latex;
  }
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::size_t k : columns) {
      const std::string cell = is_text(table, k) ? row[k] : rounded(row[k], digits);
      cells.push_back(!is_text(table, k) && number_of(cell) ? latex_number(cell) : for_latex(cell));
    }
    rows += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return fmt::format("\\begin{{tabular}}{{{}}}\n\\hline\n{} \\\\\n\\hline\n{}\\hline\n\\end{{tabular}}\n", places,
                     heads, rows);
}

constexpr std::array formats{TableFormat{"csv", 0, csv}, TableFormat{"markdown", 4, markdown},
                             TableFormat{"latex", 4, latex}};

}  // namespace

const TableFormat& table_format(std::string_view name) {
  return named(formats, name.empty() ? formats[0].name : name, "format of a table");
}

}  // namespace orrery::pipeline
