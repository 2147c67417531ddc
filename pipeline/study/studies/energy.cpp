// SPDX-License-Identifier: MIT
// The energy error of six bodies in several precisions, and over step and softening.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/study/sweep.hpp"
#include "sim/study/small_gravity.hpp"

namespace orrery::pipeline {
namespace {

using sim::study::SmallGravity;

constexpr double softening = 0.1, duration = 40;

struct Trace {
  std::vector<double> time, error;
  double greatest = 0;
};

/// |E − E₀| / |E₀| at a thousand times. Energies are computed from the stored state, summed in `Sum`.
template <class Sum, class Gravity>
Trace trace_of(const StudyRun& run, const std::string& what, Gravity gravity, double dt, double until) {
  const auto steps = static_cast<std::int64_t>(std::llround(until / dt)),
             every = std::max<std::int64_t>(1, steps / 1000);
  const double begin = gravity.template energy<Sum>();
  Trace trace;
  for (std::int64_t k = 1; k <= steps; ++k) {
    gravity.step(dt);
    if (k % every != 0 && k != steps) continue;
    if (run.stopped(what)) break;
    const double error = std::abs(gravity.template energy<Sum>() / begin - 1);
    trace.time.push_back(static_cast<double>(k) * dt);
    trace.error.push_back(error);
    trace.greatest = std::isfinite(error) ? std::max(trace.greatest, error) : error;
  }
  return trace;
}

void four_precisions(StudyRun& run, const sim::Bodies& bodies) {
  const double dt = run.quick() ? 1e-3 : 2e-5;
  struct Row {
    const char *name, *state, *difference, *force, *sum;
    Trace trace;
  };
  const auto traced = [&]<class State, class Difference, class Force, class Sum>(const char* name) {
    return trace_of<Sum>(run, name, SmallGravity<State, Difference, Force>(bodies, softening), dt, duration);
  };
  const Row rows[] = {
      {"float32 throughout", "float32", "float32", "float32", "float32",
       traced.operator()<float, float, float, float>("float32 throughout")},
      {"float32 state", "float32", "float32", "float32", "float64",
       traced.operator()<float, float, float, double>("float32 state")},
      {"float32 forces", "float64", "float32", "float32", "float64",
       traced.operator()<double, float, float, double>("float32 forces")},
      {"mixed", "float64", "float64", "float32", "float64", traced.operator()<double, double, float, double>("mixed")},
      {"float64", "float64", "float64", "float64", "float64",
       traced.operator()<double, double, double, double>("float64")},
  };
  ResultTable table{.name = "precision",
                    .title = fmt::format("Greatest energy error in {:.0f} units of time, dt = {}", duration, dt),
                    .columns = {{"arithmetic", "", Role::setting},
                                {"state", "", Role::remark},
                                {"differences", "", Role::remark},
                                {"forces", "", Role::remark},
                                {"energy summed in", "", Role::remark},
                                {"greatest |ΔE/E|", "", Role::remark},
                                {"at the end", "", Role::remark}}};
  render::Chart chart{
      .title = fmt::format("Energy error of six bodies, dt = {}", dt), .x = {.name = "time"}, .y = log_axis("|ΔE/E|")};
  for (const Row& row : rows) {
    if (row.trace.error.empty()) return;
    table.add({row.name, row.state, row.difference, row.force, row.sum, row.trace.greatest, row.trace.error.back()});
    chart.curves.push_back(
        {.name = row.name, .x = row.trace.time, .y = row.trace.error, .stroke = render::Curve::Stroke::line});
  }
  const double state = rows[1].trace.greatest, forces = rows[2].trace.greatest, whole = rows[4].trace.greatest;
  run.result.findings.push_back(
      fmt::format("The plot came out wrong because the *state* was kept in single precision: {:.1e} at the worst, "
                  "{:.0f} times the error with single precision in forces alone ({:.1e}). A drift adds dt·v, here some "
                  "{:.0e}, to positions of order {}, of which the last digit of a float is 6e-8: {:.1g} % of each "
                  "addition is lost, always in the same direction for as long as the velocity keeps its own, so errors "
                  "add up and the energy drifts. A shorter step makes it worse.",
                  state, state / forces, forces, dt, 1, 100 * 6e-8 / 2 / dt));
  run.result.findings.push_back(
      fmt::format("With the state in double, forces in single precision cost {:.1e} ({:.1e} with differences in "
                  "double, `mixed`): their errors have no direction and average out. In float64 what is left, {:.1e}, "
                  "is the integrator's own and shrinks as dt².",
                  forces, rows[3].trace.greatest, whole));
  run.result.charts.push_back({"time", std::move(chart)});
  run.result.tables.push_back(std::move(table));
}

/// Energy error over step and softening, which a student report searched by hand.
void over_step_and_softening(StudyRun& run, const sim::Bodies& bodies) {
  const int steps = run.quick() ? 4 : 17, softenings = run.quick() ? 3 : 13;
  render::HeatMap map{.title = fmt::format("Greatest energy error in {:.0f} units of time, float64", duration),
                      .x = log_axis("dt"),
                      .y = log_axis("softening"),
                      .value = log_axis("greatest |ΔE/E|")};
  for (int k = 0; k < steps; ++k) map.xs.push_back(std::pow(10, -4 + 3.0 * k / (steps - 1)));
  for (int k = 0; k < softenings; ++k) map.ys.push_back(std::pow(10, -3 + 3.0 * k / (softenings - 1)));
  ResultTable table{.name = "map", .title = map.title, .columns = {{"softening"}}};
  for (const double dt : map.xs) table.columns.push_back({fmt::format("dt = {:.1e}", dt), "", Role::remark});
  for (const double eps : map.ys) {
    std::vector<Cell> row{eps};
    for (const double dt : map.xs) {
      const auto trace = trace_of<double>(run, fmt::format("dt = {:.1e}, softening {:.1e}", dt, eps),
                                          SmallGravity<double, double, double>(bodies, eps), dt, duration);
      map.values.push_back(trace.greatest);
      row.emplace_back(trace.greatest);
    }
    table.add(std::move(row));
  }
  // The longest step with an error of 1e-3, softening by softening.
  std::string longest;
  for (const std::size_t y : {std::size_t{0}, map.ys.size() / 2, map.ys.size() - 1}) {
    double best = 0;
    for (std::size_t x = 0; x < map.xs.size(); ++x) {
      if (map.values[y * map.xs.size() + x] < 1e-3) best = map.xs[x];
    }
    longest += fmt::format("{}{} with a softening of {:.2g}", longest.empty() ? "" : ", ",
                           best > 0 ? fmt::format("{:.1e}", best) : "no step", map.ys[y]);
  }
  run.result.findings.push_back(
      fmt::format("The longest step whose energy error stays below 1e-3: {}. Softening buys longer steps and changes "
                  "the system; the map shows how much of each.",
                  longest));
  run.result.tables.push_back(std::move(table));
  run.result.maps.push_back({"map", std::move(map)});
}

void run_energy(StudyRun& run) {
  run.result.method.emplace_back(
      "Six bodies at random in a cube, of mass 1/6 each and at rest, G = 1, softening 0.1, kick-drift-kick leapfrog "
      "with a fixed step. The same loop is compiled for each precision; energies are summed from the state that is "
      "kept.");
  const sim::Bodies bodies = falling_bodies(6);
  four_precisions(run, bodies);
  over_step_and_softening(run, bodies);
}

}  // namespace

const Study energy_study{
    .name = "energy",
    .question =
        "Why did the energy of six bodies come out wrong in single precision, and which step and softening keep it?",
    .needs_gpu = false,
    .run = run_energy};

}  // namespace orrery::pipeline
