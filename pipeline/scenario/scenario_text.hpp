// SPDX-License-Identifier: MIT
// A scenario as text, wherever it was found: a file, standard input, a picture, a run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "common/parameter.hpp"

namespace orrery::pipeline {

class Document;
class Messages;
class TrajectoryReader;

struct ScenarioText {
  std::string text;
  std::string name;                ///< in complaints: "x.toml", "energy.png", "run.h5:scenario"
  std::filesystem::path folder{};  ///< CSV files that it names are looked for here
  std::string stem = "scenario";   ///< the name of an output folder that nobody named
  bool archived = false;           ///< found in a picture or a run, which an earlier version may have made
  /// The bodies of [[initial]] table i, or null; empty where the text has them or names a CSV file.
  std::function<SharedColumns(std::size_t)> bodies{};
};

/// The scenario in a file, in a picture, or in what the user pointed to on the command line: "-" is standard input. Reads it
/// once, whatever it is; says when it waits for a pipe. Throws Error, exit code 2.
ScenarioText scenario_text(const std::filesystem::path& file, Messages& messages);

/// The scenario that a run was made from, with every default written out; `file` names it in complaints. `trajectory` must
/// live as long as the result.
ScenarioText scenario_text(const TrajectoryReader& trajectory, const std::filesystem::path& file);

/// Warns of what was passed over in an archived scenario.
void tell_notes(const Document& document, Messages& messages);

/// Of such a text, with its pictures left out: these tables come last.
std::string without_pictures(std::string resolved);

/// The scenario of a run as its pictures carry it: bodies that the run's file holds as columns are written out, up to 1000 of
/// them; of more the text keeps the source and the hash, and says what to do.
std::string carried_scenario(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
