// SPDX-License-Identifier: MIT
// The decisions of the main loop: how many steps at a time, what is read back after them, when to stop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/interrupt.hpp"
#include "pipeline/run/background_writer.hpp"
#include "pipeline/run/pace.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// What the host reads back from a backend between two slices of steps.
enum class Readback {
  none,
  observables,  ///< a row: energies and momenta, without the state
  state,        ///< a row with its state, which may be a frame
  restart,      ///< a state to go on from; no row
};

/// All that depends on the clock and on signals is decided here, in two calls a slice; the bits of a run do not depend on it.
class LoopControl {
 public:
  LoopControl(const Setup& setup, BackgroundWriter& writer) : setup_(setup), writer_(writer) {}

  /// How many steps to take from `step` on: about 50 ms of them, and none beyond the next row. 0: the run is finished, or a
  /// signal has come.
  std::int64_t slice(std::int64_t step) {
    if (step >= setup_.steps || Interrupt::signal() != 0) return 0;
    next_row_ = setup_.next_look(step);
    return pace_.slice(next_row_ - step);
  }
  /// Whether `step`, at the end of a slice, is one of a row.
  [[nodiscard]] bool has_row(std::int64_t step) const { return step == next_row_; }
  /// What to read back at the end of a slice, with so many rows since the last state. A row needs no state, but a frame is
  /// one, and from time to time the file gets one to go on from.
  Readback readback(std::int64_t step, std::size_t rows) {
    constexpr std::size_t most_rows = 1024;
    if (!has_row(step)) return writer_.commit_due() ? Readback::restart : Readback::none;
    const bool with_state =
        setup_.frames.contains(step) || step == setup_.steps || rows + 1 >= most_rows || writer_.commit_due();
    return with_state ? Readback::state : Readback::observables;
  }

 private:
  const Setup& setup_;
  BackgroundWriter& writer_;
  Pace pace_;
  std::int64_t next_row_ = 0;
};

}  // namespace orrery::pipeline
