// SPDX-License-Identifier: MIT
// Some of the frames: --frames a:b as people write it, or as many as a picture needs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::pipeline {

/// Frames [begin, end).
struct FrameRange {
  std::size_t begin, end;
  std::size_t stride = 0;  ///< only every so manieth of them, from the first; 0: that was not said

  /// How many they are.
  [[nodiscard]] std::size_t count() const;
  /// The last of them; there must be one.
  [[nodiscard]] std::size_t last() const;
};

/// "a:b" is frames a to b, b too; "a:" and ":b" go to an end, "a" is one frame, "" all of them. Throws Error, exit code
/// 2, for another text and for a frame that is not among the `size` that there are. With `strides` "a:b:k" may say every
/// k-th.
FrameRange frame_range(const std::string& text, std::size_t size, bool strides = false);

/// Every so manieth of the frames and the last, at most about `most` in all.
std::vector<std::size_t> sampled(const FrameRange& frames, std::size_t most);
inline std::vector<std::size_t> sampled(std::size_t frames, std::size_t most) {
  return sampled(FrameRange{0, frames}, most);
}

}  // namespace orrery::pipeline
