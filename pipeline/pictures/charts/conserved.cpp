// SPDX-License-Identifier: MIT
// Figure "conserved": changes since the start of energy and of what else the run conserves of momentum, angular momentum and the
// uniform motion of the centre of mass: |ΔE|/|E₀|; |Δp|/Σm|v| and |Δx|/r, where x is the centre of mass without its drift p₀/M,
// and the sum and the RMS distance r are maxima over the run; |ΔL|/|L₀|, or |ΔL|/Σm|x||v| if L₀ is 0 up to rounding. A change
// without a scale is absolute, with its unit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/run/conserved_momenta.hpp"
#include "pipeline/run/energy_record.hpp"
#include "render/view/place.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{others_parameter};

/// Scales of relative changes: total mass, and the maxima over some frames of Σ m|v|, Σ m|x||v| and the root mean square
/// distance from the centre of mass.
struct Scales {
  double mass = 0, momentum = 0, angular_momentum = 0, radius = 0;
};

/// All 0 if frames do not have all bodies.
Scales scales_of(const ChartRequest& request) {
  const std::vector<double>& mass = request.info.mass;
  Scales scales;
  if (request.trajectory->whole() != mass.size()) return scales;
  for (const double m : mass) scales.mass += m;
  each_snapshot(
      request,
      [&](const sim::Snapshot& at) {
        const sim::Vec3 c = sim::center_of_mass({mass, at.position, at.velocity});
        double p = 0, l = 0, r2 = 0;
        for (std::size_t i = 0; i < mass.size(); ++i) {
          const double x = at.position.x[i], y = at.position.y[i], z = at.position.z[i];
          const double d = std::hypot(x - c.x, y - c.y, z - c.z);
          if (!at.velocity.x.empty()) {
            const double v = mass[i] * std::hypot(at.velocity.x[i], at.velocity.y[i], at.velocity.z[i]);
            p += v;
            l += v * std::hypot(x, y, z);
          }
          r2 += mass[i] * d * d;
        }
        scales.momentum = std::max(scales.momentum, p);
        scales.angular_momentum = std::max(scales.angular_momentum, l);
        scales.radius = std::max(scales.radius, scales.mass > 0 ? std::sqrt(r2 / scales.mass) : 0);
      },
      std::clamp<std::size_t>(5'000'000 / mass.size(), 2, 100));
  return scales;
}

/// What the energy does not show; "" if there is nothing of that.
std::string remark_of(const ChartRequest& request) {
  if (request.physics.bath) return std::string(exchanged);
  const bool massless = std::ranges::any_of(request.info.mass, [](double m) { return m == 0; });
  return massless ? "of the bodies with mass alone" : "";
}

/// The curve of each quantity that is conserved; before the run without points, scales and units.
std::vector<Curve> curves_of(const ChartRequest& request, const History& h) {
  const render::RunInfo& info = request.info;
  using Angular = ConservedMomenta::Angular;
  const ConservedMomenta& conserved = request.physics.conserved;
  const bool kept = !h.time.empty(), about_z = conserved.angular == Angular::about_z;
  std::vector<Curve> all;
  // Adds the changes since the start relative to a scale, or with a unit if that is 0. There are no zeros, which a logarithmic
  // axis cannot show; the name gets " = 0" if there is nothing else.
  const auto add = [&](const char* name, const char* scale, double divisor, const std::string& unit, auto change) {
    const bool relative = std::isfinite(divisor) && divisor > 0;
    std::vector<double> values;
    for (std::size_t i = 0; i < h.time.size(); ++i) values.push_back(change(i) / (relative ? divisor : 1));
    const Curve rows = curve_of_rows(request, "", h.time, values);
    Curve& curve = all.emplace_back(Curve{.name = fmt::format("|{}|", name)});
    for (std::size_t i = 0; i < rows.time.size(); ++i) {
      if (rows.y[i] > 0) add_point(curve, rows.time[i], rows.y[i]);
    }
    if (kept && relative) curve.name += fmt::format("/{}", scale);
    if (kept && !relative && !unit.empty()) curve.name += fmt::format(" [{}]", unit);
    if (kept && curve.time.empty()) curve.name += " = 0";
  };
  const Scales scales = kept ? scales_of(request) : Scales{};
  const std::string by_speed = info.speed_unit.empty() ? "" : fmt::format("{} {}", info.mass_unit, info.speed_unit);
  const std::string by_square = info.speed_unit.empty() ? "" : fmt::format("{} ({})²", info.mass_unit, info.speed_unit);
  const std::string by_both = by_speed.empty() ? "" : fmt::format("{} {}", by_speed, info.length_unit);
  const sim::InitialEnergy energy = kept ? initial_energy(h) : sim::InitialEnergy{};
  add("ΔE", energy.cancels() ? "(K₀+|U₀|)" : "|E₀|", energy.scale(), by_square,
      [&](std::size_t i) { return energy_change(h, i); });
  if (conserved.momentum)
    add("Δp", "Σm|v|", scales.momentum, by_speed,
        [&](std::size_t i) { return render::length(render::plus(h.momentum[i], -1, h.momentum.front())); });
  if (conserved.angular != Angular::none) {
    const render::Place l = kept ? h.angular_momentum.front() : render::Place{};
    // An angular momentum that is 0 up to rounding is no scale.
    const double l0 = about_z ? std::abs(l[2]) : render::length(l);
    const bool turns = l0 > 1e-12 * scales.angular_momentum;
    add(about_z ? "ΔLz" : "ΔL",
        !turns    ? "Σm|x||v|"
        : about_z ? "|L₀z|"
                  : "|L₀|",
        turns ? l0 : scales.angular_momentum, by_both,
        [&](std::size_t i) { return about_z ? angular_momentum_changes(h, i)[2] : angular_momentum_change(h, i); });
  }
  // Without mass the expected position is unknown; a box moves the centre.
  if (conserved.momentum && request.physics.mass > 0 && !info.bounds.any())
    add("Δx", "r", scales.radius, info.length_unit, [&](std::size_t i) {
      const double elapsed = h.time[i] - h.time.front();
      const render::Place way = render::plus(h.center_of_mass[i], -1, h.center_of_mass.front());
      return render::length(render::plus(way, -elapsed / request.physics.mass, h.momentum.front()));
    });
  return all;
}

std::vector<Chart> make(const ChartRequest& request) {
  const History rows = request.rows();
  const std::string remark = rows.time.empty() ? "" : remark_of(request);
  Chart chart =
      chart_over_time(request.info, {.name = "change since the start", .logarithmic = true}, curves_of(request, rows),
                      rows.time.empty() ? "no observables were kept"
                      : remark.empty()  ? "exactly zero throughout"
                                        : "exactly zero: " + remark);  // of what was measured only
  chart.title = remark;
  cover(chart.x, rows.time);
  return {chart};
}

}  // namespace

extern const ChartKind conserved_chart{
    .figure = render::chart_figure(
        "conserved", "changes of energy, momentum, angular momentum and centre of mass since the start, over time",
        parameters),
    .make = make};

}  // namespace orrery::pipeline
