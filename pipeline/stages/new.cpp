// SPDX-License-Identifier: MIT
// orrery new: write a shipped scenario to start from.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/say.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output, Flag::force};

int write_scenario(const Request& request) {
  const auto shipped = shipped_scenarios();
  if (request.operands.empty()) {
    for (const auto& scenario : shipped) say("{}\n", scenario.name);
    return 0;
  }
  const std::string& name = request.operands.front();
  const auto found = std::ranges::find(shipped, name, &ShippedScenario::name);
  if (found == shipped.end()) {
    std::vector<std::string_view> names;
    for (const auto& scenario : shipped) names.push_back(scenario.name);
    throw Error(fmt::format("there is no scenario `{}`{} (see `orrery new`)", name, suggestion(name, names)), 2);
  }
  std::filesystem::path file = request.output.value_or(name + ".toml");
  if (std::filesystem::is_directory(file)) file /= name + ".toml";
  write_whole(file, found->text, request.replacing(Replacing::nothing));
  if (file != "-") say("{}\n", file.string());
  return 0;
}

}  // namespace

const Stage new_stage{.name = "new",
                      .meaning = "write a shipped scenario to start from; without a name: which there are",
                      .operands = "NAME",
                      .least = 0,
                      .most = 1,
                      .flags = flags,
                      .run = write_scenario};

}  // namespace orrery::pipeline
