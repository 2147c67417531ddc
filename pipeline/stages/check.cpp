// SPDX-License-Identifier: MIT
// orrery check: say what a scenario will do and cost, without doing it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_folder.hpp"
#include "pipeline/run/sweep.hpp"
#include "pipeline/say.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::set, Flag::backend, Flag::threads, Flag::device, Flag::json};

int print(const Request& request, Plan& plan, const std::vector<std::string>& lines) {
  if (request.json) {
    plan.facts.add("warnings", plan.warnings);
    say_lines(plan.facts.json());
    return 0;
  }
  say_lines(plan.facts.table());
  for (const std::string& line : lines) say("{}\n", line);
  for (const std::string& warning : plan.warnings) say("warning: {}\n", warning);
  return 0;
}

/// What will not be drawn here, although it can be stepped.
void add_hindrance(Plan& plan, const Pictures& pictures) {
  if (std::string why = pictures.hindrance(); !why.empty()) plan.warnings.push_back(std::move(why));
}

int check_one(const Request& request, const ScenarioText& source) {
  const Scenario scenario = parse_scenario(source, request.overrides);
  say_notes(scenario.document);
  const Setup setup = set_up_to_step(scenario);
  const Pictures pictures(scenario, setup);
  pictures.refuse_absent_runs(trajectory_of(request, source, scenario));
  pictures.refuse_too_large();
  refuse_too_large(scenario, setup, "");
  Plan plan = make_plan(scenario, setup);
  plan.facts.add_to_json("pictures", pictures.plan());
  add_hindrance(plan, pictures);
  return print(request, plan, pictures.plan());
}

/// The plan of the first member, whose time stands for those of the others in proportion to their interactions.
int check_sweep(const Request& request, const ScenarioText& source, const Sweep& sweep) {
  std::optional<Plan> plan;
  std::vector<Arguments> members;
  std::vector<std::string> lines;
  double work = 0, first_work = 0, first_seconds = 0, bytes = 0;
  std::set<std::filesystem::path> before;  // a member may be compared with those that are run before it
  for (const Member& member : sweep.members) {
    member.in_its_name([&] {
      const Request own = sweep.request_of(member, request);
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
  return print(request, *plan, lines);
}

int check(const Request& request) {
  const ScenarioText source = scenario_text(request.operands.front());  // once: it may be a pipe
  const Sweep sweep = sweep_of(source, request);
  return sweep.members.empty() ? check_one(request, source) : check_sweep(request, source, sweep);
}

}  // namespace

const Stage check_stage{.name = "check",
                        .meaning = "read a scenario and print what it will do and cost",
                        .operands = "SCENARIO.toml",
                        .least = 1,
                        .most = 1,
                        .flags = flags,
                        .run = check,
                        .instead = or_a_picture};

}  // namespace orrery::pipeline
