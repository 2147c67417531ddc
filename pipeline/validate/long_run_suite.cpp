// SPDX-License-Identifier: MIT
// Suite long-run: what is kept for ever, what drifts and how fast, on two bodies over ten thousand periods.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/power_law.hpp"
#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

constexpr double rounding = 0x1p-53;
constexpr int looks = 32;  ///< at the state in a period

/// One period, looked at.
struct Window {
  double periods;   ///< at its end
  double greatest;  ///< |ΔE/E|
  double mean;      ///< of ΔE/E
};

/// What was seen of a run. Momenta are those of Σ m |v| and Σ m |x| |v| at pericentre, the centre of mass is in semi-major
/// axes: how far they went at most.
struct Course {
  std::vector<Window> windows;
  double first_tenth = 0, last_tenth = 0;  ///< the greatest |ΔE/E| there
  double momentum = 0, angular_momentum = 0, center = 0;
  double verbs = 0;  ///< kicks and drifts, or what stands for them
};

double length(const sim::Vec3& a, const sim::Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// The periods that are windows: all small numbers, and then evenly in the logarithm.
bool is_window(std::int64_t period) {
  const double now = 8 * std::log10(static_cast<double>(period)),
               next = 8 * std::log10(static_cast<double>(period + 1));
  return period < 4 || std::floor(next) > std::floor(now);
}

Course follow(const Context& context, const Method& method, const Ellipse& two, std::int64_t steps,
              std::int64_t periods) {
  MeasuredRun trial(context, two.problem.system, method, two.period / static_cast<double>(steps));
  const sim::Observables start = trial->observe().observables;
  const auto& m = two.problem.system.bodies.mass;
  const auto& x = two.problem.system.bodies.position;
  const auto& v = two.problem.system.bodies.velocity;
  const double speeds = m[0] * std::abs(v.y[0]) + m[1] * std::abs(v.y[1]);
  const double moments = m[0] * std::abs(v.y[0] * x.x[0]) + m[1] * std::abs(v.y[1] * x.x[1]);
  Course course;
  for (std::int64_t period = 0; period < periods; ++period) {
    const bool early = period < periods / 10, late = period >= periods - periods / 10, window = is_window(period + 1);
    if (!early && !late && !window) {
      trial.advance(steps);
      continue;
    }
    Window seen{.periods = static_cast<double>(period + 1), .greatest = 0, .mean = 0};
    for (int k = 0; k < looks; ++k) {
      trial.advance(steps * (k + 1) / looks - steps * k / looks, true);
      const sim::Observables now = trial->observe().observables;
      const double error = (now.total_energy() - start.total_energy()) / start.total_energy();
      seen.greatest = std::max(seen.greatest, std::abs(error));
      seen.mean += error / looks;
      course.momentum = std::max(course.momentum, length(now.momentum, start.momentum) / speeds);
      course.angular_momentum =
          std::max(course.angular_momentum, length(now.angular_momentum, start.angular_momentum) / moments);
      course.center = std::max(course.center, length(now.center_of_mass, start.center_of_mass) / two.semi_major_axis);
    }
    if (early) course.first_tenth = std::max(course.first_tenth, seen.greatest);
    if (late) course.last_tenth = std::max(course.last_tenth, seen.greatest);
    if (window) course.windows.push_back(seen);
  }
  course.verbs = 2 * static_cast<double>(trial.evaluations());
  return course;
}

/// q where the mean of the energy goes as t^q, by least squares over the windows after the tenth period.
double growth(const Course& course) {
  std::vector<double> periods, drifts;
  for (const Window& window : course.windows) {
    const double drift = std::abs(window.mean - course.windows.front().mean);
    if (window.periods < 10 || !(drift > 0)) continue;
    periods.push_back(window.periods);
    drifts.push_back(drift);
  }
  return power_law(periods, drifts);
}

/// Steps a period, a power of two: 256 where nothing drifts, else so many that ten periods lose less than 1e-8, so that
/// ten thousand change the orbit by little.
std::int64_t steps_a_period(const Context& context, const Method& method, const Ellipse& two) {
  if (method.accuracy > 0) return looks;
  if (method.integrator->symplectic) return 256;
  std::int64_t steps = 64;
  while (steps < 4096 && !(std::abs(follow(context, method, two, steps, 10).windows.back().mean) < 1e-8)) steps *= 2;
  return steps;
}

Findings kept(const Context& context, const Method& method) {
  const Ellipse two = ellipse();
  const std::int64_t periods = context.quick ? 300 : 10'000, steps = steps_a_period(context, method, two);
  const Course course = follow(context, method, two, steps, periods);
  Findings findings;
  const auto add = [&](std::string what, double measured, Bound bound, std::string why) {
    findings.checks.push_back({.suite = "",
                               .integrator = method.name(),
                               .orbit = "",
                               .what = std::move(what),
                               .measured = measured,
                               .bound = bound,
                               .why = std::move(why)});
  };
  const std::string run =
      method.accuracy > 0 ? fmt::format("{} periods", periods) : fmt::format("{} periods of {} steps", periods, steps);
  // Roundings to nearest are as often up as down: ten times the width of their random walk.
  const double walk = 10 * rounding * std::sqrt(course.verbs);
  if (method.integrator->symplectic && method.accuracy == 0) {
    add(fmt::format("|ΔE/E| over {}: last tenth / first tenth", run), course.last_tenth / course.first_tenth,
        Bound::at_most(1.05), "an energy near the true one is kept, so the error has the same extremes for ever");
    add(fmt::format("|ΔL/L| over {}", run), course.angular_momentum, Bound::at_most(walk),
        "kicks along the line between bodies and drifts along velocities turn nothing: rounding alone");
  } else if (method.integrator->order >= 15) {
    add(fmt::format("|ΔE/E| over {}", run), course.last_tenth, Bound::at_most(walk),
        "its own error is below rounding, which is a random walk");
  } else {
    add(fmt::format("q of |ΔE/E| ∝ t^q over {}", run), growth(course), Bound::within(1, 0.1),
        "every period loses the same: the drift is linear in time");
  }
  add(fmt::format("|ΔP|/Σm|v| over {}", run), course.momentum, Bound::at_most(walk),
      "forces are equal and opposite, and every method keeps what is linear: rounding alone");
  add(fmt::format("|ΔX|/a over {}", run), course.center,
      Bound::at_most(walk * 2 * std::numbers::pi * static_cast<double>(periods)),
      "the centre of mass goes as far as the momentum takes it");
  Series series{"energy", method.name(), {}, {}};
  for (const Window& window : course.windows) {
    series.x.push_back(window.periods);
    series.y.push_back(window.greatest);
  }
  findings.series = {series};
  return findings;
}

void plan(bool /*quick*/, std::vector<Task>& tasks) {
  for (const auto& methods : {constant_methods(), adaptive_methods()}) {
    for (const Method& method : methods) {
      if (method.integrator->bath) continue;  // a leapfrog here, where its bath is off, which it does not declare
      tasks.push_back({.suite = "",
                       .integrator = std::string(method.integrator->name),
                       .orbit = "two-body",
                       .work = [=](const Context& context) { return kept(context, method); }});
    }
  }
}

}  // namespace

const ValidationSuite long_run_suite{
    .name = "long-run", .meaning = "what is kept for ever, what drifts and how fast", .plan = plan};

}  // namespace orrery::pipeline
