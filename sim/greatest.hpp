// SPDX-License-Identifier: MIT
// What a column comes to whatever the order of its bodies: its greatest component, and how far it spans.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace orrery::sim {

/// The greatest component of a column in absolute value, infinity where one is not a number, and whose it is: of equal
/// ones the first, along x, then y, then z. The same bits everywhere.
struct Greatest {
  double value = 0;
  std::size_t body = 0;

  /// `column` has the ranges x, y and z.
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

/// Half of what a column of at least one body spans along its widest axis: how large it is wherever its origin lies. Of a
/// column with a component that is not a number, nothing is promised.
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
