// SPDX-License-Identifier: MIT
// Forces with a cutoff on a GPU, by search and by lists: the bits of their definition, and corner cases.
#include <cmath>
#include <cstdlib>
#include <limits>

#include "gpu.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "tests/sim/short_range_runs.hpp"

namespace orrery::sim::testing {
namespace {

using CudaCells = Gpu;

long number_from(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atol(text) : otherwise;
}

/// Compares the given number of runs from that seed on; returns how many of them stayed in range.
int compare_runs(std::uint64_t first, long count, const ForceSolver* solver) {
  int fine = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    ShortRangeRun run = random_run(seed);
    const Outcome expected = outcome_of(run, *reference(run.system));
    if (!is_fine(expected)) continue;
    ++fine;
    run.system.solver = solver;
    const auto gpu = on_gpu(run.system);
    const Outcome found = outcome_of(run, *gpu);
    EXPECT_EQ(found.columns, expected.columns)
        << "seed " << seed << ", " << gpu->kernel() << ", " << described(run.system) << ", " << run.method->name
        << ", dt " << run.dt;
    EXPECT_EQ(found.observed, expected.observed) << "seed " << seed;
    if (::testing::Test::HasFailure()) return fine;
  }
  return fine;
}

TEST_F(CudaCells, HaveTheBitsOfTheirDefinition) {
  EXPECT_GT(compare_runs(1, 400, &cells_solver), 200);
}
TEST_F(CudaCells, AllPairsSolverHasTheSameBits) {
  EXPECT_GT(compare_runs(5000, 150, force_solvers().front()), 70);
}
/// ORRERY_CELLS_RUNS is the number of runs, ORRERY_CELLS_FIRST the first seed.
TEST_F(CudaCells, HaveTheBitsOfTheirDefinitionInManyRunsSlow) {
  const long runs = number_from("ORRERY_CELLS_RUNS", 20'000);
  EXPECT_GT(compare_runs(static_cast<std::uint64_t>(number_from("ORRERY_CELLS_FIRST", 1'000'000)), runs, &cells_solver),
            runs / 2);
}

/// Many bodies near a corner of a large box: their neighbour lists overflow while all others are short.
System crowded(std::size_t n, int dimensions, const Boundary& boundary) {
  Draws draw(17);
  System system;
  Bodies& bodies = system.bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const double spread = i % 3 == 0 ? 20.0 : 0.7;
    const auto at = [&] { return 0.05 + spread * draw.unit(); };
    bodies.position.push_back(at(), at(), dimensions == 3 ? at() : 0.0);
    bodies.velocity.push_back(draw.unit() - 0.5, draw.unit() - 0.5, dimensions == 3 ? draw.unit() - 0.5 : 0.0);
    bodies.mass.push_back(i % 2 == 0 ? 1.0 : 1.7);
    bodies.species.push_back(0);
  }
  system.domain.dimensions = dimensions;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
    system.domain.boundary[axis] = &boundary, system.domain.edges[axis] = 23.0 + static_cast<double>(axis);
  const ForceLaw& soft = **std::ranges::find(force_laws(), "soft", &ForceLaw::name);
  system.forces.push_back(make_pair_force(soft, bodies, 0, 3.0, soft.parameters_of(defaults(soft))));
  return system;
}

TEST_F(CudaCells, NeighbourListOverflow) {
  for (const int dimensions : {2, 3}) {
    for (const Boundary* boundary : boundaries()) {
      if (!boundary->bounded) continue;
      ShortRangeRun run{
          crowded(2500, dimensions, *boundary), &integrator("leapfrog"), 0.002, {3, 5, 40}, {true, true, true}};
      const Outcome expected = outcome_of(run, *reference(run.system));
      const auto gpu = on_gpu(run.system);
      const Outcome found = outcome_of(run, *gpu);
      EXPECT_EQ(found.columns, expected.columns) << dimensions << ", " << boundary->name;
      EXPECT_EQ(found.observed, expected.observed) << dimensions << ", " << boundary->name;
    }
  }
}

TEST_F(CudaCells, KernelDependsOnTheDensity) {
  EXPECT_EQ(on_gpu(crowded(300, 3, *boundaries()[1]))->kernel(), "lists");
  System dilute = crowded(100, 2, *boundaries()[2]);
  ASSERT_EQ(boundaries()[2]->name, "reflecting");
  EXPECT_EQ(on_gpu(dilute)->kernel(), "cells");
}

/// NaN and infinity must not cause endless loops or invalid addresses.
TEST_F(CudaCells, NonFinitePositions) {
  constexpr double nowhere[] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
                                1e300, -1e300};
  for (const int dimensions : {2, 3}) {
    for (const Boundary* boundary : boundaries()) {
      for (const double x : nowhere) {
        System system = crowded(200, dimensions, boundary->bounded ? *boundary : *boundaries()[1]);
        if (!boundary->bounded) system.domain.boundary = Domain().boundary;
        const auto gpu = on_gpu(system);
        Vectors position = system.bodies.position, velocity = system.bodies.velocity;
        position.x[7] = x, velocity.y[11] = x;
        gpu->upload(Column::position, position);
        gpu->upload(Column::velocity, velocity);
        Simulation simulation(*gpu, integrator("leapfrog"), 0.002);
        simulation.advance(50);
        EXPECT_EQ(gpu->download(Column::position).size(), 200U);
      }
    }
  }
}

