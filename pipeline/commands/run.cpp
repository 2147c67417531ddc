// SPDX-License-Identifier: MIT
// orrery run, simulate and resume: from a scenario, or a trajectory that was stopped, to a trajectory and its pictures.
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/run/run_folder.hpp"
#include "pipeline/run/run_scenario.hpp"

namespace orrery::pipeline {
namespace {

struct RunFlags {
  RunOptions options;
  OutputFlags output;
  bool quiet = false;
};

using Library = int (*)(const RunOptions&, Messages&);

Action add_flags(CLI::App& app, bool tasks, Library library) {
  const auto flags = std::make_shared<RunFlags>();
  add_output(app, flags->output);
  add_set(app, flags->options.overrides);
  add_backend(app, flags->options.overrides);
  add_quiet(app, flags->quiet);
  if (tasks) add_number(app, "--task", flags->options.task, 0, 1'000'000'000, "one member of a sweep, counted from 0");
  return [flags, library](const CommandLine& line) {
    RunOptions& options = flags->options;
    options.source = line.operands.front();
    options.output = flags->output.output;
    options.force = flags->output.force;
    options.command_line = line.whole;
    Terminal terminal(flags->quiet);
    return library(options, terminal);
  };
}

Action add_run(CLI::App& app) {
  return add_flags(app, true,
                   [](const RunOptions& options, Messages& messages) { return run_scenario(options, true, messages); });
}

Action add_simulate(CLI::App& app) {
  return add_flags(
      app, true, [](const RunOptions& options, Messages& messages) { return run_scenario(options, false, messages); });
}

Action add_resume(CLI::App& app) {
  return add_flags(app, false, resume);
}

}  // namespace

const Command run_command{.name = "run",
                          .meaning = "step a scenario and draw its figures and films",
                          .operands = "SCENARIO.toml",
                          .least = 1,
                          .most = 1,
                          .add = add_run,
                          .operands_note = or_a_picture};

const Command simulate_command{.name = "simulate",
                               .meaning = "step a scenario into a trajectory file, without pictures",
                               .operands = "SCENARIO.toml",
                               .least = 1,
                               .most = 1,
                               .add = add_simulate,
                               .operands_note = or_a_picture};

const Command resume_command{
    .name = "resume",
    .meaning = "go on with a trajectory that was stopped, or make it longer, and draw its pictures",
    .operands = "RUN.h5",
    .least = 1,
    .most = 1,
    .add = add_resume};

}  // namespace orrery::pipeline
