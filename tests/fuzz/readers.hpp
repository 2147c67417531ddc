// SPDX-License-Identifier: MIT
// Who reads files of strangers: good files to begin with, words of the format, and the reading itself.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/fuzz/mutate.hpp"

namespace orrery::pipeline {
struct ScenarioText;
}

namespace orrery::fuzz {

struct Reader {
  std::string name;
  std::string file;                ///< what the mutated file is called
  std::vector<std::string> seeds;  ///< whole files
  std::vector<std::string> words;
  /// Makes sizes and checksums right again that stand before what is to be reached; may be empty.
  std::function<void(std::string& bytes, Random& random)> mend;
  /// Reads the file as the program does. Whatever it throws but Error is a defect.
  std::function<void(const std::filesystem::path& file)> read;
};

/// That of the name: scenario, csv, png, svg, pdf, gif, mp4 or webm. Its seeds are made in `folder`. Throws
/// std::out_of_range.
Reader reader_named(const std::string& name, const std::filesystem::path& folder);

/// A scenario of every shipped one, in small; each integrator, force, initial state and figure is in one of them.
std::vector<std::string> scenarios();
/// Keys, headers and values of scenarios.
std::vector<std::string> scenario_words();
/// Lines changed, moved, and given other values: what comes is often a scenario still.
std::string mutated_scenario(std::string text, const std::string& other, const std::vector<std::string>& words,
                             Random& random);
/// What a command does with a scenario before it steps; of a few thousand bodies at most.
void read_scenario(const pipeline::ScenarioText& source);

}  // namespace orrery::fuzz
