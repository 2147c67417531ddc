// SPDX-License-Identifier: MIT
// orrery run: from a scenario to a trajectory and its pictures.
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/run/run_scenario.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output,  Flag::force,  Flag::set,   Flag::backend,
                          Flag::threads, Flag::device, Flag::quiet, Flag::task};

int run(const Request& request) {
  return run_scenario(request, true);
}

}  // namespace

const Stage run_stage{.name = "run",
                      .meaning = "step a scenario and draw its figures and films",
                      .operands = "SCENARIO.toml",
                      .least = 1,
                      .most = 1,
                      .flags = flags,
                      .run = run,
                      .instead = or_a_picture};

}  // namespace orrery::pipeline
