// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// Frames [begin, end).
struct FrameRange {
  std::size_t begin, end;
  std::size_t stride = 0;  ///< only every stride-th of them, from the first; 0: not given

  [[nodiscard]] std::size_t count() const;
  /// The last selected frame. There must be one.
  [[nodiscard]] std::size_t last() const;
};

/// Parses --frames: "a:b" is frames a to b inclusive, "a:" and ":b" are open, "a" is one frame, "" all; with `strides` also
/// "a:b:k" for every k-th. Negative numbers count from the end: -1 is the last frame. Throws Error, Fault::request, for any other
/// text and for frames that do not exist.
FrameRange frame_range(const std::string& text, std::size_t size, bool strides = false);

/// At most about `most` equidistant frames, and the last.
std::vector<std::size_t> sampled(const FrameRange& frames, std::size_t most);
inline std::vector<std::size_t> sampled(std::size_t frames, std::size_t most) {
  return sampled(FrameRange{0, frames}, most);
}

}  // namespace orrery::pipeline
