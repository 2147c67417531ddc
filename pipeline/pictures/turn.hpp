// SPDX-License-Identifier: MIT
// One process at a time draws in a folder.
#pragma once

#include <filesystem>

namespace orrery::pipeline {

/// `run` and `render --follow` come to the end of a run together, and would draw the same pictures. Waits for its turn, and
/// says so on stderr after a second; a signal (see Interrupt) ends the waiting. Where folders cannot be locked there are no
/// turns.
class Turn {
 public:
  explicit Turn(const std::filesystem::path& folder);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int descriptor_;
};

}  // namespace orrery::pipeline
