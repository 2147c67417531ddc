// SPDX-License-Identifier: MIT
// One scenario, or the members of a sweep.
#include "pipeline/run/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_folder.hpp"
#include "pipeline/run/sweep.hpp"

namespace orrery::pipeline {
namespace {

ScenarioCheck checked(Plan plan, std::vector<std::string> lines) {
  return {std::move(plan.facts), std::move(lines), std::move(plan.warnings)};
}

/// What will not be drawn here, although it can be stepped.
void add_hindrance(Plan& plan, const Pictures& pictures) {
  if (std::string why = pictures.hindrance(); !why.empty()) plan.warnings.push_back(std::move(why));
}

ScenarioCheck check_one(const RunOptions& options, const ScenarioText& source, Messages& messages) {
  const Scenario scenario = parse_scenario(source, options.overrides);
  tell_notes(scenario.document, messages);
  const Setup setup = set_up_to_step(scenario);
  const Pictures pictures(scenario, setup);
  pictures.refuse_absent_runs(trajectory_of(options, source, scenario));
  pictures.refuse_too_large();
  refuse_too_large(scenario, setup, "");
  Plan plan = make_plan(scenario, setup);
  plan.facts.add_to_json("pictures", pictures.plan());
  add_hindrance(plan, pictures);
  return checked(std::move(plan), pictures.plan());
}

/// The plan of the first member, whose time stands for those of the others in proportion to their interactions.
ScenarioCheck check_sweep(const RunOptions& options, const ScenarioText& source, const Sweep& sweep) {
  std::optional<Plan> plan;
  std::vector<Arguments> members;
  std::vector<std::string> lines;
  double work = 0, first_work = 0, first_seconds = 0, bytes = 0;
  std::set<std::filesystem::path> before;  // a member may be compared with those that are run before it
  for (const Member& member : sweep.members) {
    member.in_its_name([&] {
      const RunOptions own = sweep.options_of(member, options);
      const Scenario scenario = parse_scenario(source, own.overrides);
      const Setup setup = set_up_to_step(scenario);
      const Pictures pictures(scenario, setup);
      const std::filesystem::path file = trajectory_of(own, source, scenario);
      pictures.refuse_absent_runs(file, before);
      pictures.refuse_too_large();
      before.insert(file.lexically_normal());
      refuse_too_large(scenario, setup, "");
      const double mine = interactions(scenario, setup);
      work += mine;
      bytes += file_size(scenario, setup);
      if (!plan) {
        plan = make_plan(scenario, setup);
        plan->facts.add_to_json("pictures", pictures.plan());
        lines = pictures.plan();
        add_hindrance(*plan, pictures);
        first_work = mine;
        first_seconds = plan->seconds;
      }
      members.push_back({{"task", static_cast<std::int64_t>(member.task)},
                         {"overrides", member.overrides},
                         {"bodies", static_cast<std::int64_t>(setup.bodies.size())},
                         {"steps", setup.steps}});
    });
    if (member.task < 10) lines.push_back(fmt::format("{} {}", sweep.folder(member), member.name()));
  }
  const std::size_t count = sweep.members.size();
  if (count > 10) lines.push_back(fmt::format("… and {} more", count - 10));
  const double seconds = first_work > 0 ? first_seconds * work / first_work : 0;
  Report& facts = plan->facts;
  facts.add("members", members, fmt::format("{}; what stands above is of the first", count));
  facts.add("sweep_seconds", seconds,
            fmt::format("roughly {} of stepping in all, by their interactions",
                        in_words(std::chrono::duration<double>(seconds))));
  facts.add("sweep_file_size", static_cast<std::int64_t>(std::min(bytes, 9e18)), in_bytes(bytes));
  return checked(*std::move(plan), std::move(lines));
}

}  // namespace

ScenarioCheck check(const RunOptions& options, Messages& messages) {
  const ScenarioText source = scenario_text(options.source, messages);  // once: it may be a pipe
  const Sweep sweep = sweep_of(source, options.overrides);
  return sweep.members.empty() ? check_one(options, source, messages) : check_sweep(options, source, sweep);
}

}  // namespace orrery::pipeline
