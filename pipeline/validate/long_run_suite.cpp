// SPDX-License-Identifier: MIT
// Conserved quantities and drifts of two bodies over ten thousand periods.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "common/power_law.hpp"
#include "pipeline/validate/measured_run.hpp"

namespace orrery::pipeline {
namespace {

constexpr double rounding = 0x1p-53;
constexpr int samples = 32;  ///< per period

/// A period with samples.
struct Window {
  double periods;   ///< at its end
  double greatest;  ///< |ΔE/E|
  double mean;      ///< of ΔE/E
};

/// Errors of a run. Maximum changes of the momenta are in units of Σ m |v| and Σ m |x| |v| at pericentre, those of the
/// centre of mass in semi-major axes.
struct Errors {
  std::vector<Window> windows;
  double first_tenth = 0, last_tenth = 0;  ///< maximum |ΔE/E| in the first and the last tenth of the run
  double momentum = 0, angular_momentum = 0, center = 0;
  double roundings = 0;  ///< kicks and drifts, or the equivalent number
};

double length(const sim::Vec3& a, const sim::Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// Windows are the first periods, then periods spaced evenly in the logarithm.
bool is_window(std::int64_t period) {
  const double now = 8 * std::log10(static_cast<double>(period)),
               next = 8 * std::log10(static_cast<double>(period + 1));
  return period < 4 || std::floor(next) > std::floor(now);
}

Errors errors_of(const Conditions& conditions, const Method& method, const Ellipse& two, std::int64_t steps,
                 std::int64_t periods) {
  MeasuredRun run(conditions, two.problem.system, method, two.period / static_cast<double>(steps));
  const sim::Observables start = run->observe().observables;
  const auto& m = two.problem.system.bodies.mass;
  const auto& x = two.problem.system.bodies.position;
  const auto& v = two.problem.system.bodies.velocity;
  const double speeds = m[0] * std::abs(v.y[0]) + m[1] * std::abs(v.y[1]);
  const double moments = m[0] * std::abs(v.y[0] * x.x[0]) + m[1] * std::abs(v.y[1] * x.x[1]);
  Errors errors;
  for (std::int64_t period = 0; period < periods; ++period) {
    const bool early = period < periods / 10, late = period >= periods - periods / 10, window = is_window(period + 1);
    if (!early && !late && !window) {
      run.advance(steps);
      continue;
    }
    Window seen{.periods = static_cast<double>(period + 1), .greatest = 0, .mean = 0};
    for (int k = 0; k < samples; ++k) {
      run.advance(steps * (k + 1) / samples - steps * k / samples, true);
      const sim::Observables now = run->observe().observables;
      const double error = (now.total_energy() - start.total_energy()) / start.total_energy();
      seen.greatest = std::max(seen.greatest, std::abs(error));
      seen.mean += error / samples;
      errors.momentum = std::max(errors.momentum, length(now.momentum, start.momentum) / speeds);
      errors.angular_momentum =
          std::max(errors.angular_momentum, length(now.angular_momentum, start.angular_momentum) / moments);
      errors.center = std::max(errors.center, length(now.center_of_mass, start.center_of_mass) / two.semi_major_axis);
    }
    if (early) errors.first_tenth = std::max(errors.first_tenth, seen.greatest);
    if (late) errors.last_tenth = std::max(errors.last_tenth, seen.greatest);
    if (window) errors.windows.push_back(seen);
  }
  errors.roundings = 2 * static_cast<double>(run.evaluations());
  return errors;
}

/// q of a mean energy error ∝ t^q, by least squares over the windows after the tenth period.
double growth(const Errors& errors) {
  std::vector<double> periods, drifts;
  for (const Window& window : errors.windows) {
    const double drift = std::abs(window.mean - errors.windows.front().mean);
    if (window.periods < 10 || !(drift > 0)) continue;
    periods.push_back(window.periods);
    drifts.push_back(drift);
  }
  return power_law(periods, drifts);
}

/// A power of two: 256 for symplectic methods; else enough that ten periods lose less than 1e-8, so that ten thousand
/// hardly change the orbit.
std::int64_t steps_per_period(const Conditions& conditions, const Method& method, const Ellipse& two) {
  if (method.accuracy > 0) return samples;
  if (method.integrator->symplectic) return 256;
  std::int64_t steps = 64;
  while (steps < 4096 && !(std::abs(errors_of(conditions, method, two, steps, 10).windows.back().mean) < 1e-8))
    steps *= 2;
  return steps;
}

Findings conservation(const Conditions& conditions, const Method& method) {
  const Ellipse two = ellipse();
  const std::int64_t periods = conditions.quick ? 300 : 10'000, steps = steps_per_period(conditions, method, two);
  const Errors errors = errors_of(conditions, method, two, steps, periods);
  Findings findings;
  const auto add = [&](std::string what, double measured, Bound bound, std::string why) {
    findings.checks.push_back({std::move(what), measured, bound, std::move(why), method.name()});
  };
  const std::string run =
      method.accuracy > 0 ? fmt::format("{} periods", periods) : fmt::format("{} periods of {} steps", periods, steps);
  // Rounding is a random walk; the bound is ten times its width.
  const double walk = 10 * rounding * std::sqrt(errors.roundings);
  if (method.integrator->symplectic && method.accuracy == 0) {
    add(fmt::format("|ΔE/E| over {}: last tenth / first tenth", run), errors.last_tenth / errors.first_tenth,
        Bound::at_most(1.05), "an energy near the true one is conserved, so the error stays bounded");
    add(fmt::format("|ΔL/L| over {}", run), errors.angular_momentum, Bound::at_most(walk),
        "kicks along the line between bodies and drifts along velocities conserve angular momentum up to rounding");
  } else if (method.integrator->order >= 15) {
    add(fmt::format("|ΔE/E| over {}", run), errors.last_tenth, Bound::at_most(walk),
        "the method error is below rounding, which is a random walk");
  } else {
    add(fmt::format("q of |ΔE/E| ∝ t^q over {}", run), growth(errors), Bound::within(1, 0.1),
        "the error per period is constant, so the drift is linear in time");
  }
  add(fmt::format("|ΔP|/Σm|v| over {}", run), errors.momentum, Bound::at_most(walk),
      "forces are equal and opposite, and every method conserves linear invariants up to rounding");
  add(fmt::format("|ΔX|/a over {}", run), errors.center,
      Bound::at_most(walk * 2 * std::numbers::pi * static_cast<double>(periods)),
      "the centre of mass moves with the error of the momentum");
  Series series{"energy", method.name(), {}, {}};
  for (const Window& window : errors.windows) {
    series.x.push_back(window.periods);
    series.y.push_back(window.greatest);
  }
  findings.series = {series};
  return findings;
}

void plan(bool /*quick*/, std::vector<Task>& tasks) {
  for (const Method& method : all_methods()) {
    // Without its heat bath it is a leapfrog, although it does not declare those properties.
    if (!method.integrator->bath) add_task(tasks, "two-body", method, conservation);
  }
}

}  // namespace

const ValidationSuite long_run_suite{
    .name = "long-run", .meaning = "conserved quantities and drifts over many periods", .plan = plan};

}  // namespace orrery::pipeline
