// SPDX-License-Identifier: MIT
#include "pipeline/validate/measured_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "common/error.hpp"
#include "pipeline/measure/models.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/orbit.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

/// Rotation by 1 radian about (1, 2, 3)/√14, by Rodrigues' formula.
std::array<std::array<double, 3>, 3> turn() {
  const double c = std::cos(1.0), s = std::sin(1.0), n = std::sqrt(14.0);
  const double k[3] = {1 / n, 2 / n, 3 / n};
  std::array<std::array<double, 3>, 3> R{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      R[i][j] = (1 - c) * k[i] * k[j] + (i == j ? c : 0);
      // ε_ijl k_l
      if (i != j) R[i][j] += ((j + 3 - i) % 3 == 1 ? -s : s) * k[3 - i - j];
    }
  }
  return R;
}

void turn(sim::Vectors& v) {
  const auto R = turn();
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double x = v.x[i], y = v.y[i], z = v.z[i];
    v.x[i] = R[0][0] * x + R[0][1] * y + R[0][2] * z;
    v.y[i] = R[1][0] * x + R[1][1] * y + R[1][2] * z;
    v.z[i] = R[2][0] * x + R[2][1] * y + R[2][2] * z;
  }
}

/// Steps of about 200,000 interactions; unlimited if the integrator itself checks for a signal after each step.
std::int64_t slice_of(const sim::System& system, const Method& method) {
  if (method.accuracy > 0 || method.integrator->step == nullptr) return std::numeric_limits<std::int64_t>::max();
  const double work = std::max(1.0, sim::solver_of(system).interactions(system));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(200'000 / work));
}

}  // namespace

Problem problem(std::string_view state, const Arguments& of_state, const Arguments& of_gravity, bool recentred) {
  const auto of = std::ranges::find(sim::initial_states(), state, &sim::InitialState::name);
  const MadeModel made = with_bodies(model_without_bodies(sim::Gravity::law, of_gravity), **of, of_state, recentred);
  return {sim::system_of(made.model), made.timescale};
}

Problem outer_solar_system(bool recentred) {
  return problem("outer-solar-system", {}, {{"G", 2.95912208286e-4}}, recentred);
}

Ellipse ellipse(double eccentricity) {
  Problem made = problem("two-body",
                         {{"masses", std::vector{1.0, 0.3}}, {"semi_major_axis", 1.3}, {"eccentricity", eccentricity}});
  const double period = made.timescale;
  return {std::move(made), 1.3, 1.3, eccentricity, period};
}

double error_of(const std::vector<double>& state, const Ellipse& two, double t) {
  const auto exact = sim::kepler_orbit(two.mu, two.semi_major_axis, two.eccentricity, t);
  const double a = two.semi_major_axis, speed = std::sqrt(two.mu / a);
  const auto difference = [&](std::size_t k, double of_exact) { return state[k + 6] - state[k] - of_exact; };
  return std::hypot(
      std::hypot(difference(0, exact.position.x), difference(1, exact.position.y), difference(2, 0)) / a,
      std::hypot(difference(3, exact.velocity.x), difference(4, exact.velocity.y), difference(5, 0)) / speed);
}

std::string Method::name() const {
  return accuracy > 0 ? fmt::format("{}, {} = {:.3g}", integrator->name, integrator->parameters.front().name, accuracy)
                      : std::string(integrator->name);
}

std::vector<Method> constant_methods() {
  std::vector<Method> all;
  for (const sim::Integrator* integrator : sim::integrators()) all.push_back({integrator, 0});
  return all;
}

std::vector<Method> adaptive_methods() {
  std::vector<Method> all;
  for (const sim::Integrator* integrator : sim::integrators()) {
    if (integrator->advance_to == nullptr || integrator->parameters.empty()) continue;
    const std::string fallback(integrator->parameters.front().fallback);
    const double usual = fallback.empty() ? 0 : std::stod(fallback);
    all.push_back({integrator, usual > 0 ? usual : 0.02});
  }
  return all;
}

std::vector<Method> all_methods() {
  std::vector<Method> all = constant_methods();
  std::ranges::copy(adaptive_methods(), std::back_inserter(all));
  return all;
}

std::vector<Method> precise_methods() {
  std::vector<Method> all = adaptive_methods();
  std::erase_if(all, [](const Method& method) { return method.integrator->parameters.front().name != "tolerance"; });
  for (Method& method : all) {
    if (method.integrator->order < 15) method.accuracy = 1e-14;
  }
  return all;
}

MeasuredRun::MeasuredRun(const Conditions& conditions, sim::System system, const Method& method, double dt)
    : context_(conditions.context),
      slice_(slice_of(system, method)),
      bodies_(conditions.make([&] {
        sim::add_requirements(system, *method.integrator);
        return std::move(system);
      }())),
      simulation_(*bodies_, *method.integrator, dt, method.accuracy) {
  simulation_.stop_when(context_.stop());
}

void MeasuredRun::advance(std::int64_t steps, bool observed_next) {
  while (steps > 0) {
    const std::int64_t now = std::min(steps, slice_);
    steps -= now;
    {
      const Context::During stepping(context_, Context::Phase::stepping);
      simulation_.advance(now, observed_next && steps == 0);
    }
    if (context_.stopped()) throw Error("stopped");
  }
}

std::vector<double> MeasuredRun::state() const {
  return state_of(bodies_->download(sim::Column::position), bodies_->download(sim::Column::velocity));
}

std::vector<double> state_of(const sim::Vectors& x, const sim::Vectors& v) {
  std::vector<double> all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const double number : {x.x[i], x.y[i], x.z[i], v.x[i], v.y[i], v.z[i]}) all.push_back(number);
  }
  return all;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

sim::System turned(sim::System system) {
  turn(system.bodies.position);
  turn(system.bodies.velocity);
  return system;
}

std::vector<double> turned_back(const std::vector<double>& state) {
  const auto R = turn();
  std::vector<double> back(state.size());
  for (std::size_t k = 0; k < state.size(); k += 3) {
    for (std::size_t i = 0; i < 3; ++i)
      back[k + i] = R[0][i] * state[k] + R[1][i] * state[k + 1] + R[2][i] * state[k + 2];
  }
  return back;
}

}  // namespace orrery::pipeline
