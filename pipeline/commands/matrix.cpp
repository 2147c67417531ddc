// SPDX-License-Identifier: MIT
// orrery matrix: compute a quantity of all pairs of bodies.
#include "pipeline/matrix/make_matrix.hpp"

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"

namespace orrery::pipeline {
namespace {

struct MatrixFlags {
  MatrixOptions options;
  OutputFlags output;
  bool quiet = false;
};

Action add_matrix(CLI::App& app) {
  const auto flags = std::make_shared<MatrixFlags>();
  MatrixOptions& matrix = flags->options;
  app.add_option("--quantity", matrix.quantity, "distance, potential, force or inverse-power")->type_name("NAME");
  app.add_option("--exponent", matrix.exponent, "exponent a of inverse-power, r^-a: 0.5, 1, 1.5, … 15.5")
      ->type_name("A");
  app.add_option("--time", matrix.time, "use the frame of a run nearest to this time; default: the last frame")
      ->type_name("T");
  app.add_option("--precision", matrix.precision, "float64 or float32")->type_name("NAME");
  app.add_option("--block", matrix.block, "rows i to j − 1, and columns k to l − 1, counted from 0")
      ->type_name("I:J[,K:L]");
  app.add_flag("--half", matrix.half, "compute only the diagonal and the part above it; 0 below");
  app.add_option("--reduce", matrix.reduce,
                 "store only sum, minimum or histogram of the matrix, or several: sum,minimum")
      ->type_name("WHAT");
  add_number(app, "--bins", matrix.bins, 1, 4096, "number of bins of the histogram; default: 100");
  add_output(app, flags->output);
  add_set(app, matrix.overrides);
  add_backend(app, matrix.overrides, Gpus::one);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) {
    MatrixOptions& options = flags->options;
    options.source = line.operands.front();
    options.output = flags->output.output;
    options.replacing = flags->output.replacing(Replacing::nothing);
    options.command_line = line.whole;
    Terminal terminal(line.resources, flags->quiet);
    return make_matrix(options, terminal) ? 0 : Interrupt::exit_code();
  };
}

}  // namespace

const Command matrix_command{.name = "matrix",
                             .meaning = "compute a quantity of all pairs of bodies, as a matrix or its sums",
                             .operands = "RUN.h5",
                             .add = add_matrix,
                             .operands_note = "or SCENARIO.toml, for its bodies at t = 0"};

}  // namespace orrery::pipeline
