// SPDX-License-Identifier: MIT
// Looks at a run's file twice a second.
#include "pipeline/commands/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "pipeline/commands/terminal.hpp"
#include "pipeline/following.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/progress.hpp"

namespace orrery::pipeline {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Steps a second: since the watching began, once there were some; before that, of all the time the file was written.
class Pace {
 public:
  double of(const RunStatus& run) {
    const auto now = Clock::now();
    if (!first_ || run.step < first_->step) first_ = newest_ = {run.step, now};  // smaller: begun again
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

std::string line_of(const std::filesystem::path& file, const RunStatus& run, double pace) {
  const auto step = static_cast<double>(run.step), steps = static_cast<double>(run.steps);
  std::string line = fmt::format("{} {:5.1f} % · step {} of {} · {} frames", file.filename().string(),
                                 100 * step / std::max(steps, 1.0), run.step, run.steps, run.frames);
  if (pace > 0) line += fmt::format(" · {} steps/s", with_prefix(pace));
  line += fmt::format(" · ΔE/E₀ {:+.1e}", run.energy_error);
  if (pace > 0) line += fmt::format(" · {} left", in_words(std::chrono::duration<double>((steps - step) / pace)));
  return line;
}

}  // namespace

int watch(const std::filesystem::path& file) {
  const Interrupt interrupt;
  LiveLine line(stdout, true);
  Pace pace;
  std::string shown;
  bool waiting = false;
  while (Interrupt::signal() == 0) {
    const auto begin = Clock::now();
    const LiveRun live = live_run(file);
    if (!live.run && !std::exchange(waiting, true)) {
      say("waiting for {}\n", file.string());
      std::fflush(stdout);
    }
    if (live.run && live.run->finished) {
      line.clear();
      say("{}: finished, {} steps, {} frames, ΔE/E₀ = {:+.2e}\n", file.string(), live.run->steps, live.run->frames,
          live.run->energy_error);
      return 0;
    }
    if (live.abandoned()) {
      line.clear();
      throw writer_is_gone(file, *live.run);
    }
    if (live.run) {
      const std::string text = line_of(file, *live.run, pace.of(*live.run));
      if (line.due() && text != std::exchange(shown, text)) line.show(text);
    }
    Interrupt::pause(std::max<std::chrono::duration<double>>(500ms, 10 * (Clock::now() - begin)));
  }
  return 128 + Interrupt::signal();
}

}  // namespace orrery::pipeline
