// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace orrery::render {

/// Returns the number of digits in a name such as "frames-####.png", which has one group of '#'; 0 for other names.
int digits_of(const std::string& name);
/// Returns the name of a frame, counted from 0: "frames-0042.png".
std::string numbered(const std::string& name, int frame);

/// Returns whether `file` is the name of a frame of the sequence `name`.
bool is_numbered(const std::string& name, const std::string& file);

}  // namespace orrery::render
