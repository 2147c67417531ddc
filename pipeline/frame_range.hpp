// SPDX-License-Identifier: MIT
// --frames a:b as people write it.
#pragma once

#include <cstddef>
#include <string>

namespace orrery::pipeline {

/// Frames [begin, end).
struct FrameRange {
  std::size_t begin, end;
};

/// "a:b" is frames a to b, b too; "a:" and ":b" go to an end, "a" is one frame, "" all of them. Throws Error, exit code
/// 2, for another text and for a frame that is not among the `size` that there are.
FrameRange frame_range(const std::string& text, std::size_t size);

}  // namespace orrery::pipeline
