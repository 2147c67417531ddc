// SPDX-License-Identifier: MIT
// orrery resume: go on with a trajectory that was stopped, by the scenario inside it, or make one longer.
#include "pipeline/run/run_folder.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output,  Flag::force,  Flag::set,  Flag::backend,
                          Flag::threads, Flag::device, Flag::quiet};

int resume(const Request& request) {
  return RunFolder::of_trajectory(request).complete(Draw::unless_done);
}

}  // namespace

const Stage resume_stage{
    .name = "resume",
    .meaning = "go on with a trajectory that was stopped, or make it longer, and draw its pictures",
    .operands = "RUN.h5",
    .least = 1,
    .most = 1,
    .flags = flags,
    .run = resume};

}  // namespace orrery::pipeline
