// SPDX-License-Identifier: MIT
// Turns series into charts.
#include "pipeline/pictures/pictures.hpp"
#include "render/chart/chart.hpp"
#include "validation_page.hpp"

namespace orrery::pipeline {
namespace {

using render::Chart;
using render::ChartAxis;
using render::Curve;

struct Figure {
  std::string_view chart;  ///< of the series
  std::string_view file, title;
  ChartAxis x, y;
};

std::vector<Figure> figures() {
  const auto log = [](std::string name) { return ChartAxis{.name = std::move(name), .unit = "", .logarithmic = true}; };
  const ChartAxis error{.name = "error", .unit = "", .logarithmic = true, .limits = render::Interval{1e-14, 10}};
  return {
      {"error-dt", "error-dt.png", "Two bodies, e = 0.5, 10.43 periods: error against dt", log("dt / P"), error},
      {"error-evaluations", "error-evaluations.png", "The same against the forces computed", log("force evaluations"),
       error},
      {"error-time", "error-time.png", "The same against time of one core", log("seconds"), error},
      {"energy", "energy.png", "Two bodies, e = 0.5: greatest energy error in a period", log("periods"), log("|ΔE/E|")},
      {"walk", "walk.png", "Outer solar system: rounding walks at random", log("periods of Jupiter"), log("|ΔE/E|")},
      {"pythagorean",
       "pythagorean.png",
       "Pythagorean problem: |Δx| of the light body, amplified by encounters",
       {.name = "t", .unit = ""},
       log("|Δx|")},
  };
}

std::vector<Curve> curves(const Findings& findings, std::string_view chart) {
  std::vector<Curve> all;
  for (const Series& series : findings.series) {
    if (series.chart != chart) continue;
    const auto stroke = series.name.starts_with("1.1e-16") ? Curve::Stroke::dashed
                        : chart.starts_with("error")       ? Curve::Stroke::both
                        : series.x.size() < 6              ? Curve::Stroke::marks
                                                           : Curve::Stroke::line;
    all.push_back({.name = series.name, .x = series.x, .y = series.y, .stroke = stroke});
  }
  return all;
}

/// One small panel per orbit.
std::vector<Chart> small_multiples(const Findings& findings) {
  constexpr std::string_view prefix = "orbit ";
  std::vector<Chart> all;
  for (const Series& series : findings.series) {
    if (!series.chart.starts_with(prefix)) continue;
    const std::string name = series.chart.substr(prefix.size());
    if (all.empty() || all.back().title != name)
      all.push_back({.title = name, .x = {.name = "x"}, .y = {.name = "y"}, .equal = true});
    all.back().curves.push_back({.name = "", .x = series.x, .y = series.y});
  }
  return all;
}

}  // namespace

std::vector<std::filesystem::path> draw(const Findings& findings, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  const auto write = [&](const std::string& file, render::Size size, const std::vector<Chart>& charts, int columns) {
    if (write_chart(folder / file, size, render::Theme::light, charts, columns)) files.push_back(folder / file);
  };
  for (const Figure& figure : figures()) {
    auto drawn = curves(findings, figure.chart);
    if (drawn.empty()) continue;
    write(std::string(figure.file), {600, 380},
          {{.title = std::string(figure.title), .x = figure.x, .y = figure.y, .curves = std::move(drawn)}}, 1);
  }
  const auto orbits = small_multiples(findings);
  if (const int rows = (static_cast<int>(orbits.size()) + 3) / 4; rows > 0)
    write("orbits.png", {800, 150 * rows}, orbits, 4);
  return files;
}

}  // namespace orrery::pipeline
