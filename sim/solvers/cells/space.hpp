// SPDX-License-Identifier: MIT
// The box in the numbers that bodies are held in, and the cells that it is cut into.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>

#include "sim/domain.hpp"
#include "sim/force.hpp"
#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::cells {

/// How coordinates are held: (x − origin)·unit. Doubles are as they are; floats count from the lower corner of the box, in
/// units of a power of two near the cutoff.
template <class T>
struct Frame {
  double origin[3]{}, unit = 1;

  Frame(const Domain& domain, double cutoff);
  [[nodiscard]] T place(std::size_t q, double x) const {
    if constexpr (std::same_as<T, double>) return x;  // −0 too
    return static_cast<T>((x - origin[q]) * unit);
  }
  [[nodiscard]] double back(std::size_t q, T x) const {
    if constexpr (std::same_as<T, double>) return x;
    return static_cast<double>(x) / unit + origin[q];
  }
  [[nodiscard]] T length(double x) const { return static_cast<T>(x * unit); }
  [[nodiscard]] double length_back(T x) const { return static_cast<double>(x) / unit; }
};

/// The domain in those numbers.
template <class T>
struct Box {
  struct Axis {
    const Boundary* boundary;
    bool crosses, bounded, joined;
    T low, high, length;
  };
  std::size_t dimensions;
  std::array<Axis, 3> axes;

  Box(const Domain& domain, const Frame<T>& frame);
  /// The greatest coordinate within the ends of an axis; 0 where it has none.
  [[nodiscard]] double far(std::size_t q) const {
    const auto size = [](T x) { return static_cast<double>(x < 0 ? -x : x); };
    return axes[q].bounded ? std::max(size(axes[q].low), size(axes[q].high)) : 0;
  }
  /// What the boundary does with a coordinate that is outside [low, high). In floats it is worked out in doubles.
  [[nodiscard]] Coordinate cross(std::size_t q, T x, T v) const;
};

/// From where to where there are to be cells along an axis.
struct Extent {
  double low = 0, high = 0;
};

template <class T>
struct Grid {
  simd::CellGrid<T> cells{};
  std::size_t count = 0;  ///< of cells, the empty ones of every row and plane included

  /// Rows at least `row` wide along y and z; along x cells are a part of that. Not many more cells than bodies.
  static Grid of(const std::array<Extent, 3>& extents, std::size_t dimensions, double row, std::size_t bodies);
};

}  // namespace orrery::sim::cells
