// SPDX-License-Identifier: MIT
// orrery check: say what a scenario will do and cost, without doing it.
#include <fmt/format.h>

#include "pipeline/pictures.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::set, Flag::backend, Flag::threads, Flag::device, Flag::json};

int check(const Request& request) {
  const Scenario scenario = read_scenario(request.operands.front(), request.overrides);
  const Setup setup = set_up_to_step(scenario);
  const Pictures pictures(scenario, setup);
  refuse_too_large(scenario, setup, "");
  Plan plan = make_plan(scenario, setup);
  if (request.json) {
    plan.facts.add("pictures", pictures.plan());
    plan.facts.add("warnings", plan.warnings);
    fmt::print("{}", plan.facts.json());
    return 0;
  }
  fmt::print("{}", plan.facts.table());
  for (const std::string& line : pictures.plan()) fmt::print("{}\n", line);
  for (const std::string& warning : plan.warnings) fmt::print("warning: {}\n", warning);
  return 0;
}

}  // namespace

const Stage check_stage{.name = "check",
                        .meaning = "read a scenario and print what it will do and cost",
                        .operands = "SCENARIO.toml",
                        .least = 1,
                        .most = 1,
                        .flags = flags,
                        .run = check};

}  // namespace orrery::pipeline
