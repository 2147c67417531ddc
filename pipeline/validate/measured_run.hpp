// SPDX-License-Identifier: MIT
// Runs of an integrator on a given problem, for all suites.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/validate/suites.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {

/// Bodies, and gravity between them.
struct Problem {
  sim::System system;
  double timescale;  ///< of the initial state
};
/// `state`: an initial state, about its centre of mass unless it is not `recentred`. Keys that are not given have their defaults.
Problem problem(std::string_view state, const Arguments& of_state = {}, const Arguments& of_gravity = {},
                bool recentred = true);
/// The Sun and the outer planets, in astronomical units, days and solar masses; about the Sun, or about the centre of mass.
Problem outer_solar_system(bool recentred = false);

/// Two bodies at pericentre, with the parameters of their relative orbit.
struct Ellipse {
  Problem problem;
  double mu, semi_major_axis, eccentricity, period;
};
Ellipse ellipse(double eccentricity = 0.5);
/// Error of the relative orbit at time t against the closed form: lengths in units of the semi-major axis a, speeds in
/// √(μ/a).
double error_of(const std::vector<double>& state, const Ellipse& two, double t);

/// An integrator with constant steps (accuracy = 0), or with adaptive steps of that accuracy.
struct Method {
  const sim::Integrator* integrator;
  double accuracy = 0;

  /// "ias15", "ias15, tolerance = 1e-09"
  [[nodiscard]] std::string name() const;
};

/// Every integrator with constant steps.
std::vector<Method> constant_methods();
/// Every adaptive integrator with its default accuracy; 0.02 if the default is constant steps.
std::vector<Method> adaptive_methods();
/// The constant methods, then the adaptive ones.
std::vector<Method> all_methods();
/// The adaptive methods with a theoretical error bound: by the tolerance of each step, set to 1e-14 for a small bound,
/// or by rounding.
std::vector<Method> precise_methods();

/// A simulation with a backend of its own.
class MeasuredRun {
 public:
  MeasuredRun(const Conditions& conditions, sim::System system, const Method& method, double dt);

  sim::Simulation* operator->() { return &simulation_; }
  /// As Simulation::advance; throws Error soon after it is stopped.
  void advance(std::int64_t steps, bool observed_next = false);
  /// The current state, see state_of.
  [[nodiscard]] std::vector<double> state() const;
  /// Force evaluations so far.
  [[nodiscard]] std::int64_t evaluations() const { return bodies_->evaluations(); }

 private:
  Context& context_;
  std::int64_t slice_;  ///< steps between two questions whether to stop
  std::unique_ptr<sim::Backend> bodies_;
  sim::Simulation simulation_;
};

/// Positions and velocities, [6 n], body by body: x, y, z, vx, vy, vz.
std::vector<double> state_of(const sim::Vectors& x, const sim::Vectors& v);

/// √Σ (aₖ − bₖ)²
double distance(const std::vector<double>& a, const std::vector<double>& b);

/// Rotates all bodies about a generic axis, and a state back. A run from rotated bodies differs from the original in
/// rounding only.
sim::System turned(sim::System system);
std::vector<double> turned_back(const std::vector<double>& state);

/// Adds the task work(conditions, method).
template <class Work>
void add_task(std::vector<Task>& tasks, std::string_view orbit, const Method& method, Work work) {
  tasks.push_back({.suite = "",
                   .integrator = std::string(method.integrator->name),
                   .orbit = std::string(orbit),
                   .work = [=](const Conditions& conditions) { return work(conditions, method); }});
}

/// The Pythagorean problem: the light body at four times, the closest approach, the escape and the binary that remains.
Findings pythagorean_problem(const Conditions& conditions, const Method& method);

}  // namespace orrery::pipeline
