// SPDX-License-Identifier: MIT
// A run and the folder it lives in: what is there already decides what is left to do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "pipeline/pictures.hpp"
#include "pipeline/scenario.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/stepping.hpp"

namespace orrery::pipeline {

class RunFolder {
 public:
  /// Reads the scenario and looks into the folder. Throws Error, exit code 2, where the folder holds other physics and
  /// the request does not say --force; nothing is written yet.
  explicit RunFolder(const Request& request);

  /// The trajectory is finished, and so are the pictures if they are `wanted`: those that the file knows of.
  [[nodiscard]] bool done(bool wanted) const;
  /// Interactions of the whole run.
  [[nodiscard]] double work() const { return interactions(scenario_, setup_); }
  /// Steps whatever is left to step. Returns the signal that stopped it, or 0.
  int simulate();
  /// Draws every figure and film.
  void draw();
  /// Prints the hash of the final state and how far it is reproducible.
  void conclude() const;

 private:
  enum class Found { nothing, unfinished, finished };
  [[nodiscard]] Found look() const;

  Request request_;
  std::filesystem::path scenario_file_;
  Scenario scenario_;
  Setup setup_;
  Pictures pictures_;
  std::filesystem::path folder_, file_;
  Found found_;
};

}  // namespace orrery::pipeline
