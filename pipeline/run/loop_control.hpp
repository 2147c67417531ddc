// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Makes all decisions of the main loop that depend on the clock or on being stopped. They do not affect the bits of a run.
class LoopControl {
 public:
  LoopControl(std::int64_t steps, const OutputPlan& output, BackgroundWriter& writer, sim::StopRequest stop)
      : steps_(steps), output_(output), writer_(writer), stop_(std::move(stop)) {}

  /// Returns the number of steps to take from `step`: about 50 ms of them, and none beyond the next row. Returns 0 if
  /// the run is finished or stopped.
  std::int64_t next_slice(std::int64_t step) {
    if (step >= steps_ || stop_()) return 0;
    next_row_ = output_.next_step(step, steps_);
    return pace_.slice(next_row_ - step);
  }
  /// Returns whether a row is recorded at `step`, the end of a slice.
  [[nodiscard]] bool has_row(std::int64_t step) const { return step == next_row_; }
  /// Returns what to read back at `step`, the end of a slice. A row alone needs no state, but a frame does, and so does
  /// a commit. `rows` is the number of rows since the last state.
  Readback readback(std::int64_t step, std::size_t rows) {
    constexpr std::size_t max_rows_per_state = 1024;
    if (!has_row(step)) return writer_.commit_due() ? Readback::restart : Readback::none;
    const bool restore_state =
        output_.frames.contains(step) || step == steps_ || rows + 1 >= max_rows_per_state || writer_.commit_due();
    return restore_state ? Readback::state : Readback::observables;
  }

 private:
  std::int64_t steps_;
  const OutputPlan& output_;
  BackgroundWriter& writer_;
  sim::StopRequest stop_;
  Pace pace_;
  std::int64_t next_row_ = 0;
};

}  // namespace orrery::pipeline
