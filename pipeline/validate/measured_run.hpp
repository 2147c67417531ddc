// SPDX-License-Identifier: MIT
// Runs to measure: bodies from a scenario's words, an integrator in one of its ways to choose steps, and what was lost.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/validate/suites.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {

/// What a scenario of these tables comes to: [[initial]], and [force] where it is not gravity with G = 1.
struct Problem {
  sim::System system;
  double timescale;  ///< as the initial state knows it
};
Problem problem(const std::string& tables);

/// Two bodies with e = 0.5 at pericentre, and what their closed form needs.
struct Ellipse {
  Problem problem;
  double mu, semi_major_axis, eccentricity, period;
};
Ellipse ellipse(double eccentricity = 0.5);
/// Of the relative orbit at a time, against the closed form: lengths in semi-major axes, speeds in those of a circle of
/// that radius.
double error_of(const std::vector<double>& state, const Ellipse& two, double t);

/// An integrator with steps of dt (accuracy = 0), or as it chooses them.
struct Method {
  const sim::Integrator* integrator;
  double accuracy = 0;

  /// "ias15", "ias15, tolerance = 1e-09"
  [[nodiscard]] std::string name() const;
};

/// Every integrator with steps of dt.
std::vector<Method> constant_methods();
/// Those that choose their own, with their defaults; 0.02 where the default is not to choose.
std::vector<Method> adaptive_methods();
/// Those of these whose errors theory bounds: by a tolerance in every step, which is 1e-14 so that the bound is small, or
/// by rounding alone.
std::vector<Method> precise_methods();

/// A run of some bodies; each has a backend of its own.
class MeasuredRun {
 public:
  MeasuredRun(const Context& context, sim::System system, const Method& method, double dt);

  sim::Simulation* operator->() { return &simulation_; }
  /// As Simulation::advance, but for signals: throws Error soon after one has come.
  void advance(std::int64_t steps, bool observed_next = false);
  /// Positions and velocities now, body after body: x, y, z, vx, vy, vz.
  [[nodiscard]] std::vector<double> state() const;
  /// In this run so far.
  [[nodiscard]] std::int64_t evaluations() const { return bodies_->evaluations(); }

 private:
  std::int64_t slice_;  ///< steps between two looks for a signal
  std::unique_ptr<sim::Backend> bodies_;
  sim::Simulation simulation_;
};

/// √Σ (aₖ − bₖ)²
double distance(const std::vector<double>& a, const std::vector<double>& b);

/// All bodies turned about an axis that is nothing special, and a state of theirs turned back: to the equations of motion
/// and to every integrator the run is the same one, and rounding alone is another.
sim::System turned(sim::System system);
std::vector<double> turned_back(const std::vector<double>& state);

}  // namespace orrery::pipeline
