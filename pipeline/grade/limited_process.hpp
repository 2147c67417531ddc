// SPDX-License-Identifier: MIT
// Work on files that nobody vouches for, in a process of its own that may not use up the machine.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace orrery::pipeline::grading {

struct Limits {
  int seconds = 60;                                ///< of the wall clock
  std::uint64_t memory = std::uint64_t{4} << 30U;  ///< bytes of address space
  std::uint64_t file = std::uint64_t{2} << 30U;    ///< bytes of a file that it writes
};

/// Sets the limits of this process. Called before anything of a hand-in is opened.
void limit_this_process(const Limits& limits);

/// This program with other arguments. Its standard output goes to a file; its errors are dropped.
class ChildProcess {
 public:
  /// Throws Error.
  ChildProcess(std::vector<std::string> arguments, const std::filesystem::path& output);
  /// Kills it, if it has not ended.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Whether it has ended; kills it after so many seconds.
  bool ended(int seconds);
  /// After its end: whether with exit code 0, and whether by a fault of the program rather than a limit.
  [[nodiscard]] bool succeeded() const { return succeeded_; }
  [[nodiscard]] bool crashed() const { return crashed_; }

 private:
  pid_t process_ = 0;
  bool succeeded_ = false, crashed_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace orrery::pipeline::grading
