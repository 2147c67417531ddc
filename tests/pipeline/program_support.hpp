// SPDX-License-Identifier: MIT
// Runs the program as a user does: arguments in, two streams and an exit code out.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {

struct Outcome {
  int code;  ///< 128 + signal if a signal killed it
  std::string output, errors;
  double seconds = 0;  ///< processor time of all its threads
};

/// Where the two streams of a program go; empty: to files that `wait` reads. `launcher`: starts the program, with these
/// arguments before its own.
struct Streams {
  std::string output{}, errors{};
  std::vector<std::string> launcher{};
};

/// The program running in `folder`.
class Running {
 public:
  Running(const Folder& folder, const std::vector<std::string>& arguments, const Streams& streams = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const;
  /// Whether it has installed its handler for that signal.
  [[nodiscard]] bool heeds(int signal) const;
  /// Whether it has ended; `wait` returns the outcome.
  [[nodiscard]] bool ended() const;
  [[nodiscard]] Outcome wait();

 private:
  std::filesystem::path output_, errors_;
  pid_t process_;
};

/// Runs the program to its end.
Outcome run(const Folder& folder, const std::vector<std::string>& arguments, const Streams& streams = {});

/// Simulates a scenario of the folder, with these --set, into a folder `name` in it; a test failure if that fails.
void simulate(const Folder& folder, const std::string& scenario, const std::string& name,
              const std::vector<std::string>& set = {});

void write(const std::filesystem::path& file, const std::string& text);
/// The names of temporary files in a folder.
std::vector<std::string> drafts_in(const std::filesystem::path& folder);
std::string read(const std::filesystem::path& file);

/// Waits at most two minutes until `ready` returns true; returns whether it did.
bool wait_until(const std::function<bool()>& ready);
/// The part of a processor's time that this process gets beside others: wall times are divided by it.
double share_of_a_core();

/// Error output without the warning that energy is not conserved, which is caused by the long steps of short tests.
std::string besides_energy(const std::string& errors);
/// The last line of a text.
std::string last_line(const std::string& text);

/// The 16 digits in "state <16 hex> after N steps, reproducible everywhere" at the end of what a run printed,
/// or "" and a test failure if there is no such line.
std::string state_in(const Outcome& outcome, std::int64_t steps);

/// Whether `text` is exactly one JSON value and white space.
bool is_json(const std::string& text);

}  // namespace orrery::pipeline::testing
