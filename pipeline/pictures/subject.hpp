// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/run/conserved_momenta.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/turning.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/analysis/density_profile.hpp"
#include "sim/backend.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// The physics that some figures need.
struct Physics {
  double G = 0;     ///< 0: bodies do not attract each other by mass
  double mass = 0;  ///< of all bodies
  /// All bodies and forces, if a figure needs forces.
  std::optional<sim::System> system{};
  int threads = 1;                               ///< to compute forces
  ConservedMomenta conserved{};                  ///< by boundaries, fields and bath
  bool bath = false;                             ///< which exchanges energy with the bodies
  std::optional<sim::DensityProfile> density{};  ///< analytic density of the initial state, if known
  std::string unknown{};                         ///< why the forces are unknown; empty: they are known
};

/// What pictures need from a run besides its frames, before or after the run.
struct Subject {
  sim::Bodies bodies;  ///< stored in frames; positions and velocities are unused
  std::vector<std::string> components;
  sim::Domain domain;
  std::string file;  ///< name of the trajectory file
  StoredData stored;
  double end;        ///< time of the last step
  double timescale;  ///< of the initial state; 0: it has none
  std::string timescale_name;
  Physics physics;                        ///< without the system
  std::function<sim::System()> system{};  ///< makes Physics::system
  Turning turning{};                      ///< at the start, if there are few bodies and the run is to come
  double gap = 0;                         ///< the longest time between two frames of a run to come
  std::int64_t follow = 0;                ///< how many frames would follow the fastest orbit; 0: unknown
  int device = 0;                         ///< GPU of [backend], for films of many bodies
  bool of_sweep = false;                  ///< a member of a sweep to come

  [[nodiscard]] TimeUnits time_units() const { return {timescale, stored.time_unit, stored.epoch}; }
};

/// Before the run. The arguments must outlive the result.
Subject subject_of(const Scenario& scenario, const Setup& setup, const Resources& resources = {});

/// From a trajectory file, which must outlive the result; `document` is its scenario, by default the one in the file.
Subject subject_of(const TrajectoryReader& trajectory, const Document& document, const Resources& resources = {});
Subject subject_of(const TrajectoryReader& trajectory, const Resources& resources = {});

}  // namespace orrery::pipeline
