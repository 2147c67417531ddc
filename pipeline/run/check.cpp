// SPDX-License-Identifier: MIT
#include "pipeline/run/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/sweep.hpp"

namespace orrery::pipeline {
namespace {

struct SetUpRun {
  Scenario scenario;
  Setup setup;
  Pictures pictures;
  std::filesystem::path file;

  /// `folder` is where the trajectory would be; `earlier`: the earlier members, which pictures may show; `draws`: the
  /// pictures are drawn. Throws Error, Fault::request, if the run would be refused.
  SetUpRun(Scenario from, const std::filesystem::path& folder, const RunsToCome& earlier, const Resources& resources,
           bool draws = true)
      : scenario(std::move(from)),
        setup(set_up_to_step(scenario, resources)),
        pictures(scenario, setup, resources),
        file(folder / scenario.file) {
    if (draws)
      pictures.check_other_runs(
          file, [this] { return outline(); }, earlier);
    if (draws) pictures.refuse_too_large();
    refuse_too_large(scenario, setup, "");
    if (!pictures.sweep_figures().empty()) refuse_rounded_end(scenario, setup);
    refuse_unavailable(scenario.backend);
  }

  [[nodiscard]] RunOutline outline() const { return outline_of(scenario, setup, file); }

  /// Measures a few steps.
  [[nodiscard]] Plan plan(const Resources& resources) const {
    Plan plan = make_plan(scenario, setup, resources);
    plan.facts.add_to_json("pictures", pictures.plan());
    if (std::string why = pictures.why_not_drawn(); !why.empty()) plan.warnings.push_back(std::move(why));
    for (std::string& words : pictures.unseen()) plan.warnings.push_back(std::move(words));
    return plan;
  }
};

ScenarioCheck check_one(const CheckOptions& options, const ScenarioText& source, Context& context) {
  Scenario scenario = parse_scenario(source, options.overrides);
  report_notes(scenario.document, context);
  const SetUpRun run(std::move(scenario), source.stem, {}, context.resources);
  Plan plan = run.plan(context.resources);
  return {std::move(plan.facts), run.pictures.plan(), std::move(plan.warnings)};
}

/// Calls visit(member) for the first members, in order, for about `patience` seconds after the first; then sample(member) for
/// about half as long, for members that are spread evenly over the rest. Returns how many were visited, and sampled.
template <class Visit, class Sample>
std::pair<std::size_t, std::size_t> visit_in_time(const std::vector<Member>& members, double patience,
                                                  const Visit& visit, const Sample& sample) {
  using Clock = std::chrono::steady_clock;
  visit(members.front());
  const auto begin = Clock::now();
  const auto within = [&](double seconds) {
    return std::chrono::duration<double>(Clock::now() - begin).count() < seconds;
  };
  std::size_t visited = 1, sampled = 0;
  for (; visited < members.size() && within(patience); ++visited) visit(members[visited]);
  const auto rest = static_cast<double>(members.size() - visited);
  for (; rest > 0 && (sampled == 0 || within(1.5 * patience)); ++sampled) {
    constexpr double golden = 0.6180339887498949;  // parts of its multiples are spread evenly, however many there are
    const double part = golden * static_cast<double>(sampled + 1);
    sample(members[visited + static_cast<std::size_t>((part - std::floor(part)) * rest)]);
  }
  return {visited, sampled};
}

/// Measures the first member only. The time of all members is estimated in proportion to their interactions. If they are too
/// many, only the first are checked, and the work of the others is estimated from some of them.
ScenarioCheck check_sweep(const CheckOptions& options, const ScenarioText& source, const Sweep& sweep,
                          const Resources& resources) {
  std::optional<Plan> plan;
  std::vector<Arguments> members;
  std::vector<std::string> lines;
  constexpr std::size_t max_said = 20;
  std::set<std::string> said;
  std::vector<std::string> warnings;
  double work = 0, first_work = 0, bytes = 0;
  RunsToCome earlier;
  std::vector<RunOutline> outlines;
  std::optional<Pictures> last;
  const auto scenario_of_member = [&](const Member& member) {
    return parse_scenario(member.source ? *member.source : source, member.added_to(options.overrides));
  };
  const auto check_member = [&](const Member& member) {
    member.with_context([&] {
      SetUpRun run(scenario_of_member(member), std::filesystem::path(source.stem) / sweep.folder(member), earlier,
                   resources, sweep.pictures.empty());
      earlier.emplace(run.file.lexically_normal(), [&scenario_of_member, &member, &resources, file = run.file] {
        const Scenario scenario = scenario_of_member(member);
        return outline_of(scenario, set_up_to_step(scenario, resources), file);
      });
      if (sweep.pictures.empty() && !run.pictures.sweep_figures().empty()) outlines.push_back(run.outline());
      work += run.setup.work();
      bytes += file_size(run.setup);
      if (!plan) {
        plan = run.plan(resources);
        if (sweep.pictures.empty()) lines = run.pictures.plan();
        first_work = work;
      }
      std::vector<std::string> notes = run.scenario.document.notes();
      if (member.task > 0) notes.insert(notes.end(), run.setup.notes.begin(), run.setup.notes.end());
      for (const std::string& note : notes)
        if (said.size() < max_said && said.insert(note).second) warnings.push_back(note);
      members.push_back({{"task", static_cast<std::int64_t>(member.task)},
                         {"overrides", member.overrides},
                         {"bodies", static_cast<std::int64_t>(run.setup.model.bodies.size())},
                         {"steps", run.setup.model.steps}});
      last.emplace(std::move(run.pictures));
    });
    // The figures of all members are those of the last one.
    if (outlines.size() == sweep.members.size()) last->check_sweep_figures(outlines);
    if (member.task < 10)
      lines.push_back(member.overrides.empty() ? member.name()
                                               : fmt::format("{} {}", sweep.folder(member), member.name()));
  };
  double other_work = 0, other_bytes = 0;
  const auto estimate_member = [&](const Member& member) {
    member.with_context([&] {
      const Setup setup = set_up_to_step(scenario_of_member(member), resources);
      other_work += setup.work();
      other_bytes += file_size(setup);
    });
  };
  constexpr double patience = 0.5;
  const auto [checked, sampled] = visit_in_time(sweep.members, patience, check_member, estimate_member);
  const std::size_t count = sweep.members.size();
  if (sampled > 0) {
    const double others = static_cast<double>(count - checked) / static_cast<double>(sampled);
    work += others * other_work, bytes += others * other_bytes;
    warnings.push_back(
        fmt::format("{} members are too many to check in a moment: the first {} were, and the time and size of the "
                    "others are estimated from {} of them",
                    count, checked, sampled));
  }
  if (const std::size_t named = std::min<std::size_t>(checked, 10); count > named)
    lines.push_back(fmt::format("… and {} more", count - named));
  const double seconds = first_work > 0 ? plan->seconds * work / first_work : 0;
  Report& facts = plan->facts;
  facts.add("members", members, fmt::format("{}; the facts above are of the first", count));
  facts.add("sweep_seconds", seconds,
            fmt::format("roughly {} of stepping in all, by their interactions",
                        to_text(std::chrono::duration<double>(seconds))));
  facts.add("sweep_file_size", static_cast<std::int64_t>(std::min(bytes, 9e18)), in_bytes(bytes));
  std::ranges::move(warnings, std::back_inserter(plan->warnings));
  return {std::move(facts), std::move(lines), std::move(plan->warnings)};
}

}  // namespace

ScenarioCheck check(const CheckOptions& options, Context& context) {
  const ScenarioText source = scenario_text(options.source, context);  // read only once: it may be a pipe
  const Sweep sweep = members_of(source, options.overrides);
  return sweep.members.empty() ? check_one(options, source, context)
                               : check_sweep(options, source, sweep, context.resources);
}

}  // namespace orrery::pipeline
