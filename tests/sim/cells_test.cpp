// SPDX-License-Identifier: MIT
// Cells on the cpu against their definition, bit by bit: random bodies in random boxes, and corner cases.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/targets.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/random.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "tests/sim/boxes.hpp"
#include "tests/sim/short_range_runs.hpp"

namespace orrery::sim::testing {
namespace {

/// Compares the given number of runs from that seed on; returns how many of them stayed in range.
int compare_runs(std::uint64_t first, int count) {
  int fine = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const ShortRangeRun run = random_run(seed);
    const auto definition = reference(run.system);
    const Outcome expected = outcome_of(run, *definition);
    if (!is_fine(expected)) continue;
    ++fine;
    const std::size_t target = seed % simd::available_targets().size();
    const int threads = std::array{1, 2, 3, 7}[seed / 3 % 4];
    const auto cpu = make_cpu_backend(run.system, threads, target);
    EXPECT_EQ(cpu->kernel(), "cells");
    const Outcome found = outcome_of(run, *cpu);
    EXPECT_EQ(found.columns, expected.columns)
        << "seed " << seed << ", target " << target << ", " << threads << " threads, " << described(run.system) << ", "
        << run.method->name << ", dt " << run.dt;
    EXPECT_EQ(found.observed, expected.observed) << "seed " << seed;
    if (::testing::Test::HasFailure()) return fine;
  }
  return fine;
}

TEST(CellsOnCpu, HaveTheBitsOfTheirDefinition) {
  EXPECT_GT(compare_runs(1, 400), 200);
}

/// No two bodies meet, however small the cutoff: 5e-324 is the smallest double, of which 0.05 is 0.
TEST(CellsOnCpu, EndWithAnyCutoff) {
  const ForceLaw& lennard_jones = *law("lennard-jones").law;
  for (const double cutoff : {5e-324, 1e-310, 1e-200, 1e-9}) {
    Arguments arguments = defaults(lennard_jones);
    arguments.set("cutoff", cutoff);
    System system = system_of({&lennard_jones, lennard_jones.parameters_of(arguments)}, gas(32, 3, 1.0), 0);
    system.domain = box_of(Periodic::kind, 3, edge_of_gas(32, 3, 1.0));
    const Snapshot expected = run(*reference(system), integrator("leapfrog"), 0.01, 40);
    const auto cpu = make_cpu_backend(system, 2, 0);
    EXPECT_EQ(fingerprint(run(*cpu, integrator("leapfrog"), 0.01, 40)), fingerprint(expected)) << cutoff;
  }
}

/// ORRERY_CELLS_RUNS is the number of runs, ORRERY_CELLS_FIRST the first seed.
TEST(CellsOnCpu, HaveTheBitsOfTheirDefinitionInManyRunsSlow) {
  const auto number = [](const char* name, long otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::atol(text) : otherwise;
  };
  const auto runs = static_cast<int>(number("ORRERY_CELLS_RUNS", 20'000));
  EXPECT_GT(compare_runs(static_cast<std::uint64_t>(number("ORRERY_CELLS_FIRST", 1'000'000)), runs), runs / 2);
}

}  // namespace
}  // namespace orrery::sim::testing
