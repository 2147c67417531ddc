// SPDX-License-Identifier: MIT
// orrery export: write a trajectory, or the initial state of a scenario, in another format.
#include "pipeline/export.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/interrupt.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/named.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/initial_trajectory.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/scenario/scenario_text.hpp"

namespace orrery::pipeline {
namespace {

struct ExportFlags {
  std::string format, frames, around, precision;
  OutputFlags output;
  bool quiet = false;
};

/// Exports the trajectory `file`.
int export_frames(const std::filesystem::path& file, const ExportFormat& format, const ExportFlags& flags,
                  const CommandLine& line) {
  const std::filesystem::path to = flags.output.output.value_or("");
  const TrajectoryReader trajectory(file);
  std::error_code error;
  if (std::filesystem::equivalent(file, to, error)) {
    throw Error(fmt::format("{}: is the trajectory itself; write to another file", to.string()), Fault::request);
  }
  FrameRange range = frame_range(flags.frames, trajectory.size());
  if (format.one_frame && flags.frames.empty() && range.end > 0) range.begin = range.end - 1;
  if (format.one_frame && range.end - range.begin != 1)
    throw Error(fmt::format("--frames: {} holds one frame, not {}", format.name, range.end - range.begin),
                Fault::request);
  Terminal terminal(line.resources, flags.quiet);
  const Context::During orderly(terminal, Context::Phase::orderly);
  TextOutput out(to, flags.output.replacing(format.replaces));
  if (format.binary && out.on_screen())
    throw Error(fmt::format("{} is not text: give a file, `-o FILE`", format.name), Fault::request);
  format.write({.trajectory = trajectory,
                .file = file,
                .folder = to.parent_path(),
                .begin = range.begin,
                .end = range.end,
                .all = flags.frames.empty(),
                .context = terminal,
                .out = out,
                .around = flags.around,
                .single_precision = flags.precision == "float32"});
  if (terminal.stopped()) return Interrupt::exit_code();
  out.finish();
  return 0;
}

/// Exports the initial state of a scenario, from a temporary trajectory.
int export_initial_state(const std::filesystem::path& file, const ExportFormat& format, const ExportFlags& flags,
                         const CommandLine& line) {
  if (!format.of_state)
    refuse(file, fmt::format("is a scenario: {} needs a trajectory, which `orrery simulate` computes", format.name));
  Terminal terminal(line.resources, flags.quiet);
  const ScenarioText source = scenario_text(file, terminal);
  refuse_several(source);
  const Scenario scenario = parse_scenario(source);
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  const Scratch scratch(error ? "." : temporary);
  write_initial_trajectory(scenario, scratch.path() / "run.h5");
  return export_frames(scratch.path() / "run.h5", format, flags, line);
}

/// The formats whose numbers may be float32 or float64.
std::vector<const ExportFormat*> precise() {
  std::vector<const ExportFormat*> list;
  std::ranges::copy_if(export_formats(), std::back_inserter(list), &ExportFormat::precision);
  return list;
}

int export_file(const std::filesystem::path& file, const ExportFlags& flags, const CommandLine& line) {
  const ExportFormat& format = named(export_formats(), flags.format, "format");
  if (!flags.around.empty() && !format.orbits)
    throw Error(fmt::format("--around: {} has no orbits: it goes with --format elements", format.name), Fault::request);
  if (!flags.precision.empty() && !format.precision)
    throw Error(fmt::format("--precision: {} has no precision to choose: it goes with {}", format.name,
                            list_of_names(precise())),
                Fault::request);
  if (!flags.precision.empty() && flags.precision != "float32" && flags.precision != "float64")
    throw Error("--precision: give float32, or float64 for that of the frames", Fault::request);
  return names_scenario(file) ? export_initial_state(file, format, flags, line)
                              : export_frames(file, format, flags, line);
}

Action add_export(CLI::App& app) {
  const auto flags = std::make_shared<ExportFlags>();
  app.add_option("--format", flags->format, list_of_names(export_formats()))->type_name("NAME")->required();
  app.add_option("--around", flags->around,
                 "of elements: the centre of the orbits, by name or number; default: the heaviest body")
      ->type_name("BODY");
  app.add_option("--precision", flags->precision,
                 fmt::format("float32 instead of float64, of {}", list_of_names(precise())))
      ->type_name("NAME");
  add_output(app, flags->output);
  add_frames(app, flags->frames);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) { return export_file(line.operands.front(), *flags, line); };
}

}  // namespace

const Command export_command{.name = "export",
                             .meaning = "write a trajectory for other programs to read",
                             .operands = "RUN.h5",
                             .add = add_export,
                             .operands_note = "or, for most formats, a scenario: its initial state"};

}  // namespace orrery::pipeline
