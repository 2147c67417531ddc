// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "pipeline/run/background_writer.hpp"
#include "pipeline/run/pace.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// What the host reads back from a backend after a slice of steps.
enum class Readback {
  none,
  observables,  ///< a row: energies and momenta, without the state
  state,        ///< a row with its state, which may also be a frame
  restart,      ///< a state to commit, without a row
};

/// Somebody who sees a run on its way: at its first step, then every so many steps, and at its last one. Changes neither its bits nor
/// its file.
struct Observer {
  std::int64_t every = 0;  ///< steps; 0: only at the ends
  std::function<void(const sim::Snapshot& now, const sim::InitialEnergy& first)> see{};

  /// The first step after `step` at which it looks, or a step that no run reaches.
  [[nodiscard]] std::int64_t next(std::int64_t step) const {
    return see && every > 0 ? step - step % every + every : std::numeric_limits<std::int64_t>::max();
  }
};

/// Makes all decisions of the main loop that depend on the clock or on being stopped. They do not affect the bits of a run.
class LoopControl {
 public:
  LoopControl(std::int64_t steps, const OutputPlan& output, BackgroundWriter& writer, sim::StopRequest stop,
              Observer observer = {})
      : steps_(steps), output_(output), writer_(writer), stop_(std::move(stop)), observer_(std::move(observer)) {}

  /// Returns the number of steps to take from `step`: about 50 ms of them, and none beyond the next row or look. Returns 0 if
  /// the run is finished or stopped.
  std::int64_t next_slice(std::int64_t step) {
    if (step >= steps_ || stop_()) return 0;
    next_row_ = output_.next_step(step, steps_);
    next_look_ = observer_.next(step);
    return pace_.slice(std::min(next_row_, next_look_) - step);
  }
  [[nodiscard]] const Observer& observer() const { return observer_; }
  /// Returns whether the observer looks at `step`, the end of a slice.
  [[nodiscard]] bool has_look(std::int64_t step) const {
    return observer_.see && (step == next_look_ || step == steps_);
  }
  /// Returns whether a row is recorded at `step`, the end of a slice.
  [[nodiscard]] bool has_row(std::int64_t step) const { return step == next_row_; }
  /// Returns what to read back at `step`, the end of a slice. A row alone needs no state, but a frame does, and so does
  /// a commit. `rows` is the number of rows since the last state.
  Readback readback(std::int64_t step, std::size_t rows) {
    constexpr std::size_t max_rows_per_state = 1024;
    if (!has_row(step)) return writer_.commit_due() ? Readback::restart : Readback::none;
    const bool restore_state = output_.frames.contains(step) || has_look(step) || step == steps_ ||
                               rows + 1 >= max_rows_per_state || writer_.commit_due();
    return restore_state ? Readback::state : Readback::observables;
  }

 private:
  std::int64_t steps_;
  const OutputPlan& output_;
  BackgroundWriter& writer_;
  sim::StopRequest stop_;
  Observer observer_;
  Pace pace_;
  std::int64_t next_row_ = 0, next_look_ = 0;
};

}  // namespace orrery::pipeline
