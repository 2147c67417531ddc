// SPDX-License-Identifier: MIT
// Charts of stored runs, and runs whose moments are given.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline::testing {

/// The charts of the figure `kind` of a run, with `keys` in addition to the defaults; with `before`, as they are known before it.
inline std::vector<render::Chart> charts_of_run(const std::filesystem::path& file, std::string_view kind,
                                                const std::string& keys = "", bool moving = false,
                                                std::optional<FrameRange> part = {}, bool before = false) {
  const TrajectoryReader trajectory(file);
  const auto all = figure_descriptions();
  const auto found = std::ranges::find(all, kind, &FigureDescription::name);
  const Document document("[[figure]]\nkind = \"x\"\nfile = \"x.png\"\n" + keys, "f.toml", {});
  const Section section = document.table("figure", 0, found->parameters);
  const Subject subject = subject_of(trajectory);
  const auto kinds = figure_kinds();
  const render::FigureKind& figure = **std::ranges::find(kinds, kind, &render::FigureKind::name);
  Physics physics = subject.physics;
  if (chart_of(figure).forces) physics.system = subject.system();
  render::RunInfo info = run_info_of(trajectory, part.value_or(FrameRange{0, trajectory.size()}));
  info.timescale = subject.timescale;
  info.timescale_name = subject.timescale_name;
  return charts_of(figure, {section, info, physics, subject.stored, before ? nullptr : &trajectory, moving, part});
}

/// A moment of bodies with these places and velocities, x, y and z of each in turn.
inline sim::Snapshot moment_of(double time, const std::vector<sim::Vec3>& places,
                               const std::vector<sim::Vec3>& velocities = {}) {
  sim::Snapshot now{.time = time, .position = {}, .velocity = {}, .columns = {}, .clock = {}, .observables = {}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    now.position.push_back(places[i].x, places[i].y, places[i].z);
    const sim::Vec3 v = i < velocities.size() ? velocities[i] : sim::Vec3{};
    now.velocity.push_back(v.x, v.y, v.z);
  }
  return now;
}

/// Writes a run of these moments, each a frame and a row of observables.
inline void write_moments(const std::filesystem::path& file, const sim::Bodies& bodies,
                          std::vector<sim::Snapshot> moments, const RunRecord& of = {}) {
  RunRecord record = of;
  record.dt = moments.size() > 1 ? moments[1].time - moments[0].time : 1;
  record.steps = static_cast<std::int64_t>(moments.size()) - 1;
  if (record.components.empty()) record.components = {"all"};
  std::filesystem::remove(file);
  TrajectoryWriter writer(file, bodies, record, {});
  for (std::size_t k = 0; k < moments.size(); ++k) {
    moments[k].step = static_cast<std::int64_t>(k);
    writer.append(moments[k], true);
  }
  writer.finish(moments.back());
}

}  // namespace orrery::pipeline::testing
