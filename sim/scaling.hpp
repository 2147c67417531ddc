// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/backend.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

/// Powers of two that bring lengths and weights into the range of float arithmetic without rounding: positions·length
/// and weights·weight are of order one; the resulting sums times `acceleration` and `potential` are those of the
/// bodies.
struct Scaling {
  double length = 1, weight = 1, acceleration = 1, potential = 1;
};

/// Determined by the initial bodies, so that a resumed run scales alike, and by the law's degree; lengths are not
/// scaled under a logarithmic potential. Throws Error if they do not fit into floats then.
Scaling scaling_of(const Bodies& bodies, const PairForce& force);

/// Pairs whose unsoftened r² is below this have no force in that precision.
double min_r2_in(Precision precision, const PairForce& force, const Scaling& scaling);
/// The greatest of these bounds for several forces in float64.
double min_r2_in_doubles(const std::vector<PairForce>& forces);

}  // namespace orrery::sim
