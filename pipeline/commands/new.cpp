// SPDX-License-Identifier: MIT
// orrery new: write a scenario to start from: a shipped one, or that of a picture or run.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/named.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

/// The scenario that a picture or run carries.
int write_carried(const std::filesystem::path& from, const OutputFlags& flags) {
  Terminal terminal({});
  const std::string text =
      names_scenario(from) ? scenario_text(from, terminal).text : carried_scenario(TrajectoryReader(from));
  std::filesystem::path file = flags.output.value_or(from.stem().string() + ".toml");
  if (std::filesystem::is_directory(file)) file /= from.stem().string() + ".toml";
  write_whole(file, text, flags.replacing(Replacing::nothing));
  if (file != "-") say("{}\n", file.string());
  return 0;
}

int write_scenario(const std::vector<std::string>& operands, const OutputFlags& flags) {
  const auto shipped = shipped_scenarios();
  if (operands.empty()) {
    for (const auto& scenario : shipped) say("{}\n", scenario.name);
    return 0;
  }
  const std::string& name = operands.front();
  std::error_code none;
  if (std::filesystem::is_regular_file(name, none)) return write_carried(name, flags);
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

const Command new_command{
    .name = "new",
    .meaning = "write a shipped scenario, or that of a picture or run, to start from; without a name, list them",
    .operands = "NAME",
    .min_operands = 0,
    .max_operands = 1,
    .add = add_new,
    .operands_note = "or a picture, film or RUN.h5, whose scenario is written as TOML"};

}  // namespace orrery::pipeline
