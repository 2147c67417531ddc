// SPDX-License-Identifier: MIT
// orrery study: repeat the experiments of the student reports on this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/interrupt.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/study/compare.hpp"
#include "pipeline/study/measuring.hpp"
#include "pipeline/study/page.hpp"
#include "pipeline/study/study.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;

struct StudyFlags {
  StudyOptions options;
  bool draw = false, quiet = false;
  std::optional<fs::path> compare;
  double threshold = 0.8;
  OutputFlags output;
};

int list() {
  for (const Study* study : studies()) say("{}  {}\n", fmt::format("{:<12}", study->name), study->question);
  say("\n`orrery study NAME -o DIR` runs one of them, `--all` all, `--quick` in seconds.\n");
  return 0;
}

std::string summary_of(const StudyResult& result) {
  std::string text = fmt::format("\n{}: {}\n", result.study, result.question);
  for (const std::string& finding : result.findings) text += fmt::format("- {}\n", finding);
  for (const ResultTable& table : result.tables) text += fmt::format("\n{}\n\n{}", table.title, to_markdown(table));
  return text;
}

/// Returns exit code 1 if a ratio to the earlier result is below the threshold.
int compare_with(const fs::path& file, double threshold, const std::vector<StudyResult>& results) {
  const StudyResult then = read_result(file);
  const auto now = std::ranges::find(results, then.study, &StudyResult::study);
  if (now == results.end()) refuse(file, fmt::format("holds the study {}, which is not among these", then.study));
  const ResultComparison comparison = compare(then, *now);
  if (comparison.compared == 0) refuse(file, "has no row with the same settings");
  const bool well = comparison.worst >= threshold;
  say_lines("\n" + comparison.table);
  say("\nThe smallest of {} ratios is {:.3f} ({}), {} the threshold {}.\n", comparison.compared, comparison.worst,
      comparison.where, well ? "not below" : "below", threshold);
  return well ? 0 : 1;
}

int study(const CommandLine& line, StudyFlags& flags) {
  const std::vector<std::string>& operands = line.operands;
  if (operands.empty() && !flags.options.all && !flags.draw) return list();
  const auto& output = flags.output.output;
  if (flags.draw && (operands.empty() || flags.options.all || !output))
    throw Error("`orrery study --draw RESULT.json … -o DIR` takes results and a folder", Fault::request);
  if (flags.compare) (void)read_result(*flags.compare);
  std::vector<StudyResult> results;
  Terminal terminal(line.resources, flags.quiet);
  const Context::During orderly(terminal, Context::Phase::orderly);
  if (flags.draw) {
    for (const std::string& file : operands) results.push_back(read_result(file));
  } else {
    flags.options.names = operands;
    if (output) flags.options.scratch = *output;
    results = measure(flags.options, terminal);
    for (const StudyResult& result : results) {
      if (!output) say_lines(summary_of(result));
    }
  }
  if (output && !results.empty()) {
    for (const fs::path& file : write_page(*output, results, flags.output.replacing()))
      say("wrote {}\n", file.string());
  }
  if (terminal.stopped()) return Interrupt::exit_code();
  return flags.compare ? compare_with(*flags.compare, flags.threshold, results) : 0;
}

Action add_study(CLI::App& app) {
  const auto flags = std::make_shared<StudyFlags>();
  app.add_flag("--all", flags->options.all, "run every study that this machine can run");
  app.add_flag("--quick", flags->options.quick, "only few sizes, in seconds");
  add_sizes(app, flags->options.sizes);
  add_threads(app, flags->options.overrides);
  add_device(app, flags->options.overrides);
  app.add_flag("--draw", flags->draw, "measure nothing; draw pages and figures of results, RESULT.json");
  add_path(app, "--compare", flags->compare, "compare with an earlier result; exit code 1 if a ratio is too small",
           "OLD.json");
  app.add_option("--threshold", flags->threshold, "the minimum ratio that passes; default: 0.8")
      ->type_name("RATIO")
      ->check(CLI::Range(0.0, 1000.0).description(""));
  add_quiet(app, flags->quiet);
  add_output(app, flags->output);
  return [flags](const CommandLine& line) { return study(line, *flags); };
}

}  // namespace

const Command study_command{.name = "study",
                            .meaning = "repeat an experiment of a student report on this machine",
                            .operands = "NAME",
                            .min_operands = 0,
                            .max_operands = 1000,
                            .add = add_study,
                            .operands_note = "or RESULT.json, with --draw"};

}  // namespace orrery::pipeline
