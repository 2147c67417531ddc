// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "pipeline/study/result.hpp"
#include "render/chart/chart_curves.hpp"

namespace orrery::pipeline {
namespace {

using Json = nlohmann::ordered_json;

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view roles[] = {"setting", "less_is_better", "more_is_better", "remark"};
constexpr std::string_view strokes[] = {"line", "marks", "both", "dashed"};  // by render::Curve::Stroke

template <class Enum, std::size_t n>
Enum named(const std::string_view (&names)[n], const std::string& name) {
  for (std::size_t k = 0; k < n; ++k) {
    if (names[k] == name) return static_cast<Enum>(k);
  }
  throw std::invalid_argument(fmt::format("`{}` is not known", name));
}

/// NaN and infinities become null.
Json json_of(const std::vector<double>& numbers) {
  Json all = Json::array();
  for (const double x : numbers) all.push_back(std::isfinite(x) ? Json(x) : Json());
  return all;
}
std::vector<double> numbers_of(const Json& json) {
  std::vector<double> all;
  for (const Json& x : json) all.push_back(x.is_null() ? not_measured : x.get<double>());
  return all;
}

Json json_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return std::isfinite(*number) ? Json(*number) : Json();
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  return {};
}
Cell cell_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return {};
}

Json json_of(const render::ChartAxis& axis) {
  return {{"name", axis.name}, {"unit", axis.unit}, {"logarithmic", axis.logarithmic}};
}
render::ChartAxis axis_of(const Json& json) {
  return {.name = json.at("name"), .unit = json.at("unit"), .logarithmic = json.at("logarithmic")};
}

Json json_of(const ResultTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const ResultColumn& column : table.columns)
    columns.push_back(
        {{"name", column.name}, {"unit", column.unit}, {"role", roles[static_cast<std::size_t>(column.role)]}});
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(json_of(cell));
    rows.push_back(std::move(cells));
  }
  return {{"name", table.name}, {"title", table.title}, {"columns", columns}, {"rows", rows}};
}
ResultTable table_of(const Json& json) {
  ResultTable table{.name = json.at("name"), .title = json.at("title")};
  for (const Json& column : json.at("columns"))
    table.columns.push_back(
        {.name = column.at("name"), .unit = column.at("unit"), .role = named<Role>(roles, column.at("role"))});
  for (const Json& row : json.at("rows")) {
    if (row.size() != table.columns.size())
      throw std::invalid_argument("the number of cells of a row is not that of the columns");
    std::vector<Cell> cells;
    for (const Json& cell : row) cells.push_back(cell_of(cell));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// `bars`: those of the curve, null if it has none.
Json json_of(const render::Curve& curve, const render::Curve* bars) {
  std::vector<double> least, greatest;
  for (std::size_t i = 0; bars != nullptr && i < bars->x.size(); i += 2) {  // gaps lie between them
    least.push_back(bars->low[i]);
    greatest.push_back(bars->y[i]);
  }
  return {{"name", curve.name},
          {"x", json_of(curve.x)},
          {"y", json_of(curve.y)},
          {"least", json_of(least)},
          {"greatest", json_of(greatest)},
          {"stroke", strokes[static_cast<std::size_t>(curve.stroke)]},
          {"note", curve.note}};
}
/// Appends a curve and its bars.
void add_curve(const Json& json, render::Chart& chart) {
  render::Curve curve{.name = json.at("name"),
                      .x = numbers_of(json.at("x")),
                      .y = numbers_of(json.at("y")),
                      .stroke = named<render::Curve::Stroke>(strokes, json.at("stroke")),
                      .note = json.at("note")};
  const std::vector<double> least = numbers_of(json.at("least")), greatest = numbers_of(json.at("greatest"));
  const auto fits = [&](const std::vector<double>& bars) { return bars.empty() || bars.size() == curve.x.size(); };
  if (curve.x.size() != curve.y.size() || !fits(least) || !fits(greatest))
    throw std::invalid_argument("a curve has arrays of different lengths");
  chart.curves.push_back(curve);
  if (!least.empty() && !greatest.empty()) chart.curves.push_back(bars_of(curve, least, greatest));
}

Json json_of(const ResultChart& result) {
  const auto& [name, chart] = result;
  Json curves = Json::array();
  for (auto curve = chart.curves.begin(); curve != chart.curves.end(); ++curve) {
    if (is_band(*curve)) continue;
    const auto next = curve + 1;
    curves.push_back(json_of(*curve, next != chart.curves.end() && is_band(*next) ? &*next : nullptr));
  }
  return {{"name", name}, {"title", chart.title}, {"x", json_of(chart.x)}, {"y", json_of(chart.y)}, {"curves", curves}};
}
ResultChart chart_of(const Json& json) {
  render::Chart chart{.title = json.at("title"), .x = axis_of(json.at("x")), .y = axis_of(json.at("y"))};
  for (const Json& curve : json.at("curves")) add_curve(curve, chart);
  return {json.at("name"), std::move(chart)};
}

Json json_of(const ResultMap& result) {
  const auto& [name, map] = result;
  return {{"name", name},          {"title", map.title},           {"x", json_of(map.x)},
          {"y", json_of(map.y)},   {"value", json_of(map.value)},  {"xs", json_of(map.xs)},
          {"ys", json_of(map.ys)}, {"values", json_of(map.values)}};
}
ResultMap map_of(const Json& json) {
  render::HeatMap map{.title = json.at("title"),
                      .x = axis_of(json.at("x")),
                      .y = axis_of(json.at("y")),
                      .value = axis_of(json.at("value")),
                      .xs = numbers_of(json.at("xs")),
                      .ys = numbers_of(json.at("ys")),
                      .values = numbers_of(json.at("values"))};
  if (map.xs.size() < 2 || map.ys.size() < 2 || map.values.size() != map.xs.size() * map.ys.size())
    throw std::invalid_argument("the size of a map is not that of its axes");
  return {json.at("name"), std::move(map)};
}

template <class T>
Json list_of(const std::vector<T>& all) {
  Json list = Json::array();
  for (const T& one : all) list.push_back(json_of(one));
  return list;
}

/// Names of studies, tables, charts and machines become parts of file names.
void refuse_name(const std::string& name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name.size() > 80 || !std::ranges::all_of(name, plain))
    throw std::invalid_argument(fmt::format("`{}` is not a valid name of a table, chart, study or machine", name));
}

}  // namespace

