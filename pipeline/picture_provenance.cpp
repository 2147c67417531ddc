// SPDX-License-Identifier: MIT
// The record of a trajectory in the words of a picture.
#include "pipeline/picture_provenance.hpp"

#include "pipeline/stepping.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {

render::Provenance provenance_of(const TrajectoryReader& trajectory) {
  const auto last = trajectory.restart();
  return {.version = version_line(), .state = last ? state_hash(*last) : "", .scenario = trajectory.record().resolved};
}

}  // namespace orrery::pipeline
