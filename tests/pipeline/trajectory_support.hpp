// SPDX-License-Identifier: MIT
// What the tests of the trajectory share: runs that are made up, and looks at a file from behind.
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

/// A folder that goes when the test is over.
class Folder {
 public:
  Folder();
  ~Folder();
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// A run that never was: every number of it follows from the step, so that two tellings of it are equal.
struct Tale {
  std::size_t bodies = 3;
  std::size_t frames = 10;
  std::size_t columns = 0;
  int rows_a_frame = 1;  ///< steps, and rows of observables, from one frame to the next
  int commit_every = 0;  ///< rows; 0: only at the end
  TrajectoryOptions options{};
  std::size_t expected_frames = 0;  ///< what the record says
  sim::Domain domain{};             ///< bodies have images where an axis of it is joined
  bool virial = false;

  [[nodiscard]] sim::Bodies initial_bodies() const;
  [[nodiscard]] RunRecord record() const;
  [[nodiscard]] sim::Snapshot at(std::int64_t step) const;
  [[nodiscard]] std::int64_t last_step() const { return static_cast<std::int64_t>(frames - 1) * rows_a_frame; }
  /// Steps [from, to] of it; `told` hears of every commit.
  void tell(TrajectoryWriter& writer, std::int64_t from, std::int64_t to,
            const std::function<void(std::int64_t)>& told = {}) const;
  /// All of it, from first to last.
  void tell(const std::filesystem::path& path) const;
  /// Goes on with a file from its restart state to the end.
  void go_on(const std::filesystem::path& path) const;
};

/// Frames [0, reader.size()) are those of the tale.
void expect_frames(const Tale& tale, const TrajectoryReader& reader);
/// The bytes of every dataset under /particles and /observables, by its path; groups are there without any.
std::map<std::string, std::vector<char>> content_of(const std::filesystem::path& path);
/// All datasets under /particles and /observables are the same, byte for byte.
void expect_same_content(const std::filesystem::path& a, const std::filesystem::path& b);
/// A file opened for looking, also in the process that writes it.
hid_t open_plain(const std::filesystem::path& path);
/// Every object in a file, by its path, hard links included.
std::vector<std::string> objects(const std::filesystem::path& path, const std::string& below);
/// Where byte `at` of row `row` (contiguous), or of the chunk that holds this row, lies in the file.
std::size_t place_of(const std::filesystem::path& path, const std::string& dataset, std::size_t row, std::size_t at);
void flip(const std::filesystem::path& path, std::size_t place);
/// The message of the error that `work` ends in.
std::string complaint(const std::function<void()>& work);

}  // namespace orrery::pipeline::testing
