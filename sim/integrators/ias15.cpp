// SPDX-License-Identifier: MIT
// ias15 by Rein & Spiegel: the acceleration in a step is a polynomial in time, found by iteration at eight nodes.
//
// They give it by coefficients g or b; here it is given by d₁ … d₇, its values at the nodes minus that at the
// beginning. As b = C·g = C′·d, each use of b becomes one sum over d, and the differences lose nothing to rounding.
#include "sim/integrators/ias15.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/integrators/gauss_radau.hpp"
#include "sim/integrators/own_steps.hpp"

namespace orrery::sim {
namespace {

constexpr std::size_t nodes = GaussRadau::nodes;
using Each = GaussRadau::Each<double>;

constexpr Column x = Column::position, v = Column::velocity, a = Column::acceleration;
constexpr Column x0 = scratch_column(0), v0 = scratch_column(1), x_rest = scratch_column(2), v_rest = scratch_column(3),
                 a0 = scratch_column(4), a_rest = scratch_column(5);
constexpr Columns difference{6}, trial{13};
constexpr Column x_sum = scratch_column(20), v_sum = scratch_column(21), last_b6 = scratch_column(22);
static_assert(std::size(ias15_columns) == 23 && ias15_columns[6].name == "difference 1" &&
              ias15_columns[13].name == "trial 1" && ias15_columns[20].name == "sum of position");

/// L₁(h) … L₇(h).
Each lagrange(double h) {
  Each values;
  for (std::size_t m = 0; m < nodes; ++m) {
    const double hm = gauss_radau.node[m].high;
    values[m] = h / hm;
    for (std::size_t j = 0; j < nodes; ++j) {
      const double hj = gauss_radau.node[j].high;
      if (j != m) values[m] *= (h - hj) / (hm - hj);
    }
  }
  return values;
}

/// The operations of take_own_steps.
class Steps {
 public:
  Steps(Backend& bodies, double tolerance) : bodies_(bodies), tolerance_(tolerance) {}

  double start() {
    bodies_.combine(x0, {{1, x}});
    bodies_.combine(v0, {{1, v}});
    for (const Column rest : {x_rest, v_rest}) bodies_.combine(rest, {{0, v}});
    for (std::size_t m = 0; m < nodes; ++m) bodies_.combine(difference[m], {{0, v}});
    begin();
    return first_length(bodies_, x0, v0, a0);
  }

  void move_on(double length) {
    last_length_ = length;
    end(length, difference);
    // Compensated summation: the rounding error of a sum is added to the next one.
    bodies_.combine(x_rest, {{-1, x}, {1, x0}, {1, x_sum}});
    bodies_.combine(v_rest, {{-1, v}, {1, v0}, {1, v_sum}});
    bodies_.combine(x0, {{1, x}});
    bodies_.combine(v0, {{1, v}});
    begin();
  }

  /// The next step is longer by (tolerance/ε)^(1/7) with ε = max |b₆|/max |a|, since b₆ scales with the seventh power.
  Attempt attempt(double length) {
    predict(1, last_length_ != 0 ? length / last_length_ : 1);
    const auto [b6, acceleration] = solve(length);
    constexpr double least = 0x1p-21, most = 0x1p14;  // 8⁻⁷ and 4⁷
    double ratio = b6.value > 0 ? tolerance_ * acceleration / b6.value : most;
    if (!(ratio > least)) ratio = least;
    const double factor = root(std::min(ratio, most), 7);
    return {.next = factor * length, .accepted = factor > 0.25, .body = b6.body};
  }

  void accept() {
    for (std::size_t m = 0; m < nodes; ++m) bodies_.combine(difference[m], {{1, trial[m]}});
  }

  /// Writes the state at a time in the last step: its end, or that of a shorter step from the same beginning.
  void show(double since_begin, double length) {
    if (since_begin == length) return end(length, difference);
    predict(0, since_begin / length);
    (void)solve(since_begin);
    end(since_begin, trial);
  }

 private:
  void begin() {
    bodies_.combine(x, {{1, x0}});
    bodies_.combine(v, {{1, x_rest}});
    bodies_.accelerate_with_jerk(a_rest);
    bodies_.combine(a0, {{1, a}, {1, a_rest}});
  }

