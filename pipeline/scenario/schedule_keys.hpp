// SPDX-License-Identifier: MIT
// From the keys of [trajectory] and [observables] to the steps at which something is kept.
#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/schedule.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// Length (< 0: backward) and number of the steps of a run, and its units of time.
struct StepPlan {
  double dt;
  std::int64_t steps;
  TimeUnits units;
};

/// time / dt, which must be an integer within a relative 1e-9 (0.3/0.1 is 2.9999999999999996). If dt < 0, the sign of `time` is
/// ignored. Throws Error, exit code 2, with the location of `key`.
std::int64_t whole_steps(const Section& section, std::string_view key, double time, double dt);

/// The schedule set by `every`, `times`, `spacing`, `first` and the key named by `count` ("frames" or "rows"); `otherwise` if
/// none is given. Throws Error, exit code 2.
Schedule schedule_of(const Section& section, std::string_view count, const StepPlan& step_plan,
                     const Schedule& otherwise);

}  // namespace orrery::pipeline
