// SPDX-License-Identifier: MIT
// The suite `trajectory`: time to write and read frames, compared with a plain file and with a CSV file per frame.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "pipeline/measure/timing.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// The measurement of one number of bodies. Medians, in seconds and bytes.
struct FileRow {
  std::size_t bodies = 0;
  std::size_t frames = 0;
  TrajectoryOptions options{};

  double frame_bytes = 0;     ///< positions and velocities of a frame
  Timing write{};             ///< per frame: from creating the file until it is finished and on the disk
  Timing plain{};             ///< per frame: the same bytes into a plain file on that disk
  double share_of_plain = 0;  ///< median of plain / write, pair by pair
  double open = 0;            ///< of the finished file
  double read = 0;            ///< a frame at random, positions and velocities, with checksums
  double file_bytes = 0;
  double csv_write = 0;   ///< per frame, as a CSV file
  double csv_bytes = 0;   ///< of such a file
  std::string failure{};  ///< error message, or empty

  [[nodiscard]] double frames_per_second() const { return 1 / write.median; }
  [[nodiscard]] double bytes_per_second() const { return frame_bytes / write.median; }
};

/// Number of frames of 2 GB in total, at most a million.
std::size_t frames_of_suite(std::size_t bodies);

/// Measures with files in `folder`, which it removes. `show(done)` is called repeatedly with the completed share; if it
/// returns true, the measurement stops and the row stays incomplete.
void measure_files(FileRow& row, const std::filesystem::path& folder, const std::function<bool(double)>& show);

/// Bodies whose numbers need all digits of a double as text, as in a real run.
sim::Bodies made_up(std::size_t n);

/// Writes `row.frames` frames of the bodies as a trajectory. Returns the seconds until it is closed and on the disk.
double write_trajectory(const std::filesystem::path& file, const sim::Bodies& bodies, const FileRow& row);

/// A frame as CSV with a header: index, position and velocity of a body per line, in the shortest digits that read back
/// as the same double.
std::string csv_frame(const sim::Bodies& bodies);

}  // namespace orrery::pipeline
