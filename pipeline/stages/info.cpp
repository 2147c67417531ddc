// SPDX-License-Identifier: MIT
// orrery info: what a trajectory file holds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/stepping.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/say.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "pipeline/watch.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::json, Flag::watch};

/// "step 1200: backend cuda, device …", with what is not as it was in the part before.
std::vector<std::string> parts_of(const RunRecord& record) {
  std::vector<std::string> lines;
  const auto* before = &record.provenance;
  for (const RunPart& part : record.parts) {
    std::string changes;
    for (const auto& [key, value] : part.provenance) {
      const auto old = before->find(key);
      // why `auto` took the backend is told for the beginning: whoever goes on stays with it
      if (key == "backend_choice" || (old != before->end() && old->second == value)) continue;
      changes += fmt::format("{}{} {}", changes.empty() ? ": " : ", ", key, value);
    }
    lines.push_back(fmt::format("step {}{}", part.step, changes));
    before = &part.provenance;
  }
  return lines;
}

/// Of a picture: the run it shows, and below the scenario as it could be run.
int info_of_picture(const Request& request, const std::filesystem::path& file) {
  const render::Provenance told = told_by_picture(file);
  Report report;
  report.add("version", told.version);
  report.add("state", told.state);
  report.add_to_json("scenario", told.scenario);
  give(request, report, "\n" + told.scenario);
  return 0;
}

int info(const Request& request) {
  if (request.watch) {
    if (request.json) throw Error("--watch is for people to read; leave out --json", 2);
    return watch(request.operands.front());
  }
  if (is_picture(request.operands.front())) return info_of_picture(request, request.operands.front());
  const TrajectoryReader trajectory(request.operands.front());
  const RunRecord& record = trajectory.record();
  Report report;
  report.add("title", record.title);
  const auto kept = static_cast<std::int64_t>(trajectory.bodies().size());
  const auto bodies = static_cast<std::int64_t>(trajectory.whole());
  report.add("bodies", bodies, kept < bodies ? fmt::format("{}, of which frames keep {}", bodies, kept) : "");
  report.add_to_json("bodies_kept", kept);
  report.add("frames", static_cast<std::int64_t>(trajectory.size()));
  if (trajectory.size() > 0) {
    report.add("times", std::vector<double>{trajectory.times().front(), trajectory.times().back()},
               fmt::format("{:.6g} … {:.6g}", trajectory.times().front(), trajectory.times().back()));
  }
  report.add("dt", record.dt);
  if (record.initial_facts) report.add("G", record.initial_facts->G);
  if (!record.units.empty()) report.add("units", record.units);
  const auto restart = trajectory.restart();
  const std::int64_t reached = restart ? restart->step : 0;
  report.add("steps", record.steps,
             trajectory.finished() ? fmt::format("{}, finished", record.steps)
                                   : fmt::format("{} of {}, not finished", reached, record.steps));
  report.add("step_reached", reached);
  report.add("finished", trajectory.finished());
  add_energy(report, trajectory);
  add_thermodynamics(report, trajectory);
  if (restart) add_own_steps(report, restart->clock);
  if (restart) report.add("state", state_hash(*restart), fmt::format("{} at step {}", state_hash(*restart), reached));
  report.add("seed", static_cast<std::int64_t>(record.seed));
  for (const auto& [key, value] : record.provenance) {
    if (!value.empty()) report.add(key, value);
  }
  if (const auto lines = parts_of(record); !lines.empty())
    report.add("went_on", lines, fmt::format("{}", fmt::join(lines, "; ")));
  say_lines(request.json ? report.json() : report.table());
  if (const std::string warning = energy_warning(trajectory); !warning.empty() && !request.json)
    say(stderr, "orrery: {}: {}\n", trajectory.path().string(), warning);
  return 0;
}

}  // namespace

const Stage info_stage{.name = "info",
                       .meaning = "what a trajectory or a picture holds and where it came from",
                       .operands = "RUN.h5",
                       .least = 1,
                       .most = 1,
                       .flags = flags,
                       .run = info,
                       .instead = or_a_picture};

}  // namespace orrery::pipeline
