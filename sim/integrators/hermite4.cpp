// SPDX-License-Identifier: MIT
// How hermite4 chooses its steps: Aarseth's criterion for the body that it is shortest for.
#include "sim/integrators/hermite4.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::sim::hermite {
namespace {

double length(double x, double y, double z) {
  return std::sqrt(x * x + y * y + z * z);
}

struct Wish {
  double step = std::numeric_limits<double>::infinity();
  std::size_t body = 0;  ///< that wants it so short
};

/// The shortest of √(η (|a||a″| + |j|²) / (|j||a‴| + |a″|²)) at the end of a step of h (Aarseth 1985, in Multiple Time
/// Scales), a″ and a‴ from Hermite's polynomial through its ends. What rounding makes of differences of forces is taken
/// off: where forces cancel, on a star amid its planets, it is all there is, and steps would shrink after it for ever.
/// Whoever has no a″ and a‴ beyond that wants none. A state that is no number wants a much shorter step.
Wish longest_step(const Backend& bodies, double h, double eta) {
  const Vectors from = bodies.download(a0), to = bodies.download(a1), jerk_from = bodies.download(j0),
                jerk_to = bodies.download(j1);
  double greatest = 0;
  for (std::size_t i = 0; i < to.size(); ++i) greatest = std::max(greatest, length(to.x[i], to.y[i], to.z[i]));
  const double rounding = 0x1p-50 * greatest, size = std::abs(h);
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

/// The clock as it stands after a step of that length: its beginning is the end of the one before, to twice the digits.
void count_step(Clock& clock, double length) {
  const double more = clock.rest + clock.length, sum = clock.begin + more, part = sum - clock.begin;
  clock.rest = (clock.begin - (sum - part)) + (more - part);
  clock.begin = sum;
  clock.length = length;
  ++clock.steps;
}

}  // namespace

void reach(Backend& bodies, Clock& clock, const Journey& journey) {
  const double time = journey.time(), forward = journey.dt < 0 ? -1 : 1;
  if (clock.length == 0) {
    clock.begin = static_cast<double>(journey.from) * journey.dt;
    clock.next = journey.dt;  // to try
  }
  while ((time - clock.end()) * forward > 0) {
    const double begin = clock.end();
    const auto checked = [begin](double step, std::size_t body) {
      if (begin + step == begin) throw StepTooSmall{begin, step, body};
      return step;
    };
    double h = clock.next;
    Wish wish;
    while (true) {
      take_step(bodies, h);
      clock.evaluations += 2;
      wish = longest_step(bodies, h, journey.accuracy);
      if (std::abs(h) <= 2 * wish.step) break;
      ++clock.refused;
      h = checked(forward * wish.step, wish.body);
    }
    go_on(bodies);
    count_step(clock, h);
    clock.next = checked(forward * std::min(wish.step, 2 * std::abs(h)), wish.body);
  }
  take_step(bodies, time - clock.end());
}

}  // namespace orrery::sim::hermite
