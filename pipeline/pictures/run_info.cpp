// SPDX-License-Identifier: MIT
#include "pipeline/pictures/run_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/named_unit.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/run/run_record.hpp"
#include "render/between.hpp"
#include "render/figure.hpp"
#include "render/view/outliers.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_summaries = 1000, max_summarised = 2000;  // times and bodies

/// Sorted indices of some bodies and `others`. The spacing is irregular, in case components alternate.
std::vector<std::size_t> some_of(std::size_t bodies, const std::vector<std::size_t>& others) {
  std::vector<std::size_t> some = others;
  const std::size_t count = std::min(bodies, max_summarised);
  for (std::size_t k = 0; k < count; ++k) {
    const double place = static_cast<double>(k), shift = std::fmod(0.6180339887498949 * place, 1);
    const double body = (place + shift) * static_cast<double>(bodies) / static_cast<double>(count);
    some.push_back(count == bodies ? k : std::min(static_cast<std::size_t>(body), bodies - 1));
  }
  std::ranges::sort(some);
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

render::FrameSummary summary_of(const render::Frame& frame, const render::Extent& box,
                                const std::vector<std::size_t>& bodies, const render::RunInfo& info) {
  render::FrameSummary summary{
      {.time = frame.time, .position = {}, .velocity = {}}, box, render::center_of_mass(frame, info.mass, info.bounds)};
  const bool moving = !frame.velocity.empty();
  if (moving) summary.drift = render::mean(frame.velocity, info.mass);
  std::vector<float>&position = summary.frame.position.edit(), &velocity = summary.frame.velocity.edit();
  for (const std::size_t i : bodies) {
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      position.push_back(frame.position[k]);
      if (moving) velocity.push_back(frame.velocity[k]);
    }
  }
  return summary;
}

/// The bodies that pictures follow, possibly with duplicates.
std::vector<std::size_t> bodies_followed_in(const std::vector<PicturePlan>& plans, const render::RunInfo& info) {
  std::vector<std::size_t> all;
  for (const PicturePlan& plan : plans) {
    for (const Section* keys : plan.sections()) {
      const auto bodies = followed_bodies(*keys, info, max_summarised);
      all.insert(all.end(), bodies.begin(), bodies.end());
    }
  }
  return all;
}

}  // namespace

render::Bounds bounds_of(const sim::Domain& domain) {
  render::Bounds bounds{.dimensions = domain.dimensions};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds.closed[axis] = domain.boundary[axis]->bounded;
    bounds.periodic[axis] = domain.boundary[axis]->periodic;
    if (!bounds.closed[axis]) continue;
    bounds.low[axis] = domain.low[axis];
    bounds.high[axis] = domain.low[axis] + domain.edges[axis];
  }
  return bounds;
}

render::RunInfo run_info_of(const sim::Bodies& bodies, const std::vector<std::string>& components,
                            const sim::Domain& domain) {
  render::RunInfo info;
  info.bounds = bounds_of(domain);
  info.mass = bodies.mass;
  info.radius = bodies.radius;
  info.names = bodies.names;
  info.species = bodies.species;
  info.components = components;
  return info;
}

render::RunInfo run_info_of(const TrajectoryReader& trajectory, const FrameRange& part) {
  const RunRecord& record = trajectory.record();
  render::RunInfo info = run_info_of(trajectory.bodies(), record.components, record.domain);
  info.title = record.title;
  const PhysicalUnit length(record.length_unit), time(record.time_unit), mass(record.mass_unit);
  info.length_unit = length.readable();
  info.time_unit = time.readable();
  info.mass_unit = mass.readable();
  info.speed_unit = (length / time).readable();
  const std::string energy = (mass * (length / time) * (length / time)).readable();
  info.energy_unit = energy == "kg m²/s²" ? "J" : energy;
  info.start = trajectory.times()[part.begin];
  info.end = trajectory.times()[part.last()];
  return info;
}

