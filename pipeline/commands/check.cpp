// SPDX-License-Identifier: MIT
// orrery check: estimate the cost of a scenario without running it.
#include "pipeline/run/check.hpp"

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/pictures/picture_file.hpp"

namespace orrery::pipeline {
namespace {

struct CheckFlags {
  CheckOptions options;
  bool json = false;
};

Action add_check(CLI::App& app) {
  const auto flags = std::make_shared<CheckFlags>();
  add_set(app, flags->options.overrides);
  add_backend(app, flags->options.overrides);
  add_json(app, flags->json);
  return [flags](const CommandLine& line) {
    flags->options.source = line.operands.front();
    Terminal terminal(line.resources);
    ScenarioCheck found = check(flags->options, terminal);
    if (flags->json) found.facts.add("warnings", found.warnings);
    print(found.facts, flags->json);
    if (flags->json) return 0;
    for (const std::string& text : found.lines) say("{}\n", text);
    for (const std::string& warning : found.warnings) say("warning: {}\n", warning);
    return 0;
  };
}

}  // namespace

const Command check_command{.name = "check",
                            .meaning = "check a scenario and estimate the cost of running it",
                            .operands = "SCENARIO.toml",
                            .add = add_check,
                            .operands_note = picture_operand_note};

}  // namespace orrery::pipeline
