// SPDX-License-Identifier: MIT
// Charts of runs: curves over two axes, in double precision. A chart is one file in charts/, which makes its data from a run;
// render draws them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/pictures/subject.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/between.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/chart_keys.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "sim/analysis/structure.hpp"

namespace orrery::pipeline {

using render::Chart;
using render::ChartAxis;
using render::Curve;
using render::Interval;

/// A picture shows no more points of a curve.
inline constexpr std::size_t drawn_rows = 20'000;

struct ChartRequest {
  const Section& keys;  ///< of the figure
  const render::RunInfo& info;
  const Physics& physics;
  const StoredData& stored;
  const TrajectoryReader* trajectory = nullptr;  ///< null: only check keys; curves have names and no points
  bool moving = false;                           ///< for a film
  std::optional<FrameRange> part{};              ///< default: all frames
  /// Without a trajectory, for a chart that is `of_runs`: this run and its `others`, or all members of a sweep; empty: not
  /// known yet.
  std::vector<RunOutline> runs{};
  std::size_t max_rows = drawn_rows;  ///< of a curve
  sim::StopRequest stop{};

  /// Whether the work shall end; then what was made so far is thrown away.
  [[nodiscard]] bool stopped() const { return stop && stop(); }

  /// The rows of observables; none without a trajectory.
  [[nodiscard]] History rows() const { return trajectory != nullptr ? trajectory->history() : History{}; }
};

/// A kind of chart.
struct ChartKind {
  render::FigureKind figure;  ///< by render::chart_figure()
  /// Returns a column of charts, at least one; in a film that of each moment if charts have moments. Throws Error or
  /// ArgumentError.
  std::vector<Chart> (*make)(const ChartRequest& request) = nullptr;
  bool velocities = false;  ///< reads velocities of frames
  bool forces = false;      ///< needs Physics::system
  bool of_runs = false;     ///< before the run, its curves are known by ChartRequest::runs alone
  bool of_sweep = false;    ///< shows all members of a sweep, unless `others` names runs
  bool joined = false;      ///< joins the frames of each body by a curve: see separate()
  /// Throws Error if the chart cannot show a run of `other` or `others`, which may be to come; null: it can show any. Also
  /// called before the first step.
  void (*check_other)(const ChartRequest& request, const RunOutline& other) = nullptr;

