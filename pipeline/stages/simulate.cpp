// SPDX-License-Identifier: MIT
// orrery simulate: from a scenario to a trajectory, without pictures.
#include "pipeline/run_folder.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output,  Flag::force,  Flag::set,  Flag::backend,
                          Flag::threads, Flag::device, Flag::quiet};

int simulate(const Request& request) {
  RunFolder folder(request);
  if (const int signal = folder.simulate(); signal != 0) return 128 + signal;
  folder.conclude();
  return 0;
}

}  // namespace

const Stage simulate_stage{.name = "simulate",
                           .meaning = "step a scenario into a trajectory file, without pictures",
                           .operands = "SCENARIO.toml",
                           .least = 1,
                           .most = 1,
                           .flags = flags,
                           .run = simulate};

}  // namespace orrery::pipeline
