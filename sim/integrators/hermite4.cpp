// SPDX-License-Identifier: MIT
// Adaptive steps of hermite4 by Aarseth's criterion, shared by all bodies.
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

struct StepLimit {
  double step = std::numeric_limits<double>::infinity();
  std::size_t body = 0;  ///< that requires it
};

/// The minimum of √(η (|a||a″| + |j|²) / (|j||a‴| + |a″|²)) at the end of a step of h (Makino & Aarseth 1992, eq. 7),
/// with a″ and a‴ from Hermite's polynomial through its ends. The rounding error of force differences is subtracted: if
/// forces cancel, as for a star among its planets, nothing else is left, and steps would shrink without end. A body
/// whose a″ and a‴ vanish after that imposes no limit; NaN requires a much shorter step. Needs four columns of all
/// bodies at once, which are downloaded.
StepLimit longest_step(const Backend& bodies, double h, double eta) {
  const Vectors from = bodies.download(a0), to = bodies.download(a1), jerk_from = bodies.download(j0),
                jerk_to = bodies.download(j1);
  const double rounding = 0x1p-50 * greatest(to).value, size = std::abs(h);
  const auto beyond = [](double noise, const double(&d)[3]) { return std::max(length(d[0], d[1], d[2]) - noise, 0.0); };
  StepLimit limit;
  for (std::size_t i = 0; i < to.size(); ++i) {
    double second[3]{}, third[3]{};
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
    double step = above > 0 && below > 0 ? std::sqrt(eta * (above / below)) : limit.step;
    if (std::isnan(above) || std::isnan(below)) step = size / 8;
    if (step < limit.step) limit = {step, i};
  }
  return limit;
}

/// The operations of take_own_steps.
class Steps {
 public:
  Steps(Backend& bodies, double eta) : bodies_(bodies), eta_(eta) {}

  double start() {
    bodies_.combine(x0, {{1, Column::position}});
    bodies_.combine(v0, {{1, Column::velocity}});
    return first_length(bodies_, x0, v0, a0);
  }
  void move_on(double) {}  // the columns already hold the end of the last step
  Attempt attempt(double h) {
    take_step(bodies_, h);
    const StepLimit limit = longest_step(bodies_, h, eta_);
    const bool accepted = std::abs(h) <= 2 * limit.step;
    const double next = accepted ? std::min(limit.step, 2 * std::abs(h)) : limit.step;
    return {.next = std::copysign(next, h), .accepted = accepted, .body = limit.body};
  }
  void accept() { begin_next_step(bodies_); }

 private:
  Backend& bodies_;
  double eta_;
};

}  // namespace

void advance_to(Backend& bodies, Clock& clock, const AdvanceGoal& goal) {
  Steps steps(bodies, goal.accuracy);
  take_own_steps(bodies, clock, goal, steps);
  take_step(bodies, since_begin(clock, goal.time()) - clock.length);
}

}  // namespace orrery::sim::hermite
