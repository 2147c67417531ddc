// SPDX-License-Identifier: MIT
// orrery render: draw the figures and films of a trajectory, as its own scenario says or as --set changes it; or one
// figure that --figure names, of one run or several.
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/pictures/render_run.hpp"

namespace orrery::pipeline {
namespace {

struct RenderFlags {
  RenderOptions options;
  OutputFlags output;
  bool quiet = false;
};

Action add_render(CLI::App& app) {
  const auto flags = std::make_shared<RenderFlags>();
  RenderOptions& asked = flags->options;
  add_output(app, flags->output.output);
  add_set(app, asked.overrides);
  app.add_option("--figure", asked.figure,
                 "only this kind, of one run or several, whatever its scenario asks for (see `orrery list figure`)")
      ->type_name("KIND");
  app.add_option(
         "--against", asked.against,
         "what --figure energy-error is drawn over: time, evaluations, wall-time; wall time, and evaluations of "
         "steps that adapt, are spread evenly over the run; of convergence a swept key, integrator.dt")
      ->type_name("WHAT");
  app.add_option("--frames", asked.frames,
                 "only frames A to B, counted from 0, B too; A: and :B go to an end; A:B:K every K-th, of which a film "
                 "shows each once")
      ->type_name("A:B:K");
  app.add_flag("--preview", asked.preview,
               "small and quick: half the size and 640 pixels wide at most, 15 frames a second, 5 s; files are called "
               "NAME-preview");
  app.add_flag("--follow", asked.follow, "go on while the run does");
  add_force(app, flags->output.force);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) {
    RenderOptions& options = flags->options;
    options.runs.assign(line.operands.begin(), line.operands.end());
    options.output = flags->output.output;
    options.replacing = flags->output.replacing();
    Terminal terminal(flags->quiet);
    const int signal = render(options, terminal);
    return signal != 0 ? 128 + signal : 0;
  };
}

}  // namespace

const Command render_command{.name = "render",
                             .meaning = "draw the figures and films of a trajectory again, or one figure of several",
                             .operands = "RUN.h5",
                             .least = 1,
                             .most = 1000,
                             .add = add_render};

}  // namespace orrery::pipeline
