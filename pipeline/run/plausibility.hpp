// SPDX-License-Identifier: MIT
// Probable mistakes in the numbers of a scenario that its bodies at t = 0 show: units that were mixed up, a model that is not
// in the equilibrium it is said to be in, forces that are less accurate than asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/scenario/scenario.hpp"
#include "sim/solvers/force_errors.hpp"

namespace orrery::pipeline {

/// 2T/−Σ m x·a about the centre of mass (Clausius), which is 1 in equilibrium for any forces; NaN or infinite if no
/// force acts.
struct VirialRatio {
  double value;
  /// The standard deviation of `value` among samples of as many bodies from one model, to first order: bodies are
  /// independent, and the virial is a sum over pairs of them. Close neighbours make it up to 1.7 times too large for few bodies.
  double deviation;
};
VirialRatio virial_ratio(const sim::Bodies& bodies, const sim::Vectors& acceleration);

/// One line if speeds, the virial ratio or the energy are beyond anything probable, with the units in which the numbers would be
/// probable, if there are such: "velocities look like km/s: divide them by 1731.46". Else "".
std::string implausible(const Scenario& scenario, const Setup& setup, const sim::Vectors& acceleration, double energy);

/// One line if a model that is called stationary is not in equilibrium by more than sampling explains, or "".
std::string off_equilibrium(const Setup& setup, const VirialRatio& ratio);

/// One line if approximate forces on 99 % of the bodies have errors above the accuracy that [force] asks for, or "".
/// `errors`: of a sample.
std::string less_accurate(const sim::Model& model, const std::optional<sim::ForceErrors>& errors);

/// What is doubtful about a run that is about to start, each a line or "".
struct Doubts {
  std::string implausible, off_equilibrium, less_accurate;

  [[nodiscard]] std::vector<std::string> lines() const;
};
/// The backend has or computes the accelerations. `errors`: of approximate forces.
Doubts doubts(const Scenario& scenario, const Setup& setup, sim::Backend& backend, const sim::Observables& start,
              const std::optional<sim::ForceErrors>& errors);

}  // namespace orrery::pipeline
