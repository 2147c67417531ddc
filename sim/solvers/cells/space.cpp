// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/space.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>

namespace orrery::sim::cells {

using std::size_t;

template <class T>
Frame<T>::Frame(const Domain& domain, double cutoff) {
  if constexpr (std::same_as<T, float>) {
    std::ranges::copy(domain.low, origin);
    unit = std::ldexp(1.0, -std::ilogb(cutoff));
  }
}

template <class T>
Box<T>::Box(const Domain& domain, const Frame<T>& frame) : dimensions(static_cast<size_t>(domain.dimensions)), axes{} {
  for (size_t q = 0; q < 3; ++q) {
    const Boundary* boundary = domain.boundary[q];
    const T low = frame.place(q, domain.low[q]);
    T length = frame.length(domain.edges[q]);
    // Rounded down, so that a coordinate inside in floats is inside the box.
    if (frame.length_back(length) > domain.edges[q]) length = std::nextafter(length, T(0));
    axes[q] = {boundary, boundary != &Open::kind, boundary->bounded, boundary->joined, low, low + length, length};
  }
}

template <class T>
Coordinate Box<T>::cross(size_t q, T x, T v) const {
  const Axis& axis = axes[q];
  Coordinate at = axis.boundary->cross({static_cast<double>(x), static_cast<double>(v), 0},
                                       static_cast<double>(axis.low), static_cast<double>(axis.length));
  if constexpr (std::same_as<T, float>) {
    // A coordinate that rounds up to the end of a periodic axis is at its beginning.
    if (axis.joined && static_cast<T>(at.x) >= axis.high && at.x < static_cast<double>(axis.high)) {
      at.x = static_cast<double>(axis.low);
      ++at.image;
    }
  }
  return at;
}

template <class T>
Grid<T> Grid<T>::of(const std::array<Extent, 3>& extents, size_t dimensions, double row, size_t bodies) {
  const double most = 2 * static_cast<double>(bodies) + 64;
  double count[3] = {1, 1, 1}, length[3];
  for (size_t q = 0; q < 3; ++q) {
    length[q] = extents[q].high - extents[q].low;
    if (!(length[q] > 0 && length[q] < 0x1p120)) length[q] = 0;
  }
  const auto all = [&] { return count[0] * (count[1] + 1) * (dimensions == 3 ? count[2] + 1 : 1); };
  for (double wider = 1;; wider *= 1.25) {
    for (size_t q = 0; q < dimensions; ++q) {
      const double width = wider * (q > 0 ? row : dimensions == 2 ? row / 2 : row / 4);
      count[q] = std::max(1.0, std::floor(length[q] / width));
    }
    if (all() <= most || all() <= 4) break;
  }
  Grid grid;
  grid.count = static_cast<size_t>(all());
  size_t step = 1;
  for (size_t q = 0; q < dimensions; ++q) {
    grid.cells.low[q] = static_cast<T>(extents[q].low);
    grid.cells.inverse[q] = length[q] > 0 ? static_cast<T>(count[q] / length[q]) : T(0);
    grid.cells.last[q] = static_cast<T>(count[q] - 1);
    grid.cells.step[q] = static_cast<std::int32_t>(step);
    step *= static_cast<size_t>(count[q]) + (q == 0 ? 0 : 1);
  }
  return grid;
}

template struct Frame<double>;
template struct Frame<float>;
template struct Box<double>;
template struct Box<float>;
template struct Grid<double>;
template struct Grid<float>;

}  // namespace orrery::sim::cells
