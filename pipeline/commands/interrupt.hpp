// SPDX-License-Identifier: MIT
// Signals of the process, which the program alone handles.
#pragma once

#include <chrono>

namespace orrery::pipeline {

/// While an object exists, the first SIGINT, SIGTERM or SIGHUP is noted, so that the program can stop in a consistent state. A
/// second signal ends it at once. Objects may be nested.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Returns the signal that the last object has noted, or 0.
  [[nodiscard]] static int signal();
  /// The exit code of a command that the signal has stopped.
  [[nodiscard]] static int exit_code() { return 128 + signal(); }
};

/// Work that may not look at signals in time, as a step that never ends, is watched between these. A noted signal ends the
/// program meanwhile as a second one would, if the work goes on for another second, or three times longer than repeated work
/// ever did. `took`: the work, if it is repeated, else 0.
void begin_watching();
void end_watching(std::chrono::duration<double> took);

}  // namespace orrery::pipeline
