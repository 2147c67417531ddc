// SPDX-License-Identifier: MIT
// The summary is read off the trajectory, so that it is the same whichever command ends a run.
#include "pipeline/run/summary.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {

std::string reproducible(const std::string& precision) {
  return precision == "float64" ? "everywhere" : "on this device with this build";
}

void add_own_steps(Report& report, const sim::Clock& clock) {
  if (clock.steps == 0) return;
  report.add(
      "own_steps", clock.steps,
      fmt::format("{}, {} refused, {} evaluations of the forces", clock.steps, clock.refused, clock.evaluations));
  report.add_to_json("own_steps_refused", clock.refused);
  report.add_to_json("own_evaluations", clock.evaluations);
}

Summary::Summary(const std::filesystem::path& trajectory)
    : trajectory_(trajectory), file_(trajectory.parent_path() / "summary.json") {}

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

void Summary::write(const std::vector<std::filesystem::path>& pictures, Replacing replacing) const {
  const TrajectoryReader trajectory(trajectory_);
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  if (!trajectory.finished() || !state) throw Error(trajectory_.string() + ": is not finished");

  Report report;
  report.add("file", trajectory_.filename().string());
  report.add("title", record.title);
  report.add("bodies", static_cast<std::int64_t>(state->size()));
  report.add("frames", static_cast<std::int64_t>(trajectory.size()));
  report.add("rows", static_cast<std::int64_t>(trajectory.history().time.size()));
  report.add("steps", record.steps);
  report.add("dt", record.dt);
  add_own_steps(report, state->clock);
  report.add("time", state->time);
  report.add("state", state_hash(*state));
  report.add("reproducible", reproducible(provenance_of(record, "precision")));
  add_energy(report, trajectory);
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

}  // namespace orrery::pipeline
