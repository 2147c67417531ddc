// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/messages.hpp"
#include "pipeline/pictures/pictures.hpp"

namespace orrery::pipeline {

/// Warns of pictures of a run that was replaced. They are not removed: they are all that is left of that run, and each
/// holds the scenario to repeat it.
class StalePictures {
 public:
  /// Must be constructed before `trajectory` is replaced. Finds pictures of its state in the same folder, except those
  /// of `drawn` (may be null), which are drawn again. Finds none if the trajectory cannot be read.
  StalePictures(const std::filesystem::path& trajectory, const Pictures* drawn, Messages& messages);
  /// Sends one warning with their names, unless the new run has reached the same state.
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
