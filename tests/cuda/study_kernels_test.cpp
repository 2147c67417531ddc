// SPDX-License-Identifier: MIT
// The forces of study kernels are right, except for the one that demonstrates a race.
#include <algorithm>
#include <cmath>
#include <string>

#include "gpu.hpp"
#include "sim/random.hpp"
#include "sim/study/divergence.hpp"
#include "sim/study/ladder.hpp"
#include "sim/study/short_range.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::sim::testing {
namespace {

using namespace study;

constexpr std::size_t sizes[] = {1, 2, 33, 257, 1003};

Bodies bodies_at_random(std::size_t n, double edge) {
  Bodies bodies;
  bodies.species.assign(n, 0);
  bodies.mass.resize(n);
  bodies.position = bodies.velocity = Vectors(n);
  const Random random(7, 0);
  for (std::size_t i = 0; i < n; ++i) {
    bodies.mass[i] = (0.5 + random.uniform(7 * i)) / static_cast<double>(n);
    bodies.position.x[i] = edge * random.uniform(7 * i + 1);
    bodies.position.y[i] = edge * random.uniform(7 * i + 2);
    bodies.position.z[i] = edge * random.uniform(7 * i + 3);
    bodies.velocity.x[i] = random.uniform(7 * i + 4) - 0.5;
  }
  return bodies;
}

/// The maximum error relative to the sum of the magnitudes of all pair forces on a body.
double error_of(const Bodies& bodies, double softening, const Vectors& found) {
  if (found.x.size() != bodies.size()) return INFINITY;
  double worst = 0;
  const Vectors& p = bodies.position;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double x = 0, y = 0, z = 0, all = 0;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const double dx = p.x[j] - p.x[i], dy = p.y[j] - p.y[i], dz = p.z[j] - p.z[i], d = std::hypot(dx, dy, dz);
      const double s = bodies.mass[j] / std::pow(d * d + softening * softening, 1.5);
      x += s * dx;
      y += s * dy;
      z += s * dz;
      all += s * d;
    }
    const double error = std::hypot(found.x[i] - x, found.y[i] - y, found.z[i] - z);
    worst = std::isnan(error) ? INFINITY : std::max(worst, all > 0 ? error / all : error);
  }
  return worst;
}

TEST_F(Gpu, StudyKernelsGiveTheForces) {
  const Setting setting{.softening = 0.1, .dt = 1e-3};
  for (const std::size_t n : sizes) {
    const Bodies bodies = bodies_at_random(n, 2);
    for (const Rung& rung : gpu_ladder()) {
      const auto work = rung.make(bodies, setting);
      if (!rung.broken) {
        EXPECT_LT(error_of(bodies, setting.softening, work->accelerations()), 1e-5) << rung.name << ", N = " << n;
      }
      EXPECT_GT(work->take(3), 0) << rung.name;
      EXPECT_GT(work->facts().registers, 0) << rung.name;
    }
  }
}

TEST_F(Gpu, TilesOfAllShapesGiveTheForces) {
  const Setting setting{.softening = 0.1, .dt = 1e-3};
  int made = 0;
  for (const std::size_t n : sizes) {
    const Bodies bodies = bodies_at_random(n, 2);
    for (const bool tiled : {true, false}) {
      for (const int unroll : {1, 2, 4, 8, 16, 32}) {
        for (const unsigned block : {16U, 32U, 64U, 128U, 256U, 512U, 1024U}) {
          for (const int lanes : {1, 4, 32}) {
            for (const bool bounds : {false, true}) {
              for (const bool run_time : {false, true}) {
                const auto work = make_tile({tiled, unroll, block, bounds, run_time, lanes}, bodies, setting);
                if (work == nullptr) continue;
                ++made;
                EXPECT_LT(error_of(bodies, setting.softening, work->accelerations()), 1e-5)
                    << n << ' ' << tiled << ' ' << unroll << ' ' << block << ' ' << lanes << ' ' << bounds << ' '
                    << run_time;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(made, 150);
}

TEST_F(Gpu, TilesOfTheMatrixAddUpToPotentials) {
  const Setting setting{.softening = 0.1};
  for (const std::size_t n : sizes) {
    const Bodies bodies = bodies_at_random(n, 2);
    const Vectors& p = bodies.position;
    for (const unsigned block : {1U, 16U, 128U, 1024U}) {
      for (const bool known : {true, false}) {
        const Vectors sums = make_matrix_tiles(block, known, bodies, setting)->accelerations();
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0;
          for (std::size_t j = 0; j < n; ++j) {
            const double d = std::hypot(p.x[j] - p.x[i], p.y[j] - p.y[i], p.z[j] - p.z[i]);
            sum -= bodies.mass[i] * bodies.mass[j] / std::hypot(d, setting.softening);
          }
          EXPECT_NEAR(sums.x[i], sum, 1e-5 * -sum) << n << ' ' << block << ' ' << known;
        }
      }
    }
  }
}

TEST_F(Gpu, ShortRangeStudyKernelsGiveTheForcesOfAllPairs) {
  for (const std::size_t n : sizes) {
    const Bodies bodies = bodies_at_random(n, RepulsiveBox::size(n));
    const Vectors exact = short_range_on_cpu().front().make(bodies, 1)->accelerations();
    for (const ShortRangeRung& rung : short_range_on_gpu()) {
      const auto work = rung.make(bodies, 0);
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

TEST_F(Gpu, TheSameOperationsGiveTheSameBits) {
  const Bodies bodies = bodies_at_random(33, 2);
  for (const Arithmetic& gpu : arithmetics_of_gpu()) {
    const std::string twin = "cpu" + std::string(gpu.name.substr(3));
    const auto cpu = std::ranges::find(arithmetics_of_cpu(), twin, &Arithmetic::name);
    if (cpu == arithmetics_of_cpu().end()) continue;
    EXPECT_EQ(gpu.run(bodies, 0.1, 1e-2, 20, 0), cpu->run(bodies, 0.1, 1e-2, 20, 0)) << gpu.name;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
