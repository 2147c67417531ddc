// SPDX-License-Identifier: MIT
// Cells on the cpu against their definition, bit by bit: random bodies in random boxes, and the cases that are easily forgotten.
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
#include "tests/sim/short_range.hpp"

namespace orrery::sim::testing {
namespace {

constexpr std::string_view methods[] = {"symplectic-euler", "leapfrog", "leapfrog-dkd", "yoshida4"};

/// A run that is cut into advances, with a look after some of them.
struct Run {
  System system;
  const Integrator* method;
  double dt;
  std::vector<int> advances;
  std::vector<bool> looks;
};

struct Outcome {
  std::vector<std::vector<std::uint64_t>> columns;
  std::vector<Observables> observed;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(const Run& run, Backend& backend) {
  Outcome outcome;
  Simulation simulation(backend, *run.method, run.dt);
  for (std::size_t k = 0; k < run.advances.size(); ++k) {
    simulation.advance(run.advances[k], run.looks[k]);
    if (!run.looks[k] && k + 1 < run.advances.size()) continue;
    outcome.observed.push_back(backend.observe());
    outcome.columns.push_back(bits_of(backend.download(Column::position)));
    outcome.columns.push_back(bits_of(backend.download(Column::velocity)));
    outcome.columns.push_back(bits_of(backend.download(Column::acceleration)));
    if (backend.image()) outcome.columns.push_back(bits_of(backend.download(*backend.image())));
  }
  return outcome;
}

/// All numbers in range: what is beyond is not promised.
bool is_fine(const Outcome& outcome) {
  const auto fine = [](double x) { return std::abs(x) < 1e100; };
  return std::ranges::all_of(outcome.observed, [&](const Observables& o) {
    return fine(o.total_energy()) && fine(o.virial) && fine(o.momentum.x) && fine(o.center_of_mass.x) &&
           fine(o.center_of_mass.y) && fine(o.center_of_mass.z);
  });
}

Run random_run(std::uint64_t seed) {
  Draws draw(seed);
  Run run{.system = random_short_range_system(draw), .method = nullptr, .dt = 0, .advances = {}, .looks = {}};
  run.method = &integrator(draw.one_of(methods));
  const double cutoff = run.system.forces.front().law->cutoff(run.system.forces.front().numbers);
  // From a small part of the cutoff a step to several boxes; some go backward.
  run.dt = cutoff * std::exp2(-12 + 14 * draw.unit()) * (draw.unit() < 0.1 ? -1 : 1);
  for (int k = 0; k < 3; ++k) {
    run.advances.push_back(1 + static_cast<int>(6 * draw.unit()));
    run.looks.push_back(draw.unit() < 0.5);
  }
  return run;
}

/// Compares so many runs from that seed on; how many of them stayed in range.
int compare_runs(std::uint64_t first, int count) {
  int fine = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const Run run = random_run(seed);
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

/// ORRERY_CELLS_RUNS says how many, ORRERY_CELLS_FIRST from which on.
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
