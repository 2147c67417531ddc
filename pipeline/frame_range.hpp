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
};

/// "a:b" is frames a to b, b too; "a:" and ":b" go to an end, "a" is one frame, "" all of them. Throws Error, exit code
/// 2, for another text and for a frame that is not among the `size` that there are.
FrameRange frame_range(const std::string& text, std::size_t size);

/// Every so manieth of `frames` and the last, at most about `most` in all.
std::vector<std::size_t> sampled(std::size_t frames, std::size_t most);

}  // namespace orrery::pipeline
