// SPDX-License-Identifier: MIT
// Runs the real program with a time limit, after which it is asked to stop.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::generator {

struct Ended {
  int code = 0;         ///< 128 + signal if a signal killed it
  bool asked = false;   ///< the limit was reached, and a SIGTERM sent
  bool killed = false;  ///< it did not heed that either
  double seconds = 0;   ///< processor time of all its threads
  std::string output, errors;
};

/// Runs `program` in `folder`. `limit` is in seconds of wall time; `patience`, how long it may take to stop when asked.
Ended run(const std::filesystem::path& program, const std::filesystem::path& folder,
          const std::vector<std::string>& arguments, double limit, double patience);

std::string read(const std::filesystem::path& file);
/// The last line of a text.
std::string last_line(const std::string& text);

}  // namespace orrery::generator
