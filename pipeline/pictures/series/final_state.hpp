// SPDX-License-Identifier: MIT
// Where the bodies of a run are at its end, and how far from where they ought to be.
#pragma once

#include <optional>
#include <string>

#include "pipeline/pictures/series.hpp"
#include "sim/bodies.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline {

struct FinalState {
  std::string file;
  double time = 0;
  sim::Vectors position{};              ///< of all bodies
  std::optional<sim::Vectors> exact{};  ///< where they are in closed form, of two bodies that gravity alone moves
};

/// `state` is the last of the trajectory. The closed form is Kepler's orbit about the centre of mass of that state.
FinalState final_state(const TrajectoryReader& trajectory, const sim::Snapshot& state);

/// The root mean square distance of bodies from the origin; of bodies from where they ought to be.
double size_of(const FinalState& state);
double distance(const FinalState& state, const sim::Vectors& reference);
/// Of two runs. Throws Error, exit code 2, where they have not the same number of bodies, or end at different times.
double distance_of_ends(const SeriesRequest& request, const FinalState& a, const FinalState& b);

}  // namespace orrery::pipeline
