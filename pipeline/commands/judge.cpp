// SPDX-License-Identifier: MIT
// orrery judge: which program made these frames?
#include "pipeline/judge/judge.hpp"

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/plan.hpp"

namespace orrery::pipeline {
namespace {

judging::Judgement judge_files(const CommandLine& line) {
  Terminal terminal(line.resources);
  const ScenarioText source = scenario_text(line.operands[1], terminal);
  refuse_several(source);
  const Scenario scenario = parse_scenario(source);
  const judging::Exercise exercise = judging::exercise_of(set_up_to_step(scenario, line.resources), source.name);
  return judging::judge(judging::read_frames(line.operands[0], std::string(scenario.model.units->name)), exercise);
}

Action add_judge(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  add_json(app, *json);
  return [json](const CommandLine& line) {
    const judging::Judgement judgement = as_request([&] { return judge_files(line); });
    print(judgement.report, *json);
    switch (judgement.finding) {
      case judging::Finding::as_scenario:
      case judging::Finding::other_method:
        return 0;
      case judging::Finding::fault:
      case judging::Finding::none:
        return 1;
      case judging::Finding::undecided:
        break;
    }
    return 2;
  };
}

}  // namespace

const Command judge_command{
    .name = "judge",
    .meaning = "say which program made frames that should be those of a scenario",
    .operands = "MINE",
    .min_operands = 2,
    .max_operands = 2,
    .add = add_judge,
    .operands_note = "frames that `orrery import` reads (t,id,x,y,z,vx,vy,vz), or RUN.h5; then SCENARIO.toml"};

}  // namespace orrery::pipeline
