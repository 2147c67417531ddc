// SPDX-License-Identifier: MIT
// The program as a user meets it: arguments in, two streams and an exit code out.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

struct Outcome {
  int code;  ///< 128 + signal where one killed it
  std::string output, errors;
};

/// Where the two streams of a program go; empty: to files that `wait` reads.
struct Streams {
  std::string output, errors;
};

/// The program at work in `folder`.
class Running {
 public:
  Running(const Folder& folder, const std::vector<std::string>& arguments, const Streams& streams = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const;
  /// Whether it has its own answer to that signal by now.
  [[nodiscard]] bool heeds(int signal) const;
  /// Whether it has come to its end; `wait` tells how.
  [[nodiscard]] bool ended() const;
  [[nodiscard]] Outcome wait();

 private:
  std::filesystem::path output_, errors_;
  pid_t process_;
};

/// Runs the program to its end.
Outcome run(const Folder& folder, const std::vector<std::string>& arguments, const Streams& streams = {});

void write(const std::filesystem::path& file, const std::string& text);
/// The names of files in a folder that have not got their own yet.
std::vector<std::string> drafts_in(const std::filesystem::path& folder);
std::string read(const std::filesystem::path& file);

/// Waits until `ready`, half a minute at most; whether it came to that.
bool wait_until(const std::function<bool()>& ready);

/// The last line of a text.
/// Complaints without that of an energy that is not conserved, which the short tests' long steps bring.
std::string besides_energy(const std::string& errors);
std::string last_line(const std::string& text);

/// The 16 digits in "state <16 hex> after N steps, reproducible everywhere" at the end of what a run printed,
/// or "" and a failure where there is no such line.
std::string state_in(const Outcome& outcome, std::int64_t steps);

/// Whether `text` is one JSON value and white space.
bool is_json(const std::string& text);

}  // namespace orrery::pipeline::testing
