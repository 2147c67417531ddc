// SPDX-License-Identifier: MIT
// orrery validate: check the properties of every integrator on known orbits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/interrupt.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/named.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/validate/validation.hpp"
#include "pipeline/version.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::pipeline {
namespace {

struct ValidateFlags {
  Selection selection;
  std::string suite;
  std::vector<std::string> overrides;  ///< of [backend]; only threads are used
  bool quiet = false;
  JsonFlag json;
  bool force = false;
};

int validate(ValidateFlags& flags, const CommandLine& line) {
  const auto begin = std::chrono::steady_clock::now();
  if (!flags.suite.empty()) flags.selection.suites = {flags.suite};
  const std::vector<Task> tasks = planned(flags.selection);
  const Replacing replacing = flags.force ? Replacing::anything : Replacing::ours;
  if (flags.json.file) refuse_unwritable(*flags.json.file, replacing);
  Terminal terminal(line.resources, flags.quiet);
  const Conditions conditions{.context = terminal, .quick = flags.selection.quick, .make = [](sim::System system) {
                                return sim::cpu_backend.make(std::move(system), {.threads = 1});
                              }};
  const int threads = options_of(backend_request(flags.overrides, "validate"), line.resources).threads;
  Findings found;
  const Context::During orderly(terminal, Context::Phase::orderly);
  {
    Progress progress("validate", terminal);
    found = carry_out(tasks, conditions, threads, [&](double done) {
      progress.show(done);
      return terminal.stopped();
    });
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const auto failures = std::ranges::count_if(found.checks, [](const Check& check) { return !check.passed(); });

  Report report;
  report.add("program", version_line());
  report.add("threads", std::int64_t{threads});
  report.add("seconds", took.count(), to_text(took));
  report.add("checks", static_cast<std::int64_t>(found.checks.size()),
             fmt::format("{}, {}", found.checks.size(),
                         failures == 0 ? "all within their bounds" : fmt::format("{} beyond their bounds", failures)));
  report.add_to_json("failures", std::int64_t{failures});
  if (terminal.stopped()) report.add("interrupted", true, "checks are missing");
  report.add_to_json("results", records(found.checks));
  print(report, table(found.checks), flags.json, replacing);
  if (terminal.stopped()) return Interrupt::exit_code();
  return failures == 0 ? 0 : 1;
}

Action add_validate(CLI::App& app) {
  const auto flags = std::make_shared<ValidateFlags>();
  app.add_option("--suite", flags->suite, "the suite to run: " + list_of_names(validation_suites()))->type_name("NAME");
  add_repeated(app, "--integrator", flags->selection.integrators, "NAME", "only this integrator; may be repeated");
  add_repeated(app, "--orbit", flags->selection.orbits, "NAME", "only on this orbit; may be repeated");
  app.add_flag("--quick", flags->selection.quick, "only checks that take a few seconds");
  add_threads(app, flags->overrides);
  add_quiet(app, flags->quiet);
  add_json_file(app, flags->json);
  add_force(app, flags->force);
  return [flags](const CommandLine& line) { return validate(*flags, line); };
}

}  // namespace

const Command validate_command{.name = "validate",
                               .meaning = "check the properties of every integrator on known orbits",
                               .min_operands = 0,
                               .max_operands = 0,
                               .add = add_validate};

}  // namespace orrery::pipeline
