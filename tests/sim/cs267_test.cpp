// SPDX-License-Identifier: MIT
// The problem of the course CS267 against the loop of its pages, by the course's own correctness criterion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "boxes.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/initial_states/list.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double course_cutoff = 0.01, course_mass = 0.01, course_dt = 0.0005;

double size_of_course(std::size_t n) {
  return std::sqrt(0.0005 * static_cast<double>(n));
}

Bodies course_bodies(std::size_t n) {
  return short_range_box.make({{"n", static_cast<std::int64_t>(n)}, {"mass", course_mass}}, {.random = Random(1, 0)})
      .bodies;
}

/// A plain double loop with a root and a division, as a student would write it. No product and sum are fused here.
struct CourseLoop {
  Vectors x, v;
  double size;
  double nearest = std::numeric_limits<double>::infinity();  ///< that two bodies ever were

  explicit CourseLoop(const Bodies& bodies)
      : x(bodies.position), v(bodies.velocity), size(size_of_course(bodies.size())) {}

  void step() {
    const std::size_t n = x.size();
    std::vector<double> ax(n), ay(n);
    const double *px = x.x.data(), *py = x.y.data();
    double least = nearest * nearest;
    for (std::size_t i = 0; i < n; ++i) {
      const double xi = px[i], yi = py[i];
      for (std::size_t j = 0; j < n; ++j) {
        const double dx = px[j] - xi, dy = py[j] - yi;
        double r2 = dx * dx + dy * dy;
        if (r2 > course_cutoff * course_cutoff || j == i) continue;
        least = std::min(least, r2);
        r2 = std::max(r2, (course_cutoff / 100) * (course_cutoff / 100));
        const double r = std::sqrt(r2), c = (1 - course_cutoff / r) / r2 / course_mass;
        ax[i] += c * dx;
        ay[i] += c * dy;
      }
    }
    nearest = std::sqrt(least);
    for (std::size_t i = 0; i < n; ++i) {
      move(x.x[i], v.x[i], ax[i]);
      move(x.y[i], v.y[i], ay[i]);
    }
  }

 private:
  void move(double& at, double& speed, double a) const {
    speed += a * course_dt;
    at += speed * course_dt;
    while (at < 0 || at > size) {
      at = at < 0 ? -at : 2 * size - at;
      speed = -speed;
    }
  }
};

std::unique_ptr<Backend> course_on_cpu(std::size_t n) {
  const ForceLaw& repulsive = *law("repulsive").law;
  const Bodies bodies = course_bodies(n);
  return make_cpu_backend(in_box(box_of(Reflecting::kind, 2, size_of_course(n)),
                                 system_of({&repulsive, repulsive.parameters_of(defaults(repulsive))}, bodies, 0)),
                          2, 0);
}

/// Mean distances over bodies after the steps 1, 11, 21, … between the loop and a run of orrery.
std::vector<double> distances_to(CourseLoop& loop, std::size_t n, int frames) {
  const auto cpu = course_on_cpu(n);
  Simulation simulation(*cpu, integrator("symplectic-euler"), course_dt);
  std::vector<double> all;
  for (int frame = 0; frame < frames; ++frame) {
    const int steps = frame == 0 ? 1 : 10;
    for (int k = 0; k < steps; ++k) loop.step();
    simulation.advance(steps);
    const Vectors x = cpu->download(Column::position);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::hypot(x.x[i] - loop.x.x[i], x.y[i] - loop.x.y[i]);
    all.push_back(sum / static_cast<double>(n));
  }
  return all;
}

double mean_of_first(const std::vector<double>& values, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += values[k];
  return sum / static_cast<double>(count);
}

/// With fewer frames than the course uses; the first frames have the smallest error.
TEST(Cs267, FirstFramesEqualThoseOfTheCourseCode) {
  CourseLoop loop(course_bodies(1000));
  const auto distances = distances_to(loop, 1000, 12);
  EXPECT_LT(distances.front(), 1e-16);
  EXPECT_LT(mean_of_first(distances, distances.size()), 1e-12);
  EXPECT_LT(loop.nearest, course_cutoff);
}

double total_energy(Backend& backend, const Vectors& x, const Vectors& v) {
  backend.upload(Column::position, x);
  backend.upload(Column::velocity, v);
  return backend.observe().total_energy();
}

/// The bits of the loop are those of an independent program. By the end of the run orrery's have diverged, as those of
/// any two programs with different rounding do. The energy gained at such steps is then random: 3.6 % to 5.6 % with the
/// first six seeds.
TEST(Cs267, PassesTheCheckOfTheCourseSlow) {
  CourseLoop loop(course_bodies(1000));
  const auto distances = distances_to(loop, 1000, 100);
  EXPECT_LT(mean_of_first(distances, 50), 3e-7);
  EXPECT_LT(mean_of_first(distances, 100), 0.025);
  EXPECT_GT(distances.back(), 0);
  for (int k = 991; k < 1000; ++k) loop.step();
  EXPECT_GT(loop.nearest, 0.76 * course_cutoff);
  EXPECT_LT(loop.nearest, 0.80 * course_cutoff);
  EXPECT_EQ(fingerprint({&loop.x.x, &loop.x.y, &loop.v.x, &loop.v.y}), 0xda130ac8ff849e49ULL);
  const auto judge = course_on_cpu(1000);
  const double first = judge->observe().total_energy(), last = total_energy(*judge, loop.x, loop.v);
  EXPECT_GT(last / first - 1, 0.037);
  EXPECT_LT(last / first - 1, 0.039);
}

/// (E − E₀)/E₀ after that time with the given number of steps.
double gain_of_course(double time, std::int64_t steps) {
  const auto cpu = course_on_cpu(1000);
  const double first = cpu->observe().total_energy();
  const double last =
      run(*cpu, integrator("symplectic-euler"), time / static_cast<double>(steps), steps).observables.total_energy();
  return last / first - 1;
}

/// Colliding bodies gain energy, since they move by a good part of the cutoff in a step.
TEST(Cs267, EnergyRisesWithLongSteps) {
  EXPECT_GT(gain_of_course(0.04, 80), 1e-3);
}

TEST(Cs267, EnergyRisesOnlyWithLongStepsSlow) {
  const double gain = gain_of_course(0.5, 1000);
  EXPECT_GT(gain, 0.03);
  EXPECT_LT(gain, 0.06);
  EXPECT_LT(std::abs(gain_of_course(0.5, 10'000)), 5e-4);
}

}  // namespace
}  // namespace orrery::sim::testing
