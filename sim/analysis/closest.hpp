// SPDX-License-Identifier: MIT
// Closest pairs of bodies, for closest approaches and error messages, and pairs that cause an energy error.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "sim/analysis/structure.hpp"
#include "sim/bodies.hpp"
#include "sim/extremes.hpp"
#include "sim/observables.hpp"
#include "sim/stop_request.hpp"

namespace orrery::sim {

/// Two bodies and their squared distance; infinite if there is no pair.
struct PairOfBodies {
  std::size_t i = 0, j = 0;
  double r2 = std::numeric_limits<double>::infinity();
  bool was_stopped = false;  ///< the search was stopped; there may be closer pairs
};

/// Lengths of the periodic axes, 0 for the others (Domain::periods). Distances are to nearest images.
using Periods = std::array<double, 3>;

/// Body i and its nearest neighbour; of equally near ones the first.
PairOfBodies nearest(const Vectors& position, std::size_t i, const Periods& periods = {});

/// The closest pair i < j; of equally close ones the first. Ignores bodies with NaN or infinite coordinates. `stop` is
/// polled regularly; null: never.
PairOfBodies closest(const Vectors& position, const StopRequest& stop = {}, const Periods& periods = {});

/// The same for at most `few_bodies` bodies, from all pairs. The squared distance is (dx² + dy²) + dz², rounded after
/// each operation, of differences by nearest_image.
Approach closest_of_few(VectorsView position, const Periods& periods = {});

/// The pair that changed most from one state to the other: i is the body whose kinetic energy did, j the one with the
/// greatest change of mⱼ/rᵢⱼ. r2 is the smaller one of both states; infinite if there is no such pair. If `before.mass`
/// is empty, all masses are equal.
PairOfBodies max_changed(const ParticleState& before, const ParticleState& after, const Periods& periods = {});

}  // namespace orrery::sim
