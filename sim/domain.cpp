// SPDX-License-Identifier: MIT
#include "sim/domain.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/parameter.hpp"
#include "sim/boundaries/list.hpp"

namespace orrery::sim {
namespace {

/// Limits of a box: its lengths, if any, and |low|/length, so that coordinates keep at least six digits of the length.
constexpr double min_edge = 1e-100, greatest_edge = 1e100, furthest_low = 1e9;

template <class... Kind>
std::span<const Boundary* const> descriptions(BoundaryList<Kind...>) {
  static constexpr const Boundary* kinds[] = {&Kind::kind...};
  return kinds;
}

}  // namespace

std::span<const Boundary* const> boundaries() {
  return descriptions(Boundaries{});
}

std::size_t boundary_index(const Boundary& boundary) {
  const auto all = boundaries();
  return static_cast<std::size_t>(std::ranges::find(all, &boundary) - all.begin());
}

void check(const Domain& domain) {
  if (domain.dimensions != 2 && domain.dimensions != 3)
    throw ArgumentError("dimensions", "a box has two or three dimensions");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    const Boundary* boundary = domain.boundary[axis];
    const double low = domain.low[axis], edge = domain.edges[axis];
    if (boundary == nullptr) throw ArgumentError("boundary", "a box needs a boundary along " + name);
    const bool missing = axis >= static_cast<std::size_t>(domain.dimensions);
    if (missing && (boundary != &Open::kind || low != 0 || edge != 0))
      throw ArgumentError("edges", "a two-dimensional box must be open and without edges along " + name);
    if (boundary->bounded && edge == 0)
      throw ArgumentError("edges",
                          "a box needs a length along " + name + ", where it is " + std::string(boundary->name));
    if (edge != 0 && !(edge >= min_edge && edge <= greatest_edge))
      throw ArgumentError(
          "edges", "a box has a length of 1e-100 … 1e100 along " + name + (boundary->bounded ? "" : ", or 0 for none"));
    if (!std::isfinite(low) || (edge != 0 && std::abs(low) > furthest_low * edge))
      throw ArgumentError(
          "low", "a box lies at most 1e9 of its lengths from the origin, which along " + name + " it does not");
  }
}

}  // namespace orrery::sim
