// SPDX-License-Identifier: MIT
#include "pipeline/grade/grade_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "render/page/html.hpp"

namespace orrery::pipeline::grading {
namespace {

/// A name as a cell: spreadsheets take a text that begins so for a formula.
std::string harmless(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos ? "'" + text : text;
}

std::string markdown(const GradeTable& table, const std::string&, const std::string&) {
  return table_format("markdown").write(table.table, 0);
}

std::string csv(const GradeTable& table, const std::string&, const std::string&) {
  return table_format("csv").write(table.table, 0);
}

constexpr const char* style =
    "body{font:16px/1.4 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 "
    "1em;color:#1b1e23;background:#fff}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35em .7em;"
    "border-bottom:1px solid #d5d9e0}th{border-bottom:2px solid #1b1e23}td{overflow-wrap:anywhere}"
    "td:first-child{font-weight:600}code{font-size:.9em}"
    "@media(prefers-color-scheme:dark){body{color:#e6e8ec;background:#14161a}th,td{border-color:#3a3f49}}";

std::string html_page(const GradeTable& table, const std::string& title, const std::string& state) {
  using render::html::escaped;
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"generator\" content=\"orrery\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{2}</p>\n"
      "<p>State at the end of the exercise: <code>{3}</code></p>\n<table>\n<thead><tr>",
      escaped(title), style, escaped(table.summary), escaped(state));
  for (const TableColumn& column : table.table.columns) text += fmt::format("<th>{}</th>", escaped(column.words));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.table.rows) {
    text += "<tr>";
    for (const std::string& cell : row) text += fmt::format("<td>{}</td>", escaped(cell));
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</body>\n</html>\n";
}

}  // namespace

GradeTable grade_table(const std::vector<HandIn>& hand_ins, const std::vector<std::vector<Grade>>& grades,
                       const std::string& expected_state) {
  GradeTable result;
  result.table.columns = {{"hand_in", "hand-in", "hand-in"},
                          {"verdict", "verdict", "verdict"},
                          {"why", "why", "why"},
                          {"parts_at", "parts at t =", "parts at $t$"},
                          {"expected", "expected state", "expected state"},
                          {"identical", "identical with", "identical with"},
                          {"file", "file", "file"},
                          {"state", "state", "state"}};
  std::vector<Grade> best;
  std::map<std::string, std::vector<std::string>> equal;
  std::map<Marking, std::size_t> counts;
  for (std::size_t h = 0; h < hand_ins.size(); ++h) {
    const auto found = std::ranges::min_element(grades[h], {}, &Grade::verdict);
    Grade grade = found == grades[h].end() ? Grade{.why = "no run and no frames are in it"} : *found;
    if (!hand_ins[h].trouble.empty()) grade.why += "; " + hand_ins[h].trouble;
    ++counts[grade.verdict];
    if (!grade.content.empty() && grade.verdict != Marking::same_bits) equal[grade.content].push_back(hand_ins[h].name);
    best.push_back(std::move(grade));
  }
  for (std::size_t h = 0; h < hand_ins.size(); ++h) {
    const Grade& grade = best[h];
    std::vector<std::string> others = equal[grade.content];
    std::erase(others, hand_ins[h].name);
    const std::string expected = grade.state.empty() ? "" : grade.state == expected_state ? "yes" : "no";
    result.table.rows.push_back({harmless(hand_ins[h].name), std::string(words_of(grade.verdict)), harmless(grade.why),
                                 grade.until, expected, harmless(fmt::format("{}", fmt::join(others, ", "))),
                                 harmless(grade.file), grade.state});
  }
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts) parts.push_back(fmt::format("{} {}", count, words_of(verdict)));
  result.summary = fmt::format("{} hand-ins: {}", hand_ins.size(), fmt::join(parts, ", "));
  return result;
}

GradeTableFormat grade_table_format(const std::string& name, const std::optional<std::filesystem::path>& file) {
  const std::string ending = file ? extension_of(*file) : "";
  if (name == "csv" || (name.empty() && ending == ".csv")) return {csv};
  if (name == "html" || (name.empty() && ending == ".html")) return {html_page};
  if (name.empty() || name == "markdown") return {markdown};
  throw Error(fmt::format("--format {}: there are markdown, csv and html", name), Fault::request);
}

}  // namespace orrery::pipeline::grading
