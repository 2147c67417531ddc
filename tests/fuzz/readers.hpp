// SPDX-License-Identifier: MIT
// Readers of untrusted files: valid seed files, words of the format, and the read operation.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.hpp"

namespace orrery::pipeline {
struct ScenarioText;
}

namespace orrery::fuzz {

struct Reader {
  std::string name;
  std::string file;                ///< name of the mutated file
  std::vector<std::string> seeds;  ///< whole files
  std::vector<std::string> words;
  /// Corrects sizes and checksums, so that mutations get past the first checks; may be empty.
  std::function<void(std::string& bytes, Random& random)> mend;
  /// Reads the file as the program does. Any exception other than Error is a defect.
  std::function<void(const std::filesystem::path& file)> read;
};

/// Returns the reader called scenario, plug_ins, csv, horizons, png, svg, pdf, gif, mp4 or webm. Its seeds are made in `folder`. Throws
/// std::out_of_range for other names.
Reader reader_named(const std::string& name, const std::filesystem::path& folder);

/// The same for snapshots of other programs: gadget2, gadget-hdf5, tipsy, h5md; nullopt for other names.
std::optional<Reader> reader_of_bodies(const std::string& name, const std::filesystem::path& folder);

/// Small versions of all shipped scenarios; together they use every integrator, force, initial state and figure.
std::vector<std::string> scenarios();
/// Keys, headers and values of scenarios.
std::vector<std::string> scenario_words();
/// Changes and moves lines and replaces values; the result is often still a valid scenario.
std::string mutated_scenario(std::string text, const std::string& other, const std::vector<std::string>& words,
                             Random& random);
/// Does what a command does with a scenario before stepping; with at most a few thousand bodies.
void read_scenario(const pipeline::ScenarioText& source);

}  // namespace orrery::fuzz
