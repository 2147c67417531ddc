// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace orrery::sim {

/// What the error and the cost of the solver `tree` depend on; the bits depend on all of them.
struct TreeParameters {
  int order = 5;                     ///< p of the expansions, tree::least_order … tree::greatest_order
  double narrow = 0.5, wide = 0.65;  ///< opening angles of the heaviest and of the lightest cells
  std::uint32_t leaf = 32;           ///< bodies of a cell that is not divided

  friend bool operator==(const TreeParameters&, const TreeParameters&) = default;
};

}  // namespace orrery::sim
