// SPDX-License-Identifier: MIT
// orrery validate: every integrator is what its name says, shown on known orbits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/error.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/validate/drawing.hpp"
#include "pipeline/validate/validation.hpp"
#include "pipeline/version.hpp"
#include "sim/backends/cpu.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::suite, Flag::integrator, Flag::orbit,  Flag::quick, Flag::threads,
                          Flag::quiet, Flag::json_file,  Flag::output, Flag::force};

/// [backend] is read as a scenario's is, so that --threads means the same here.
int threads_of(const Request& request) {
  const Scenario scenario =
      parse_scenario("[initial]\nkind = \"two-body\"\n[integrator]\nkind = \"leapfrog\"\ndt = 1.0\nsteps = 1\n",
                     "validate", request.overrides);
  return options_of(scenario.backend).threads;
}

constexpr const char *page_file = "validation.md", *figure_folder = "validation";

/// What would be written over at the end is to be known before the work.
void refuse_what_is_there(const Request& request) {
  if (request.json_file) refuse_unwritable(*request.json_file, request.replacing());
  if (!request.output) return;
  refuse_to_replace(*request.output / page_file, request.replacing(), written_by_orrery);
  refuse_to_draw(*request.output / figure_folder, request.replacing());
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

int run(const Request& request) {
  const auto begin = std::chrono::steady_clock::now();
  Selection selection{.integrators = request.integrators, .orbits = request.orbits, .quick = request.quick};
  if (!request.suite.empty()) selection.suites = {request.suite};
  const std::vector<Task> tasks = planned(selection);
  refuse_what_is_there(request);
  const Laboratory laboratory{.quick = request.quick, .make = [](sim::System system) {
                                return sim::cpu_backend.make(std::move(system), {.threads = 1});
                              }};
  const int threads = threads_of(request);
  Findings found;
  const Interrupt interrupt;
  {
    Progress progress("validate", request.quiet);
    found = carry_out(tasks, laboratory, threads, [&](double done) {
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
  if (request.output && Interrupt::signal() == 0) write_page(*request.output, request.replacing(), found, report);
  report.add_to_json("results", records(found.checks));
  give(request, report, table(found.checks));
  if (Interrupt::signal() != 0) return 128 + Interrupt::signal();
  return failures == 0 ? 0 : 1;
}

}  // namespace

const Stage validate_stage{.name = "validate",
                           .meaning = "show on known orbits that every integrator is what its name says",
                           .operands = "",
                           .least = 0,
                           .most = 0,
                           .flags = flags,
                           .run = run};

}  // namespace orrery::pipeline
