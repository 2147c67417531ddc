// SPDX-License-Identifier: MIT
// Turns series into charts.
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/version.hpp"
#include "render/canvas/canvas.hpp"
#include "render/chart/chart.hpp"
#include "render/style/annotations.hpp"
#include "render/view/panel.hpp"
#include "render/view/plane.hpp"
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

/// A small panel, with the same scale on both axes.
struct Orbit {
  std::string name;
  std::vector<const Series*> paths{};
  render::ValueRange x{}, y{};
};

std::vector<Orbit> orbits_of(const Findings& findings) {
  constexpr std::string_view prefix = "orbit ";
  std::vector<Orbit> all;
  for (const Series& series : findings.series) {
    if (!series.chart.starts_with(prefix)) continue;
    const std::string name = series.chart.substr(prefix.size());
    if (all.empty() || all.back().name != name) all.push_back({.name = name});
    Orbit& orbit = all.back();
    orbit.paths.push_back(&series);
    for (const double x : series.x) orbit.x.add(x);
    for (const double y : series.y) orbit.y.add(y);
  }
  return all;
}

void draw(render::Drawing& drawing, const render::Style& style, const render::Box& box, const Orbit& orbit) {
  const auto with_margin = [](const render::ValueRange& range) {
    const double margin = 0.06 * (range.high - range.low);
    return render::Interval{range.low - margin, range.high + margin};
  };
  render::Axis x{.limits = with_margin(orbit.x)}, y{.limits = with_margin(orbit.y)};
  render::equalise(x.limits, y.limits, static_cast<double>(box.width() / box.height()));
  const render::Panel panel(style, box, x, y);
  panel.open(drawing);
  for (std::size_t k = 0; k < orbit.paths.size(); ++k) {
    render::Line line{{}, {render::body_color(style.theme, k)}, style.curve_line};
    const Series& path = *orbit.paths[k];
    for (std::size_t i = 0; i < path.x.size(); ++i) line.points.push_back(panel.at(path.x[i], path.y[i]));
    drawing.add(render::thinned(std::move(line)));
  }
  panel.close(drawing);
  drawing.text(render::fitted(orbit.name, style.label_text, true, box.width()),
               {box.left, box.top - 0.5F * style.label_text}, style.label_text, style.ink, render::Across::left,
               render::Along::baseline, true);
}

/// Draws four orbits in a row.
void draw_orbits(const std::vector<Orbit>& orbits, const std::filesystem::path& file) {
  constexpr int width = 200, height = 150, columns = 4;
  const int rows = (static_cast<int>(orbits.size()) + columns - 1) / columns;
  const render::Canvas canvas({columns * width, rows * height}, render::Theme::light);
  render::Style style = render::scaled(canvas.style(), 0.66F);
  style.named = false;
  const auto scene = [&](render::Drawing& drawing) {
    for (std::size_t i = 0; i < orbits.size(); ++i) {
      const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
      const auto left = static_cast<float>(column * width), top = static_cast<float>(row * height);
      draw(drawing, style, {left + 40, top + 25, left + width - 10, top + height - 20}, orbits[i]);
    }
  };
  canvas.save(scene, file, {.version = version_line()});
}

}  // namespace

std::vector<std::filesystem::path> draw(const Findings& findings, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const Figure& figure : figures()) {
    auto drawn = curves(findings, figure.chart);
    if (drawn.empty()) continue;
    const std::filesystem::path file = folder / figure.file;
    const Chart chart{.title = std::string(figure.title), .x = figure.x, .y = figure.y, .curves = std::move(drawn)};
    if (write_chart(file, {600, 380}, render::Theme::light, chart)) files.push_back(file);
  }
  if (const auto orbits = orbits_of(findings); !orbits.empty()) {
    draw_orbits(orbits, folder / "orbits.png");
    files.push_back(folder / "orbits.png");
  }
  return files;
}

}  // namespace orrery::pipeline
