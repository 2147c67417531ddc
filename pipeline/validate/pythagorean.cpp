// SPDX-License-Identifier: MIT
// Burrau 1913, Astron. Nachr. 195, 113; Szebehely & Peters 1967, Astron. J. 72, 876. The reference is an extrapolation
// in 113-bit arithmetic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

/// Reference position of the body of mass 3.
struct Known {
  double time, x, y, bound;
  std::string_view why;
};
constexpr Known references[] = {
    {10, 0.7784804101381, 0.1413923002901, 1e-9, "required accuracy"},
    {20, 3.004292636696, 0.5119252350247, 1e-6, "1000 times that, because of the closest approach in between"},
    {60, 0.7438075001181, 1.939947951095, 2e-3, "as at t = 70"},
    {70, 6.933463599012, 20.26180430595, 2e-3, "required accuracy: rounding in double, amplified by the encounters"}};

/// Errors at t = 70 of runs in axes rotated 0, 1, 2, … times, which differ in rounding only; sorted.
std::vector<double> misses(const Conditions& conditions, const Method& method, sim::System system, int runs) {
  std::vector<double> all;
  for (int k = 0; k < runs; ++k) {
    MeasuredRun run(conditions, system, method, references[3].time);
    run.advance(1);
    auto state = run.state();
    for (int back = 0; back < k; ++back) state = turned_back(state);
    all.push_back(std::hypot(state[0] - references[3].x, state[1] - references[3].y));
    system = turned(std::move(system));
  }
  std::ranges::sort(all);
  return all;
}

struct Approach {
  double distance = 1e9, time = 0;
};

void update_closest(MeasuredRun& run, Approach& closest) {
  const auto state = run.state();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t a = 6 * i, b = 6 * ((i + 1) % 3);
    const double r = std::hypot(state[a] - state[b], state[a + 1] - state[b + 1], state[a + 2] - state[b + 2]);
    if (r < closest.distance) closest = {r, run->time()};
  }
}

struct Binary {
  double semi_major_axis, eccentricity;
};

/// Orbit of bodies 1 and 2, of masses 4 and 5.
Binary binary_of(const std::vector<double>& state) {
  double r2 = 0, v2 = 0, rv = 0;
  for (std::size_t q = 0; q < 3; ++q) {
    const double r = state[12 + q] - state[6 + q], v = state[15 + q] - state[9 + q];
    r2 += r * r, v2 += v * v, rv += r * v;
  }
  const double mu = 9, a = 1 / (2 / std::sqrt(r2) - v2 / mu);
  return {a, std::sqrt(1 - (r2 * v2 - rv * rv) / (mu * a))};
}

/// Energy of the relative motion of body 0, mass 3, and the centre of mass of the two others, mass 9.
double energy_of_escape(const std::vector<double>& state) {
  double r2 = 0, v2 = 0;
  for (std::size_t q = 0; q < 3; ++q) {
    const double r = state[q] - (4 * state[6 + q] + 5 * state[12 + q]) / 9,
                 v = state[3 + q] - (4 * state[9 + q] + 5 * state[15 + q]) / 9;
    r2 += r * r, v2 += v * v;
  }
  return 3.0 * 9 / 12 * v2 / 2 - 3.0 * 9 / std::sqrt(r2);
}

}  // namespace

Findings pythagorean_problem(const Conditions& conditions, const Method& method) {
  const Problem made = problem("pythagorean");
  Findings findings;
  const auto add = [&](std::string what, double measured, Bound bound, std::string_view why) {
    findings.checks.push_back({std::move(what), measured, bound, std::string(why)});
  };
  constexpr double dt = 1e-3;
  MeasuredRun run(conditions, made.system, method, dt), other(conditions, turned(made.system), method, dt);
  const double start = run->observe().observables.total_energy();
  Series points{"pythagorean", "against 113-bit arithmetic", {}, {}},
      apart{"pythagorean", "in axes that are turned", {}, {}};
  Approach closest;
  for (const Known& point : references) {
    while (run->step() < std::llround(point.time / dt)) {
      run.advance(1);
      update_closest(run, closest);
      if (run->step() % 200 != 0) continue;
      other.advance(200);
      const auto state = run.state(), back = turned_back(other.state());
      apart.x.push_back(run->time());
      apart.y.push_back(std::hypot(state[0] - back[0], state[1] - back[1], state[2] - back[2]));
    }
    const auto state = run.state();
    points.x.push_back(point.time);
    points.y.push_back(std::hypot(state[0] - point.x, state[1] - point.y));
    add(fmt::format("the light body at t = {}: |Δx|", point.time), points.y.back(), Bound::at_most(point.bound),
        point.why);
  }
  const Binary left = binary_of(run.state());
  const double escape = energy_of_escape(run.state());
  const double energy = std::abs(run->observe().observables.total_energy() / start - 1);

  // The closest approach again with finer sampling: it lasts for 2e-6.
  double before = dt;
  for (const double finer : {1e-6, 5e-9}) {
    MeasuredRun again(conditions, made.system, method, finer);
    again.advance(std::llround((closest.time - before) / finer));
    for (std::int64_t steps = std::llround(2 * before / finer); steps > 0; --steps) {
      again.advance(1);
      update_closest(again, closest);
    }
    before = 2 * finer;
  }
  add("closest approach: time", closest.time, Bound::within(15.8299, 5e-5), "known to these digits");
  add("closest approach: distance", closest.distance, Bound::within(4.13825e-4, 1e-9),
      "known to these digits; sampled every 5e-9");
  const auto chance = misses(conditions, method, made.system, 8);
  add("the light body at t = 70: greatest |Δx| of 8 runs in turned axes", chance.back(), Bound::at_most(2e-3),
      "required accuracy");
  add("the light body at t = 70: median of these", (chance[3] + chance[4]) / 2, Bound::none(),
      "the effect of random last bits");
  add("binary that is left: a", left.semi_major_axis, Bound::within(0.552495, 1e-4), "as the light body at t = 70");
  add("binary that is left: e", left.eccentricity, Bound::within(0.988710, 1e-4), "as the light body at t = 70");
  add("energy of the light body and the binary about each other", escape,
      Bound::within(-769.0 / 60 + 4 * 5 / (2 * 0.552495), 1e-3),
      "E₀ minus that of the binary, up to the binary's extent; positive, so the body escapes");
  add("|ΔE/E| at t = 70", energy, Bound::at_most(10 * 0x1p-53 * (20 / closest.distance) / std::abs(start)),
      "ten roundings of the potential energy at the closest approach; sums in two doubles lose none before");
  findings.series = {apart, points};
  return findings;
}

}  // namespace orrery::pipeline
