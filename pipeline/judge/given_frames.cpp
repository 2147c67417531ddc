// SPDX-License-Identifier: MIT
#include "pipeline/judge/given_frames.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/formats/import.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/trajectory/file_name.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline::judging {
namespace {

constexpr std::size_t most_numbers = std::size_t{8} << 20U;

/// How many of these frames are read.
std::size_t affordable(std::size_t frames, std::size_t bodies) {
  return std::min(frames, most_numbers / (6 * std::max<std::size_t>(bodies, 1)) + 2);
}

GivenFrames of_run(const std::filesystem::path& file) {
  const TrajectoryReader reader(file);
  GivenFrames given{.name = file.string(), .names = reader.bodies().names, .all = reader.size()};
  for (std::size_t f = 0; f < affordable(reader.size(), reader.bodies().size()); ++f) {
    const sim::Snapshot snapshot = reader.snapshot(f);
    given.frames.push_back({rows_of(snapshot.position), rows_of(snapshot.velocity)});
    given.times.push_back(reader.times()[f]);
  }
  return given;
}

}  // namespace

GivenFrames read_frames(const std::filesystem::path& file, const std::string& units) {
  if (is_trajectory_name(file)) return of_run(file);
  ImportedFrames read =
      import_frames({.files = files_of(file), .keys = {}, .units = units, .masses = false, .folder = {}});
  if (!read.asked.empty())
    throw Error(fmt::format("{}: {}; `orrery import` with its flags makes a run of it, which `judge` takes as well",
                            file.string(), read.asked.front().why),
                Fault::request);
  const ForeignFrames& frames = read.frames;
  GivenFrames given{.name = file.string(), .remarks = std::move(read.remarks), .all = frames.size()};
  const std::size_t bodies = frames.position.empty() ? 0 : frames.position.front().size();
  for (std::size_t f = 0; f < affordable(frames.size(), bodies); ++f) {
    given.frames.push_back({rows_of(frames.position[f]),
                            f < frames.velocity.size() ? rows_of(frames.velocity[f]) : std::vector<double>()});
    if (f < frames.time.size()) given.times.push_back(frames.time[f]);
  }
  return given;
}

}  // namespace orrery::pipeline::judging
