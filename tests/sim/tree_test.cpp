// SPDX-License-Identifier: MIT
// The tree: the same bits everywhere, errors within what its parameters promise, and each pair of bodies once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "common/thread_pool.hpp"
#include "common/usable_threads.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/random.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/tree/octree.hpp"
#include "sim/solvers/tree/walk.hpp"
#include "tests/sim/boxes.hpp"
#include "tests/sim/tree_cases.hpp"

namespace orrery::sim::testing {
namespace {

std::unique_ptr<HostSolver> tree_on(const System& system, ThreadPool& threads, simd::Target target) {
  return tree::on_cpu(system, {}, {threads, target, system.bodies.size(), {}});
}

System of_tree(const Bodies& bodies, double softening) {
  System system = system_of(bodies, softening);
  system.solver = &tree_solver;
  system.jerk = false;
  return system;
}

/// The bits of the reference for each committed case, with every target and 1, 2 and 16 threads.
TEST(Tree, BitsAreTheCommittedEverywhere) {
  const auto cases = committed_tree_cases();
  ASSERT_GE(cases.size(), 30U);
  for (const TreeCase& c : cases) {
    const System system = c.system();
    EXPECT_EQ(fingerprint_of_forces(*tree::on_reference(system), system.bodies), c.hash) << c;
    const auto forces_alone = fingerprint_of_forces(*tree::on_reference(system), system.bodies, false);
    for (const int count : {1, 2, 16}) {
      ThreadPool threads(count);
      for (const simd::Target target : simd::available_targets()) {
        const auto solver = tree_on(system, threads, target);
        EXPECT_EQ(fingerprint_of_forces(*solver, system.bodies), c.hash) << c << ", " << simd::name_of(target);
        // Once more with the same object, and without potentials: nothing survives an evaluation.
        EXPECT_EQ(fingerprint_of_forces(*solver, system.bodies, false), forces_alone) << c;
      }
    }
  }
}

/// Minutes of one thread for the reference.
TEST(Tree, BitsOfAMillionBodiesSlow) {
  const System system = of_tree(plummer_sphere(1'000'000), 0.01);
  ThreadPool threads(usable_threads());
  const auto expected = fingerprint_of_forces(*tree::on_reference(system), system.bodies);
  for (const simd::Target target : simd::available_targets())
    EXPECT_EQ(fingerprint_of_forces(*tree_on(system, threads, target), system.bodies), expected)
        << simd::name_of(target);
}

/// Prints lines for tests/tree_hashes.txt if ORRERY_NEW_HASHES is set: only for a new set, law or parameter.
TEST(Tree, PrintsNewLinesOfBits) {
  if (std::getenv("ORRERY_NEW_HASHES") == nullptr) GTEST_SKIP() << "not asked for";
  const auto print = [](const TreeCase& c) {
    const System system = c.system();
    std::cout << c << ' ' << std::hex << fingerprint_of_forces(*tree::on_reference(system), system.bodies) << std::dec
              << '\n';
  };
  for (const char* set : tree_sets) {
    for (const std::size_t n : {130UL, 1000UL}) print({set, n, {3, 0.5, 0.65, 8}, "gravity", 0.05, 0});
  }
  for (const std::size_t n : {1UL, 2UL, 8UL, 9UL, 33UL, 257UL, 1031UL})
    print({"cloud", n, {5, 0.5, 0.65, 8}, "gravity", 0.0, 0});
  for (const int order : {3, 4, 5, 6}) print({"cloud", 120, {order, 0.6, 0.75, 2}, "gravity", 0.0, 0});
  for (const char* law : {"coulomb", "inverse-power:1", "inverse-power:3", "inverse-power:8"}) {
    print({"cloud", 129, {4, 0.6, 0.75, 3}, law, 0.05, 0});
    print({"clusters", 600, {5, 0.5, 0.65, 32}, law, 0.01, 0});
  }
  print({"cloud", 5000, tree_parameters(1e-3), "gravity", 0.01, 0});
  print({"cloud", 5000, tree_parameters(1e-4), "coulomb", 0.01, 0});
  print({"place", 2500, {5, 0.5, 0.65, 32}, "gravity", 0.05, 0});
}

/// Far lists of a leaf and of its ancestors, and its near list, have every body exactly once, whatever the reaches are.
TEST(Tree, EveryOrderedPairMeetsOnce) {
  for (const char* set : {"cloud", "clusters", "key", "outlier"}) {
    for (const double widest : {0.0, 0.3, 3.0}) {
      const Bodies bodies = tree_set(set, 300);
      ThreadPool threads(1);
      tree::Octree octree(300, 4, threads);
      ASSERT_TRUE(octree.build({bodies.position.x.data(), bodies.position.y.data(), bodies.position.z.data()}));
      auto& cells = octree.cells();
      const Random random(1, 0);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const std::uint32_t middle = (cells[c].begin + cells[c].end) / 2;
        cells[c].x = octree.bodies().x[middle], cells[c].y = octree.bodies().y[middle];
        cells[c].z = octree.bodies().z[middle];
        cells[c].reach = widest * random.uniform(c);
        cells[c].acts = true;
      }
      const auto& loops = simd::tree_loops(simd::available_targets().front());
      std::vector<tree::Cells> left(cells.size());
      std::vector<std::vector<int>> meetings(300, std::vector<int>(300));
      std::size_t far = 0;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        tree::Lists lists;
        tree::choose_cells(cells, loops, 5, c, c == 0 ? tree::Cells{0} : left[cells[c].parent], lists, left[c]);
        far += lists.far.size();
        if (cells[c].leaf()) {
          EXPECT_TRUE(left[c].empty());
        } else {
          EXPECT_TRUE(lists.near.empty());
        }
        for (const auto* list : {&lists.far, &lists.near}) {
          for (const std::uint32_t s : *list) {
            for (std::uint32_t i = cells[c].begin; i < cells[c].end; ++i) {
              for (std::uint32_t j = cells[s].begin; j < cells[s].end; ++j) ++meetings[i][j];
            }
          }
        }
      }
      EXPECT_GT(far + (widest > 0 ? 1U : 0U), 0U) << set;
      for (const auto& row : meetings) {
        for (const int count : row) ASSERT_EQ(count, 1) << set << ", " << widest;
      }
    }
  }
}

