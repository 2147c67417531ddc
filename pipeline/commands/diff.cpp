// SPDX-License-Identifier: MIT
// orrery diff: compare two trajectories, or a trajectory with a scenario.
#include "pipeline/compare/diff.hpp"

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"

namespace orrery::pipeline {
namespace {

Action add_diff(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  add_json(app, *json);
  return [json](const CommandLine& line) {
    const Verdict verdict = as_request([&] { return diff(line.operands[0], line.operands[1]); });
    print(verdict.report, *json);
    return verdict.same ? 0 : 1;
  };
}

}  // namespace

const Command diff_command{.name = "diff",
                           .meaning = "compare two trajectories, or the keys of a trajectory and a scenario",
                           .operands = "RUN.h5",
                           .min_operands = 2,
                           .max_operands = 2,
                           .add = add_diff,
                           .operands_note = "or a scenario"};

}  // namespace orrery::pipeline
