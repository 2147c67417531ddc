// SPDX-License-Identifier: MIT
// The data of figures of curves, in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/subject.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/between.hpp"
#include "render/frame.hpp"
#include "sim/analysis/structure.hpp"

namespace orrery::pipeline {

/// A picture shows no more points of a curve.
inline constexpr std::size_t drawn_rows = 20'000;

struct SeriesRequest {
  const Section& keys;  ///< of the figure
  const render::RunInfo& info;
  const Physics& physics;
  const StoredData& stored;
  const TrajectoryReader* trajectory = nullptr;  ///< null: only check keys; series have no values
  bool moving = false;                           ///< for a film
  std::optional<FrameRange> part{};              ///< default: all frames
  /// Without a trajectory, for a figure that is `of_runs`: this run and its `others`, or all members of a sweep; empty: not
  /// known yet.
  std::vector<RunOutline> runs{};
  std::size_t most_rows = drawn_rows;  ///< of a curve
};

/// Makes the series of one kind of figure. Throws Error or ArgumentError.
struct SeriesKind {
  std::string_view figure;
  std::vector<render::Series> (*make)(const SeriesRequest& request);
  bool velocities = false;  ///< reads velocities of frames
  bool forces = false;      ///< needs Physics::system
  bool of_runs = false;     ///< before the run, its curves are known by SeriesRequest::runs alone
  bool of_sweep = false;    ///< shows all members of a sweep, unless `others` names runs
  bool joined = false;      ///< joins the frames of each body by a curve: see separate()
  /// Throws Error if the figure cannot show a run of `other` or `others`, which may be to come; null: it can show any. Also
  /// called before the first step.
  void (*check_other)(const SeriesRequest& request, const RunOutline& other) = nullptr;
};

/// Whether that figure draws curves through the frames of each body.
bool joins_frames(std::string_view figure);

/// Whether that figure needs Physics::system.
bool needs_forces(std::string_view figure);

/// Whether that figure needs SeriesRequest::runs.
bool needs_runs(std::string_view figure);

/// Whether that figure shows all members of a sweep, rather than one.
bool shows_a_sweep(std::string_view figure, const Section& keys);

/// The series of the figure of that name; empty if it has none.
std::vector<render::Series> series_of(std::string_view figure, const SeriesRequest& request);

/// One series per name, each with that number of empty columns.
std::vector<render::Series> empty_series(const std::vector<std::string>& names, std::size_t values);

/// Sets a series of one column to its values at times, thinned() to SeriesRequest::most_rows; it stays empty unless there is one
/// for each.
void fill(render::Series& series, const SeriesRequest& request, const std::vector<double>& time,
          const std::vector<double>& values);

/// What figures say of the energy of a run with a heat bath.
inline constexpr std::string_view exchanged = "the heat bath exchanges energy: ΔE is no error";

/// Appends a row of any length. Missing columns are filled with NaN.
void add_row(render::Series& series, double time, const std::vector<double>& row);

/// Separates the rows of a series by gaps wherever `way`, whose times are frames, does not tell what is between: its estimated
/// error exceeds the tolerated one, or `share` of the distance from the origin if that is less. Rows between such frames go.
void separate(render::Series& series, const render::Way& way, const render::Bounds& bounds, double share = INFINITY);
/// Appends a moment of a body to its way, in the periodic image nearest to the last one; without velocities if `velocity` is null.
void add_moment(render::Way& way, const render::Bounds& bounds, double time, render::Place place,
                const render::Place* velocity);

/// Calls `use` for at most about `most` equidistant frames of the run.
void each_snapshot(const TrajectoryReader& trajectory, const std::function<void(const sim::Snapshot&)>& use,
                   std::size_t most);
/// Reduces a series to at most about `most` rows: of each interval the first row and those with the minimum and maximum of
/// each column, and the last row.
render::Series thinned(const render::Series& series, std::size_t most);
/// Calls `use` for the frames of a figure of single moments: in a film up to max_sorted_frames(), in a still the first and the
/// last of the drawn part.
void each_moment(const SeriesRequest& request, const std::function<void(const sim::Snapshot&)>& use);
/// The number of frames whose bodies can be sorted in seconds.
std::size_t max_sorted_frames(const SeriesRequest& request);

/// The centre of all bodies selected by key `about`.
sim::Vec3 center_of(const SeriesRequest& request, const sim::Snapshot& at);

/// A value that is a text or a number, as text.
std::string text_of(const Value& value);
/// The body with the name or index `name` among those in frames. Throws Error at `key`.
std::size_t body_named(const SeriesRequest& request, std::string_view key, const std::string& name);
/// The bodies of keys `bodies` and `components`, in order and without duplicates; default: all. Throws Error if there are none,
/// an unknown one, or more than `most`.
std::vector<std::size_t> selected_bodies(const SeriesRequest& request, std::size_t most);
/// One series per body, with its name and index.
std::vector<render::Series> series_of_bodies(const render::RunInfo& info, const std::vector<std::size_t>& bodies,
                                             std::size_t values);
/// Some of the bodies in a frame.
struct Part {
  std::vector<double> mass;
  sim::Vectors position, velocity;  ///< velocities are empty if not stored

  Part(const SeriesRequest& request, const sim::Snapshot& at, const std::vector<std::size_t>& bodies);
  [[nodiscard]] sim::ParticleState state() const { return {mass, position, velocity}; }
};
/// The text that selects a body in a key: its name if that is unique, else its index.
std::string key_of_body(const render::RunInfo& info, std::size_t body);

/// The title of all runs in the figure; "" if they differ.
std::string common_title(const SeriesRequest& request);

/// Opens a trajectory with a path relative to `folder`. Throws Error at `key`.
TrajectoryReader other_run(const Section& keys, std::string_view key, const std::filesystem::path& folder,
                           const std::string& file);
/// Throws Error if a run in `other` or `others` does not exist or cannot be shown by that figure, except `trajectory` itself
/// and those in `to_come`.
void check_other_runs(std::string_view figure, const SeriesRequest& request, const std::filesystem::path& trajectory,
                      const RunsToCome& to_come);
/// The outlines of the run `own` and of those in `others`.
std::vector<RunOutline> outlines_of(const Section& keys, const RunOutline& own, const RunsToCome& to_come);

/// The times of all frames, and the indices in the run of the bodies in them.
std::vector<double> frame_times(const SeriesRequest& request);
std::vector<std::int64_t> frame_bodies(const SeriesRequest& request);

}  // namespace orrery::pipeline
