// SPDX-License-Identifier: MIT
// The cost of compute-sanitizer.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "common/error.hpp"
#include "pipeline/study/study.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;

/// Seconds of a command; negative if it failed.
double seconds_of_command(const std::string& command) {
  int status = 0;
  const double seconds = seconds_of([&] {
    status = std::system((command + " >/dev/null 2>&1").c_str());  // NOLINT(concurrency-mt-unsafe): one thread here
  });
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? seconds : -1;
}

void run_sanitizer(StudyRun& run) {
  const fs::path scenario = run.scratch / "sanitized.toml", out = run.scratch / "sanitized";
  const int n = run.quick() ? 1024 : 4096, steps = run.quick() ? 10 : 100;
  if (!(std::ofstream(scenario) << fmt::format(
            "[initial]\nkind = \"plummer\"\nn = {}\n[force]\nkind = \"gravity\"\nsoftening = 0.05\n"
            "[integrator]\nkind = \"leapfrog\"\ndt = 0.001\nsteps = {}\n",
            n, steps)))
    throw Error(fmt::format("{}: cannot be written", scenario.string()));
  const std::string simulate =
      fmt::format("{} simulate {} -o {} --backend cuda --force --quiet",
                  quoted(fs::read_symlink("/proc/self/exe").string()), quoted(scenario.string()), quoted(out.string()));
  ResultTable table{
      .name = "sanitizer",
      .title = fmt::format("`orrery simulate`, {} bodies and {} steps, under compute-sanitizer", n, steps),
      .columns = {{"tool"},
                  {"time", "s", Role::less_is_better},
                  {"more than without", "s", Role::remark},
                  {"", "", Role::remark}}};
  run.result.method.emplace_back(
      "The whole program, started anew: its start, the driver's, all steps and the file. A report found 4 s and 10 s "
      "more with two of the tools.");
  (void)seconds_of_command(simulate);  // warms up the disk cache
  const double plain = seconds_of_command(simulate);
  if (plain < 0) throw Error("the run without the sanitizer failed");
  table.add({"none", plain, {}, {}});
  for (const char* tool : {"memcheck", "racecheck", "synccheck", "initcheck"}) {
    if (run.stopped(tool)) return;
    const double time =
        seconds_of_command(fmt::format("compute-sanitizer --error-exitcode 9 --tool {} {}", tool, simulate));
    table.add({tool, time < 0 ? Cell() : Cell(time), time < 0 ? Cell() : Cell(time - plain),
               time < 0 ? Cell("is not installed, or found an error") : Cell("found nothing")});
    if (time > 0)
      run.result.findings.push_back(fmt::format("{} makes the run take {:.1f} s longer, {:.1f} times its {:.2f} s.",
                                                tool, time - plain, time / plain, plain));
  }
  run.result.tables.push_back(std::move(table));
}

}  // namespace

const Study sanitizer_study{.name = "sanitizer",
                            .question = "What does compute-sanitizer cost a run?",
                            .needs_gpu = true,
                            .run = run_sanitizer};

}  // namespace orrery::pipeline
