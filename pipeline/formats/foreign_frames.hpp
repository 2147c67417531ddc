// SPDX-License-Identifier: MIT
// Trajectories that other programs wrote: one file with all frames, or a file for each.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/formats/body_format.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// Frames of the same bodies, which have the order of the first.
struct ForeignFrames {
  BodyFile first;                        ///< its bodies, and what the file says of all
  std::vector<double> time{};            ///< [frames], in the order of the file; empty: it states none
  std::vector<sim::Vectors> position{};  ///< [frames], each [N]
  std::vector<sim::Vectors> velocity{};  ///< the same; empty: the file has none

  [[nodiscard]] std::size_t size() const { return position.size(); }
};

/// Joins frames that are read one by one. Bodies are matched by their numbers, else by their names, else by their places.
class FrameJoiner {
 public:
  /// `place` names the frame in messages. Throws Error, Fault::request, if its bodies are not those of the first.
  void add(BodyFile&& frame, const std::string& place);
  [[nodiscard]] ForeignFrames take() { return std::move(all_); }

 private:
  /// Where in the first frame each body is; empty: in the same order.
  [[nodiscard]] std::vector<std::size_t> places_of(const BodyFile& frame, const std::string& place);

  ForeignFrames all_;
  std::unordered_map<std::int64_t, std::size_t> ids_;
  std::unordered_map<std::string, std::size_t> names_;
};

/// "frames/*.csv" as the files that there are, in natural order (f2 before f10); a name without * or ?, or of a file that exists, as
/// itself. Throws Error, Fault::request, if none is found.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& pattern);
/// Whether `a` comes before `b` if digits count as numbers.
bool naturally_before(std::string_view a, std::string_view b);
/// Whether the names of files differ in their digits only, as those of frames do.
bool are_numbered(const std::vector<std::filesystem::path>& files);

}  // namespace orrery::pipeline
