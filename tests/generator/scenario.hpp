// SPDX-License-Identifier: MIT
// Random scenarios from the descriptions of all plug-ins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::generator {

/// A scenario, and what the trial must know of it.
struct Drawn {
  std::string text;
  std::vector<std::string> pictures{};  ///< file names; numbered frames are not listed
  std::size_t tables = 0;               ///< [[figure]] and [[film]]
  bool sweep = false;
  bool backend = false;  ///< it has a [backend], which may exclude other backends or precisions
};

/// The scenario of that number; the same for the same seed.
Drawn draw(std::uint64_t seed, std::uint64_t number);

}  // namespace orrery::generator
