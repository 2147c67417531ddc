// SPDX-License-Identifier: MIT
// orrery bench: measure the speed of the program on this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/named.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

struct BenchFlags {
  BenchOptions options;
  std::string suite;
  bool quiet = false;
  JsonFlag json;
  OutputFlags output;
};

int bench(BenchFlags& flags, const CommandLine& line) {
  const Suite& suite = flags.suite.empty() ? *suites().front() : named(suites(), flags.suite, "suite");
  BenchOptions& options = flags.options;
  if (options.quick && !suite.has_quick) {
    std::vector<std::string_view> quick;
    for (const Suite* other : suites()) {
      if (other->has_quick) quick.push_back(other->name);
    }
    throw Error(fmt::format("--quick goes with --suite {}", fmt::join(quick, " or ")), Fault::request);
  }
  if (options.neighbours > 0 && &suite != &forces_suite)
    throw Error(fmt::format("--neighbours goes with --suite {}", forces_suite.name), Fault::request);
  if (flags.json.file) refuse_unwritable(*flags.json.file, flags.output.replacing());
  options.folder = flags.output.output;
  Terminal terminal(line.resources, flags.quiet);
  const BenchResult result = suite.run(options, terminal);
  print(result.report, result.table, flags.json, flags.output.replacing());
  if (result.stopped) return Interrupt::exit_code();
  return result.failed ? 1 : 0;
}

Action add_bench(CLI::App& app) {
  const auto flags = std::make_shared<BenchFlags>();
  app.add_option("--suite", flags->suite, "the suite to run: " + list_of_names(suites()))->type_name("NAME");
  add_sizes(app, flags->options.sizes);
  add_number(app, "--neighbours", flags->options.neighbours, 0, 4096,
             "suite forces: measure while N threads spin, each pinned to one of the last cores");
  app.add_flag("--all", flags->options.all, "measure every kernel, and slow cases");
  app.add_flag("--quick", flags->options.quick, "only measurements that take a few seconds");
  add_backend(app, flags->options.overrides);
  add_quiet(app, flags->quiet);
  add_json_file(app, flags->json);
  add_output(app, flags->output);
  return [flags](const CommandLine& line) { return bench(*flags, line); };
}

}  // namespace

const Command bench_command{.name = "bench",
                            .meaning = "measure the speed of steps, files and pictures on this machine, and its limits",
                            .min_operands = 0,
                            .max_operands = 0,
                            .add = add_bench};

}  // namespace orrery::pipeline
