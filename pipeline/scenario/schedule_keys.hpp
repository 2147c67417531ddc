// SPDX-License-Identifier: MIT
// From the keys of [trajectory] and [observables] to the steps at which something is kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/schedule.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// Length (< 0: backward) and number of the steps of a run, and its units of time.
struct StepPlan {
  double dt;
  std::int64_t steps;
  TimeUnits units;
  /// Overrides changed the length: frames and rows of the file that no longer fit are fitted.
  bool fits_outputs = false;
  bool own_steps = false;  ///< the integrator needs no dt
};

/// What the schedule of a table became where it is not as written.
struct Adjusted {
  std::vector<std::string> notes{};  ///< a line each, with its place
  Keys keys{};                       ///< new values of `frames` or `rows`, or of `times`
};

/// time / dt, rounded to the nearest integer; `notes` gets a line if that changes it by more than a relative 1e-9 (0.3/0.1 is
/// 2.9999999999999996). If dt < 0, the sign of `time` is ignored. Throws Error, Fault::request, with the location of `key`.
std::int64_t nearest_step(const Section& section, std::string_view key, double time, double dt,
                          std::vector<std::string>& notes);

/// The schedule set by `every`, `times`, `spacing`, `first` and the key named by `count` ("frames" or "rows"); `otherwise` if
/// none is given. Throws Error, Fault::request.
Schedule schedule_of(const Section& section, std::string_view count, const StepPlan& step_plan,
                     const Schedule& otherwise, Adjusted& adjusted);

/// The number of equal steps in a run to t = `time` whose integrator needs no dt: so many that every frame and row is at the end
/// of one. A number near 10¹², if there is no smaller one. Throws Error, Fault::request.
std::int64_t steps_for_outputs(const Section& trajectory, const Section& observables, double time,
                               const TimeUnits& units);

}  // namespace orrery::pipeline
