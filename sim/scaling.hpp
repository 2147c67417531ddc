// SPDX-License-Identifier: MIT
// The powers of two by which float arithmetic sees lengths and weights, so that metres and kilograms fit.
#pragma once

#include "sim/backend.hpp"
#include "sim/force.hpp"

namespace orrery::sim {

/// Positions times `length` and weights times `weight` are of the order of one; the sums that come of them, times
/// `acceleration` and `potential`, are those of the bodies. All are powers of two, so nothing is rounded by them.
struct Scaling {
  double length = 1, weight = 1, acceleration = 1, potential = 1;
};

/// From the bodies that a run starts with, so that one that is resumed scales the same. The law says how it scales; a
/// logarithm of lengths does not: lengths stay as they are. Throws Error where floats cannot hold them then.
Scaling scaling_of(const Bodies& bodies, const PairForce& force);

/// Below this r², not softened, two bodies have no force in that precision.
double least_r2_in(Precision precision, const PairForce& force, const Scaling& scaling);

}  // namespace orrery::sim
