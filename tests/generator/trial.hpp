// SPDX-License-Identifier: MIT
// The commands of the program on one scenario, and what must agree between them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/generator/scenario.hpp"

namespace orrery::generator {

/// What the commands did that they must not do.
struct Failure {
  std::string kind;     ///< "signal", "exit", "hang", "verdict", "bits", "files", "box", "numbers", "words"
  std::string detail;   ///< in one or a few lines
  std::string command;  ///< "orrery check s.toml"
};

struct Report {
  std::vector<Failure> failures;
  std::map<std::string, int> counts;  ///< of commands, refusals, physical ends, …
  double check_seconds = 0;           ///< processor time of `check`
};

struct Limits {
  std::filesystem::path program;
  double run = 3;        ///< seconds after which a run is asked to stop, which is no failure
  double hang = 60;      ///< seconds that any other command may take, also under load
  double patience = 30;  ///< seconds from a signal to the end
};

/// Tries all commands in `folder`, which must be empty.
Report tried(const Drawn& scenario, const std::filesystem::path& folder, const Limits& limits, std::uint64_t choice);

}  // namespace orrery::generator
