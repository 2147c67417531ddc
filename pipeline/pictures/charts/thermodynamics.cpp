// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "pipeline/pictures/charts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{others_parameter};

/// A chart of each quantity that rows have, at least one.
std::vector<Chart> make(const ChartRequest& request) {
  const History rows = request.rows();
  std::vector<double> energy = rows.total_energy;
  for (double& e : energy) e /= static_cast<double>(std::max<std::size_t>(request.trajectory->whole(), 1));
  std::vector<Chart> charts;
  const auto add = [&](const char* name, const std::string& unit, const std::vector<double>& values) {
    const bool known = !values.empty() && values.size() == rows.time.size();
    std::vector<Curve> curves;
    if (known) curves.push_back(curve_of_rows(request, "", rows.time, values));
    charts.push_back(
        chart_over_time(request.info, {.name = name, .unit = unit}, std::move(curves), "no observables were kept"));
    cover(charts.back().x, rows.time);
  };
  add("temperature", request.info.energy_unit, rows.temperature);
  add("pressure", "", rows.pressure);
  add("E/N", request.info.energy_unit, energy);
  const Chart first = charts.front();
  std::erase_if(charts, [](const Chart& chart) { return chart.curves.empty(); });
  return charts.empty() ? std::vector{first} : charts;
}

}  // namespace

extern const ChartKind thermodynamics_chart{
    .figure = render::chart_figure("thermodynamics", "temperature, pressure and energy per body over time", parameters),
    .make = make};

}  // namespace orrery::pipeline
