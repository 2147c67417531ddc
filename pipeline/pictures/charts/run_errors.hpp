// SPDX-License-Identifier: MIT
// Errors of finished runs, and what they cost.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/integrator.hpp"

namespace orrery::pipeline {

/// Throws Error, Fault::request, at key `error`.
[[noreturn]] inline void refuse_without_energy(const ChartRequest& request, const std::filesystem::path& file) {
  request.keys.complain("error", fmt::format("{}: its energy is 0 at the start, so that there is "
                                             "no relative error: draw error = \"state\"",
                                             file.string()));
}

/// The maximum relative energy error of the rows and of the extremes between
/// them.
inline double greatest_energy_error(const ChartRequest& request, const TrajectoryReader& run) {
  const auto energy = energy_record(run.history());
  if (!energy)
    throw Error(fmt::format("{}: has no rows of observables: there is no energy to draw", run.path().string()),
                Fault::request);
  if (!(energy->start.scale() > 0)) refuse_without_energy(request, run.path());
  return energy->greatest_error;
}

/// The root mean square distance of bodies from their places in `reference`.
inline double rms_distance(const sim::Vectors& p, const sim::Vectors& reference) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double x = p.x[i] - reference.x[i], y = p.y[i] - reference.y[i], z = p.z[i] - reference.z[i];
    sum += x * x + y * y + z * z;
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(p.size(), 1)));
}

/// Force evaluations per step. For adaptive integrators the average, since only
/// the total is known.
inline double evaluations_a_step(const TrajectoryReader& run) {
  const auto state = run.restart();
  if (state && state->step > 0 && state->clock.evaluations > 0)
    return static_cast<double>(state->clock.evaluations) / static_cast<double>(state->step);
  if (const sim::Integrator* integrator = integrator_of(run.record())) return integrator->evaluations;
  throw Error(fmt::format("{}: the number of force evaluations is unknown", run.path().string()), Fault::request);
}

inline double seconds_a_step(const TrajectoryReader& run) {
  const auto state = run.restart();
  if (!state || state->step == 0 || !(run.seconds() > 0))
    throw Error(fmt::format("{}: the run time is unknown", run.path().string()), Fault::request);
  return run.seconds() / static_cast<double>(state->step);
}

}  // namespace orrery::pipeline