/// One leaf: all pairs, in another order.
TEST(Tree, LeavesAsLargeAsTheSystemAgreeWithDirect) {
  for (const NumberedLaw& law : every_law()) {
    for (const std::size_t n : {2UL, 257UL, 3001UL}) {
      System system = system_of(law, charged_cloud(n), 0.05);
      const auto direct = make_cpu_backend(system, 1, 0);
      system.solver = &tree_solver;
      system.solver_values = {{}, {}, {}, static_cast<double>(n)};
      const auto tree = make_cpu_backend(system, 1, 0);
      const double u = direct->observe().potential_energy;
      EXPECT_NEAR(tree->observe().potential_energy, u, 1e-14 * std::abs(u) + 1e-18 * static_cast<double>(n))
          << law.name();
      const Vectors a = tree->download(Column::acceleration), b = direct->download(Column::acceleration);
      double greatest = 0, worst = 0;
      for (std::size_t i = 0; i < n; ++i) {
        greatest = std::max(greatest, std::hypot(b.x[i], b.y[i], b.z[i]));
        worst = std::max(worst, std::hypot(a.x[i] - b.x[i], a.y[i] - b.y[i], a.z[i] - b.z[i]));
      }
      EXPECT_LT(worst, 1e-14 * greatest) << law.name() << ", " << n;
    }
  }
}

Bodies disk(std::size_t n) {
  Bodies bodies = cloud(n);
  const Random random(3, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto u = [&](std::size_t k) { return random.uniform(8 * i + k); };
    double r = -std::log(u(0) * u(1));
    if (r > 10) r = 10 * u(2);
    const double angle = 2 * std::numbers::pi * u(3), z = 0.1 * std::atanh((2 * u(4) - 1) * 0.999999);
    bodies.position.x[i] = r * std::cos(angle), bodies.position.y[i] = r * std::sin(angle), bodies.position.z[i] = z;
    bodies.mass[i] = 1.0 / static_cast<double>(n);
  }
  return bodies;
}

Bodies two_spheres(std::size_t n) {
  Bodies bodies = plummer_sphere(n);
  for (std::size_t i = 0; i < n; i += 3) {
    bodies.position.x[i] = 0.2 * bodies.position.x[i] + 5, bodies.position.y[i] = 0.2 * bodies.position.y[i] - 1;
    bodies.position.z[i] *= 0.2;
  }
  return bodies;
}

/// A disk of little mass about a star.
Bodies disk_about_a_star(std::size_t n) {
  Bodies bodies = disk(n);
  bodies.position.x[0] = bodies.position.y[0] = bodies.position.z[0] = 0;
  bodies.mass[0] = 10;  // the disk has 1
  return bodies;
}

