// SPDX-License-Identifier: MIT
// The triangle of equal masses breaks up as linear theory predicts, measured on the shipped scenario.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/run/backend_choice.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// The longest side less the shortest.
double spread(const sim::Vectors& v) {
  const auto side = [&](std::size_t i, std::size_t j) {
    return std::hypot(v.x[i] - v.x[j], v.y[i] - v.y[j], v.z[i] - v.z[j]);
  };
  const auto [shortest, longest] = std::minmax({side(0, 1), side(1, 2), side(2, 0)});
  return longest - shortest;
}

/// The spread at each sixteenth of a period until it is a tenth of the side.
std::vector<double> growth(const std::vector<std::string>& overrides) {
  const Scenario scenario = read_scenario(ORRERY_SOURCE_DIR "/scenarios/lagrange-equal.toml", overrides);
  const auto setup = set_up(scenario);
  const auto chosen = make_backend(setup, scenario.backend);
  sim::Simulation simulation(*chosen.backend, setup.model);
  const auto sixteenth = std::llround(setup.facts.timescale / setup.model.dt / 16);
  std::vector<double> spreads;
  while (simulation.step() < setup.model.steps && (spreads.empty() || spreads.back() < 0.1)) {
    simulation.advance(sixteenth);
    spreads.push_back(spread(simulation.state().position));
  }
  return spreads;
}

/// λ = ω (1/√2 ± i): one period later a disturbance has the same phase and is exp(2π/√2) times as large. Returns the
/// mean of that factor, from above the noise of rounding to the limit of the linear theory.
double factor_a_period(const std::vector<double>& spreads) {
  double sum = 0;
  int count = 0;
  for (std::size_t k = 0; k + 16 < spreads.size(); ++k) {
    if (spreads[k] < 1e-12 || spreads[k + 16] > 1e-2) continue;
    sum += std::log(spreads[k + 16] / spreads[k]);
    ++count;
  }
  EXPECT_GT(count, 40);
  return std::exp(sum / count);
}

TEST(LagrangeEqual, PerturbationGrows85TimesPerPeriod) {
  const double theory = std::exp(2 * sim::pi / std::sqrt(2.0));
  EXPECT_NEAR(theory, 85.0197, 1e-4);
  EXPECT_NEAR(factor_a_period(growth({})), theory, 0.01 * theory);
}

/// Rounding is what grows: the symmetric part of the integrator's error, here 1e-5 of the side, does not
/// matter, and the time of the break-up does not depend on the integrator or the step.
TEST(LagrangeEqual, RoundingErrorsBreakIt) {
  for (const char* integrator : {"leapfrog", "yoshida4"}) {
    for (const int steps : {1008, 4000, 8000}) {
      const auto spreads = growth(
          {fmt::format("integrator.kind=\"{}\"", integrator), fmt::format("integrator.dt=\"1/{} period\"", steps)});
      ASSERT_GT(spreads.size(), 16U);
      EXPECT_LT(spreads[15], 1e-12) << integrator << ", " << steps;
      const double periods = static_cast<double>(spreads.size()) / 16;
      EXPECT_GT(periods, 6.5) << integrator << ", " << steps;
      EXPECT_LT(periods, 9) << integrator << ", " << steps;
    }
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
