// SPDX-License-Identifier: MIT
// Figure "virial": 2T/|Σ m x·a|, with T about the centre of mass.
#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/pictures/charts.hpp"
#include "sim/analysis/structure.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{others_parameter};

/// For gravity without softening and fields, Σ m x·a is U (Euler's theorem for a potential of degree −1).
bool virial_is_energy(const sim::System& system) {
  if (!system.fields.empty() || system.forces.size() != 1) return false;
  const sim::PairForce& force = system.forces.front();
  return force.softening2 == 0 && sim::is_newtonian(*force.law, force.parameters);
}

/// Throws Error unless the ratio can be computed.
void check(const ChartRequest& request) {
  if (request.info.bounds.any_periodic()) {
    request.keys.complain(
        "kind",
        "in a periodic box Σ m x·a depends on the origin of the box: \"thermodynamics\" shows the pressure, "
        "which does not");
  }
  if (!request.physics.unknown.empty()) request.keys.complain("kind", request.physics.unknown);
  if (!virial_is_energy(*request.physics.system) && request.stored.bodies != request.info.mass.size()) {
    request.keys.complain("kind",
                          "the forces need all bodies, but frames store only some: the run must be without "
                          "`bodies`, `bodies_every` and `components` in [trajectory]");
  }
}

/// 2T/|Σ m x·a| at rows, or at frames if forces must be computed.
Curve ratio_of(const ChartRequest& request, const History& h) {
  const sim::System& system = *request.physics.system;
  const std::vector<double>& mass = system.bodies.mass;
  const double total = request.physics.mass;
  const auto ratio = [&](std::size_t row, double virial) {
    const auto& p = h.momentum[row];
    const double of_all = total > 0 ? (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / total : 0;
    return (2 * h.kinetic_energy[row] - of_all) / std::abs(virial);
  };
  if (virial_is_energy(system)) {
    std::vector<double> ratios;
    for (std::size_t row = 0; row < h.time.size(); ++row) ratios.push_back(ratio(row, h.potential_energy[row]));
    return curve_of_rows(request, "", h.time, ratios);
  }
  Curve curve;
  const double pairs = std::max(1.0, 0.5 * static_cast<double>(mass.size()) * static_cast<double>(mass.size()));
  // Below a million pairs, synchronising threads takes longer than the forces.
  const auto backend = sim::cpu_backend.make(system, {.threads = pairs < 1e6 ? 1 : request.physics.threads});
  // 1e10 pairs take some ten seconds.
  const auto most = static_cast<std::size_t>(std::clamp(1e10 / pairs, 16.0, 20'000.0));
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        const auto row = std::ranges::lower_bound(h.step, at.step) - h.step.begin();
        if (row == std::ssize(h.step)) return;
        backend->upload(sim::Column::position, at.position);
        backend->accelerate();
        const sim::Vec3 center = sim::center_of_mass({mass, at.position, at.position});
        const sim::Vectors acceleration = backend->download(sim::Column::acceleration);
        const auto of = static_cast<std::size_t>(row);
        add_point(curve, h.time[of], ratio(of, sim::virial(mass, at.position, acceleration, center)));
      },
      most);
  return curve;
}

/// Limits that hold the ratios and equilibrium: axes do not stretch for a guide.
void set_limits(ChartAxis& axis, const std::vector<double>& ratios) {
  double low = 1, high = 1;
  for (const double ratio : ratios) {
    if (!std::isfinite(ratio)) continue;
    if (ratio > 0) low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  axis.logarithmic = high > 20;  // as for unbound bodies
  const double air = std::max(0.08 * (high - low), 0.01);
  axis.limits = axis.logarithmic ? Interval{low / 1.3, high * 1.3} : Interval{std::max(0.0, low - air), high + air};
}

std::vector<Chart> make(const ChartRequest& request) {
  check(request);
  const History rows = request.rows();
  Chart chart =
      chart_over_time(request.info, {.name = "2T/|W|"}, {rows.time.empty() ? Curve{} : ratio_of(request, rows)});
  const Curve& curve = chart.curves.front();
  chart.empty = curve.time.empty() ? "no observables were kept" : "no forces are felt";
  cover(chart.x, curve.time);
  // Without a ratio the guide for equilibrium would stand alone.
  if (std::ranges::none_of(curve.y, [](double ratio) { return std::isfinite(ratio); })) return {chart};
  set_limits(chart.y, curve.y);
  chart.curves.push_back({.x = {chart.x.limits->low, chart.x.limits->high},
                          .y = {1, 1},
                          .stroke = Curve::Stroke::dashed,
                          .note = "equilibrium"});
  return {chart};
}

}  // namespace

extern const ChartKind virial_chart{
    .figure = render::chart_figure(
        "virial", "virial ratio 2T/|W| over time, W = Σ m x·a about the centre of mass; 1 is equilibrium for any force",
        parameters),
    .make = make,
    .forces = true};

}  // namespace orrery::pipeline
