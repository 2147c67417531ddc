// SPDX-License-Identifier: MIT
// What was handed in for an exercise: files that nobody vouches for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::pipeline::grading {

/// A run file, one file of frames, or several files of a frame each.
using Solution = std::vector<std::filesystem::path>;

struct HandIn {
  std::string name;                 ///< of its folder or file
  std::vector<Solution> solutions;  ///< run files first; empty: there is none
  std::string trouble;              ///< why its files were not all looked at; "" if they were
};

/// Each folder in `folder` is a hand-in, with all below it, and so is each file that may hold frames (.h5, .csv, .txt, .xyz, …). Links are not
/// followed; of a hand-in at most 10 000 files, 16 folders deep, are looked at, and 8 solutions are taken. In natural order of names.
/// Throws Error, Fault::request, if `folder` cannot be read.
std::vector<HandIn> hand_ins_in(const std::filesystem::path& folder);

}  // namespace orrery::pipeline::grading
