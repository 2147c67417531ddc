// SPDX-License-Identifier: MIT
#include <array>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/run/energy_record.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{others_parameter};

std::vector<Chart> make(const ChartRequest& request) {
  const History rows = request.rows();
  Chart chart = chart_over_time(request.info, {.name = "energy", .unit = request.info.energy_unit},
                                {curve_of_rows(request, "kinetic", rows.time, rows.kinetic_energy),
                                 curve_of_rows(request, "potential", rows.time, rows.potential_energy),
                                 curve_of_rows(request, "total", rows.time, rows.total_energy)},
                                "no observables were kept");
  if (!rows.time.empty()) chart.title = too_few_rows(rows.time, rows.kinetic_energy, request.info.timescale);
  cover(chart.x, rows.time);
  return {chart};
}

}  // namespace

extern const ChartKind energy_chart{
    .figure = render::chart_figure("energy", "kinetic, potential and total energy over time", parameters),
    .make = make};

}  // namespace orrery::pipeline
