// SPDX-License-Identifier: MIT
// Pictures that a run leaves behind when another takes its place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/pictures/pictures.hpp"

namespace orrery::pipeline {

/// They are the last that says what was replaced, and each has the scenario to make it again: they are named, not removed.
class StalePictures {
 public:
  /// To be made before `trajectory` is replaced: looks beside it for pictures of its state that are not among `drawn`, which
  /// are drawn anew; null: none is. None where there is no file that can be read.
  StalePictures(const std::filesystem::path& trajectory, const Pictures* drawn, Messages& messages);
  /// Names them in one message, unless the run that is there now has come to the same state.
  ~StalePictures();
  StalePictures(const StalePictures&) = delete;
  StalePictures& operator=(const StalePictures&) = delete;

 private:
  std::filesystem::path trajectory_;
  Messages& messages_;
  std::string state_;
  std::vector<std::string> names_;
};

}  // namespace orrery::pipeline
