// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "common/parameter.hpp"

namespace orrery::sim {
class PlugIns;
}

namespace orrery::pipeline {

class Document;
class Messages;
class TrajectoryReader;

/// The text of a scenario and where it comes from: a file, standard input, a picture or a run.
struct ScenarioText {
  std::string text;
  std::string name;                ///< in error messages: "x.toml", "energy.png", "run.h5:scenario"
  std::filesystem::path folder{};  ///< base of relative paths of CSV files
  std::string stem = "scenario";   ///< default name of the output folder
  bool archived = false;           ///< from a picture or a run, possibly of an earlier version
  bool partial = false;            ///< bodies, dt and the length of the run may be missing
  /// Returns the stored bodies of [[initial]] table i or null. Empty for a text that is not from a run.
  std::function<SharedColumns(std::size_t)> bodies{};
  std::shared_ptr<const sim::PlugIns> plug_ins{};  ///< whose names it may use; null: those of the library
};

/// Whether a name is that of a scenario, not of a trajectory: "-", a .toml or a picture.
bool names_scenario(const std::filesystem::path& file);

/// Reads the scenario from a TOML file, a picture or, for "-", standard input. Prints a message when it waits for a pipe. Throws
/// Error, Fault::request.
ScenarioText scenario_text(const std::filesystem::path& file, Messages& messages);

/// The scenario of a run with all defaults; `file` is its name in error messages. `trajectory` must outlive the result. Foreign
/// plug-ins of the run that are not among `plug_ins` (null: there are none) are only described.
ScenarioText scenario_text(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                           std::shared_ptr<const sim::PlugIns> plug_ins = {});

/// Prints Document::notes as warnings.
void report_notes(const Document& document, Messages& messages);

/// Removes the [[figure]] and [[film]] tables from a resolved scenario, in which they come last.
std::string without_pictures(std::string resolved);

/// The scenario of a run as embedded in its pictures. Up to 1000 bodies stored as columns are written out; more are replaced
/// by their source and hash, with a comment that tells how to supply them.
std::string carried_scenario(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
