// SPDX-License-Identifier: MIT
// One process at a time draws in a folder.
#pragma once

#include <filesystem>

namespace orrery::pipeline {

class Messages;

/// `run` and `render --follow` come to the end of a run together, and would draw the same pictures. Waits for its turn, and
/// says so after a second; a signal (see Interrupt) ends the waiting. Where folders cannot be locked there are no
/// turns.
class Turn {
 public:
  Turn(const std::filesystem::path& folder, Messages& messages);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int descriptor_;
};

}  // namespace orrery::pipeline
