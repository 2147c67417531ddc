// SPDX-License-Identifier: MIT
// orrery info: show the contents and origin of a trajectory or a picture.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "common/error.hpp"
#include "pipeline/commands/command.hpp"
#include "pipeline/commands/flags.hpp"
#include "pipeline/commands/interrupt.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/following.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/energy_record.hpp"
#include "pipeline/run/force_methods.hpp"
#include "pipeline/run/summary.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"

namespace orrery::pipeline {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Measures steps per second since watching began; until there are any, uses the time that the file records.
class Rate {
 public:
  double of(const RunStatus& run) {
    const auto now = Clock::now();
    if (!first_ || run.step < first_->step) first_ = newest_ = {run.step, now};  // the run was started again
    if (run.step > newest_->step) newest_ = {run.step, now};
    if (newest_->step == first_->step) return run.seconds > 0 ? static_cast<double>(run.step) / run.seconds : 0;
    const std::chrono::duration<double> time = newest_->time - first_->time;
    return static_cast<double>(newest_->step - first_->step) / time.count();
  }

 private:
  struct StepTime {
    std::int64_t step;
    Clock::time_point time;
  };
  std::optional<StepTime> first_, newest_;
};

std::string line_of(const std::filesystem::path& file, const RunStatus& run, double rate) {
  const auto step = static_cast<double>(run.step), steps = static_cast<double>(run.steps);
  std::string line = fmt::format("{} {:5.1f} % · step {} of {} · {} frames", file.filename().string(),
                                 100 * step / std::max(steps, 1.0), run.step, run.steps, run.frames);
  if (rate > 0) line += fmt::format(" · {} steps/s", with_prefix(rate));
  line += fmt::format(" · {} {:+.1e}", run.first_energy.error_name(), run.energy_error);
  if (rate > 0) line += fmt::format(" · {} left", to_text(std::chrono::duration<double>((steps - step) / rate)));
  return line;
}

/// Prints the progress of a run until it ends, reading its file twice a second. Returns the exit code. Throws Error if
/// the writer is gone before the end.
int watch(const std::filesystem::path& file) {
  Terminal terminal({});
  const Context::During orderly(terminal, Context::Phase::orderly);
  LiveLine line(stdout, true);
  Rate rate;
  std::string shown;
  bool waiting = false;
  while (!terminal.stopped()) {
    const auto begin = Clock::now();
    const LiveRun live = live_run(file);
    if (!live.run && !std::exchange(waiting, true)) {
      say("waiting for {}\n", file.string());
      std::fflush(stdout);
    }
    if (live.run && live.run->finished) {
      line.clear();
      say("{}: finished, {} steps, {} frames, {} = {:+.2e}\n", file.string(), live.run->steps, live.run->frames,
          live.run->first_energy.error_name(), live.run->energy_error);
      return 0;
    }
    if (live.abandoned()) {
      line.clear();
      throw writer_is_gone(file, *live.run);
    }
    if (live.run) {
      const std::string text = line_of(file, *live.run, rate.of(*live.run));
      if (line.due() && text != std::exchange(shown, text)) line.show(text);
    }
    terminal.pause(std::max<std::chrono::duration<double>>(500ms, 10 * (Clock::now() - begin)));
  }
  return Interrupt::exit_code();
}

struct InfoFlags {
  bool json = false, watch = false;
};

/// Prints the metadata of a picture, followed by its scenario.
int info_of_picture(const std::filesystem::path& file, bool json) {
  const render::Provenance metadata = provenance_of_picture(file);
  Report report;
  report.add("version", metadata.version);
  report.add("state", metadata.state);
  report.add_to_json("scenario", metadata.scenario);
  print(report, "\n" + metadata.scenario, {.json = json}, Replacing::nothing);
  return 0;
}

int info(const std::filesystem::path& file, const InfoFlags& flags) {
  if (flags.watch && flags.json) throw Error("--watch cannot be combined with --json", Fault::request);
  if (flags.watch) return watch(file);
  if (is_picture(file)) return info_of_picture(file, flags.json);
  const TrajectoryReader trajectory(file);
  const std::vector<std::string> damage = find_damage(file);
  const EnergyErrors energies = energy_errors(trajectory);
  Report report = run_report(trajectory, damage, energies);
  if (const auto errors = force_errors_at_the_end(trajectory, file)) report.add("force_error_end", to_text(*errors));
  print(report, flags.json);
  if (const std::string warning = energy_warning(trajectory, energies); !warning.empty() && !flags.json)
    say(stderr, "orrery: {}: {}\n", file.string(), warning);
  if (!damage.empty()) say(stderr, "orrery: {}: is damaged: {}\n", file.string(), damage_in_words(damage));
  return damage.empty() ? 0 : 1;
}

Action add_info(CLI::App& app) {
  const auto flags = std::make_shared<InfoFlags>();
  add_json(app, flags->json);
  app.add_flag("--watch", flags->watch, "show the progress of the run until it ends");
  return [flags](const CommandLine& line) { return info(line.operands.front(), *flags); };
}

}  // namespace

const Command info_command{.name = "info",
                           .meaning = "show the contents and origin of a trajectory or a picture",
                           .operands = "RUN.h5",
                           .add = add_info,
                           .operands_note = picture_operand_note};

}  // namespace orrery::pipeline
