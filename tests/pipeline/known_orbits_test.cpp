// SPDX-License-Identifier: MIT
// The shipped scenarios of known orbits reach the known states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/run/backend_choice.hpp"
#include "sim/orbit.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// Every frame of a shipped scenario, or only the first and the last.
std::vector<sim::Snapshot> frames_of(const std::string& name, bool ends_only, std::vector<std::string> overrides = {}) {
  const Scenario scenario = read_scenario(ORRERY_SOURCE_DIR "/scenarios/" + name + ".toml", std::move(overrides));
  const Setup setup = set_up(scenario);
  const auto chosen = make_backend(setup, scenario.backend);
  sim::Simulation simulation(*chosen.backend, setup.model);
  std::vector<sim::Snapshot> frames{simulation.observe()};
  while (simulation.step() < setup.model.steps) {
    const std::int64_t next =
        ends_only ? setup.model.steps : std::min(setup.output.frames.from(simulation.step() + 1), setup.model.steps);
    simulation.advance(next - simulation.step());
    frames.push_back(simulation.observe());
  }
  return frames;
}

/// The maximum displacement of a body.
double gap(const sim::Snapshot& a, const sim::Snapshot& b) {
  double greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    greatest = std::max(greatest, std::hypot(a.position.x[i] - b.position.x[i], a.position.y[i] - b.position.y[i],
                                             a.position.z[i] - b.position.z[i]));
  }
  return greatest;
}

/// The maximum error of the relative orbit over all frames.
double error_of(const std::vector<sim::Snapshot>& frames, double mu, double e) {
  double greatest = 0;
  for (const sim::Snapshot& s : frames) {
    const sim::Vec3 exact = sim::kepler_orbit(mu, 1, e, s.time).position;
    const auto& x = s.position;
    greatest = std::max(greatest, std::hypot(x.x[1] - x.x[0] - exact.x, x.y[1] - x.y[0] - exact.y));
  }
  return greatest;
}

/// Only rounding is left, amplified by encounters: 1e-16 becomes at most 1e-12.
TEST(KnownOrbits, PeriodicThreeBodyOrbitsClose) {
  for (const char* name :
       {"butterfly-1", "butterfly-2", "butterfly-3", "moth-1", "goggles", "dragonfly", "yin-yang-1a", "yin-yang-1b"}) {
    const auto frames = frames_of(name, true);
    EXPECT_LT(gap(frames.front(), frames.back()), 1e-11) << name;
    EXPECT_NEAR(frames.back().observables.total_energy() / frames.front().observables.total_energy(), 1, 1e-12);
    EXPECT_NEAR(frames.back().observables.angular_momentum.z, 0, 1e-14);
  }
  const auto eight = frames_of("figure-eight", true),
             fine = frames_of("figure-eight", true, {"integrator.dt=\"1/1000 period\""});
  EXPECT_NEAR(gap(eight.front(), eight.back()) / gap(fine.front(), fine.back()), 16, 1);  // of fourth order
}

/// In closed form at every frame. Fourth order: half the step, a sixteenth of the error.
TEST(KnownOrbits, TwoBodiesFollowTheKeplerOrbit) {
  const std::string method = "integrator.kind=\"yoshida4\"";
  const auto coarse = frames_of("two-body", false, {method, "integrator.dt=\"1/1000 period\""});
  const auto fine = frames_of("two-body", false, {method, "integrator.dt=\"1/2000 period\""});
  ASSERT_EQ(fine.size(), 1001U);
  EXPECT_NEAR(error_of(coarse, 1.5, 0.5) / error_of(fine, 1.5, 0.5), 16, 0.2);
  EXPECT_LT(error_of(fine, 1.5, 0.5), 1e-6);
  EXPECT_LT(error_of(frames_of("two-body", false, {"integrator.kind=\"ias15\""}), 1.5, 0.5), 1e-12);
  EXPECT_LT(error_of(frames_of("kepler-0.9", false), 1, 0.9), 1e-11);
}

/// E/m and L/m of the relative orbit, where m = m₁m₂/M.
TEST(KnownOrbits, KeplerHasItsEnergy) {
  const sim::Observables start = frames_of("kepler-0.9", true).front().observables;
  EXPECT_DOUBLE_EQ(start.total_energy() / 0.25, -0.5);
  EXPECT_DOUBLE_EQ(start.angular_momentum.z / 0.25, 0.435889894354067355);
}

/// Body 3 to 1e-9 until rounding has grown; after the last encounter the binary has the known elements. Szebehely &
/// Peters 1967; digits from 113-bit arithmetic.
TEST(KnownOrbits, ThePythagoreanBinary) {
  const auto ten = frames_of("pythagorean", true, {"integrator.time=10.0"}).back();
  EXPECT_NEAR(ten.position.x[0], 0.7784804101381, 1e-9);
  EXPECT_NEAR(ten.position.y[0], 0.1413923002901, 1e-9);
  const auto end = frames_of("pythagorean", true).back();
  EXPECT_NEAR(end.position.x[0], 6.933463599012, 2e-3);
  EXPECT_NEAR(end.position.y[0], 20.26180430595, 2e-3);
  const auto between = [](const sim::Vectors& v) { return sim::Vec3{v.x[2] - v.x[1], v.y[2] - v.y[1], 0}; };
  const sim::Vec3 r = between(end.position), v = between(end.velocity);
  const double L = r.x * v.y - r.y * v.x, a = 1 / (2 / std::hypot(r.x, r.y) - (v.x * v.x + v.y * v.y) / 9);
  EXPECT_NEAR(a, 0.552495, 1e-3);
  EXPECT_NEAR(std::sqrt(1 - L * L / (9 * a)), 0.988710, 1e-4);
}

TEST(KnownOrbits, ArenstorfOrbitCloses) {
  const auto frames = frames_of("arenstorf", true);
  const double t = frames.back().time, c = std::cos(t), s = std::sin(t);
  const auto& x = frames.back().position;
  EXPECT_NEAR(c * x.x[2] + s * x.y[2], 0.994, 1e-11);
  EXPECT_NEAR(c * x.y[2] - s * x.x[2], 0, 1e-11);
}

TEST(KnownOrbits, JupiterAfterTenThousandDays) {
  const auto frames = frames_of("outer-solar-system", true, {"integrator.time=10000.0", "trajectory.frames=\"auto\""});
  const auto& start = frames.front().observables;
  EXPECT_NEAR(start.total_energy(), -3.21545318320816357e-8, 1e-11 * 3.2e-8);  // of another G
  const auto& x = frames.back().position;
  EXPECT_NEAR(x.x[1], 4.761688621813367, 1e-6);
  EXPECT_NEAR(x.y[1], -1.498531656206141, 1e-6);
  EXPECT_NEAR(x.z[1], -0.758534323470254, 1e-6);
}

/// Equilateral at every frame, with the size of Kepler's ellipse. Rounding grows less than 200-fold a period.
TEST(KnownOrbits, EccentricTriangle) {
  for (const sim::Snapshot& frame : frames_of("lagrange-eccentric", false)) {
    const sim::Vec3 r = sim::kepler_orbit(6, 1, 0.6, frame.time).position;
    const auto& x = frame.position;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      ASSERT_NEAR(std::hypot(x.x[j] - x.x[i], x.y[j] - x.y[i]), std::hypot(r.x, r.y), 1e-8) << frame.time;
    }
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
