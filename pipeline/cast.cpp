// SPDX-License-Identifier: MIT
// From a trajectory's record, and a look through its frames, to what pictures must know beforehand.
#include "pipeline/cast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pipeline/interrupt.hpp"
#include "pipeline/key_differences.hpp"
#include "pipeline/stepping.hpp"
#include "render/figure.hpp"

namespace orrery::pipeline {
namespace {

/// What speeds are counted in: "km/s" where time is counted in "kpc s/km".
std::string speed_unit(const std::string& length, const std::string& time) {
  if (length.empty() || time.empty()) return "";
  return time == length + " s/km" ? "km/s" : length + "/" + time;
}

}  // namespace

render::Cast cast_of(const sim::Bodies& bodies, const std::vector<std::string>& components) {
  render::Cast cast;
  cast.mass = bodies.mass;
  cast.names = bodies.names;
  cast.species = bodies.species;
  cast.components = components;
  return cast;
}

render::Cast cast_of(const TrajectoryReader& trajectory, const FrameRange& part) {
  const RunRecord& record = trajectory.record();
  render::Cast cast = cast_of(trajectory.bodies(), record.components);
  cast.title = record.title;
  cast.length_unit = record.length_unit;
  cast.time_unit = record.time_unit;
  cast.mass_unit = record.mass_unit;
  cast.speed_unit = speed_unit(record.length_unit, record.time_unit);
  cast.start = trajectory.times()[part.begin];
  cast.end = trajectory.times()[part.last()];
  cast.history = trajectory.history();
  return cast;
}

render::Provenance told_of(const TrajectoryReader& trajectory, std::string scenario) {
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  return {.version = fmt::format("orrery {} ({}, {})", provenance_of(record, "version"),
                                 provenance_of(record, "commit"), provenance_of(record, "compiler")),
          .state = state ? state_hash(*state) : "",
          .scenario = std::move(scenario)};
}

void survey(const TrajectoryReader& trajectory, const FrameRange& part, render::Cast& cast) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  cast.extent = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  const std::size_t bodies = std::max<std::size_t>(trajectory.bodies().size(), 1);
  const auto chosen = sampled(part, std::max<std::size_t>(100, 20'000'000 / bodies));
  const std::size_t most = bodies <= render::most_bodies_with_paths ? std::min<std::size_t>(400'000 / bodies, 20'000)
                                                                    : std::clamp<std::size_t>(200'000 / bodies, 2, 200);
  const std::size_t stride = std::max<std::size_t>(1, chosen.size() / most);
  std::vector<render::Frame> samples;
  for (std::size_t k = 0; k < chosen.size() && Interrupt::signal() == 0; ++k) {
    render::Frame frame = trajectory.frame(chosen[k]);
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      if (!std::isfinite(frame.position[i])) continue;
      cast.extent.low[i % 3] = std::min<double>(cast.extent.low[i % 3], frame.position[i]);
      cast.extent.high[i % 3] = std::max<double>(cast.extent.high[i % 3], frame.position[i]);
    }
    if (k % stride == 0 || k + 1 == chosen.size()) samples.push_back(std::move(frame));
  }
  cast.samples = std::move(samples);
}

}  // namespace orrery::pipeline
