// SPDX-License-Identifier: MIT
// The box in the type of coordinates, and its cells.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>

#include "sim/domain.hpp"
#include "sim/force.hpp"
#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::cells {

/// Stored coordinates are (x − origin)·unit. Doubles are unchanged; floats count from the lower corner of the box, in
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

/// The domain in stored coordinates.
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
  /// Returns the maximum |coordinate| of a bounded axis; 0 if unbounded.
  [[nodiscard]] double far(std::size_t q) const {
    const auto size = [](T x) { return static_cast<double>(x < 0 ? -x : x); };
    return axes[q].bounded ? std::max(size(axes[q].low), size(axes[q].high)) : 0;
  }
  /// Applies the boundary condition to a coordinate outside [low, high), in double precision.
  [[nodiscard]] Coordinate cross(std::size_t q, T x, T v) const;
};

/// The range of cells along an axis.
struct Extent {
  double low = 0, high = 0;
};

template <class T>
struct Grid {
  simd::CellGrid<T> cells{};
  std::size_t count = 0;  ///< cells, including the empty ones at the ends of rows and planes

  /// Rows are at least `row` wide along y and z, cells along x a part of that. At most about two cells per body.
  static Grid of(const std::array<Extent, 3>& extents, std::size_t dimensions, double row, std::size_t bodies);
};

}  // namespace orrery::sim::cells
