// SPDX-License-Identifier: MIT
// How hermite4 chooses its steps: Aarseth's criterion for the body that it is shortest for.
#include "sim/integrators/hermite4.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/integrators/own_steps.hpp"

namespace orrery::sim::hermite {
namespace {

double length(double x, double y, double z) {
  return std::sqrt(x * x + y * y + z * z);
}

struct Wish {
  double step = std::numeric_limits<double>::infinity();
  std::size_t body = 0;  ///< that wants it so short
};

/// The shortest of √(η (|a||a″| + |j|²) / (|j||a‴| + |a″|²)) at the end of a step of h (Makino & Aarseth 1992, eq. 7),
/// a″ and a‴ from Hermite's polynomial through its ends. What rounding makes of differences of forces is taken off:
/// where forces cancel, on a star amid its planets, it is all there is, and steps would shrink after it for ever.
/// Whoever has no a″ and a‴ beyond that wants none. A state that is no number wants a much shorter step. It takes four
/// columns of every body at once, so they come to the host.
Wish longest_step(const Backend& bodies, double h, double eta) {
  const Vectors from = bodies.download(a0), to = bodies.download(a1), jerk_from = bodies.download(j0),
                jerk_to = bodies.download(j1);
  const double rounding = 0x1p-50 * greatest(to).value, size = std::abs(h);
  const auto beyond = [](double noise, const double(&d)[3]) { return std::max(length(d[0], d[1], d[2]) - noise, 0.0); };
  Wish wish;
  for (std::size_t i = 0; i < to.size(); ++i) {
    double second[3], third[3];
    std::size_t q = 0;
    for (const auto axis : {&Vectors::x, &Vectors::y, &Vectors::z}) {
      const double change = (to.*axis)[i] - (from.*axis)[i], j = (jerk_from.*axis)[i], k = (jerk_to.*axis)[i];
      second[q] = (h * (2 * j + 4 * k) - 6 * change) / (h * h);
      third[q] = (6 * h * (j + k) - 12 * change) / (h * h * h);
      ++q;
    }
    const double a = length(to.x[i], to.y[i], to.z[i]), j = length(jerk_to.x[i], jerk_to.y[i], jerk_to.z[i]);
    const double s = beyond(12 * rounding / (size * size), second);
    const double t = beyond(24 * rounding / (size * size * size), third);
    const double above = a * s + j * j, below = j * t + s * s;
    double step = above > 0 && below > 0 ? std::sqrt(eta * (above / below)) : wish.step;
    if (std::isnan(above) || std::isnan(below)) step = size / 8;
    if (step < wish.step) wish = {step, i};
  }
  return wish;
}

}  // namespace

/// The columns hold the end of the last step, so that there is nothing to be done to move on.
void advance_to(Backend& bodies, Clock& clock, const AdvanceGoal& goal) {
  const auto start = [&] {
    bodies.combine(x0, {{1, Column::position}});
    bodies.combine(v0, {{1, Column::velocity}});
    return first_length(bodies, x0, v0, a0);
  };
  const auto attempt = [&](double h) {
    take_step(bodies, h);
    const Wish wish = longest_step(bodies, h, goal.accuracy);
    const bool accepted = std::abs(h) <= 2 * wish.step;
    const double next = accepted ? std::min(wish.step, 2 * std::abs(h)) : wish.step;
    return Tried{.next = std::copysign(next, h), .accepted = accepted, .body = wish.body};
  };
  take_own_steps(
      bodies, clock, goal, start, [](double) {}, attempt, [&] { go_on(bodies); });
  take_step(bodies, since_begin(clock, goal.time()) - clock.length);
}

}  // namespace orrery::sim::hermite
