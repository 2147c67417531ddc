// SPDX-License-Identifier: MIT
// rk45 for x″ = a(x): the velocities of the stages are sums of accelerations, so only these are stored.
#include "sim/integrators/rk45.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "sim/integrators/own_steps.hpp"

namespace orrery::sim {
namespace {

constexpr std::size_t stages = 7;
using Each = std::array<double, stages>;

constexpr Each nodes{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
/// The last row is that of the result (first same as last).
constexpr Each weights[stages] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
/// The result minus that of order 4.
constexpr Each errors{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
/// Coefficients of θ²(1 − θ)² in Shampine's interpolant of order 4.
constexpr Each bends{-12715105075.0 / 11282082432,  0,
                     87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                     701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                     69997945.0 / 29380423};

/// Σ_i of[i] weights[i]: if velocities are h Σ of[i] a_i, positions are h² Σ_j (this)[j] a_j.
constexpr Each twice(const Each& of) {
  Each sum{};
  for (std::size_t i = 0; i < stages; ++i) {
    for (std::size_t j = 0; j < stages; ++j) sum[j] += of[i] * weights[i][j];
  }
  return sum;
}

/// b(θ): y(θ) = y₀ + h Σ b_i(θ) y′_i for 0 ≤ θ ≤ 1.
Each interpolant(double theta) {
  const double rest = 1 - theta, square = theta * theta, smooth = square * (3 - 2 * theta);
  Each b;
  for (std::size_t i = 0; i < stages; ++i) b[i] = smooth * weights[stages - 1][i] + square * rest * rest * bends[i];
  b.front() += theta * rest * rest;
  b.back() -= square * rest;
  return b;
}

constexpr Column x = Column::position, v = Column::velocity, a = Column::acceleration;
constexpr Column x0 = scratch_column(0), v0 = scratch_column(1), x_error = scratch_column(9),
                 v_error = scratch_column(10);
constexpr Columns slope{2};

/// Makes the current state the beginning of a step.
void begin(Backend& bodies) {
  bodies.combine(x0, {{1, x}});
  bodies.combine(v0, {{1, v}});
}

/// Computes the slopes of the first `count` stages, of which the first is known; leaves positions at the last one.
void find_slopes(Backend& bodies, double h, std::size_t count) {
  for (std::size_t n = 1; n < count; ++n) {
    bodies.combine(x, Terms().add(twice(weights[n]), slope, h * h).add(nodes[n] * h, v0).add(1, x0));
    bodies.accelerate();
    bodies.combine(slope[n], {{1, a}});
  }
}

/// Writes the state at theta of a step, with the weights b of that point.
void show(Backend& bodies, double h, double theta, const Each& b) {
  bodies.combine(x, Terms().add(twice(b), slope, h * h).add(theta * h, v0).add(1, x0));
  bodies.combine(v, Terms().add(b, slope, h).add(1, v0));
}

/// The operations of take_own_steps.
class Steps {
 public:
  Steps(Backend& bodies, double tolerance) : bodies_(bodies), tolerance_(tolerance) {}

  double start() {
    begin(bodies_);
    bodies_.combine(x, {{1, x0}});
    bodies_.accelerate();
    bodies_.combine(slope[0], {{1, a}});
    measure_scales();
    return first_length(bodies_, x0, v0, a);
  }

  void move_on(double length) {
    show(bodies_, length, 1, weights[stages - 1]);
    begin(bodies_);
    bodies_.combine(slope[0], {{1, slope[stages - 1]}});
    measure_scales();
  }

  void accept() {}

  /// Hairer, Nørsett & Wanner 1993, Solving Ordinary Differential Equations I, eq. II.4.13: the error scales as h⁵, and
  /// the step does not grow right after a rejection.
  Attempt attempt(double h) {
    find_slopes(bodies_, h, stages);
    bodies_.combine(x_error, Terms().add(twice(errors), slope, h * h));
    bodies_.combine(v_error, Terms().add(errors, slope, h));
    const auto [last_pull, of_x, of_v] = bodies_.greatest({a, x_error, v_error});
    // Includes what the step itself adds, so that bodies at rest and a single body have a scale.
    const double size = std::abs(h), pull = std::max(pull_, last_pull.value);
    const double v_scale = v_extent_ + size * pull, x_scale = x_extent_ + size * v_scale;
    const double x_part = of_x.value > 0 ? of_x.value / x_scale : 0, v_part = of_v.value > 0 ? of_v.value / v_scale : 0;
    const double error = std::max(x_part, v_part);
    constexpr double safety = 0.9, least = 0.2, most = 5;
    double factor = rejected_ ? 1 : most;
    if (!(error <= tolerance_ * 0x1p-14)) {
      const double ratio = tolerance_ / error;
      factor = ratio > 0x1p-14 ? std::clamp(safety * root(ratio, 5), least, factor) : least;
    }
    rejected_ = !(error <= tolerance_);
    return {.next = factor * h, .accepted = !rejected_, .body = x_part > v_part ? of_x.body : of_v.body};
  }

 private:
  void measure_scales() {
    const auto [x_extent, v_extent] = bodies_.half_extents({x0, v0});
    const auto [pull] = bodies_.greatest({slope[0]});
    x_extent_ = x_extent, v_extent_ = v_extent, pull_ = pull.value;
  }

  Backend& bodies_;
  double tolerance_;
  double x_extent_ = 0, v_extent_ = 0, pull_ = 0;  ///< at the beginning of the step
  bool rejected_ = false;                          ///< the previous attempt
};

}  // namespace

void step_with_rk45(Backend& bodies, const Step& step) {
  begin(bodies);
  bodies.accelerate();
  bodies.combine(slope[0], {{1, a}});
  find_slopes(bodies, step.dt, stages - 1);
  show(bodies, step.dt, 1, weights[stages - 1]);
}

void advance_with_rk45(Backend& bodies, Clock& clock, const AdvanceGoal& goal) {
  Steps steps(bodies, goal.accuracy);
  take_own_steps(bodies, clock, goal, steps);
  const double shown = shown_since_begin(clock, goal), theta = shown / clock.length;
  show(bodies, clock.length, theta, shown == clock.length ? weights[stages - 1] : interpolant(theta));
}

}  // namespace orrery::sim
