// SPDX-License-Identifier: MIT
// A frame of one of our trajectories: the same bits, if it is read in the units of the run.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "pipeline/formats/body_format.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/trajectory/hdf5_input.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

bool is_run(const std::filesystem::path& file, std::string_view begin) {
  if (!begin.starts_with(hdf5_signature)) return false;
  try {
    (void)TrajectoryReader(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The units of a run, unless they are those of the scenario.
std::optional<FileUnits> units_of_run(const RunRecord& record, const sim::Units& units) {
  if (record.units == units.name) return std::nullopt;
  if (record.length_unit.empty()) return FileUnits{};
  return FileUnits{.length = record.length_unit,
                   .mass = record.mass_unit,
                   .velocity = (PhysicalUnit(record.length_unit) / PhysicalUnit(record.time_unit)).h5md()};
}

BodyFile read_run(const std::filesystem::path& file, const BodyFileOptions& options) {
  const TrajectoryReader run(file);
  const auto there = static_cast<std::int64_t>(run.size());
  const std::int64_t frame = frame_among(options, there);
  if (!run.options().velocities)
    throw Error(file.string() + ": has no velocities: make the run again with `velocities = true` in [trajectory]",
                Fault::request);
  const sim::Snapshot state = run.snapshot(static_cast<std::size_t>(frame));
  const sim::Bodies& bodies = run.bodies();
  const RunRecord& record = run.record();

  auto table = std::make_shared<Columns>();
  table->rows = state.size();
  table->numbers.emplace("mass", bodies.mass);
  table->numbers.emplace("position", rows_of(state.position));
  table->numbers.emplace("velocity", rows_of(state.velocity));
  if (!bodies.charge.empty()) table->numbers.emplace("charge", bodies.charge);
  if (!bodies.radius.empty()) table->numbers.emplace("radius", bodies.radius);
  if (!bodies.names.empty()) table->texts.emplace("name", bodies.names);
  if (!record.components.empty() && !bodies.species.empty()) {
    std::vector<std::string> components;
    components.reserve(state.size());
    for (const std::int32_t species : bodies.species) {
      const auto k = static_cast<std::size_t>(species);
      components.push_back(k < record.components.size() ? record.components[k] : "");
    }
    table->texts.emplace("component", std::move(components));
  }
  drop_empty_texts(*table);

  BodyFile read{
      .bodies = std::move(table),
      .where = [path = file.string(), frame, ids = run.ids()](
                   std::size_t row) { return fmt::format("{}: frame {}, body {}", path, frame, ids.at(row)); },
      .units = units_of_run(record, *options.units),
      .time = state.time,
      .frames = there,
      .edges = record.domain.edges};
  for (std::size_t axis = 0; axis < 3; ++axis) read.periodic[axis] = record.domain.boundary[axis]->periodic;
  if (state.size() < run.whole())
    read.remarks.push_back(fmt::format("stores {} of the {} bodies of its run", state.size(), run.whole()));
  if (run.options().single_precision) read.remarks.emplace_back("stores its frames as float32");
  return read;
}

constexpr std::string_view run_keys[] = {"frame"};

}  // namespace

extern const BodyFormat run_bodies{.name = "run",
                                   .meaning = "a frame of a trajectory of orrery's, the same bits",
                                   .recognises = is_run,
                                   .read = read_run,
                                   .keys = run_keys};

}  // namespace orrery::pipeline
