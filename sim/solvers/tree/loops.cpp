// SPDX-License-Identifier: MIT
// The loops of the tree for the processor's SIMD target.
#include "sim/solvers/tree/simd/expansions.hpp"
#include "sim/solvers/tree/simd/near.hpp"

namespace orrery::sim::simd {

const TreeLoops& tree_loops(Target target) {
  const auto loops_of = [](auto which) -> const auto& {
    return tree_loops(which);
  };
  return of_target(target, loops_of);
}

const NearLoops& near_loops(Target target) {
  const auto loops_of = [](auto which) -> const auto& {
    return near_loops(which);
  };
  return of_target(target, loops_of);
}

}  // namespace orrery::sim::simd
