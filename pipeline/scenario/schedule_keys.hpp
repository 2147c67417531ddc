// SPDX-License-Identifier: MIT
// From the keys of [trajectory] and [observables] to the steps at which something is kept.
#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/schedule.hpp"
#include "pipeline/scenario/section.hpp"

namespace orrery::pipeline {

/// The steps of a run: how long each is (below 0: backward), how many, and what times are counted in.
struct StepPlan {
  double dt;
  std::int64_t steps;
  TimeUnits units;
};

/// time / dt, which must be a whole number to 1e-9: 0.3/0.1 is 2.9999999999999996. In a run backward, which has dt < 0, a
/// time may be written with or without its minus.
std::int64_t whole_steps(const Section& section, std::string_view key, double time, double dt);

/// What `every`, `times`, `spacing`, `first` and the key called `count` ("frames", "rows") say; `otherwise` where they
/// say nothing. Throws Error, exit code 2.
Schedule schedule_of(const Section& section, std::string_view count, const StepPlan& step_plan,
                     const Schedule& otherwise);

}  // namespace orrery::pipeline
