// SPDX-License-Identifier: MIT
// json: the observables as arrays, with metadata of the run.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/export.hpp"
#include "pipeline/report.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// Entries [begin, end) of a series.
template <class T>
void write_series(const ExportJob& job, std::string_view name, const std::vector<T>& values, std::size_t begin,
                  std::size_t end) {
  TextOutput& out = job.out;
  out.print("    \"{}\": [", name);
  for (std::size_t i = begin; i < end && !job.context.stopped(); ++i) {
    if (i > begin) out.add(",");
    out.add(nlohmann::json(values[i]).dump());
  }
  out.add("]");
}

void write_header(const ExportJob& job) {
  const RunRecord& record = job.trajectory.record();
  const auto add = [&](std::string_view key, const auto& value) {
    std::string text = to_json(value);
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) text.insert(at + 1, "  ");
    job.out.print("  \"{}\": {},\n", key, text);
  };
  add("program", version_line());  // first: identifies files written by orrery
  add("file", job.file.string());
  add("title", record.title);
  add("bodies", static_cast<std::int64_t>(job.trajectory.whole()));
  add("components", record.components);
  add("G", record.initial_facts.G);
  add("dt", record.dt);
  add("steps", record.steps);
  add("finished", job.trajectory.finished());
  job.out.print("  \"seed\": {},\n", record.seed);
  for (const auto& [key, unit] :
       {std::pair{"length_unit", record.length_unit}, {"time_unit", record.time_unit}, {"mass_unit", record.mass_unit}})
    if (!unit.empty()) add(key, unit);
  Arguments provenance;
  for (const auto& [key, value] : record.provenance) provenance.set(key, value);
  add("provenance", provenance);
}

void write_json(const ExportJob& job) {
  const TrajectoryReader& trajectory = job.trajectory;
  const History history = trajectory.history();
  // Rows from the first to the last requested frame.
  std::size_t begin = 0, end = history.time.size();
  if (!job.all && job.begin < job.end) {
    const auto& steps = trajectory.steps();
    const auto place = [&](auto found) { return static_cast<std::size_t>(found - history.step.begin()); };
    begin = place(std::ranges::lower_bound(history.step, steps[job.begin]));
    end = place(std::ranges::upper_bound(history.step, steps[job.end - 1]));
  }
  const auto series = [&](std::string_view name, const auto& values, std::string_view separator = ",\n") {
    write_series(job, name, values, begin, end);
    job.out.add(separator);
  };
  job.out.add("{\n");
  write_header(job);
  job.out.add("  \"frames\": {\n");
  write_series(job, "step", trajectory.steps(), job.begin, job.end);
  job.out.add(",\n");
  write_series(job, "time", trajectory.times(), job.begin, job.end);
  job.out.add("\n  },\n  \"observables\": {\n");
  series("step", history.step);
  series("time", history.time);
  series("kinetic_energy", history.kinetic_energy);
  series("potential_energy", history.potential_energy);
  series("total_energy", history.total_energy);
  series("momentum", history.momentum);
  series("angular_momentum", history.angular_momentum);
  if (!history.virial.empty()) {
    series("virial", history.virial);
    series("temperature", history.temperature);
  }
  if (!history.pressure.empty()) series("pressure", history.pressure);
  series("center_of_mass", history.center_of_mass, "\n");
  job.out.add("  }\n}\n");
}

}  // namespace

extern const ExportFormat json_format{.name = "json",
                                      .meaning = "the observables as arrays, with provenance",
                                      .write = write_json,
                                      .replaces = Replacing::ours};

}  // namespace orrery::pipeline
