// SPDX-License-Identifier: MIT
// Ctrl-C and kill: the first asks the program to stop at a good place, the second stops it at once.
#pragma once

#include <chrono>

namespace orrery::pipeline {

/// While it lives, SIGINT and SIGTERM are noted rather than obeyed.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that came, or 0.
  [[nodiscard]] static int signal();
  /// Waits so long, or until a signal comes.
  static void pause(std::chrono::duration<double> time);
};

}  // namespace orrery::pipeline
