// SPDX-License-Identifier: MIT
// orrery validate: every integrator is what its name says, shown on known orbits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/named.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/validate/drawing.hpp"
#include "pipeline/validate/validation.hpp"
#include "pipeline/version.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::pipeline {
namespace {

struct ValidateFlags {
  Selection selection;
  std::string suite;
  std::vector<std::string> overrides;  ///< of [backend], of which threads count
  bool quiet = false;
  JsonFlag json;
  OutputFlags output;
};

constexpr const char *page_file = "validation.md", *figure_folder = "validation";

/// What would be written over at the end is to be known before the work.
void refuse_what_is_there(const ValidateFlags& flags) {
  const auto& output = flags.output.output;
  const Replacing replacing = flags.output.replacing();
  if (flags.json.file) refuse_unwritable(*flags.json.file, replacing);
  if (!output) return;
  refuse_to_replace(*output / page_file, replacing, written_by_orrery);
  refuse_to_draw(*output / figure_folder, replacing);
}

/// The page and its figures, below the folder that was asked for.
void write_page(const std::filesystem::path& folder, Replacing replacing, const Findings& found, Report& report) {
  const std::filesystem::path figures = folder / figure_folder;
  std::error_code error;
  std::filesystem::create_directories(figures, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", figures.string(), error.message()));
  std::vector<std::string> names;
  for (const auto& file : draw(found, figures, replacing))
    names.push_back(fmt::format("{}/{}", figure_folder, file.filename().string()));
  if (names.empty())
    report.add("figures", std::string("none: this build draws no pictures (-DORRERY_RENDER=ON has them)"));
  write_whole(folder / page_file, page(found, names), replacing);
  report.add("page", (folder / page_file).string());
}

int validate(ValidateFlags& flags) {
  const auto begin = std::chrono::steady_clock::now();
  if (!flags.suite.empty()) flags.selection.suites = {flags.suite};
  const std::vector<Task> tasks = planned(flags.selection);
  refuse_what_is_there(flags);
  const Context context{.quick = flags.selection.quick, .make = [](sim::System system) {
                          return sim::cpu_backend.make(std::move(system), {.threads = 1});
                        }};
  const int threads = options_of(backend_section(flags.overrides, "validate")).threads;
  Findings found;
  const Interrupt interrupt;
  {
    Terminal terminal(flags.quiet);
    Progress progress("validate", terminal);
    found = carry_out(tasks, context, threads, [&](double done) {
      progress.show(done);
      return Interrupt::signal() != 0;
    });
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const auto failures = std::ranges::count_if(found.checks, [](const Check& check) { return !check.passed(); });

  Report report;
  report.add("program", version_line());
  report.add("threads", std::int64_t{threads});
  report.add("seconds", took.count(), in_words(took));
  report.add("checks", static_cast<std::int64_t>(found.checks.size()),
             fmt::format("{}, {}", found.checks.size(),
                         failures == 0 ? "all within their bounds" : fmt::format("{} beyond their bounds", failures)));
  report.add_to_json("failures", std::int64_t{failures});
  if (Interrupt::signal() != 0) report.add("interrupted", true, "checks are missing");
  const Replacing replacing = flags.output.replacing();
  if (flags.output.output && Interrupt::signal() == 0) write_page(*flags.output.output, replacing, found, report);
  report.add_to_json("results", records(found.checks));
  print(report, table(found.checks), flags.json, replacing);
  if (Interrupt::signal() != 0) return 128 + Interrupt::signal();
  return failures == 0 ? 0 : 1;
}

Action add_validate(CLI::App& app) {
  const auto flags = std::make_shared<ValidateFlags>();
  app.add_option("--suite", flags->suite, "one suite of what there is: " + list_of_names(validation_suites()))
      ->type_name("NAME");
  add_repeated(app, "--integrator", flags->selection.integrators, "NAME", "only this one; may be given again");
  add_repeated(app, "--orbit", flags->selection.orbits, "NAME", "only on this one; may be given again");
  app.add_flag("--quick", flags->selection.quick, "what takes a few seconds");
  add_threads(app, flags->overrides);
  add_quiet(app, flags->quiet);
  add_json_file(app, flags->json);
  add_output(app, flags->output);
  return [flags](const CommandLine&) { return validate(*flags); };
}

}  // namespace

const Command validate_command{.name = "validate",
                               .meaning = "show on known orbits that every integrator is what its name says",
                               .operands = "",
                               .least = 0,
                               .most = 0,
                               .add = add_validate};

}  // namespace orrery::pipeline
