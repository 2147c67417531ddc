// SPDX-License-Identifier: MIT
// orrery simulate: from a scenario to a trajectory, without pictures.
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/run/run_scenario.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output,  Flag::force,  Flag::set,   Flag::backend,
                          Flag::threads, Flag::device, Flag::quiet, Flag::task};

int simulate(const Request& request) {
  return run_scenario(request, false);
}

}  // namespace

const Stage simulate_stage{.name = "simulate",
                           .meaning = "step a scenario into a trajectory file, without pictures",
                           .operands = "SCENARIO.toml",
                           .least = 1,
                           .most = 1,
                           .flags = flags,
                           .run = simulate,
                           .instead = or_a_picture};

}  // namespace orrery::pipeline
