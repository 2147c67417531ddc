// SPDX-License-Identifier: MIT
// The frames of a program that is judged.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/judge/textbook.hpp"

namespace orrery::pipeline::judging {

struct GivenFrames {
  std::string name;                    ///< of the file
  std::vector<double> times{};         ///< [frames], or empty: unknown
  std::vector<State> frames{};         ///< velocities are empty if there are none
  std::vector<std::string> names{};    ///< of bodies, empty: none
  std::vector<std::string> remarks{};  ///< what was guessed when they were read
  std::size_t all = 0;                 ///< number of frames in the file, of which the first are here

  [[nodiscard]] std::size_t bodies() const { return frames.empty() ? 0 : frames.front().x.size() / 3; }
};

/// The first frames of a run, or of what `import` reads as frames, as many as fit into 64 MB. `units`: the system of the scenario. Throws
/// Error, Fault::request.
GivenFrames read_frames(const std::filesystem::path& file, const std::string& units);

}  // namespace orrery::pipeline::judging
