// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/cells.hpp"

#include <algorithm>
#include <sstream>

#include "sim/ranks/ranks.hpp"

namespace orrery::sim {
namespace cells {

std::string refusal(const System& system, Precision precision) {
  if (system.forces.size() != 1) return "a law with a cutoff must be the only pair force: remove the others";
  const PairForce& force = system.forces.front();
  const std::string name(force.law->name);
  if (!is_short_range(force))
    return "cells need a law with a cutoff, and " + name + " has none: take method = \"direct\"";
  if (system.jerk) return name + " has no jerk, which this integrator needs: take leapfrog";
  if (precision == Precision::mixed)
    return name + " is computed in float64 or float32: \"mixed\" is for long-range forces";
  const double cutoff = force.law->cutoff(force.numbers);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edge = system.domain.edges[axis];
    if (!system.domain.boundary[axis]->joined || edge >= 2 * cutoff) continue;
    std::ostringstream out;
    out << "a periodic box needs two cutoffs along each axis, or bodies would meet two images of one: "
        << "xyz"[axis] << " has " << edge << ", " << name << " needs " << 2 * cutoff;
    return std::move(out).str();
  }
  return {};
}

namespace {

/// Estimates pairs within the cutoff for bodies spread evenly over the box, or over their bounding box.
double interactions(const System& system) {
  const auto n = static_cast<double>(system.bodies.size());
  const Domain& domain = system.domain;
  const Vectors& x = system.bodies.position;
  const std::vector<double>* columns[] = {&x.x, &x.y, &x.z};
  double share = 1;
  for (const PairForce& force : system.forces) {
    const double reach = 2 * force.law->cutoff(force.numbers);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(domain.dimensions); ++axis) {
      double length = domain.edges[axis];
      if (length == 0 && n > 0) {
        const auto [low, high] = std::ranges::minmax(*columns[axis]);
        length = high - low;
      }
      if (length > reach) share *= reach / length;
    }
  }
  return n * std::max(1.0, n * share);
}

constexpr Precision precisions[] = {Precision::float64, Precision::float32};

}  // namespace
}  // namespace cells

const ForceSolver cells_solver{
    .name = "cells",
    .meaning = "pairs within a cutoff, found by cells: O(N) work",
    .precisions = cells::precisions,
    .has_jerk = false,
    .shares = true,
    .refusal = cells::refusal,
    .interactions = cells::interactions,
    .bytes =
        [](std::size_t bodies, Outputs, const BackendOptions& options) {
          return SolverBytes{.host = cells::bytes_on_cpu(bodies, options),
                             .device = cells::bytes_on_cuda(bodies, options.precision, ranks_of(options))};
        },
    .on_reference = cells::on_reference,
    .on_cpu = cells::on_cpu,
    .on_cuda = cells::on_cuda,
};

}  // namespace orrery::sim
