// SPDX-License-Identifier: MIT
// What figures of curves are made of: numbers that take double precision, the physics, or another run to know.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/subject.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/frame.hpp"
#include "sim/analysis/structure.hpp"

namespace orrery::pipeline {

/// One figure of one run.
struct SeriesRequest {
  const Section& keys;  ///< of the figure
  const render::RunInfo& info;
  const Physics& physics;
  const TrajectoryReader* trajectory = nullptr;  ///< null before the run: keys are checked, and series have no values
  bool moving = false;                           ///< a film's, which shows every moment
  std::optional<FrameRange> part{};              ///< that is drawn; nothing: all frames
};

/// How the series of one kind of figure come about. Throws Error that names the key or the file, or ArgumentError.
struct SeriesKind {
  std::string_view figure;
  std::vector<render::Series> (*make)(const SeriesRequest& request);
  bool velocities = false;  ///< it reads those of frames
  bool forces = false;      ///< it asks for the system
  bool of_sweep = false;    ///< it shows all members of a sweep at once, unless `others` names runs
};

/// Whether the series of that figure ask for forces.
bool asks_for_forces(std::string_view figure);

/// Whether that figure is one of all members of a sweep, rather than one of each.
bool shows_a_sweep(std::string_view figure, const Section& keys);

/// Those of the figure of that name; none where it needs none.
std::vector<render::Series> series_of(std::string_view figure, const SeriesRequest& request);

/// A series for each of `names`, with so many values each.
std::vector<render::Series> empty_series(const std::vector<std::string>& names, std::size_t values);

/// Adds a row of as many numbers as it may have; what other rows have more is not a number.
void add_row(render::Series& series, double time, const std::vector<double>& row);

/// Frames, at most about so many of them, as they are stored, in double.
void each_snapshot(const TrajectoryReader& trajectory, const std::function<void(const sim::Snapshot&)>& use,
                   std::size_t most = 20'000);
/// The series with at most about so many rows: of every stretch the first, and those of the least and the greatest of each
/// list of values; and the last of all.
render::Series thinned(const render::Series& series, std::size_t most = 20'000);
/// Those that a figure of the moment shows: of a film so many that it takes seconds, of a still the first and the last of
/// the part that is drawn.
void each_moment(const SeriesRequest& request, const std::function<void(const sim::Snapshot&)>& use);
/// So many frames of all bodies can be sorted in seconds.
std::size_t frames_to_sort(const SeriesRequest& request);

/// The centre that the key `about` means.
sim::Vec3 center_of(const SeriesRequest& request, const sim::ParticleState& state);

/// A key that holds a name or a number, as text.
std::string text_of(const Value& value);
/// The body that a key means by its name, or by its number, counted from 0 among those that the frames hold.
std::size_t body_meant(const SeriesRequest& request, std::string_view key, const std::string& name);
/// The bodies of the key `bodies`, in its order and each once; all where it is absent. A complaint where it names nobody,
/// one who is not there, or more than `most`.
std::vector<std::size_t> bodies_meant(const SeriesRequest& request, std::size_t most);
/// Some of the bodies at a moment.
struct Part {
  std::vector<double> mass;
  sim::Vectors position, velocity;  ///< velocities are empty where they were not kept

  Part(const SeriesRequest& request, const sim::Snapshot& at, const std::vector<std::size_t>& bodies);
  [[nodiscard]] sim::ParticleState state() const { return {mass, position, velocity}; }
};
/// What a key has to call it: its name, or else its number.
std::string called(const render::RunInfo& info, std::size_t body);

/// The title of all runs that the figure draws, "" where they have several.
std::string common_title(const SeriesRequest& request);

/// A file as seen from the folder of the trajectory. Throws Error that names the key where it is no trajectory.
TrajectoryReader other_run(const Section& keys, std::string_view key, const std::filesystem::path& folder,
                           const std::string& file);
/// Throws so where one that the keys of a figure compare with is not there, but for the run's own `trajectory` and those
/// `to_come`, whose paths are lexically normal.
void refuse_absent_runs(const Section& keys, const std::filesystem::path& trajectory,
                        const std::set<std::filesystem::path>& to_come);

}  // namespace orrery::pipeline
