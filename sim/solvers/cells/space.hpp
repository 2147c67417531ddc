// SPDX-License-Identifier: MIT
// The box in the type of coordinates, and its cells.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

#include "sim/domain.hpp"
#include "sim/force.hpp"
#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::cells {

/// Stored coordinates are (x − origin)·unit. Doubles are unchanged; floats count from the lower corner of the box, in
/// units of a power of two near the cutoff.
template <class T>
struct CoordinateScale {
  double origin[3]{}, unit = 1;

  CoordinateScale(const Domain& domain, double cutoff) {
    if constexpr (std::same_as<T, float>) {
      std::ranges::copy(domain.low, origin);
      unit = std::ldexp(1.0, -std::ilogb(cutoff));
    }
  }
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
    bool crosses, bounded, periodic;
    T low, high, length;
  };
  std::size_t dimensions;
  std::array<Axis, 3> axes;

  Box(const Domain& domain, const CoordinateScale<T>& scale)
      : dimensions(static_cast<std::size_t>(domain.dimensions)), axes{} {
    for (std::size_t q = 0; q < 3; ++q) {
      const Boundary* boundary = domain.boundary[q];
      const T low = scale.place(q, domain.low[q]);
      T length = scale.length(domain.edges[q]);
      // Rounded down, so that a coordinate inside in floats is inside the box.
      if (scale.length_back(length) > domain.edges[q]) length = std::nextafter(length, T(0));
      axes[q] = {boundary, boundary != &Open::kind, boundary->bounded, boundary->periodic, low, low + length, length};
    }
  }
  /// Returns the maximum |coordinate| of a bounded axis; 0 if unbounded.
  [[nodiscard]] double far(std::size_t q) const {
    const auto size = [](T x) { return static_cast<double>(x < 0 ? -x : x); };
    return axes[q].bounded ? std::max(size(axes[q].low), size(axes[q].high)) : 0;
  }
  /// Applies the boundary condition to a coordinate outside [low, high), in double precision.
  [[nodiscard]] Coordinate cross(std::size_t q, T x, T v) const {
    const Axis& axis = axes[q];
    Coordinate at = axis.boundary->cross({static_cast<double>(x), static_cast<double>(v), 0},
                                         static_cast<double>(axis.low), static_cast<double>(axis.length));
    if constexpr (std::same_as<T, float>) {
      // A coordinate that rounds up to the end of a periodic axis is at its beginning.
      if (axis.periodic && static_cast<T>(at.x) >= axis.high && at.x < static_cast<double>(axis.high)) {
        at.x = static_cast<double>(axis.low);
        ++at.image;
      }
    }
    return at;
  }
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
  static Grid<T> of(const std::array<Extent, 3>& extents, std::size_t dimensions, double row, std::size_t bodies) {
    const double most = 2 * static_cast<double>(bodies) + 64;
    double count[3] = {1, 1, 1}, length[3];
    for (std::size_t q = 0; q < 3; ++q) {
      length[q] = extents[q].high - extents[q].low;
      if (!(length[q] > 0 && length[q] < 0x1p120)) length[q] = 0;
    }
    const auto all = [&] { return count[0] * (count[1] + 1) * (dimensions == 3 ? count[2] + 1 : 1); };
    for (double wider = 1;; wider *= 1.25) {
      for (std::size_t q = 0; q < dimensions; ++q) {
        const double width = wider * (q > 0 ? row : dimensions == 2 ? row / 2 : row / 4);
        count[q] = std::max(1.0, std::floor(length[q] / width));
      }
      if (all() <= most || all() <= 4) break;
    }
    Grid grid;
    grid.count = static_cast<std::size_t>(all());
    std::size_t step = 1;
    for (std::size_t q = 0; q < dimensions; ++q) {
      grid.cells.low[q] = static_cast<T>(extents[q].low);
      grid.cells.inverse[q] = length[q] > 0 ? static_cast<T>(count[q] / length[q]) : T(0);
      grid.cells.last[q] = static_cast<T>(count[q] - 1);
      grid.cells.step[q] = static_cast<std::int32_t>(step);
      step *= static_cast<std::size_t>(count[q]) + (q == 0 ? 0 : 1);
    }
    return grid;
  }
};

}  // namespace orrery::sim::cells
