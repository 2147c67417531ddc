// SPDX-License-Identifier: MIT
#include "pipeline/run/summary.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/foreign_text.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// Adds the work of an integrator that chooses its steps.
void add_own_steps(Report& report, const sim::Clock& clock) {
  if (clock.steps == 0) return;
  report.add(
      "own_steps", clock.steps,
      fmt::format("{}, {} refused, {} evaluations of the forces", clock.steps, clock.refused, clock.evaluations));
  report.add_to_json("own_steps_refused", clock.refused);
  report.add_to_json("own_evaluations", clock.evaluations);
}

/// Returns a line for each time the run was resumed, with changes of provenance: "step 1200: backend cuda, device …".
std::vector<std::string> resumed_parts(const RunRecord& record) {
  std::vector<std::string> lines;
  const auto* before = &record.provenance;
  for (const RunPart& part : record.parts) {
    std::string changes;
    for (const auto& [key, value] : part.provenance) {
      const auto old = before->find(key);
      // a resumed run keeps its backend, so the reason for choosing it is that of the first part
      if (key == "backend_choice" || (old != before->end() && old->second == value)) continue;
      changes +=
          fmt::format("{}{} {}", changes.empty() ? ": " : ", ", key, key == foreign_key ? foreign_names(value) : value);
    }
    lines.push_back(fmt::format("step {}{}", part.step, changes));
    before = &part.provenance;
  }
  return lines;
}

}  // namespace

std::string reproducible(std::string_view precision) {
  return precision == "float64" ? "everywhere" : "on this device with this build";
}

Summary::Summary(const std::filesystem::path& trajectory)
    : trajectory_(trajectory), file_(trajectory.parent_path() / summary_name) {}

bool Summary::exists() const {
  std::error_code error;
  return std::filesystem::is_regular_file(file_, error) && written_by_orrery(file_);
}

void Summary::refuse_to_replace(Replacing replacing, std::string_view elsewhere) const {
  orrery::refuse_to_replace(file_, replacing, written_by_orrery, elsewhere);
}

void Summary::remove() const {
  std::error_code error;
  std::filesystem::remove(file_, error);
  if (error) throw Error(fmt::format("{}: cannot be removed: {}", file_.string(), error.message()));
}

void Summary::touch() const {
  std::error_code error;
  std::filesystem::last_write_time(file_, std::filesystem::file_time_type::clock::now(), error);
}

void Summary::write(const TrajectoryReader& trajectory, const sim::Snapshot& last, const EnergyErrors& errors,
                    const std::vector<std::filesystem::path>& pictures, Replacing replacing) const {
  const RunRecord& record = trajectory.record();

  Report report;
  report.add("file", trajectory_.filename().string());
  report.add("title", record.title);
  report.add("bodies", static_cast<std::int64_t>(last.size()));
  report.add("frames", static_cast<std::int64_t>(trajectory.size()));
  report.add("rows", static_cast<std::int64_t>(trajectory.history().time.size()));
  report.add("steps", record.steps);
  report.add("dt", record.dt);
  add_own_steps(report, last.clock);
  report.add("time", last.time);
  report.add("state", state_hash(last));
  report.add("reproducible", reproducible(provenance_of(record, "precision")));
  add_energy(report, trajectory, errors);
  add_closest_approach(report, trajectory);
  add_thermodynamics(report, trajectory);
  report.add("seconds", trajectory.seconds());
  std::vector<std::string> names;
  for (const auto& picture : pictures) names.push_back(picture.lexically_relative(trajectory_.parent_path()).string());
  report.add("pictures", names);
  report.add("program", version_line());
  for (const char* key : {"version", "commit", "compiler", "backend", "kernel", "device", "precision"})
    report.add(key, provenance_of(record, key));
  report.add("finished_at", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  write_whole(file_, report.json(), replacing);
}

Report run_report(const TrajectoryReader& trajectory, const std::vector<std::string>& damage,
                  const EnergyErrors& errors) {
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
  report.add("G", record.initial_facts.G);
  if (!record.units.empty()) report.add("units", record.units);
  if (record.epoch) report.add("epoch", to_text(*record.epoch));
  const auto restart = trajectory.restart();
  const std::int64_t reached = restart ? restart->step : 0;
  report.add("steps", record.steps,
             trajectory.finished() ? fmt::format("{}, finished", record.steps)
                                   : fmt::format("{} of {}, not finished", reached, record.steps));
  report.add("step_reached", reached);
  report.add("finished", trajectory.finished());
  add_energy(report, trajectory, errors);
  add_closest_approach(report, trajectory);
  add_thermodynamics(report, trajectory);
  if (restart) add_own_steps(report, restart->clock);
  if (!damage.empty()) {
    report.add("damage", damage, damage_in_words(damage));
  } else if (restart) {
    report.add("state", state_hash(*restart), fmt::format("{} at step {}", state_hash(*restart), reached));
  }
  report.add("seed", static_cast<std::int64_t>(record.seed));
  for (const auto& [key, value] : record.provenance) {
    if (!value.empty()) report.add(key, value, key == foreign_key ? foreign_names(value) : "");
  }
  if (const auto lines = resumed_parts(record); !lines.empty())
    report.add("went_on", lines, fmt::format("{}", fmt::join(lines, "; ")));
  return report;
}

}  // namespace orrery::pipeline
