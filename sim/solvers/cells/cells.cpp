// SPDX-License-Identifier: MIT
#include "sim/solvers/cells/cells.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/literature.hpp"
#include "sim/ranks/ranks.hpp"

namespace orrery::sim {
namespace cells {

Refusal refusal(const System& system, Precision /*precision*/) {
  const PairForce& force = system.forces.front();
  const double cutoff = force.law->cutoff(force.parameters);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edge = system.domain.edges[axis];
    if (!system.domain.boundary[axis]->periodic || edge >= 2 * cutoff) continue;
    std::ostringstream out;
    out << "a periodic box needs two cutoffs along each axis, or bodies would meet two images of one: "
        << "xyz"[axis] << " has " << edge << ", " << force.law->name << " needs " << 2 * cutoff;
    return {"domain.edges", std::move(out).str()};
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
    const double reach = 2 * force.law->cutoff(force.parameters);
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
    .meaning = "the sum over pairs within the cutoff, which cell lists find (the same bits in float64)",
    .references = {literature::quentrec1973, {literature::verlet1967, "neighbour lists"}},
    .precisions = cells::precisions,
    .has_jerk = false,
    .long_range = false,
    .short_range = true,
    .linear = true,
    .refusal = cells::refusal,
    .interactions = cells::interactions,
    .bytes =
        [](std::size_t bodies, Outputs, const BackendOptions& options) {
          return SolverBytes{.host = cells::bytes_on_cpu(bodies, options),
                             .device = cells::bytes_on_cuda(bodies, options.precision, ranks_of(options))};
        },
    // GPUs send positions near the ends of their parts, as if bodies were spread evenly in space.
    .bytes_sent =
        [](double bodies, double ranks, bool gpu) {
          return gpu ? 2 * std::pow(bodies, 2.0 / 3) * 4 * sizeof(double) : bytes_to_all(bodies, ranks);
        },
    .on_reference = cells::on_reference,
    .on_cpu = cells::on_cpu,
    .on_cuda = cells::on_cuda,
};

}  // namespace orrery::sim
