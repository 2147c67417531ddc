// SPDX-License-Identifier: MIT
// orrery export: a trajectory in a format for other people's programs.
#include "pipeline/export.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::format, Flag::output, Flag::force, Flag::frames, Flag::quiet};

const ExportFormat& format_named(const std::string& name) {
  const auto formats = export_formats();
  const auto found = std::ranges::find(formats, name, &ExportFormat::name);
  if (found != formats.end()) return **found;
  std::vector<std::string_view> names;
  for (const ExportFormat* format : formats) names.push_back(format->name);
  throw Error(
      fmt::format("there is no format `{}`{} (there are: {})", name, suggestion(name, names), fmt::join(names, ", ")),
      2);
}

int export_frames(const Request& request) {
  const ExportFormat& format = format_named(request.format);
  const std::filesystem::path file = request.operands.front(), to = request.output.value_or("");
  const TrajectoryReader trajectory(file);
  std::error_code error;
  if (std::filesystem::equivalent(file, to, error)) {
    throw Error(fmt::format("{}: is the trajectory itself; write to another file", to.string()), 2);
  }
  const FrameRange range = frame_range(request.frames, trajectory.size());
  const Interrupt interrupt;
  TextOutput out(to, request.replacing(format.replaces));
  format.write({.trajectory = trajectory,
                .file = file,
                .folder = to.parent_path(),
                .begin = range.begin,
                .end = range.end,
                .all = request.frames.empty(),
                .quiet = request.quiet,
                .out = out});
  if (Interrupt::signal() != 0) return 128 + Interrupt::signal();
  out.finish();
  return 0;
}

}  // namespace

const Stage export_stage{.name = "export",
                         .meaning = "write a trajectory for other programs to read",
                         .operands = "RUN.h5",
                         .least = 1,
                         .most = 1,
                         .flags = flags,
                         .run = export_frames};

}  // namespace orrery::pipeline
