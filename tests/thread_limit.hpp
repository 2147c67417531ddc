// SPDX-License-Identifier: MIT
// Lets tests vary the number of threads.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace orrery {

/// During its lifetime usable_threads() returns `threads` (or the cgroup's quota).
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
