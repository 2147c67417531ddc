// SPDX-License-Identifier: MIT
// The suite `trajectory`: how fast frames get into a file and back, compared with the disk and with a file a frame.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "pipeline/measure/timing.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// What came of one number of bodies. Medians, in seconds and bytes.
struct FileRow {
  std::size_t bodies = 0;
  std::size_t frames = 0;
  TrajectoryOptions options{};

  double frame_bytes = 0;     ///< of one frame's positions and velocities
  Timing write{};             ///< a frame: from the making of the file until it is finished, closed and on the disk
  Timing plain{};             ///< a frame: the same bytes, one after the other, into a plain file on that disk
  double share_of_plain = 0;  ///< median of plain / write, pair by pair
  double open = 0;            ///< of the finished file
  double read = 0;            ///< of one frame somewhere, positions and velocities, checked
  double file_bytes = 0;
  double csv_write = 0;   ///< a frame, each in a CSV file of its own
  double csv_bytes = 0;   ///< of such a file
  std::string failure{};  ///< why there are no numbers

  [[nodiscard]] double frames_per_second() const { return 1 / write.median; }
  [[nodiscard]] double bytes_per_second() const { return frame_bytes / write.median; }
};

/// As many as come to 2 GB, a million at most.
std::size_t frames_of_suite(std::size_t bodies);

/// Measures in files under `folder`, which are removed again. `show(done)` is called now and then with the share that is
/// done; where it returns true the row is left as it is.
void measure_files(FileRow& row, const std::filesystem::path& folder, const std::function<bool(double)>& show);

/// Bodies with all digits of a double in use: no row of them is shorter in text than that of a real run.
sim::Bodies made_up(std::size_t n);

/// Writes `row.frames` frames of the bodies as a trajectory; seconds until it is closed and on the disk.
double write_trajectory(const std::filesystem::path& file, const sim::Bodies& bodies, const FileRow& row);

/// A frame as CSV under a line of names: number, position and velocity of a body a line, in the shortest digits that give the
/// same double again.
std::string csv_frame(const sim::Bodies& bodies);

}  // namespace orrery::pipeline