/// The errors in docs/tree.md, 99 % and greatest of |Δa|/|a|. Bounds are about a fifth above what was measured.
TEST(Tree, ErrorsAreThoseOfTheTable) {
  struct Row {
    const char* model;
    Bodies bodies;
    double of_99[3], worst[3];
  };
  constexpr std::size_t n = 20'000;
  const Row rows[] = {
      {"plummer", plummer_sphere(n), {2.3e-2, 7e-3, 5.1e-4}, {9.5e-2, 1.9e-2, 6.6e-3}},
      {"disk", disk(n), {1.4e-2, 3.2e-3, 3.4e-4}, {3e-2, 8.4e-3, 8.1e-4}},
      {"cube", cloud(n), {1.1e-2, 2.9e-3, 2.7e-4}, {2.2e-2, 4.5e-3, 5.7e-4}},
      {"disk about a star", disk_about_a_star(n), {2.6e-2, 6.3e-3, 4.8e-4}, {8.5e-2, 2.7e-2, 1.85e-3}},
      {"two spheres", two_spheres(n), {2.9e-2, 5.7e-3, 5.6e-4}, {6e-2, 1.45e-2, 1.9e-3}},
  };
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < 3; ++k) {
      System system = of_tree(row.bodies, 0.01);
      system.solver_values = {tree_accuracies[k]};
      const auto cpu = make_cpu_backend(system, 2, 0);
      cpu->accelerate();
      const Vectors a = cpu->download(Column::acceleration);
      const auto errors = errors_of(row.bodies, a, 0.01, 1, 29).of_result;
      const double of_99 = quantile(errors, 0.99), worst = quantile(errors, 1);
      EXPECT_LT(of_99, row.of_99[k]) << row.model << ' ' << tree_accuracies[k];
      EXPECT_LT(worst, row.worst[k]) << row.model << ' ' << tree_accuracies[k];
      double momentum = 0, size = 0, spin = 0, arms = 0;
      const auto& [x, y, z] = row.bodies.position;
      for (std::size_t i = 0; i < n; ++i) {
        const double m = row.bodies.mass[i];
        momentum += m * a.x[i], size += m * std::abs(a.x[i]);
        spin += m * (x[i] * a.y[i] - y[i] * a.x[i]), arms += m * std::hypot(x[i], y[i]) * std::hypot(a.x[i], a.y[i]);
      }
      EXPECT_LT(std::abs(momentum), 1e-15 * size) << row.model;
      EXPECT_LT(std::abs(spin), tree_accuracies[k] * arms) << row.model;
    }
  }
}

TEST(Tree, PositionsOutOfRangeGiveNoNumbers) {
  for (const double far : {0x1p340, std::numeric_limits<double>::infinity()}) {
    System system = of_tree(cloud(100), 0.05);
    system.bodies.position.y[17] = far;
    for (const auto& backend : {reference(system), make_cpu_backend(system, 3, 0)}) {
      backend->accelerate();
      for (const double a : backend->download(Column::acceleration).x) EXPECT_TRUE(std::isnan(a));
    }
  }
}

TEST(Tree, RefusesWhatItCannotCompute) {
  const auto refused = [](const System& system, Precision precision, std::string_view key, const std::string& words) {
    const auto [at, why] = refusal_of(tree_solver, system, precision);
    EXPECT_EQ(at, key);
    EXPECT_NE(why.find(words), std::string::npos) << why;
  };
  constexpr Precision usual = Precision::float64;
  System system = of_tree(cloud(33), 0.05);
  EXPECT_EQ(refusal_of(tree_solver, system, usual), Refusal());
  refused(system, Precision::mixed, "backend.precision", "\"mixed\" is not supported");
  System rough = system;
  rough.solver_values = {2e-3};
  refused(rough, usual, "force.accuracy", "1e-2, 1e-3 or 1e-4");
  system.jerk = true, system.integrator = "hermite4";
  refused(system, usual, "integrator.kind", "hermite4 needs time derivatives");
  refused(system_of(every_short_range_law().front(), gas(27, 3, 1), 0), usual, "force.method", "cells");
  System toy = of_tree(cloud(33), 0.05);
  toy.forces.front().law = &Yukawa::law;
  refused(toy, usual, "force.method", "powers of the distance");
}

/// A law that says so is expanded, whatever its name.
TEST(Tree, LawsSayWhetherTheyCanBeExpanded) {
  for (const NumberedLaw& numbered : every_law()) {
    const PairForce force = system_of(numbered, charged_cloud(2), 0.1).forces.front();
    const auto n = tree::power_of(force);
    EXPECT_EQ(n.has_value(), force.law->expansion != nullptr) << force.law->name;
    if (!n) continue;
    const double r2 = 2.3;
    EXPECT_NEAR(force.law->force_over_r(r2, force.parameters), std::pow(r2, -0.5 * (*n + 1)), 1e-14) << force.law->name;
  }
}

/// Values that are not given are those of the accuracy.
TEST(Tree, ParametersAreThoseOfTheAccuracyButForThoseGiven) {
  EXPECT_EQ(tree_parameters(SolverValues()), TreeParameters());
  EXPECT_EQ(tree_parameters(SolverValues{1e-4}), tree_parameters(1e-4));
  EXPECT_EQ(tree_parameters(SolverValues{1e-2, {}, 0.6, 7}),
            (TreeParameters{.order = 4, .narrow = 0.6, .wide = 0.6 + tree_angle_range, .leaf = 7}));
}

}  // namespace
}  // namespace orrery::sim::testing
