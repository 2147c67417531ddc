// SPDX-License-Identifier: MIT
// Work-precision: the cost and the error of each precision.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/measure/forces.hpp"
#include "pipeline/measure/models.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/integrators/splitting.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t sizes[] = {1024, 4096, 16384, 65536};
constexpr std::size_t quick_sizes[] = {512};
constexpr sim::Precision precisions[] = {sim::Precision::float64, sim::Precision::mixed, sim::Precision::float32};

/// A Plummer sphere for half a unit of time, a sixth of a crossing time.
sim::Model sphere(std::size_t n, const sim::Integrator& integrator, int steps) {
  sim::Model model = model_of(sim::plummer, n, {}, sim::Gravity::law, {{"softening", 0.05}});
  model.integrator = &integrator;
  model.dt = 0.5 / steps;
  model.steps = steps;
  return model;
}

/// Relative errors of forces, body by body, against float64 on the same backend.
struct ForceErrors {
  double median, worst;
};
ForceErrors force_errors(const sim::System& system, const sim::BackendKind& kind, sim::BackendOptions options) {
  const auto accelerations = [&](sim::Precision precision) {
    options.precision = precision;
    const auto backend = kind.make(system, options);
    backend->accelerate();
    return backend->download(sim::Column::acceleration);
  };
  const sim::Vectors b = accelerations(options.precision), a = accelerations(sim::Precision::float64);
  std::vector<double> errors(a.x.size());
  for (std::size_t i = 0; i < errors.size(); ++i)
    errors[i] = std::hypot(b.x[i] - a.x[i], b.y[i] - a.y[i], b.z[i] - a.z[i]) / std::hypot(a.x[i], a.y[i], a.z[i]);
  std::ranges::sort(errors);
  return {.median = errors[errors.size() / 2], .worst = errors.back()};
}

/// Total energy in float64.
double energy_of(sim::System system, const sim::Bodies& bodies, const sim::BackendKind& kind,
                 sim::BackendOptions options) {
  options.precision = sim::Precision::float64;
  system.bodies = bodies;
  return kind.make(std::move(system), options)->observe().total_energy();
}

struct RunOfPrecision {
  double seconds, error;
};
RunOfPrecision run_of(const sim::Model& model, const sim::BackendKind& kind, const sim::BackendOptions& options) {
  const sim::System system = sim::system_of(model);
  const double before = energy_of(system, model.bodies, kind, options);
  const auto backend = kind.make(system, options);
  sim::Simulation simulation(*backend, model);
  const double seconds = seconds_of([&] {
    simulation.advance(model.steps);
    wait_for(*backend, sim::Column::velocity);
  });
  const sim::Snapshot after = simulation.state();
  sim::Bodies bodies = model.bodies;
  bodies.position = after.position;
  bodies.velocity = after.velocity;
  return {.seconds = seconds, .error = std::abs(energy_of(system, bodies, kind, options) / before - 1)};
}

void force_table(StudyRun& run, const sim::BackendKind& kind) {
  ResultTable table{.name = "forces",
                    .title = fmt::format(
                        "Forces of Plummer's sphere on {}: errors against float64, and the time of a step", kind.name),
                    .columns = {{"bodies"},
                                {"precision"},
                                {"median error", "", Role::remark},
                                {"worst", "", Role::remark},
                                {"step", "s", Role::less_is_better},
                                {"times float64", "", Role::remark}}};
  for (const std::size_t n : run.sizes(sizes, quick_sizes)) {
    if (kind.device == nullptr && n > 16384 && run.requested_sizes.empty()) break;
    const sim::System system = sim::system_of(sphere(n, sim::leapfrog, 1));
    double first = 0;
    for (const sim::Precision precision : precisions) {
      if (run.stopped(fmt::format("forces of {} bodies", n))) return;
      sim::BackendOptions options = run.options;
      options.precision = precision;
      const std::size_t one[] = {n};
      const SizeSweep time =
          engine_sweep(run, std::string(name_of(precision)), one, kind, precision, run.options.threads);
      if (time.points.empty()) return;
      const double step = time.points.front().timing.median;
      if (first == 0) first = step;
      const bool exact = precision == sim::Precision::float64;
      const ForceErrors errors = exact ? ForceErrors{} : force_errors(system, kind, options);
      table.add({static_cast<double>(n), std::string(name_of(precision)), exact ? Cell() : Cell(errors.median),
                 exact ? Cell() : Cell(errors.worst), step, first / step});
    }
  }
  run.result.tables.push_back(std::move(table));
}

void run_precision(StudyRun& run) {
  const sim::BackendKind& kind = run.gpu != nullptr ? *run.gpu : cpu_kind();
  force_table(run, kind);
  const std::size_t n = run.quick() ? 256 : kind.device != nullptr ? 16384 : 2048;
  render::Chart chart{.title = fmt::format("Energy error against time, {} bodies on {}", n, kind.name),
                      .x = log_axis("time of the run", "s"),
                      .y = log_axis("|ΔE/E|")};
  ResultTable table{.name = "work",
                    .title = chart.title,
                    .columns = {{"integrator"},
                                {"precision"},
                                {"steps"},
                                {"time", "s", Role::less_is_better},
                                {"energy error", "", Role::remark}}};
  double floors[3] = {};
  for (const sim::Integrator* integrator : {&sim::leapfrog, &sim::yoshida6}) {
    for (std::size_t p = 0; p < std::size(precisions); ++p) {
      render::Curve curve = marked_curve(fmt::format("{}, {}", integrator->name, name_of(precisions[p])));
      floors[p] = 0;
      for (int steps = 8; steps <= (run.quick() ? 32 : 512); steps *= 2) {
        if (run.stopped(fmt::format("{}, {} steps", curve.name, steps))) return;
        sim::BackendOptions options = run.options;
        options.precision = precisions[p];
        const RunOfPrecision found = run_of(sphere(n, *integrator, steps), kind, options);
        curve.x.push_back(found.seconds);
        curve.y.push_back(found.error);
        if (steps > (run.quick() ? 16 : 128)) floors[p] = std::max(floors[p], found.error);
        table.add({std::string(integrator->name), std::string(name_of(precisions[p])), static_cast<double>(steps),
                   found.seconds, found.error});
      }
      chart.curves.push_back(std::move(curve));
    }
  }
  run.result.method.emplace_back(
      "Forces: Plummer's sphere, softening 0.05, error of each body's force relative to itself in float64. Runs: half "
      "a unit of time with 8 to 512 steps; the energy of the first and the last state is summed in float64 whatever "
      "the forces were computed in. States are double in every precision.");
  run.result.findings.push_back(
      fmt::format("With leapfrog the integrator's own error hides the precision: float64, mixed and float32 give the "
                  "same curve until steps are short. With yoshida6 and short steps float64 comes to {:.1e}, mixed to "
                  "{:.1e}, float32 to {:.1e}.",
                  floors[0], floors[1], floors[2]));
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"work", std::move(chart)});
}

}  // namespace

const Study precision_study{
    .name = "precision",
    .question = "How long does a step take in each precision, and how large are the errors of forces and energy?",
    .needs_gpu = false,
    .run = run_precision};

}  // namespace orrery::pipeline
