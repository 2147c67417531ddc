// SPDX-License-Identifier: MIT
// From a trajectory's record, and a look through its frames, to what pictures must know beforehand.
#include "pipeline/pictures/cast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/run/run_record.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/view/outliers.hpp"
#include "render/view/reference.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t most_glimpses = 1000, most_glimpsed = 2000;

/// Some bodies of a crowd, spread over all of it but not evenly, lest they be all of one kind; `others` too. Rising.
std::vector<std::size_t> some_of(std::size_t bodies, const std::vector<std::size_t>& others) {
  std::vector<std::size_t> some = others;
  const std::size_t count = std::min(bodies, most_glimpsed);
  for (std::size_t k = 0; k < count; ++k) {
    const double place = static_cast<double>(k), shift = std::fmod(0.6180339887498949 * place, 1);
    const double body = (place + shift) * static_cast<double>(bodies) / static_cast<double>(count);
    some.push_back(count == bodies ? k : std::min(static_cast<std::size_t>(body), bodies - 1));
  }
  std::ranges::sort(some);
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

render::Glimpse glimpse_of(const render::Frame& frame, const render::Extent& box,
                           const std::vector<std::size_t>& bodies, const render::Cast& cast) {
  render::Glimpse glimpse{
      {.time = frame.time, .position = {}, .velocity = {}}, box, render::center_of_mass(frame, cast.mass, cast.bounds)};
  const bool moving = !frame.velocity.empty();
  if (moving) glimpse.drift = render::mean(frame.velocity, cast.mass);
  for (const std::size_t i : bodies) {
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      glimpse.frame.position.push_back(frame.position[k]);
      if (moving) glimpse.frame.velocity.push_back(frame.velocity[k]);
    }
  }
  return glimpse;
}

/// The bodies that pictures go by: who is shown alone, who is followed, and who rests. May name one twice.
std::vector<std::size_t> centers_of(const std::vector<PicturePlan>& plans, const render::Cast& cast) {
  std::vector<std::size_t> bodies;
  const auto take = [&](const Section& keys) {
    const auto shown = render::chosen_bodies(keys.values(), cast);
    if (shown.size() <= most_glimpsed) bodies.insert(bodies.end(), shown.begin(), shown.end());
    if (keys->has("follow")) {
      if (const auto body = render::find_body(keys->text("follow"), cast)) bodies.push_back(*body);
    }
    if (!keys->has("frame")) return;
    const auto own = render::Reference(keys->text("frame"), cast).bodies();
    bodies.insert(bodies.end(), own.begin(), own.end());
  };
  for (const PicturePlan& plan : plans) {
    for (const Section* keys : plan.sections()) take(*keys);
  }
  return bodies;
}

}  // namespace

render::Bounds bounds_of(const sim::Domain& domain) {
  render::Bounds bounds{.dimensions = domain.dimensions};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds.closed[axis] = domain.boundary[axis]->bounded;
    bounds.joined[axis] = domain.boundary[axis]->joined;
    if (!bounds.closed[axis]) continue;
    bounds.low[axis] = domain.low[axis];
    bounds.high[axis] = domain.low[axis] + domain.edges[axis];
  }
  return bounds;
}

render::Cast cast_of(const sim::Bodies& bodies, const std::vector<std::string>& components, const sim::Domain& domain) {
  render::Cast cast;
  cast.bounds = bounds_of(domain);
  cast.mass = bodies.mass;
  cast.names = bodies.names;
  cast.species = bodies.species;
  cast.components = components;
  return cast;
}

render::Cast cast_of(const TrajectoryReader& trajectory, const FrameRange& part) {
  const RunRecord& record = trajectory.record();
  render::Cast cast = cast_of(trajectory.bodies(), record.components, record.domain);
  cast.title = record.title;
  const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
  cast.length_unit = length.readable();
  cast.time_unit = time.readable();
  cast.mass_unit = mass.readable();
  cast.speed_unit = (length / time).readable();
  const std::string energy = (mass * (length / time) * (length / time)).readable();
  cast.energy_unit = energy == "kg m²/s²" ? "J" : energy;
  cast.start = trajectory.times()[part.begin];
  cast.end = trajectory.times()[part.last()];
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

void survey(const TrajectoryReader& trajectory, const FrameRange& part, const std::vector<PicturePlan>& plans,
            render::Cast& cast) {
  const std::size_t bodies = std::max<std::size_t>(trajectory.bodies().size(), 1);
  const bool crowd = bodies > render::most_bodies_with_paths;
  const auto chosen = sampled(part, std::max<std::size_t>(100, 20'000'000 / bodies));
  const std::size_t most =
      crowd ? std::clamp<std::size_t>(200'000 / bodies, 2, 200) : std::min<std::size_t>(400'000 / bodies, 20'000);
  const auto every = [&](std::size_t count) { return std::max<std::size_t>(1, chosen.size() / count); };
  const std::size_t stride = every(most), glance = every(most_glimpses);
  const bool velocities = !crowd || std::ranges::any_of(plans, &PicturePlan::shows_velocities);
  std::vector<render::Frame> samples;
  render::Glimpses glimpses{crowd ? some_of(bodies, centers_of(plans, cast)) : std::vector<std::size_t>{}, {}};
  cast.extent = render::extent_of_all(render::Frame{});
  for (std::size_t k = 0; k < chosen.size() && Interrupt::signal() == 0; ++k) {
    render::Frame frame = trajectory.frame(chosen[k]);
    const render::Extent box = render::extent_of_all(frame);
    render::widen(cast.extent, box);
    const bool last = k + 1 == chosen.size();
    if (crowd && (k % glance == 0 || last)) {
      glimpses.moments.push_back(glimpse_of(frame, box, glimpses.bodies, cast));
    } else if (crowd) {
      render::widen(glimpses.moments.back().box, box);
    }
    if (k % stride != 0 && !last) continue;
    if (!velocities) frame.velocity = std::vector<float>();  // {} would keep its memory
    samples.push_back(std::move(frame));
  }
  cast.samples = std::move(samples);
  if (crowd) cast.glimpses = std::make_shared<const render::Glimpses>(std::move(glimpses));
}

}  // namespace orrery::pipeline
