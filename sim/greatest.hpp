// SPDX-License-Identifier: MIT
// Reductions of a column whose result does not depend on the order of bodies: largest component and extent.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace orrery::sim {

/// The largest absolute value of a component of a column, infinity if one is NaN, and the index of its body: of equal
/// ones the first along x, then y, then z.
struct Greatest {
  double value = 0;
  std::size_t body = 0;

  /// `column` has ranges x, y and z.
  template <class Column>
  void add(const Column& column) {
    for (const auto* axis : {&column.x, &column.y, &column.z}) {
      for (std::size_t i = 0; i < axis->size(); ++i) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const double size = std::abs((*axis)[i]), counted = size <= infinity ? size : infinity;
        if (counted > value) *this = {counted, i};
      }
    }
  }
};

template <class Column>
Greatest greatest(const Column& column) {
  Greatest found;
  found.add(column);
  return found;
}

/// Half of the extent along the widest axis of a column with at least one body. Unspecified if a component is NaN.
template <class Column>
double half_extent(const Column& column) {
  double widest = 0;
  for (const auto* axis : {&column.x, &column.y, &column.z}) {
    const auto [low, high] = std::ranges::minmax(*axis);
    widest = std::max(widest, high / 2 - low / 2);
  }
  return widest;
}

}  // namespace orrery::sim