/// Floats: close to float64 for a while, and the same bits each time, however often the state is read back.
TEST_F(CudaCells, FloatsAreCloseToDoublesAndReproducible) {
  for (const int dimensions : {2, 3}) {
    const System system = crowded(1111, dimensions, *boundaries()[1]);
    const auto run = [&](const BackendOptions& options, bool looks) {
      const auto gpu = on_gpu(system, options);
      Simulation simulation(*gpu, integrator("leapfrog"), 0.002);
      for (int k = 0; k < 10; ++k) {
        simulation.advance(3);
        if (looks) (void)gpu->observe();
      }
      return gpu->download(Column::position);
    };
    const BackendOptions floats{.precision = Precision::float32};
    const Vectors rough = run(floats, false), exact = run({}, false);
    EXPECT_EQ(bits_of(rough), bits_of(run(floats, true)));
    for (std::size_t i = 0; i < rough.size(); ++i) EXPECT_NEAR(rough.x[i], exact.x[i], 2e-4) << i;
  }
}

/// A coordinate that floats would round to the upper end of a periodic axis is at its lower end, as no body may be
/// outside: then all others would have to be searched.
TEST_F(CudaCells, FloatsStayBetweenPeriodicEnds) {
  System system = crowded(300, 3, **std::ranges::find(boundaries(), "periodic", &Boundary::name));
  Bodies& bodies = system.bodies;  // two of them alone
  bodies.position.x[3] = 1e-9, bodies.position.y[3] = 22, bodies.position.z[3] = 22.5;
  bodies.position.x[6] = 23 - 1e-9, bodies.position.y[6] = 22, bodies.position.z[6] = 11;
  bodies.velocity.x[3] = -1e-6, bodies.velocity.x[6] = 0;
  for (const int steps : {1, 7}) {
    const auto gpu = on_gpu(system, {.precision = Precision::float32});
    Simulation simulation(*gpu, integrator("leapfrog"), 0.002);
    simulation.advance(steps);
    (void)gpu->observe();
    const Vectors position = gpu->download(Column::position), image = gpu->download(*gpu->image());
    for (const std::size_t i : {3U, 6U}) {
      EXPECT_LT(position.x[i], 23) << steps;
      EXPECT_NEAR(position.x[i] + 23 * image.x[i], bodies.position.x[i], 1e-5) << steps;
    }
  }
}

TEST_F(CudaCells, ResumeFromASnapshot) {
  for (const int dimensions : {2, 3}) {
    const System system = crowded(700, dimensions, *boundaries()[1]);
    const auto whole = on_gpu(system), first = on_gpu(system), second = on_gpu(system);
    Simulation all(*whole, integrator("yoshida4"), 0.003), before(*first, integrator("yoshida4"), 0.003),
        after(*second, integrator("yoshida4"), 0.003);
    all.advance(90);
    before.advance(37);
    after.resume(before.state());
    after.advance(53);
    const Snapshot expected = all.state(), found = after.state();
    EXPECT_EQ(bits_of(found.position), bits_of(expected.position));
    EXPECT_EQ(bits_of(found.velocity), bits_of(expected.velocity));
    EXPECT_EQ(bits_of(found.image), bits_of(expected.image));
  }
}

}  // namespace
}  // namespace orrery::sim::testing
