// SPDX-License-Identifier: MIT
// orrery study: the experiments of the reports, asked again of this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/bench/scratch.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/say.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/study/compare.hpp"
#include "pipeline/study/page.hpp"
#include "pipeline/study/study.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr Flag flags[] = {Flag::all,     Flag::quick,     Flag::sizes, Flag::threads, Flag::device, Flag::draw,
                          Flag::compare, Flag::threshold, Flag::quiet, Flag::output,  Flag::force};

const Study& study_named(const std::string& name) {
  const auto found = std::ranges::find(studies(), name, &Study::name);
  if (found != studies().end()) return **found;
  std::vector<std::string_view> names;
  for (const Study* study : studies()) names.push_back(study->name);
  throw Error(
      fmt::format("there is no study `{}`{} (there are: {})", name, suggestion(name, names), fmt::join(names, ", ")),
      2);
}

int list() {
  for (const Study* study : studies()) say("{}  {}\n", fmt::format("{:<12}", study->name), study->question);
  say("\n`orrery study NAME -o DIR` does one of them, `--all` all, `--quick` in seconds.\n");
  return 0;
}

/// null where there is none, or where it cannot be used; `absence` says why.
const sim::BackendKind* gpu_of(std::string& absence) {
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    if (kind->device == nullptr) continue;
    absence = kind->absence();
    if (absence.empty()) return kind;
  }
  return nullptr;
}

/// Those that were named, or all that this machine can do. Throws Error, exit code 2, for one that it cannot.
std::vector<const Study*> chosen(const Request& request, const sim::BackendKind* gpu, const std::string& absence) {
  std::vector<const Study*> all;
  for (const std::string& name : request.operands) {
    const Study& study = study_named(name);
    if (study.needs_gpu && gpu == nullptr) throw Error(fmt::format("the study {} needs a GPU: {}", name, absence), 2);
    all.push_back(&study);
  }
  for (const Study* study : studies()) {
    if (request.all && (gpu != nullptr || !study->needs_gpu)) all.push_back(study);
  }
  return all;
}

std::string summary_of(const StudyResult& result) {
  std::string text = fmt::format("\n{}: {}\n", result.study, result.question);
  for (const std::string& finding : result.findings) text += fmt::format("- {}\n", finding);
  for (const ResultTable& table : result.tables) text += fmt::format("\n{}\n\n{}", table.title, to_markdown(table));
  return text;
}

/// Exit code 1 where a ratio to the earlier result is below the threshold.
int compare_with(const fs::path& file, double threshold, const std::vector<StudyResult>& results) {
  const StudyResult then = read_result(file);
  const auto now = std::ranges::find(results, then.study, &StudyResult::study);
  if (now == results.end())
    throw Error(fmt::format("{}: is of the study {}, which is not among these", file.string(), then.study), 2);
  const ResultComparison comparison = compare(then, *now);
  if (comparison.compared == 0) throw Error(fmt::format("{}: has no row with the settings of these", file.string()), 2);
  const bool well = comparison.worst >= threshold;
  say_lines("\n" + comparison.table);
  say("\nThe least of {} ratios is {:.3f} ({}), {} the threshold {}.\n", comparison.compared, comparison.worst,
      comparison.where, well ? "not below" : "below", threshold);
  return well ? 0 : 1;
}

/// What makes this study again, wherever its files go.
std::string command_of(const Study& study, const Request& request) {
  return fmt::format("orrery study {}{}{}", study.name, request.quick ? " --quick" : "",
                     request.sizes.empty() ? "" : fmt::format(" --n {}", fmt::join(request.sizes, ",")));
}

std::vector<StudyResult> measured(const Request& request) {
  // [backend] is read as a scenario's is, so --threads and --device mean the same here.
  const Scenario scenario =
      parse_scenario("[initial]\nkind = \"random-cube\"\n[integrator]\nkind = \"leapfrog\"\ndt = 1.0\nsteps = 1\n",
                     "study", request.overrides);
  const sim::BackendOptions options = options_of(scenario.backend);
  std::string absence;
  const sim::BackendKind* gpu = gpu_of(absence);
  const std::vector<const Study*> asked = chosen(request, gpu, absence);
  const MachineFacts machine = machine_facts(gpu, options);
  const Scratch scratch(request.output.value_or(fs::temp_directory_path()));
  std::vector<StudyResult> results;
  Progress progress("study", request.quiet);
  for (const Study* study : asked) {
    StudyResult result{.study = std::string(study->name),
                       .question = std::string(study->question),
                       .command = command_of(*study, request),
                       .program = version_line(),
                       .quick = request.quick,
                       .machine = machine,
                       .method = {},
                       .findings = {},
                       .limit = {},
                       .tables = {},
                       .charts = {},
                       .maps = {}};
    const double done = static_cast<double>(results.size()) / static_cast<double>(asked.size());
    StudyRun run(result, gpu, options, scratch.path(), [&](const std::string& what) {
      progress.show(done, [&] { return fmt::format("{}: {}", study->name, what); });
      return Interrupt::signal() != 0;
    });
    for (const std::int64_t n : request.sizes) run.asked_sizes.push_back(static_cast<std::size_t>(n));
    std::ranges::sort(run.asked_sizes);
    study->run(run);
    if (Interrupt::signal() != 0) break;  // half a study answers nothing
    results.push_back(std::move(result));
  }
  return results;
}

int run(const Request& request) {
  const bool nothing_asked = request.operands.empty() && !request.all;
  if (nothing_asked && !request.draw) return list();
  if (request.draw && (request.operands.empty() || request.all || !request.output))
    throw Error("`orrery study --draw RESULT.json … -o DIR` takes results and a folder", 2);
  if (request.compare) (void)read_result(*request.compare);
  std::vector<StudyResult> results;
  const Interrupt interrupt;
  if (request.draw) {
    for (const std::string& file : request.operands) results.push_back(read_result(file));
  } else {
    results = measured(request);
    for (const StudyResult& result : results) {
      if (!request.output) say_lines(summary_of(result));
    }
  }
  if (request.output && !results.empty()) {
    for (const fs::path& file : write_page(*request.output, results, request.replacing()))
      say("wrote {}\n", file.string());
  }
  if (Interrupt::signal() != 0) return 128 + Interrupt::signal();
  return request.compare ? compare_with(*request.compare, request.threshold, results) : 0;
}

}  // namespace

const Stage study_stage{.name = "study",
                        .meaning = "run an experiment of a student report again on this machine",
                        .operands = "NAME",
                        .least = 0,
                        .most = 1000,
                        .flags = flags,
                        .run = run,
                        .instead = "or RESULT.json, with --draw"};

}  // namespace orrery::pipeline
