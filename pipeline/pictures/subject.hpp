// SPDX-License-Identifier: MIT
// What pictures must know of a run besides its frames, whether it is still to come or its file is there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/backend.hpp"
#include "sim/bodies.hpp"
#include "sim/analysis/density_profile.hpp"

namespace orrery::pipeline {

/// The forces and closed forms that some figures compute with.
struct Physics {
  double G = 0;     ///< that masses attract each other with; 0: they do not
  double mass = 0;  ///< of all bodies together
  /// All bodies and what acts on them, where a figure asks for forces.
  std::optional<sim::System> system{};
  int threads = 1;                               ///< to compute them with
  std::optional<sim::DensityProfile> density{};  ///< that the bodies were drawn from, where a formula is known
  std::string unknown{};                         ///< why the forces are not known; empty: they are
};

struct Subject {
  const Document& document;  ///< with its [[figure]] and [[film]] tables
  sim::Bodies bodies;        ///< that frames keep; places and velocities count for nothing
  std::vector<std::string> components;
  sim::Domain domain;
  std::string file;  ///< the name of the trajectory, which no picture can have
  bool velocities;   ///< frames keep them
  double end;        ///< the time of the last step
  double timescale;  ///< 0: none
  std::string timescale_name;
  std::string time_unit;                  ///< as H5MD writes it; empty: not known
  Physics physics;                        ///< without the system
  std::function<sim::System()> system{};  ///< made only where it is asked for

  [[nodiscard]] TimeUnits time_units() const { return {timescale, time_unit}; }
};

/// Of a run that is to come; `scenario` and `setup` must live as long.
Subject subject_of(const Scenario& scenario, const Setup& setup);

/// Of a run whose file is there, to be drawn as `document` says. Everything is read from the file; only one of format 2 has its
/// initial state made again, for the timescale. The arguments must live as long as the result.
Subject subject_of(const TrajectoryReader& trajectory, const Document& document);

}  // namespace orrery::pipeline
