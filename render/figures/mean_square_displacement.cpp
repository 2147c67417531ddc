// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "common/power_of_ten.hpp"
#include "render/figures/plot.hpp"
#include "render/figures/shared.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 2> scales{"log", "linear"};

constexpr std::array parameters{
    bodies_parameter,
    Parameter{.name = "origins",
              .kind = Kind::integer,
              .fallback = "10",
              .meaning =
                  "number of start times to average over, evenly spaced in the first half of the run; 1: only the "
                  "start of the run, up to its end",
              .range = {.low = 1, .high = 1000}},
    choice_key("scale", "\"log\"", scales, "scale of both axes"),
};

/// Returns "D = 0.0123 au²/yr".
std::string diffusion_text(double diffusion, const RunInfo& info) {
  const double value = diffusion * info.time_unit_length;
  const std::string unit = info.length_unit.empty() ? "" : " " + info.length_unit + "²/" + info.time_unit;
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-3 && size < 1e4)) return fmt::format("D = {:.3g}{}", value, unit);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  return "D = " + number_text(value / std::pow(10.0, exponent), 2) + "·" + power_of_ten(exponent) + unit;
}

std::vector<Chart> charts_of(const RunInfo& info, const Arguments& arguments) {
  const bool logarithmic = arguments.text("scale") == "log";
  Chart chart;
  chart.x = time_axis(info);
  chart.x.name = "Δt";
  chart.x.logarithmic = logarithmic;
  chart.y = {
      .name = "⟨Δr²⟩", .unit = info.length_unit.empty() ? "" : info.length_unit + "²", .logarithmic = logarithmic};
  chart.empty = "no displacements";
  if (info.series.empty()) return {chart};
  const auto curve_of = [&](const Series& s) {
    Curve curve{.x = s.time, .y = s.values.front(), .time = s.time};
    for (double& t : curve.time) t += info.start;
    for (double& t : curve.x) t = std::abs(t);  // in a run backward in time it is negative
    return curve;
  };
  const Series& all = info.series.front();
  chart.curves.push_back(curve_of(all));
  chart.curves.front().name = all.about;
  const double most = all.values.front().empty() ? 0 : std::ranges::max(all.values.front());
  if (!logarithmic && most > 0) chart.y.limits = Interval{0, 1.08 * most};
  if (info.series.size() < 2 || info.series[1].time.empty() || info.series[1].values.size() < 2) return {chart};
  // Free flight, confinement and the way from one to another have no diffusion coefficient.
  constexpr double diffusive = 0.1;
  const auto& values = info.series[1].values;
  const double power = values.size() > 2 ? values[2].front() : 1;
  if (!(std::abs(power - 1) <= diffusive)) {
    if (std::isfinite(power)) chart.curves.front().remark = ", no diffusion: slope " + number_text(power, 2);
    return {chart};
  }
  Curve fit = curve_of(info.series[1]);
  fit.remark = diffusion_text(std::abs(values[1].front()), info);  // a result: `labels` name curves
  fit.stroke = Curve::Stroke::dashed;
  chart.curves.push_back(std::move(fit));
  return {chart};
}

}  // namespace

extern const FigureKind mean_square_displacement = plot_kind<charts_of>(
    "mean-square-displacement", "⟨|r(t + Δt) − r(t)|²⟩ over Δt, with a fitted diffusion coefficient", parameters);

}  // namespace orrery::render