  /// Whether it shows all members of a sweep, rather than one, with these keys.
  [[nodiscard]] bool shows_a_sweep(const Section& keys) const { return of_sweep && !keys->has("others"); }
};

/// All charts in the order of `orrery list figure`.
std::span<const ChartKind* const> chart_kinds();

/// All kinds of figures in the order of `orrery list figure`: of bodies, then charts.
std::vector<const render::FigureKind*> figure_kinds();

/// The chart that a kind of figure is; for figures of bodies one that makes nothing.
const ChartKind& chart_of(const render::FigureKind& figure);

/// The charts of a figure, with its labels and limits; none for figures of bodies. Throws Error, Fault::request, at a key.
std::vector<Chart> charts_of(const render::FigureKind& figure, const ChartRequest& request);

/// What figures say of the energy of a run with a heat bath.
inline constexpr std::string_view exchanged = "the heat bath exchanges energy: ΔE is no error";

inline constexpr std::array<std::string_view, 3> centers{"density", "mass", "origin"};
inline constexpr Parameter about_parameter = render::choice_key(
    "about", "\"density\"", centers,
    "centre; density: centre of mass of the nearest 80 % of the bodies, repeated until 10 % are left");

/// The key of charts to which charts_of() adds the curves of other runs; of those that are `of_runs`, `make` does it.
using render::others_parameter;

// Curves over time have no `x` until chart_over_time() sets it.

/// A chart over time of these curves.
Chart chart_over_time(const render::RunInfo& info, ChartAxis y, std::vector<Curve> curves,
                      std::string empty = Chart{}.empty);
/// Makes an axis cover all times, including those at which nothing can be drawn.
void cover(ChartAxis& axis, const std::vector<double>& times);
/// Curves of bodies without points, with their names and colours.
std::vector<Curve> curves_of_bodies(const render::RunInfo& info, const std::vector<std::size_t>& bodies);
using BodyPair = std::pair<std::size_t, std::size_t>;
/// All pairs of these bodies, and curves of pairs without points, with their names and colours.
std::vector<BodyPair> pairs_of(const std::vector<std::size_t>& bodies);
std::vector<Curve> curves_of_pairs(const render::RunInfo& info, const std::vector<BodyPair>& pairs);
/// Appends a point of a curve over time.
inline void add_point(Curve& curve, double time, double y) {
  curve.time.push_back(time);
  curve.y.push_back(y);
}
/// The values of rows over time, which a picture thins out.
Curve curve_of_rows(const ChartRequest& request, std::string name, const std::vector<double>& time,
                    const std::vector<double>& values);
/// The indices of at most about `most` rows of columns of one length: of each interval the first row and those with the
/// minimum and maximum of each column, and the last row.
std::vector<std::size_t> telling_rows(std::span<const std::vector<double>* const> columns, std::size_t most);

/// Separates the points of curves by gaps wherever the way of each, whose times are frames, does not tell what is between: its
/// estimated error exceeds the tolerated one, or `share` of the distance from the origin if that is less. Points between such
/// frames go. Returns what to say of that; "" if there are no gaps.
std::string separate(std::vector<Curve>& curves, const std::vector<render::Way>& ways, const render::Bounds& bounds,
                     double share = INFINITY);
/// Appends a moment of a body to its way, in the periodic image nearest to the last one; without velocities if `velocity` is null.
void add_moment(render::Way& way, const render::Bounds& bounds, double time, render::Place place,
                const render::Place* velocity);

/// The charts that `make` returns for each of `moments`, at least one, in a film; for the last one in a still.
template <class Moment, class Make>
std::vector<Chart> charts_at(const ChartRequest& request, const std::vector<Moment>& moments, const Make& make) {
  std::vector<Chart> all;
  for (std::size_t k = request.moving ? 0 : moments.size() - 1; k < moments.size(); ++k) {
    for (Chart& chart : make(moments[k])) {
      if (request.moving) chart.moment = moments[k].time;
      all.push_back(std::move(chart));
    }
  }
  return all;
}

/// Calls `use` for at most about `most` equidistant frames of the run: `max_rows` of the request, or fewer if one costs much.
void each_snapshot(const ChartRequest& request, const std::function<void(const sim::Snapshot&)>& use, std::size_t most);
/// Calls `use` for the frames of a figure of single moments: in a film up to max_sorted_frames(), in a still the first and the
/// last of the drawn part.
void each_moment(const ChartRequest& request, const std::function<void(const sim::Snapshot&)>& use);
/// The number of frames whose bodies can be sorted in seconds.
std::size_t max_sorted_frames(const ChartRequest& request);

/// The centre of all bodies selected by key `about`.
sim::Vec3 center_of(const ChartRequest& request, const sim::Snapshot& at);

/// A value that is a text or a number, as text.
std::string text_of(const Value& value);
/// The body with the name or index `name` among those in frames. Throws Error at `key`.
std::size_t body_named(const ChartRequest& request, std::string_view key, const std::string& name);
/// The bodies of keys `bodies` and `components`, in order and without duplicates; default: all. Throws Error if there are none,
/// an unknown one, or more than `most`.
std::vector<std::size_t> selected_bodies(const ChartRequest& request, std::size_t most);
/// Some of the bodies in a frame.
struct SomeBodies {
  std::vector<double> mass;
  sim::Vectors position, velocity;  ///< velocities are empty if not stored

  SomeBodies(const ChartRequest& request, const sim::Snapshot& at, const std::vector<std::size_t>& bodies);
  [[nodiscard]] sim::ParticleState state() const { return {mass, position, velocity}; }
};
/// The text that selects a body in a key: its name if that is unique, else its index.
std::string key_of_body(const render::RunInfo& info, std::size_t body);

/// The title of all runs in the figure; "" if they differ.
std::string common_title(const ChartRequest& request);

/// Opens a trajectory with a path relative to `folder`. Throws Error at `key`.
TrajectoryReader other_run(const Section& keys, std::string_view key, const std::filesystem::path& folder,
                           const std::string& file);
/// Throws Error if a file in `data` cannot be read, or a run in `other` or `others` does not exist or cannot be shown by that chart, except `trajectory` itself
/// and those in `to_come`.
void check_other_runs(const ChartKind& kind, const ChartRequest& request, const std::filesystem::path& trajectory,
                      const RunsToCome& to_come);
/// The outlines of the run `own` and of those in `others`.
std::vector<RunOutline> outlines_of(const Section& keys, const RunOutline& own, const RunsToCome& to_come);

/// The times of all frames, and the indices in the run of the bodies in them.
std::vector<double> frame_times(const ChartRequest& request);
std::vector<std::int64_t> frame_bodies(const ChartRequest& request);

}  // namespace orrery::pipeline
