// SPDX-License-Identifier: MIT
// Parameters of cells and lists from the initial state.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/backend.hpp"
#include "sim/solvers/cells/cuda/particles.cuh"

namespace orrery::sim::cuda {

/// The extent of the domain along an axis, or of the bodies if it is unbounded.
struct Stretch {
  double low, length;
};
inline Stretch stretch_of(const System& system, std::size_t axis) {
  if (system.domain.edges[axis] > 0) return {system.domain.low[axis], system.domain.edges[axis]};
  const auto& x = *std::array{&system.bodies.position.x, &system.bodies.position.y, &system.bodies.position.z}[axis];
  if (x.empty()) return {0, 0};
  const auto [low, high] = std::ranges::minmax(x);
  return {low, high - low};
}

/// Estimates the number of bodies within a distance, if all are spread evenly.
inline double neighbours_within(const System& system, double distance) {
  const bool flat = system.domain.dimensions == 2;
  double volume = 1;
  for (std::size_t axis = 0; axis < (flat ? 2 : 3); ++axis)
    volume *= std::max(stretch_of(system, axis).length, distance);
  const double ball = flat ? 3.1416 * distance * distance : 4.1888 * distance * distance * distance;
  return static_cast<double>(system.bodies.size()) * std::min(1.0, ball / volume);
}

/// Returns whether searching is faster than lists: in a plane without periodic boundaries, with fewer than three neighbours.
inline bool is_searched(const System& system) {
  const double cutoff = system.forces.front().law->cutoff(system.forces.front().parameters);
  return system.domain.dimensions == 2 && !system.domain.is_periodic() && neighbours_within(system, cutoff) < 3;
}

/// Returns cells at least `width` wide, at most about two per body.
inline CellGrid grid_of(const System& system, double width) {
  const std::size_t axes = system.domain.dimensions == 2 ? 2 : 3;
  const double most = 2.0 * static_cast<double>(system.bodies.size()) + 64;
  CellGrid grid{};
  for (int& cells : grid.cells) cells = 1;
  grid.last_axis = static_cast<int>(axes) - 1;
  for (;; width *= 1.25) {
    double count = 1;
    grid.narrow = false;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const auto [low, length] = stretch_of(system, axis);
      // Cells no finer than the resolution of floats.
      const double fine = std::max(width, 1e-6 * std::max(std::abs(low), std::abs(low + length)));
      const double cells = std::max(1.0, std::min(std::floor(length / fine), 1e6));
      grid.cells[axis] = static_cast<int>(cells);
      grid.low[axis] = static_cast<float>(low);
      grid.inverse[axis] = length > 0 ? static_cast<float>(cells / length) : 0.0F;
      grid.periodic[axis] = system.domain.boundary[axis]->periodic;
      grid.narrow = grid.narrow || (grid.periodic[axis] && cells <= 3);
      count *= cells;
    }
    if (count > most) continue;
    grid.row = grid.cells[0] + (axes == 2 ? 1 : 0);
    grid.plane = grid.cells[1] * grid.row + (axes == 3 ? 1 : 0);
    return grid;
  }
}

/// Returns the number of initial bodies in each layer of a grid.
inline std::vector<std::uint32_t> bodies_of_layers(const System& system, const CellGrid& grid) {
  const auto axis = static_cast<std::size_t>(grid.last_axis);
  const Vectors& all = system.bodies.position;
  std::vector<std::uint32_t> bodies(static_cast<std::size_t>(grid.layers()));
  for (const double at : axis == 2 ? all.z : all.y) {
    const double layer = (at - static_cast<double>(grid.low[axis])) * static_cast<double>(grid.inverse[axis]);
    ++bodies[static_cast<std::size_t>(std::clamp(layer, 0.0, static_cast<double>(grid.layers() - 1)))];
  }
  return bodies;
}

/// Divides layers with so many bodies among ranks, so that each has about the same number of bodies.
inline std::vector<Layers> layers_of_ranks(std::span<const std::uint32_t> bodies, int ranks) {
  const auto layers_in_all = static_cast<int>(bodies.size());
  const auto all = std::accumulate(bodies.begin(), bodies.end(), std::size_t{0});
  std::vector<Layers> layers;
  std::size_t before = 0;
  int first = 0;
  for (int rank = 1; rank <= ranks; ++rank) {
    int last = first;
    const std::size_t end = all * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks);
    for (; last < layers_in_all && (rank == ranks || before < end); ++last)
      before += bodies[static_cast<std::size_t>(last)];
    layers.push_back({first, last});
    first = last;
  }
  return layers;
}

template <class T>
Space<T> space_of(const Domain& domain) {
  Space<T> space{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Boundary& boundary = *domain.boundary[axis];
    const double low = domain.low[axis], length = domain.edges[axis];
    space.boundary[axis] = boundary_index(boundary);
    space.low[axis] = boundary.bounded ? static_cast<T>(low) : -std::numeric_limits<T>::infinity();
    space.high[axis] = boundary.bounded ? static_cast<T>(low + length) : std::numeric_limits<T>::infinity();
    // In floats the bounds are rounded to floats.
    space.length[axis] = !boundary.bounded           ? 0
                         : std::is_same_v<T, double> ? length
                                                     : static_cast<double>(space.high[axis]) - space.low[axis];
    space.period[axis] = boundary.periodic ? static_cast<T>(space.length[axis]) : T(0);
    space.inverse[axis] = boundary.periodic ? 1 / space.period[axis] : T(0);
  }
  return space;
}

/// Returns the maximum |coordinate| of the box or of the bodies.
inline double largest_coordinate(const System& system) {
  double largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, length] = stretch_of(system, axis);
    largest = std::max({largest, std::abs(low), std::abs(low + length)});
  }
  return largest;
}

}  // namespace orrery::sim::cuda
