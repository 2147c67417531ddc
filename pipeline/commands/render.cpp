// SPDX-License-Identifier: MIT
// orrery render: draw the figures and films of a trajectory's scenario, or one figure of one or several runs.
#include <fmt/format.h>

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/page/page.hpp"
#include "pipeline/pictures/render_run.hpp"

namespace orrery::pipeline {
namespace {

struct RenderFlags {
  RenderOptions options;
  OutputFlags output;
  bool quiet = false;
};

/// `-o page.html` is `orrery report`.
int write_page_of(const RenderOptions& options, Terminal& terminal) {
  if (!options.figure.empty() || !options.frames.empty() || !options.piece.empty() || options.preview ||
      options.follow || !options.overrides.empty())
    throw Error(fmt::format("-o {}: a page shows all of a run: no other flags than --force", options.output->string()),
                Fault::request);
  const auto page =
      write_page({.runs = options.runs, .output = options.output, .replacing = options.replacing}, terminal);
  if (!page.empty()) terminal.info("{}", page.string());
  return page.empty() ? Interrupt::exit_code() : 0;
}

Action add_render(CLI::App& app) {
  const auto flags = std::make_shared<RenderFlags>();
  RenderOptions& drawing = flags->options;
  add_output(app, flags->output.output);
  add_set(app, drawing.overrides);
  add_device(app, drawing.overrides);
  app.add_option(
         "--figure", drawing.figure,
         "draw only a figure of this kind, of one or several runs (see `orrery list figure`); with -o NAME.csv or "
         "NAME.json the numbers of a chart")
      ->type_name("KIND");
  app.add_option(
         "--against", drawing.against,
         "the x axis: of energy-error time, evaluations or wall-time (wall time, and evaluations of adaptive steps, "
         "are spread evenly over the run); of convergence a key of the sweep, integrator.dt")
      ->type_name("WHAT");
  app.add_option(
         "--from", drawing.from,
         "where distances of divergence are from: run, the second one given (default), or exact, the exact orbit "
         "of two bodies; of angle and sky the body that is looked from")
      ->type_name("WHAT");
  app.add_option(
         "--data", drawing.data,
         "a table of text, of which two columns are a curve of that chart, too; several times for several files")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option(
         "--columns", drawing.columns,
         "these columns, by names or numbers from 1, as t,dE: once, or once for each --data; default: the first two")
      ->type_name("X,Y")
      ->allow_extra_args(false);
  app.add_option("--labels", drawing.labels,
                 "names in the legend of that figure, as a,b: of the runs if there are several, else of the curves")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option(
         "--frames", drawing.frames,
         "only frames A to B inclusive, counted from 0, or from the end: -1 is the last; A: and :B are open; A:B:K "
         "takes every K-th, and a film shows each once")
      ->type_name("A:B:K");
  app.add_option(
         "--piece", drawing.piece,
         "only the I-th of N consecutive pieces of each film, as NAME.piece-I-of-N.mp4; `orrery join` makes the "
         "film of them")
      ->type_name("I/N");
  app.add_flag("--without-answer", drawing.without_answer,
               "pictures for an exercise, which carry neither the scenario nor the hash of its final state");
  app.add_flag("--preview", drawing.preview,
               "draw fast: half the size and at most 640 pixels wide, 15 frames per second, 5 s; files are named "
               "NAME-preview");
  app.add_flag("--follow", drawing.follow, "draw again and again until the run is finished");
  add_force(app, flags->output.force);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) {
    RenderOptions& options = flags->options;
    options.runs.assign(line.operands.begin(), line.operands.end());
    options.output = flags->output.output;
    options.replacing = flags->output.replacing();
    Terminal terminal(line.resources, flags->quiet);
    if (options.output && options.output->extension() == ".html") return write_page_of(options, terminal);
    return render(options, terminal) ? 0 : Interrupt::exit_code();
  };
}

}  // namespace

const Command render_command{.name = "render",
                             .meaning = "draw the figures and films of a trajectory, or one figure of several",
                             .operands = "RUN.h5",
                             .min_operands = 1,
                             .max_operands = 1000,
                             .add = add_render};

}  // namespace orrery::pipeline
