// SPDX-License-Identifier: MIT
// The suite `render`: how long figures and films of a made-up run take, from the trajectory file to the finished picture.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// Some pictures of one run, and what came of them.
struct DrawingRow {
  std::string what;  ///< for people
  std::size_t bodies = 0;
  std::size_t stored = 0;  ///< frames of the trajectory
  std::size_t frames = 0;  ///< of the film; 0: stills
  std::string pictures;    ///< [[figure]] and [[film]] tables

  double seconds = 0;     ///< on the clock, of all of it: the file is opened, pictures are drawn and whole
  double cpu = 0;         ///< of all threads
  double peak = 0;        ///< bytes of memory, at most; 0: the system does not say
  double bytes = 0;       ///< of the pictures
  std::string failure{};  ///< why there are no numbers

  [[nodiscard]] double per_frame() const { return frames == 0 ? 0 : seconds / static_cast<double>(frames); }
};

/// What `orrery bench --suite render` measures; `quick`: the same on few frames and small sheets.
std::vector<DrawingRow> drawing_rows(bool quick);

/// Makes the run in `folder`, draws the pictures there, and leaves neither. Throws Error.
void measure_drawing(DrawingRow& row, const std::filesystem::path& folder);

}  // namespace orrery::pipeline