  /// Extrapolates the polynomial of the last step to a step that begins at its time h = start and is q times as long.
  void predict(double start, double q) {
    const Each at_start = lagrange(start);
    for (std::size_t n = 0; n < nodes; ++n) {
      Each factors = lagrange(start + q * gauss_radau.node[n].high);
      for (std::size_t m = 0; m < nodes; ++m) factors[m] -= at_start[m];
      Terms change = Terms().add(factors, difference);
      if (change.empty()) change.add(0, a0);  // the step is too short for any change
      bodies_.combine(trial[n], change);
    }
  }

  struct Solution {
    Greatest b6;
    double acceleration;  ///< maximum at the beginning and at the last node
  };

  /// Improves the differences of a step until b₆ changes by no more than rounding or no less than in the last
  /// iteration.
  ///
  /// Positions are rounded before forces are computed; for close bodies this error of their distance matters for the
  /// orbit. It is known, and the jerk along it, as if it were a velocity, corrects the forces. This is done if the
  /// correction is larger than the rounding of the forces themselves.
  Solution solve(double dt) {
    const auto [at_start, rest] = bodies_.greatest({a0, a_rest});
    const bool correct = rest.value > 0x1p-51 * at_start.value;
    double change = std::numeric_limits<double>::infinity();
    for (int k = 1;; ++k) {
      for (std::size_t n = 0; n < nodes; ++n) {
        const TwoDoubles h = dt * gauss_radau.node[n];
        Terms way = Terms()
                        .add(gauss_radau.inner[n], trial, dt * dt)
                        .add(h.high * h.high / 2, a0)
                        .add(1, x_rest)
                        .add(h.low, v0)
                        .add(h.high, v0);
        if (correct) {
          bodies_.combine(x_sum, way);
          bodies_.combine(x, {{1, x_sum}, {1, x0}});
          bodies_.combine(v, {{-1, x}, {1, x0}, {1, x_sum}});
          bodies_.accelerate_with_jerk(v_sum);
          bodies_.combine(trial[n], {{1, a}, {-1, a0}, {1, v_sum}});
        } else {
          bodies_.combine(x, way.add(1, x0));
          bodies_.accelerate();
          bodies_.combine(trial[n], {{1, a}, {-1, a0}});
        }
      }
      bodies_.combine(x_sum, Terms().add(gauss_radau.last, trial));
      if (k > 1) bodies_.combine(last_b6, {{1, x_sum}, {-1, last_b6}});
      const auto [b6, at_end, moved] = bodies_.greatest({x_sum, a, last_b6});
      const double acceleration = std::max(at_start.value, at_end.value), last_change = change;
      if (k > 1) change = moved.value;
      if (k == 12 || change <= 1e-16 * acceleration || (k > 2 && !(change < last_change))) return {b6, acceleration};
      bodies_.combine(last_b6, {{1, x_sum}});
    }
  }

  /// Writes the state at the end of a step; x_sum and v_sum are its increments.
  void end(double dt, Columns d) {
    const TwoDoubles dt2 = TwoDoubles::product(dt, dt);
    bodies_.combine(x_sum, increment(dt2, gauss_radau.position, d)
                               .add(dt2.low / 2, a0)
                               .add(dt, v_rest)
                               .add(1, x_rest)
                               .add(dt2.high / 2, a0)
                               .add(dt, v0));
    bodies_.combine(v_sum, increment(dt, gauss_radau.velocity, d).add(1, v_rest).add(dt, a0));
    bodies_.combine(x, {{1, x_sum}, {1, x0}});
    bodies_.combine(v, {{1, v_sum}, {1, v0}});
  }

  static Terms increment(TwoDoubles unit, const GaussRadau::Each<TwoDoubles>& weights, Columns d) {
    Each high, low;
    for (std::size_t m = 0; m < nodes; ++m) {
      const TwoDoubles factor = unit * weights[m];
      high[m] = factor.high;
      low[m] = factor.low;
    }
    return Terms().add(low, d).add(high, d);
  }

  Backend& bodies_;
  double tolerance_, last_length_ = 0;
};

}  // namespace

void advance_with_ias15(Backend& bodies, Clock& clock, const AdvanceGoal& goal) {
  Steps steps(bodies, goal.accuracy);
  take_own_steps(bodies, clock, goal, steps);
  steps.show(shown_since_begin(clock, goal), clock.length);
}

}  // namespace orrery::sim