void choose_time_unit(render::RunInfo& info, const std::string& chosen, const std::string& own) {
  const auto unit = in_si(own);
  if (!unit) return;
  const double largest = std::max(std::abs(info.start), std::abs(info.end));
  if (chosen == "own" || (chosen.empty() && largest == 0)) return;
  const NamedUnit* shown = unit_named(chosen.empty() ? readable_time_unit(largest, own) : chosen, Dimension::time);
  info.time_unit = shown->symbol == "us" ? "µs" : shown->symbol;
  info.time_unit_length = (shown->si / *unit).value();
}

void choose_units(render::RunInfo& info, const ShownUnits& chosen, const RunRecord& record) {
  choose_time_unit(info, chosen.time, record.time_unit);
  const auto time = in_si(record.time_unit);
  if (record.epoch && chosen.time.empty() && time) info.dates = DateScale{*record.epoch, time->value()};
  const auto choose = [](const std::string& symbol, const std::string& own, std::optional<render::ShownUnit>& unit) {
    const NamedUnit* shown = symbol.empty() ? nullptr : unit_named(symbol);
    if (shown != nullptr) unit = {PhysicalUnit(shown->symbol).readable(), (shown->si / *in_si(own)).value()};
  };
  choose(chosen.length, record.length_unit, info.chosen_length);
  choose(chosen.mass, record.mass_unit, info.chosen_mass);
}

render::Provenance picture_provenance(const TrajectoryReader& trajectory, std::string scenario) {
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  return {.version = fmt::format("orrery {} ({}, {})", provenance_of(record, "version"),
                                 provenance_of(record, "commit"), provenance_of(record, "compiler")),
          .state = state ? state_hash(*state) : "",
          .scenario = std::move(scenario)};
}

render::Provenance without_answer(render::Provenance whole) {
  return {.version = std::move(whole.version), .state = "", .scenario = ""};
}

std::size_t frames_for_paths(std::size_t bodies) {
  return std::clamp<std::size_t>(20'000'000 / std::max<std::size_t>(1, bodies), 100, 20'000);
}

void survey(const TrajectoryReader& trajectory, const FrameRange& part, const std::vector<PicturePlan>& plans,
            render::RunInfo& info, const sim::StopRequest& stop) {
  const std::size_t bodies = std::max<std::size_t>(trajectory.bodies().size(), 1);
  const bool many = bodies > render::max_bodies_with_paths;
  // Of few bodies all frames that are drawn, to know what lies between them.
  const auto chosen = sampled(part, many ? std::max<std::size_t>(100, 20'000'000 / bodies) : frames_for_paths(bodies));
  const std::size_t most = many ? std::clamp<std::size_t>(200'000 / bodies, 2, 200) : chosen.size();
  const auto every = [&](std::size_t count) { return std::max<std::size_t>(1, chosen.size() / count); };
  const std::size_t stride = every(most), summary_stride = every(max_summaries);
  const bool velocities = !many || std::ranges::any_of(plans, &PicturePlan::shows_velocities);
  std::vector<render::Frame> samples;
  render::FrameSummaries summaries{many ? some_of(bodies, bodies_followed_in(plans, info)) : std::vector<std::size_t>{},
                                   {}};
  info.extent = render::extent_of_all(render::Frame{});
  for (std::size_t k = 0; k < chosen.size() && !stop(); ++k) {
    render::Frame frame = trajectory.frame(chosen[k]);
    const render::Extent box = render::extent_of_all(frame);
    render::widen(info.extent, box);
    const bool last = k + 1 == chosen.size();
    if (many && (k % summary_stride == 0 || last)) {
      summaries.moments.push_back(summary_of(frame, box, summaries.bodies, info));
    } else if (many) {
      render::widen(summaries.moments.back().box, box);
    }
    if (k % stride != 0 && !last) continue;
    if (!velocities) frame.velocity = {};
    samples.push_back(std::move(frame));
  }
  if (!many) info.between = std::make_shared<const render::Between>(samples, info.bounds);
  info.samples = std::move(samples);
  if (many) info.summaries = std::make_shared<const render::FrameSummaries>(std::move(summaries));
}

}  // namespace orrery::pipeline
