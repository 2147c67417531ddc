// SPDX-License-Identifier: MIT
// What figures of curves are made of: numbers that take double precision, the physics, or another run to know.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/section.hpp"
#include "pipeline/trajectory.hpp"
#include "render/frame.hpp"

namespace orrery::pipeline {

/// One figure of one run.
struct SeriesRequest {
  const Section& keys;  ///< of the figure
  const render::Cast& cast;
  double G = 0;                                  ///< that masses attract each other with; 0: they do not
  const TrajectoryReader* trajectory = nullptr;  ///< null before the run: keys are checked, and series have no values
};

/// How the series of one kind of figure come about. Throws Error that names the key or the file, or ArgumentError.
struct SeriesKind {
  std::string_view figure;
  std::vector<render::Series> (*make)(const SeriesRequest& request);
};

/// Those of the figure of that name; none where it needs none.
std::vector<render::Series> series_of(std::string_view figure, const SeriesRequest& request);

/// A series for each of `names`, with so many values each.
std::vector<render::Series> empty_series(const std::vector<std::string>& names, std::size_t values);

/// Frames, at most about 20,000 of them, as they are stored, in double.
void each_snapshot(const TrajectoryReader& trajectory, const std::function<void(const sim::Snapshot&)>& use);

/// A key that holds a name or a number, as text.
std::string text_of(const Value& value);
/// The body that a key means by its name, or by its number, counted from 0 among those that the frames hold.
std::size_t body_meant(const SeriesRequest& request, std::string_view key, const std::string& name);
/// The bodies of a key that holds a list of them; all of them where it is absent. A complaint where there are more than
/// `most`.
std::vector<std::size_t> bodies_meant(const SeriesRequest& request, std::string_view key, std::size_t most);
/// What a body is called in a legend: its name, or "body 5".
std::string name_of(const render::Cast& cast, std::size_t body);

/// A file as seen from the folder of the trajectory. Throws Error that names the key where it is no trajectory.
TrajectoryReader other_run(const SeriesRequest& request, std::string_view key, const std::string& file);

}  // namespace orrery::pipeline
