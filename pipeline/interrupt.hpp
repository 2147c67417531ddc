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

/// Work that may not look at signals in time, as a step that never ends. While an object exists, a noted signal ends the
/// program as a second one would, if the work goes on for another second, or three times longer than repeated work ever did.
class WatchedWork {
 public:
  explicit WatchedWork(bool repeated = true) : repeated_(repeated) { begin(); }
  ~WatchedWork();
  WatchedWork(const WatchedWork&) = delete;
  WatchedWork& operator=(const WatchedWork&) = delete;

 private:
  static void begin();

  bool repeated_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace orrery::pipeline
