// SPDX-License-Identifier: MIT
// Facts of a run, in the order in which people ask for them.
#include "pipeline/run/run_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/summary.hpp"

namespace orrery::pipeline {
namespace {

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

}  // namespace

Report run_report(const TrajectoryReader& trajectory) {
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
  return report;
}

}  // namespace orrery::pipeline
