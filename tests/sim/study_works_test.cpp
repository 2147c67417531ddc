// SPDX-License-Identifier: MIT
// Study loops on a processor compute the right forces, whatever the compiler options.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/random.hpp"
#include "sim/study/divergence.hpp"
#include "sim/study/ladder.hpp"
#include "sim/study/openmp.hpp"
#include "sim/study/peak.hpp"
#include "sim/study/short_range.hpp"
#include "sim/study/small_gravity.hpp"

namespace orrery::sim::testing {
namespace {

using namespace study;

Bodies bodies_in(std::size_t n, double edge, bool plane) {
  Bodies bodies;
  bodies.species.assign(n, 0);
  bodies.mass.resize(n);
  bodies.position = bodies.velocity = Vectors(n);
  const Random random(3, 0);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = (0.5 + random.uniform(5 * i)) / static_cast<double>(n);
    bodies.position.x[i] = edge * random.uniform(5 * i + 1);
    bodies.position.y[i] = edge * random.uniform(5 * i + 2);
    bodies.position.z[i] = plane ? 0 : edge * random.uniform(5 * i + 3);
  }
  return bodies;
}

void expect_forces(const Bodies& bodies, double softening, Work& work, double allowed, const std::string& what) {
  const Vectors found = work.accelerations();
  ASSERT_EQ(found.x.size(), bodies.size());
  const Vectors& p = bodies.position;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double x = 0, all = 0;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const double dx = p.x[j] - p.x[i], d = std::hypot(dx, p.y[j] - p.y[i], p.z[j] - p.z[i]);
      const double s = bodies.mass[j] / std::pow(d * d + softening * softening, 1.5);
      x += s * dx;
      all += s * d;
    }
    EXPECT_NEAR(found.x[i], x, allowed * all) << what;
  }
  EXPECT_GE(work.take(2), 0);
}

TEST(StudyWorks, KernelVariantsGiveTheForces) {
  const Setting setting{.softening = 0.1, .dt = 1e-3, .threads = 3};
  for (const std::size_t n : {1U, 2U, 33U, 257U}) {
    const Bodies bodies = bodies_in(n, 2, false);
    for (const Rung& rung : cpu_ladder())
      expect_forces(bodies, setting.softening, *rung.make(bodies, setting), 1e-5, std::string(rung.name));
  }
  EXPECT_GT(cpu_roots(), 1e6);
}

TEST(StudyWorks, OpenMpLoopsGiveTheForcesOnAnyThreads) {
  for (const OpenMpLoop& loop : openmp_loops()) {
    for (const int threads : {1, 3}) {
      for (const std::size_t n : {1U, 2U, 33U, 257U}) {
        const Bodies bodies = bodies_in(n, 2, false);
        expect_forces(bodies, 0.1, *loop.make(bodies, 0.1, threads), 1e-12, std::string(loop.name));
      }
    }
  }
}

TEST(StudyWorks, ShortRangeVariantsGiveTheForcesOfAllPairs) {
  for (const std::size_t n : {1U, 2U, 33U, 1000U}) {
    const Bodies bodies = bodies_in(n, RepulsiveBox::size(n), true);
    const Vectors exact = short_range_on_cpu().front().make(bodies, 1)->accelerations();
    for (const ShortRangeRung& rung : short_range_on_cpu()) {
      const auto work = rung.make(bodies, 3);
      const Vectors found = work->accelerations();
      double greatest = 1;
      for (std::size_t i = 0; i < n; ++i) greatest = std::max({greatest, std::abs(exact.x[i]), std::abs(exact.y[i])});
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(found.x[i], exact.x[i], 1e-10 * greatest) << rung.name << ", n = " << n;
        EXPECT_NEAR(found.y[i], exact.y[i], 1e-10 * greatest) << rung.name << ", n = " << n;
      }
      EXPECT_GT(work->take(5), 0);
    }
  }
}

TEST(StudyWorks, ChangesOfArithmeticChangeOnlyLastBits) {
  const Bodies bodies = bodies_in(33, 2, false);
  const auto list = arithmetics_of_cpu();
  for (const Arithmetic& one : list) {
    const auto plain = std::ranges::find(list, one.single, &Arithmetic::single)->run(bodies, 0.1, 1e-2, 50, 0);
    const auto found = one.run(bodies, 0.1, 1e-2, 50, 0);
    ASSERT_EQ(found.size(), 99U);
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], plain[k], one.single ? 1e-4 : 1e-12) << one.name;
  }
}

TEST(StudyWorks, SmallGravityKeepsItsEnergy) {
  const Bodies bodies = bodies_in(6, 2, false);
  SmallGravity<double, double, double> exact(bodies, 0.1), coarse(bodies, 0.1);
  SmallGravity<float, float, float> single(bodies, 0.1);
  const double before = exact.energy<double>();
  for (int k = 0; k < 1000; ++k) {
    exact.step(1e-3);
    single.step(1e-3);
    if (k % 2 == 0) coarse.step(2e-3);
  }
  const double error = exact.energy<double>() / before - 1;
  EXPECT_NEAR(error, 0, 1e-5);
  EXPECT_NEAR((coarse.energy<double>() / before - 1) / error, 4, 0.2);  // of second order
  EXPECT_NE(static_cast<double>(single.positions()[0]), exact.positions()[0]);
  EXPECT_NEAR(static_cast<double>(single.positions()[0]), exact.positions()[0], 1e-4);
}

}  // namespace
}  // namespace orrery::sim::testing
