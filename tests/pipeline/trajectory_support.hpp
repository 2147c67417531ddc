// SPDX-License-Identifier: MIT
// Shared by the tests of the trajectory: synthetic runs, and direct inspection of files.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline::testing {

/// A temporary folder, removed at the end of the test.
class Folder {
 public:
  Folder();
  ~Folder();
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// A synthetic run: every number follows from the step, so writing it twice gives equal files.
struct SyntheticRun {
  std::size_t bodies = 3;
  std::size_t frames = 10;
  std::size_t columns = 0;
  int rows_a_frame = 1;  ///< steps, and rows of observables, from one frame to the next
  int commit_every = 0;  ///< rows; 0: only at the end
  TrajectoryOptions options{};
  std::size_t expected_frames = 0;  ///< as stored in the record
  sim::Domain domain{};             ///< bodies have images if one of its axes is joined
  bool virial = false;

  [[nodiscard]] sim::Bodies initial_bodies() const;
  [[nodiscard]] RunRecord record() const;
  [[nodiscard]] sim::Snapshot at(std::int64_t step) const;
  [[nodiscard]] std::int64_t last_step() const { return static_cast<std::int64_t>(frames - 1) * rows_a_frame; }
  /// Writes its steps [from, to]; `after_commit` is called with the step of every commit.
  void write(TrajectoryWriter& writer, std::int64_t from, std::int64_t to,
             const std::function<void(std::int64_t)>& after_commit = {}) const;
  /// Writes all of it.
  void write(const std::filesystem::path& path) const;
  /// Resumes a file from its restart state to the end.
  void go_on(const std::filesystem::path& path) const;
};

/// Expects frames [0, reader.size()) to be those of the synthetic run.
void expect_frames(const SyntheticRun& run, const TrajectoryReader& reader);
/// The bytes of every dataset under /particles and /observables, by path; groups are included without bytes.
std::map<std::string, std::vector<char>> content_of(const std::filesystem::path& path);
/// Expects all datasets under /particles and /observables to be the same, byte for byte.
void expect_same_content(const std::filesystem::path& a, const std::filesystem::path& b);
/// Opens a file for inspection, even in the process that is writing it.
hid_t open_plain(const std::filesystem::path& path);
/// Every object in a file, by its path, hard links included.
std::vector<std::string> objects(const std::filesystem::path& path, const std::string& below);
/// XXH3 of the bytes of a frame of this snapshot in a file with these options.
std::uint64_t frame_checksum(const sim::Snapshot& snapshot, const TrajectoryOptions& options);
/// The checksums of the frames of a finished file.
std::vector<std::uint64_t> stored_checksums(const std::filesystem::path& path);
/// The file offset of byte `at` of row `row` (contiguous), or of the chunk that holds this row.
std::size_t place_of(const std::filesystem::path& path, const std::string& dataset, std::size_t row, std::size_t at);
void flip(const std::filesystem::path& path, std::size_t place);
/// The message of the error that `work` throws.
std::string complaint(const std::function<void()>& work);

}  // namespace orrery::pipeline::testing
