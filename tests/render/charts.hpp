// SPDX-License-Identifier: MIT
// Examples of the forms that charts take, by the names of figures that have them: curves over time, of bodies, in panels, with
// bands and guides, of moments.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/figure.hpp"

namespace orrery::render {

inline constexpr std::array<std::string_view, 15> chart_names{"energy",           "energy-error",
                                                              "separation",       "phase",
                                                              "elements",         "divergence",
                                                              "conserved",        "virial",
                                                              "lagrangian-radii", "radial-profile",
                                                              "rotation-curve",   "convergence",
                                                              "pair-correlation", "mean-square-displacement",
                                                              "thermodynamics"};

/// Wave `v` (0 … 2) of curve `k` over times from 0 to 1.
inline Curve wave(std::size_t k, std::size_t v = 0) {
  Curve curve{.name = k == 0 ? "one" : "two"};
  for (int i = 0; i < 200; ++i) {
    curve.time.push_back(0.005 * i);
    curve.y.push_back(std::exp(0.02 * i) + static_cast<double>(k) + std::sin(0.1 * i + static_cast<double>(v)));
  }
  curve.x = curve.time;
  return curve;
}

inline Chart chart_of_waves(const RunInfo& info, ChartAxis y, std::size_t v = 0) {
  return {.x = time_axis(info), .y = std::move(y), .curves = {wave(0, v), wave(1, v)}};
}

/// A signed panel of errors above one of their magnitudes.
inline std::vector<Chart> error_panels(const RunInfo& info, const std::vector<Curve>& errors, const std::string& name) {
  std::vector<Chart> both{{.y = {.name = name}, .curves = errors},
                          {.y = {.name = "|" + name + "|", .logarithmic = true}, .curves = {}}};
  ValueRange range;
  for (const Curve& error : errors) {
    Curve& magnitude = both[1].curves.emplace_back(Curve{.name = error.name});
    for (std::size_t i = 0; i < error.y.size(); ++i) {
      range.add(error.x[i]);
      if (error.y[i] == 0) continue;
      magnitude.x.push_back(error.x[i]);
      magnitude.y.push_back(std::abs(error.y[i]));
      magnitude.time.push_back(error.time[i]);
    }
  }
  for (Chart& chart : both) {
    chart.x = time_axis(info);
    chart.x.limits = Interval{range.low, range.high};
  }
  return both;
}

/// That of the energies −1 − 1e-7 sin 9t.
inline std::vector<Chart> charts_of_a_sine(const RunInfo& info) {
  Curve error;
  for (int i = 0; i < 200; ++i) {
    error.time.push_back(i / 199.0);
    error.y.push_back(-1 - 1e-7 * std::sin(9 * error.time.back()) + 1);
  }
  error.x = error.time;
  std::vector<Chart> both = error_panels(info, {error}, "ΔE");
  both[0].y.name += "/|E₀|";
  both[1].y.name += "/|E₀|";
  return both;
}

/// That of two curves, for a part of `panels`.
inline std::vector<Chart> charts_of_a_part(const RunInfo& info) {
  std::vector<Curve> errors{wave(0, 1), wave(1, 1)};
  for (std::size_t k = 0; k < 2; ++k) {
    errors[k].x = wave(k).y;
    const double first = errors[k].y.front();
    for (double& y : errors[k].y) y -= first;
  }
  return error_panels(info, errors, "ΔE");
}

/// Errors of two integrators, one over seeds, with their fits.
inline std::vector<Chart> chart_of_errors() {
  using enum Curve::Stroke;
  Chart chart{.x = {.name = "step", .logarithmic = true},
              .y = {.name = "greatest |ΔE|/|E₀|", .logarithmic = true},
              .curves = {}};
  ValueRange range;
  for (const int order : {2, 4}) {
    Curve median{.name = order == 2 ? "slope of two" : "slope of four", .stroke = marks}, seeds = median, law;
    seeds.stroke = band;
    law.stroke = dashed;
    for (int k = 0; k < 6; ++k) {
      const double h = std::exp2(k - 8), fit = std::pow(h, order);
      for (Curve* curve : {&median, &seeds, &law}) curve->x.push_back(h);
      median.y.push_back(k > 0 ? fit : 4 * fit);
      seeds.low.push_back(fit / 2);
      seeds.y.push_back(fit * 3);
      law.y.push_back(k > 0 ? fit : std::nan(""));
    }
    chart.curves.push_back(median);
    range.add_positive(median.y);
    if (order == 2) {
      chart.curves.push_back(seeds);
      range.add_positive(seeds.low);
      range.add_positive(seeds.y);
    }
    chart.curves.push_back(law);
  }
  const double air = std::pow(range.high / range.low, 0.06);
  chart.y.limits = Interval{range.low / air, range.high * air};
  return {chart};
}

/// Three moments of curves over a distance, at times 0, 0.5 and 1; the last one alone for a still.
inline std::vector<Chart> charts_of_moments(std::string_view name, bool moving) {
  std::vector<Chart> all;
  const auto radius = [](int bin, int moment) { return (moment < 2 ? 0.1 : 0.11) * bin; };
  const auto curve = [&](std::size_t k, int list, int moment) {
    Curve of;
    for (int bin = 1; bin <= 30; ++bin) {
      const double y = std::exp(-0.1 * bin) + static_cast<double>(k) + list;
      of.x.push_back(radius(bin, moment));
      of.y.push_back((1 + 0.5 * moment) * y);
    }
    return of;
  };
  const double last = radius(30, 2), low = std::exp(-3.0) + 1, high = 2 * (std::exp(-0.1) + 1);
  for (int moment = moving ? 0 : 2; moment < 3; ++moment) {
    std::vector<Chart> now(1);
    if (name == "radial-profile") {
      const auto around = [](double from, double to) {
        const double air = std::pow(to / from, 0.05) * 1.1;
        return Interval{from / air, to * air};
      };
      now[0].x = {.name = "r", .logarithmic = true, .limits = around(0.1, last)};
      now[0].y = {.name = "density", .logarithmic = true, .limits = around(low, high)};
      now[0].curves = {curve(0, 1, 0), curve(0, 1, moment)};
      now[0].curves[0].name = "start";
      now[0].curves[0].stroke = Curve::Stroke::dashed;
      now[0].curves[1].name = moving ? "now" : "end";
    } else if (name == "pair-correlation") {
      now[0].x = {.name = "r", .limits = Interval{0, last + radius(1, 2)}};
      now[0].y = {.name = "g(r)", .limits = Interval{0, 1.08 * high}};
      now[0].curves = {curve(0, 1, moment),
                       {.x = {0, now[0].x.limits->high}, .y = {1, 1}, .stroke = Curve::Stroke::dashed}};
    } else {
      now.resize(2);
      for (int k = 0; k < 2; ++k) {
        Chart& chart = now[static_cast<std::size_t>(k)];
        chart.x = {.name = "R", .limits = Interval{0, 1.06 * last}};
        chart.y = {.name = k == 0 ? "mean speed" : "dispersion",
                   .limits = Interval{0, 1.06 * 2 * (std::exp(-0.1) + 2 + k)}};
        chart.curves = {curve(0, k + 1, moment), curve(1, k + 1, moment)};
        chart.curves[0].name = "one";
        chart.curves[1].name = "two";
      }
    }
    for (Chart& chart : now) {
      if (moving) chart.moment = 0.5 * moment;
      all.push_back(chart);
    }
  }
  return all;
}

/// The example of that name.
inline std::vector<Chart> charts_for(std::string_view name, const RunInfo& info, bool moving = false) {
  if (name == "energy-error") return charts_of_a_sine(info);
  if (name == "convergence") return chart_of_errors();
  if (name == "radial-profile" || name == "rotation-curve" || name == "pair-correlation")
    return charts_of_moments(name, moving);
  const ChartAxis length{.name = "distance", .unit = info.length_unit};
  std::vector<Chart> charts{chart_of_waves(info, length)};
  std::vector<Curve>& curves = charts.front().curves;
  if (name == "energy" || name == "divergence" || name == "conserved" || name == "virial") {
    charts.front().y = {.name = "energy", .logarithmic = name != "energy"};
    if (name == "divergence") charts.front().y = {.name = "|Δr|", .unit = info.length_unit, .logarithmic = true};
    if (name == "conserved") charts.front().y.name = "change since the start";
    charts.front().x.limits = Interval{0, curves.front().time.back()};
  }
  if (name == "lagrangian-radii")
    charts.front().y = {.name = "Lagrangian radius", .unit = info.length_unit, .logarithmic = true};
  if (name == "phase") {
    for (std::size_t k = 0; k < 2; ++k) {
      curves[k].x = curves[k].y;
      curves[k].y = wave(k, 1).y;
    }
    charts.front().x = {.name = "x", .unit = info.length_unit};
    charts.front().y = {.name = "dx/dt", .unit = info.speed_unit};
  }
  if (name == "elements") {
    charts.front().y.name = "a";
    charts.push_back(chart_of_waves(info, {.name = "e"}, 1));
    charts.push_back(chart_of_waves(info, {.name = "i to the xy plane", .unit = "°"}, 2));
  }
  if (name == "virial") {
    curves.resize(1);
    charts.front().y.name = "2T/|W|";
    charts.front().y.limits = Interval{1 / 1.3, 1.3 * std::ranges::max(curves.front().y)};
    curves.push_back(
        {.x = {0, curves.front().time.back()}, .y = {1, 1}, .stroke = Curve::Stroke::dashed, .note = "equilibrium"});
  }
  if (name == "mean-square-displacement") {
    charts.front().x.name = "Δt";
    charts.front().x.logarithmic = true;
    charts.front().y = {.name = "⟨Δr²⟩", .logarithmic = true};
    curves[0].name = "mean";
    curves[1].name = "D = 2.84";
    curves[1].stroke = Curve::Stroke::dashed;
  }
  if (name == "thermodynamics") {
    charts.push_back(charts.front());
    for (std::size_t k = 0; k < 2; ++k) {
      charts[k].y = {.name = charts[k].curves[k].name};
      charts[k].x.limits = Interval{0, charts[k].curves[k].time.back()};
      charts[k].curves = {charts[k].curves[k]};
      charts[k].curves.front().name = "";
    }
  }
  return charts;
}

/// All kinds of figures of bodies, and the examples.
inline std::vector<const FigureKind*> all_kinds() {
  static const auto charts = [] {
    std::vector<FigureKind> all;
    for (const std::string_view name : chart_names) all.push_back(chart_figure(name, "an example"));
    return all;
  }();
  std::vector<const FigureKind*> kinds(figure_kinds().begin(), figure_kinds().end());
  for (const FigureKind& chart : charts) kinds.push_back(&chart);
  return kinds;
}

}  // namespace orrery::render
