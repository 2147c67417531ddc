// SPDX-License-Identifier: MIT
// What is shared among threads is tried with any number of them.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace orrery {

/// While it lives, usable_threads() is `threads` (or the cgroup's quota).
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, std::to_string(threads).c_str(), 1);
  }
  ~ThreadLimit() {
    if (before_) {
      ::setenv(name, before_->c_str(), 1);
    } else {
      ::unsetenv(name);
    }
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  static constexpr const char* name = "OMP_NUM_THREADS";
  std::optional<std::string> before_;
};

}  // namespace orrery
