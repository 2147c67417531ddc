// SPDX-License-Identifier: MIT
// orrery export: write a trajectory in another format.
#include "pipeline/export.hpp"

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/named.hpp"
#include "pipeline/scenario/frame_range.hpp"

namespace orrery::pipeline {
namespace {

struct ExportFlags {
  std::string format, frames;
  OutputFlags output;
  bool quiet = false;
};

int export_frames(const std::filesystem::path& file, const ExportFlags& flags) {
  const ExportFormat& format = named(export_formats(), flags.format, "format");
  const std::filesystem::path to = flags.output.output.value_or("");
  const TrajectoryReader trajectory(file);
  std::error_code error;
  if (std::filesystem::equivalent(file, to, error)) {
    throw Error(fmt::format("{}: is the trajectory itself; write to another file", to.string()), 2);
  }
  const FrameRange range = frame_range(flags.frames, trajectory.size());
  const Interrupt interrupt;
  Terminal terminal(flags.quiet);
  TextOutput out(to, flags.output.replacing(format.replaces));
  format.write({.trajectory = trajectory,
                .file = file,
                .folder = to.parent_path(),
                .begin = range.begin,
                .end = range.end,
                .all = flags.frames.empty(),
                .messages = terminal,
                .out = out});
  if (Interrupt::signal() != 0) return 128 + Interrupt::signal();
  out.finish();
  return 0;
}

Action add_export(CLI::App& app) {
  const auto flags = std::make_shared<ExportFlags>();
  app.add_option("--format", flags->format, list_of_names(export_formats()))->type_name("NAME")->required();
  add_output(app, flags->output);
  add_frames(app, flags->frames);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) { return export_frames(line.operands.front(), *flags); };
}

}  // namespace

const Command export_command{.name = "export",
                             .meaning = "write a trajectory for other programs to read",
                             .operands = "RUN.h5",
                             .add = add_export};

}  // namespace orrery::pipeline
