// SPDX-License-Identifier: MIT
// orrery run, simulate and resume: step a scenario, or resume a trajectory, and draw its pictures.
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/run/run_scenario.hpp"

namespace orrery::pipeline {
namespace {

using Library = bool (*)(const ScenarioOptions&, Context&);

Action add_flags(CLI::App& app, bool is_scenario, Library library) {
  struct Flags {
    ScenarioOptions options;
    OutputFlags output;
    bool quiet = false;
  };
  const auto flags = std::make_shared<Flags>();
  add_output(app, flags->output);
  add_set(app, flags->options.overrides);
  add_backend(app, flags->options.overrides);
  add_quiet(app, flags->quiet);
  if (is_scenario)
    add_number(app, "--task", flags->options.task, 0, 1'000'000'000,
               "run only this member of the sweep, counted from 0");
  return [flags, library](const CommandLine& line) {
    ScenarioOptions& options = flags->options;
    options.source = line.operands.front();
    options.output = flags->output.output;
    options.force = flags->output.force;
    options.command_line = line.whole;
    Terminal terminal(line.resources, flags->quiet);
    return library(options, terminal) ? 0 : Interrupt::exit_code();
  };
}

Action add_run(CLI::App& app) {
  return add_flags(app, true, run_scenario);
}

Action add_simulate(CLI::App& app) {
  return add_flags(app, true, [](const ScenarioOptions& options, Context& context) {
    ScenarioOptions without_pictures = options;
    without_pictures.pictures = false;
    return run_scenario(without_pictures, context);
  });
}

Action add_resume(CLI::App& app) {
  return add_flags(app, false,
                   [](const ScenarioOptions& options, Context& context) { return resume(options, context); });
}

}  // namespace

const Command run_command{.name = "run",
                          .meaning = "simulate a scenario and draw its figures and films",
                          .operands = "SCENARIO.toml",
                          .add = add_run,
                          .operands_note = picture_operand_note};

const Command simulate_command{.name = "simulate",
                               .meaning = "simulate a scenario without drawing pictures",
                               .operands = "SCENARIO.toml",
                               .add = add_simulate,
                               .operands_note = picture_operand_note};

const Command resume_command{.name = "resume",
                             .meaning = "resume a stopped trajectory, or make it longer, and draw its pictures",
                             .operands = "RUN.h5",
                             .add = add_resume};

}  // namespace orrery::pipeline