render::Curve bars_of(const render::Curve& curve, const std::vector<double>& least,
                      const std::vector<double>& greatest) {
  render::Curve bars{.name = curve.name, .stroke = render::Curve::Stroke::band};
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    bars.x.insert(bars.x.end(), {curve.x[i], not_measured});
    bars.y.insert(bars.y.end(), {greatest[i], not_measured});
    bars.low.insert(bars.low.end(), {least[i], not_measured});
  }
  return bars;
}

std::string to_json(const StudyResult& result) {
  Json facts = Json::array();
  for (const auto& [key, value] : result.machine.facts) facts.push_back({key, value});
  const Json json{{"study", result.study},
                  {"question", result.question},
                  {"command", result.command},
                  {"program", result.program},
                  {"quick", result.quick},
                  {"machine", {{"name", result.machine.name}, {"has_gpu", result.machine.has_gpu}, {"facts", facts}}},
                  {"method", result.method},
                  {"findings", result.findings},
                  {"limit", result.limit},
                  {"tables", list_of(result.tables)},
                  {"charts", list_of(result.charts)},
                  {"maps", list_of(result.maps)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

StudyResult read_result(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(fmt::format("{}: cannot be read", file.string()), Fault::request);
  try {
    const Json json = Json::parse(in);
    StudyResult result{.study = json.at("study"),
                       .question = json.at("question"),
                       .command = json.at("command"),
                       .program = json.at("program"),
                       .quick = json.at("quick"),
                       .method = json.at("method"),
                       .findings = json.at("findings"),
                       .limit = json.at("limit")};
    const Json& machine = json.at("machine");
    result.machine = {.name = machine.at("name"), .has_gpu = machine.at("has_gpu")};
    for (const Json& fact : machine.at("facts")) result.machine.facts.emplace_back(fact.at(0), fact.at(1));
    for (const Json& table : json.at("tables")) result.tables.push_back(table_of(table));
    for (const Json& chart : json.at("charts")) result.charts.push_back(chart_of(chart));
    for (const Json& map : json.at("maps")) result.maps.push_back(map_of(map));
    refuse_name(result.study);
    refuse_name(result.machine.name);
    for (const ResultTable& table : result.tables) refuse_name(table.name);
    for (const ResultChart& chart : result.charts) refuse_name(chart.name);
    for (const ResultMap& map : result.maps) refuse_name(map.name);
    return result;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}: is no result of `orrery study`: {}", file.string(), error.what()), Fault::request);
  }
}

}  // namespace orrery::pipeline
