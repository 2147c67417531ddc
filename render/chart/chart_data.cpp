// SPDX-License-Identifier: MIT
#include "render/chart/chart_data.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "common/csv.hpp"
#include "render/chart/chart_curves.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

using Json = nlohmann::ordered_json;

std::string_view text_of(Curve::Stroke stroke) {
  static constexpr std::array<std::string_view, 5> names{"line", "marks", "line+marks", "dashed", "band"};
  return names[static_cast<std::size_t>(stroke)];
}

/// The numbers of a curve in the units of its axes; those that it does not have are NaN.
struct Row {
  double x, y, low, high;
};

std::vector<Row> rows_of(const Chart& chart, const Curve& curve) {
  std::vector<Row> rows(grown(curve));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = curve.y[i] / chart.y.unit_length;
    rows[i] = {.x = curve.x[i] / chart.x.unit_length, .y = y, .low = NAN, .high = NAN};
    if (is_band(curve)) rows[i] = {rows[i].x, NAN, curve.low[i] / chart.y.unit_length, y};
  }
  return rows;
}

/// The name of a curve, after that of its run if several have such a curve.
std::string name_in(const Chart& chart, const Curve& curve) {
  return curve.name.empty() || curve.of_file || chart.runs.empty() ? curve.name
                                                                   : chart.runs[curve.run] + ": " + curve.name;
}

Json numbers(const std::vector<Row>& rows, double Row::*of) {
  Json all = Json::array();
  for (const Row& row : rows) all.push_back(std::isfinite(row.*of) ? Json(row.*of) : Json());
  return all;
}

Json json_of(const ChartAxis& axis) {
  return {{"name", axis.name}, {"unit", axis.unit}, {"logarithmic", axis.logarithmic}};
}

Json json_of(const Chart& chart, const Curve& curve) {
  const std::vector<Row> rows = rows_of(chart, curve);
  Json json{{"name", name_in(chart, curve)},
            {"note", curve.note},
            {"drawn", text_of(curve.stroke)},
            {"x", numbers(rows, &Row::x)}};
  if (is_band(curve)) {
    json["low"] = numbers(rows, &Row::low);
    json["high"] = numbers(rows, &Row::high);
  } else {
    json["y"] = numbers(rows, &Row::y);
  }
  return json;
}

}  // namespace

std::string csv_of(std::span<const Chart* const> charts) {
  fmt::memory_buffer text;
  const auto add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
  };
  add("{}", chart_columns);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const Chart& chart = *charts[i];
    const std::string axes = csv_field(chart.x.name) + "," + csv_field(chart.x.unit) + "," + csv_field(chart.y.name) +
                             "," + csv_field(chart.y.unit);
    for (std::size_t k = 0; k < chart.curves.size(); ++k) {
      const Curve& curve = chart.curves[k];
      const std::string name = csv_field(curve.name.empty() ? curve.note : name_in(chart, curve));
      for (const Row& row : rows_of(chart, curve)) {
        add("{},{},{},{}", i + 1, k + 1, name, text_of(curve.stroke));
        for (const double number : {row.x, row.y, row.low, row.high})
          std::isfinite(number) ? add(",{}", number) : add(",");
        add(",{}\n", axes);
      }
    }
  }
  return to_string(text);
}

std::string json_of(std::span<const Chart* const> charts, const std::string& title, const Provenance& provenance) {
  // Metadata come first, so that a reader need not read the numbers.
  Json json = Json::object();
  for (const auto& [name, member] : json_tags) {
    if (!(provenance.*member).empty()) json[std::string(name)] = provenance.*member;
  }
  json["title"] = title;
  json["charts"] = Json::array();
  for (const Chart* chart : charts) {
    Json curves = Json::array();
    for (const Curve& curve : chart->curves) curves.push_back(json_of(*chart, curve));
    json["charts"].push_back({{"title", chart->title},
                              {"remark", chart->remark},
                              {"x", json_of(chart->x)},
                              {"y", json_of(chart->y)},
                              {"curves", std::move(curves)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace orrery::render
