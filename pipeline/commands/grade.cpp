// SPDX-License-Identifier: MIT
// orrery grade: every hand-in of an exercise, each in a process of its own.
#include "pipeline/grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "common/file_format.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/grade/grade_table.hpp"
#include "pipeline/grade/limited_process.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

using grading::ChildProcess;
using grading::Grade;
using grading::HandIn;
using grading::Solution;

struct GradeFlags {
  std::string expect, format, one;
  grading::Limits limits;
  OutputFlags output;
  bool quiet = false;
};

/// One solution, in this process: operands are the scenario, its run and the files.
int grade_one(const GradeFlags& flags, const CommandLine& line) {
  grading::limit_this_process(flags.limits);
  Resources alone = line.resources;
  alone.threads = 1;       // several hand-ins are graded at once, and limits are those of one core
  Context context(alone);  // tells nobody
  const Scenario scenario = parse_scenario(scenario_text(line.operands.at(0), context));
  const Solution solution(line.operands.begin() + 2, line.operands.end());
  say_lines(grading::text_of(
      grading::grade_of(solution, {.scenario = &scenario, .run = line.operands.at(1)}, flags.one, context)));
  return 0;
}

/// Computes the exercise in a process of its own, since files of hand-ins must not meet its memory.
std::filesystem::path exercise_run(const std::string& scenario, const std::filesystem::path& scratch,
                                   Terminal& terminal) {
  Progress progress("computing the exercise", terminal);
  ChildProcess child({"simulate", "--quiet", "-o", (scratch / "exercise").string(), "--", scenario},
                     scratch / "output");
  constexpr int day = 86400;
  while (!child.ended(day)) {
    terminal.pause(std::chrono::milliseconds(20));
    if (terminal.stopped()) return {};
  }
  if (!child.succeeded())
    throw Error(fmt::format("{}: cannot be run: `orrery simulate {}` says why", scenario, scenario), Fault::request);
  for (const auto& entry : std::filesystem::directory_iterator(scratch / "exercise"))
    if (entry.path().extension() != ".json") return entry.path();
  throw Error(scenario + ": has no run");
}

/// One grade that is being found.
struct GradingTask {
  std::size_t hand_in, solution;
  std::filesystem::path scratch;
  std::unique_ptr<ChildProcess> process{};
};

int grade_folder(const GradeFlags& flags, const CommandLine& line) {
  const std::string scenario = std::filesystem::absolute(line.operands.at(0)).string();
  const std::filesystem::path folder = line.operands.at(1);
  Terminal terminal(line.resources, flags.quiet);
  const ScenarioText source = scenario_text(scenario, terminal);
  refuse_several(source);
  std::vector<HandIn> hand_ins = grading::hand_ins_in(folder);
  if (hand_ins.empty()) throw Error(folder.string() + ": nothing was handed in", Fault::request);
  const grading::GradeTableFormat format = grading::grade_table_format(flags.format, flags.output.output);
  TextOutput out(flags.output.output.value_or("-"), flags.output.replacing(Replacing::nothing));
  const Scratch scratch({});
  const auto run = exercise_run(scenario, scratch.path(), terminal);
  if (run.empty()) return Interrupt::exit_code();

  std::vector<GradingTask> tasks;
  std::vector<std::vector<Grade>> grades(hand_ins.size());
  for (std::size_t h = 0; h < hand_ins.size(); ++h) {
    grades[h].resize(hand_ins[h].solutions.size());
    for (std::size_t s = 0; s < hand_ins[h].solutions.size(); ++s)
      tasks.push_back({h, s, scratch.path() / fmt::format("{}-{}", h, s)});
  }
  Progress progress("grading", terminal);
  const auto at_once = static_cast<std::size_t>(std::max(1, line.resources.threads));
  std::size_t begun = 0, done = 0;
  std::vector<GradingTask*> running;
  while (done < tasks.size()) {
    while (running.size() < at_once && begun < tasks.size()) {
      GradingTask& task = tasks[begun++];
      std::filesystem::create_directory(task.scratch);
      std::vector<std::string> arguments{
          "grade", "--one",  task.scratch.string(), "--seconds", fmt::format("{}", flags.limits.seconds),
          "--",    scenario, run.string()};
      for (const auto& file : hand_ins[task.hand_in].solutions[task.solution])
        arguments.push_back(std::filesystem::absolute(file).string());
      try {
        task.process = std::make_unique<ChildProcess>(std::move(arguments), task.scratch / "grade");
        running.push_back(&task);
      } catch (const Error& error) {  // too many files for a command line
        grades[task.hand_in][task.solution] = {.verdict = grading::Marking::too_much, .why = error.what()};
        ++done;
      }
    }
    terminal.pause(std::chrono::milliseconds(20));
    if (terminal.stopped()) return Interrupt::exit_code();
    std::erase_if(running, [&](GradingTask* task) {
      if (!task->process->ended(flags.limits.seconds)) return false;
      Grade grade = grading::grade_in(task->process->succeeded() ? read_whole(task->scratch / "grade") : "");
      if (task->process->crashed())
        grade = {.verdict = grading::Marking::damaged, .why = "the library that reads such files fails on it"};
      const Solution& solution = hand_ins[task->hand_in].solutions[task->solution];
      grade.file = solution.front().lexically_relative(folder).string();
      if (solution.size() > 1) grade.file += fmt::format(" and {} more", solution.size() - 1);
      grades[task->hand_in][task->solution] = std::move(grade);
      std::error_code none;
      std::filesystem::remove_all(task->scratch, none);
      ++done;
      return true;
    });
    progress.show(static_cast<double>(done) / static_cast<double>(tasks.size()));
  }
  progress.clear();
  const TrajectoryReader exercise(run);
  const auto end = exercise.restart();
  const std::string state = end ? state_hash(*end) : "";
  if (!flags.expect.empty() && flags.expect != state)
    terminal.warning("--expect {}: the exercise ends with {} here", flags.expect, state);
  const grading::GradeTable table = grading::grade_table(hand_ins, grades, flags.expect.empty() ? state : flags.expect);
  out.add(format.write(table, exercise.record().title, state));
  out.finish();
  if (!flags.quiet) terminal.info("{}", table.summary);
  return 0;
}

Action add_grade(CLI::App& app) {
  const auto flags = std::make_shared<GradeFlags>();
  app.add_option("--expect", flags->expect,
                 "hash of the final state, as `orrery info` shows it; default: that of the scenario")
      ->type_name("HASH");
  app.add_option("--format", flags->format,
                 "markdown (default), csv or html; -o NAME.csv, .md or .html says it as well")
      ->type_name("NAME");
  add_number(app, "--seconds", flags->limits.seconds, 1, 86400, "that a hand-in may take; default: 60");
  app.add_option("--one", flags->one, "")->group("");
  add_output(app, flags->output);
  add_quiet(app, flags->quiet);
  return [flags](const CommandLine& line) {
    return flags->one.empty() ? grade_folder(*flags, line) : grade_one(*flags, line);
  };
}

}  // namespace

const Command grade_command{
    .name = "grade",
    .meaning = "grade a folder of hand-ins: the same bits, the same physics, or where they part and why",
    .operands = "SCENARIO.toml",
    .min_operands = 2,
    .max_operands = 100'000,
    .add = add_grade,
    .operands_note =
        "then the folder, with a folder or a file for each hand-in: runs, or frames that `orrery import` reads"};

}  // namespace orrery::pipeline
