// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/backend.hpp"

namespace orrery::sim {

/// What the error and the cost depend on; the bits depend on all of them.
struct TreeParameters {
  int order = 5;                     ///< p of the expansions, tree::min_order … tree::greatest_order
  double narrow = 0.5, wide = 0.65;  ///< opening angles of the heaviest and of the lightest cells
  std::uint32_t leaf = 32;           ///< bodies of a cell that is not divided

  friend bool operator==(const TreeParameters&, const TreeParameters&) = default;
};

/// The accuracies that can be asked for: names of settings, above the median error relative to the force (docs/tree.md).
inline constexpr double tree_accuracies[] = {1e-2, 1e-3, 1e-4};
inline constexpr double default_tree_accuracy = 1e-3;
/// The lightest cells are opened at this much more than the heaviest.
inline constexpr double tree_angle_range = 0.15;

/// Settings for one of these accuracies, or the next below. Measured with Plummer spheres and disks.
constexpr TreeParameters tree_parameters(double accuracy) {
  if (accuracy >= 1e-2) return {.order = 4, .narrow = 0.55, .wide = 0.55 + tree_angle_range, .leaf = 32};
  if (accuracy >= 1e-3) return {.order = 5, .narrow = 0.5, .wide = 0.5 + tree_angle_range, .leaf = 32};
  return {.order = 6, .narrow = 0.4, .wide = 0.4 + tree_angle_range, .leaf = 32};
}

/// The values of `accuracy`, `order`, `theta` and `leaf`: of the accuracy, but for those that are given.
inline TreeParameters tree_parameters(const SolverValues& values) {
  const auto given = [&](std::size_t k) { return k < values.size() ? values[k] : std::nullopt; };
  TreeParameters p = tree_parameters(given(0).value_or(default_tree_accuracy));
  if (const auto order = given(1)) p.order = static_cast<int>(*order);
  if (const auto theta = given(2)) p.narrow = *theta, p.wide = *theta + tree_angle_range;
  if (const auto leaf = given(3)) p.leaf = static_cast<std::uint32_t>(*leaf);
  return p;
}

}  // namespace orrery::sim
