// SPDX-License-Identifier: MIT
// `orrery import`: what files of bodies hold, and a scenario that begins with them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/formats/body_format.hpp"
#include "pipeline/formats/foreign_frames.hpp"
#include "pipeline/report.hpp"

namespace orrery::pipeline {

struct ImportOptions {
  std::vector<std::filesystem::path> files;  ///< each becomes an [[initial]] table
  std::map<std::string, std::string> keys;   ///< of these tables, as written on the command line: "length_unit", "kpc"
  std::string units;                         ///< of the scenario; empty: those that the files state, else none
  bool masses = true;                        ///< they are asked for, if a file has none
  std::filesystem::path folder;              ///< of the scenario, from which it names the files
};

struct Imported {
  std::vector<Report> files;         ///< what each holds: bodies, mass, extent, time, box
  std::vector<std::string> remarks;  ///< what was guessed and what is left out, a line each
  std::vector<AskedKey> asked;       ///< without which there is no scenario
  std::string scenario;              ///< TOML
};

/// Reads the files. Throws Error, Fault::request.
Imported import_bodies(const ImportOptions& options);

/// A trajectory of another program in one system of units.
struct ImportedFrames {
  ForeignFrames frames;
  std::string format;  ///< its name
  const sim::Units* units = sim::all_units().data();
  std::vector<std::string> remarks;  ///< what was guessed and what is left out, a line each
  std::vector<AskedKey> asked;       ///< without which the numbers have no meaning
};

/// Reads all frames: those of one file, or one of each file. Throws Error, Fault::request.
ImportedFrames import_frames(const ImportOptions& options);
/// The number of frames in a file; 0: several.
std::int64_t frames_in(const std::filesystem::path& file, const ImportOptions& options);

/// The keys that options may have, of the initial state `table`.
std::vector<Parameter> import_keys();
/// The flag for a key: "--length-unit".
std::string flag_for(std::string_view key);

}  // namespace orrery::pipeline
