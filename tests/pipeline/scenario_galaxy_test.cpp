// SPDX-License-Identifier: MIT
// The shipped galaxy keeps its structure over three rotations.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pipeline/run/backend_choice.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// The scale length of an exponential fitted to the disk's surface density between radii 0.5 and 4, and
/// the root of the mean z² of its bodies.
struct Shape {
  double scale_length, thickness;
};

Shape shape_of(const sim::Snapshot& s, const std::vector<std::int32_t>& species) {
  constexpr int rings = 14;
  constexpr double inner = 0.5, width = 0.25;
  std::vector<double> bodies(rings, 0.0);
  double disk = 0, z2 = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (species[i] != 0) continue;
    const int ring = static_cast<int>(std::floor((std::hypot(s.position.x[i], s.position.y[i]) - inner) / width));
    if (ring >= 0 && ring < rings) ++bodies[static_cast<std::size_t>(ring)];
    ++disk, z2 += s.position.z[i] * s.position.z[i];
  }
  double w = 0, wx = 0, wy = 0, wxx = 0,
         wxy = 0;  // a straight line through ln(bodies/area), each ring by its bodies
  for (std::size_t k = 0; k < rings; ++k) {
    const double R = inner + (static_cast<double>(k) + 0.5) * width, y = std::log(bodies[k] / R);
    w += bodies[k], wx += bodies[k] * R, wy += bodies[k] * y, wxx += bodies[k] * R * R, wxy += bodies[k] * R * y;
  }
  return {-(w * wxx - wx * wx) / (w * wxy - wx * wy), std::sqrt(z2 / disk)};
}

TEST(Galaxy, IsStableForThreeRotationsSlow) {
  const Scenario scenario =
      read_scenario(ORRERY_SOURCE_DIR "/scenarios/galaxy.toml", {"integrator.dt=\"1/200 rotation\""});
  const auto setup = set_up(scenario);
  EXPECT_EQ(setup.model.components, (std::vector<std::string>{"disk", "bulge"}));
  EXPECT_EQ(setup.facts.timescale_name, "rotation");
  const auto backend = make_backend(setup, scenario.backend).backend;
  sim::Simulation simulation(*backend, setup.model);
  const sim::Snapshot start = simulation.observe();
  const Shape before = shape_of(start, setup.model.bodies.species);
  EXPECT_NEAR(before.scale_length, 1, 0.02);
  for (int rotation = 1; rotation <= 3; ++rotation) {
    simulation.advance(200);
    const sim::Snapshot now = simulation.observe();
    const Shape after = shape_of(now, setup.model.bodies.species);
    EXPECT_NEAR(after.scale_length / before.scale_length, 1, 0.1) << rotation;
    EXPECT_LT(after.thickness / before.thickness, 1.35) << rotation;
    EXPECT_NEAR(now.observables.total_energy() / start.observables.total_energy(), 1, 5e-4) << rotation;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
