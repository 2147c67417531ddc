// SPDX-License-Identifier: MIT
// Going forward and then back by the same symplectic steps returns to the start, up to rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

/// The maximum distance of a body from its start, after the given number of steps forward and as many back in a run
/// that starts from the last state of the first.
double missed_by(const System& system, const Integrator& method, double dt, std::int64_t steps) {
  const auto there = make_cpu_backend(system, 1, 0), back = make_cpu_backend(system, 1, 0);
  Simulation forward(*there, method, dt), backward(*back, method, -dt);
  const Snapshot start = forward.state();
  forward.advance(steps);
  Snapshot turn = forward.state();
  turn.step = 0;
  backward.resume(turn);
  backward.advance(steps);
  const Snapshot end = backward.observe();
  EXPECT_DOUBLE_EQ(end.time, -static_cast<double>(steps) * dt);
  double missed = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    missed =
        std::max(missed, std::hypot(end.position.x[i] - start.position.x[i], end.position.y[i] - start.position.y[i],
                                    end.position.z[i] - start.position.z[i]));
  }
  return missed;
}

std::vector<const Integrator*> symplectic() {
  std::vector<const Integrator*> found;
  for (const Integrator* method : integrators()) {
    if (method->symplectic) found.push_back(method);
  }
  return found;
}

class Symplectic : public ::testing::TestWithParam<const Integrator*> {};

/// Methods of even order are symmetric: a step of −dt undoes a step of dt up to rounding, a few 1e-16 a step; along an
/// orbit this adds up to a phase error that grows at most as steps^(3/2). A method of odd order cannot be symmetric
/// (Hairer, Lubich & Wanner, II.3.2), and returns to within its order.
TEST_P(Symplectic, IsReversible) {
  const Integrator& method = *GetParam();
  double period = 0;
  const System orbit = system_of(kepler(0.5, &period), 0), crowd = system_of(cloud(33), 0.05);
  if (method.order % 2 == 0) {
    EXPECT_LT(missed_by(orbit, method, period / 200, 2037), 3e-11);  // ten periods and a bit
    EXPECT_LT(missed_by(crowd, method, 1e-3, 1037), 2e-14);
  } else {
    const double coarse = missed_by(orbit, method, period / 2000, 2637);
    const double fine = missed_by(orbit, method, period / 4000, 2 * 2637);
    EXPECT_NEAR(std::log2(coarse / fine), method.order, 0.1);
    EXPECT_LT(missed_by(crowd, method, 1e-3, 1037), 1e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Symplectic, ::testing::ValuesIn(symplectic()), [](const auto& each) {
  std::string name(each.param->name);
  std::erase(name, '-');
  return name;
});

/// Backward in time the times of states are negative; that of the first is +0.
TEST(Backward, TimesDecreaseFromZero) {
  double period = 0;
  const auto cpu = make_cpu_backend(system_of(kepler(0.3, &period), 0), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), -0.01);
  EXPECT_FALSE(std::signbit(simulation.time()));
  EXPECT_FALSE(std::signbit(simulation.observe().time));
  simulation.advance(300);
  const Snapshot s = simulation.observe();
  EXPECT_EQ(s.time, -3.0);
  // Reversed in time, an orbit from pericentre is its own mirror image.
  const Vec3 exact = kepler_orbit(1.25, 1.3, 0.3, 3.0).position;
  EXPECT_NEAR(s.position.x[1] - s.position.x[0], exact.x, 1e-3);
  EXPECT_NEAR(s.position.y[1] - s.position.y[0], -exact.y, 1e-3);
}

}  // namespace
}  // namespace orrery::sim::testing
