// SPDX-License-Identifier: MIT
// The suite `render`: time to draw figures and films of a synthetic run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/pictures/picture.hpp"

namespace orrery::pipeline {

/// Some pictures of one run, and their measurement.
struct DrawingRow {
  std::string what;  ///< description
  std::size_t bodies = 0;
  std::size_t stored = 0;  ///< frames of the trajectory
  std::size_t frames = 0;  ///< of the film; 0: stills
  std::vector<Picture> pictures{};
  bool planets = false;  ///< the bodies orbit the first one

  double seconds = 0;     ///< on the clock, from opening the file to the finished pictures
  double cpu = 0;         ///< CPU time of all threads
  double peak = 0;        ///< peak memory, bytes; 0 if unknown
  double bytes = 0;       ///< of the picture files
  std::string failure{};  ///< error message, or empty

  [[nodiscard]] double per_frame() const { return frames == 0 ? 0 : seconds / static_cast<double>(frames); }
};

/// A film of `frames` frames at `fps` a second; `keys`: its kind, and others.
Picture film_of_frames(const std::string& file, std::size_t frames, double fps, Arguments keys);

/// The rows of `orrery bench --suite render`; `quick`: with few frames and small pictures.
std::vector<DrawingRow> drawing_rows(bool quick);

/// Writes the run into `folder`, draws the pictures there, and removes all of these files. Throws Error.
void measure_drawing(DrawingRow& row, const std::filesystem::path& folder);

}  // namespace orrery::pipeline
