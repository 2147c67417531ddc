// SPDX-License-Identifier: MIT
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

  /// Returns the noted signal, or 0.
  [[nodiscard]] static int signal();
  /// Waits for `time` or until a signal is noted.
  static void pause(std::chrono::duration<double> time);
};

}  // namespace orrery::pipeline
