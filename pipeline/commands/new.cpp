// SPDX-License-Identifier: MIT
// orrery new: write a shipped scenario to start from.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/named.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

int write_scenario(const std::vector<std::string>& operands, const OutputFlags& flags) {
  const auto shipped = shipped_scenarios();
  if (operands.empty()) {
    for (const auto& scenario : shipped) say("{}\n", scenario.name);
    return 0;
  }
  const std::string& name = operands.front();
  const ShippedScenario& scenario = named(shipped, name, "scenario");
  std::filesystem::path file = flags.output.value_or(name + ".toml");
  if (std::filesystem::is_directory(file)) file /= name + ".toml";
  write_whole(file, scenario.text, flags.replacing(Replacing::nothing));
  if (file != "-") say("{}\n", file.string());
  return 0;
}

Action add_new(CLI::App& app) {
  const auto flags = std::make_shared<OutputFlags>();
  add_output(app, *flags);
  return [flags](const CommandLine& line) { return write_scenario(line.operands, *flags); };
}

}  // namespace

const Command new_command{.name = "new",
                          .meaning = "write a shipped scenario to start from; without a name, list them",
                          .operands = "NAME",
                          .min_operands = 0,
                          .max_operands = 1,
                          .add = add_new};

}  // namespace orrery::pipeline
