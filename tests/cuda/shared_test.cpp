// SPDX-License-Identifier: MIT
// Ranks with a GPU each give the bits of one. Several can be on the same GPU, so one suffices here: then all copies go through the
// host. With as many GPUs as ranks they are direct.
#include <cstdlib>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "common/error.hpp"
#include "gpu.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/fields/list.hpp"
#include "sim/ranks/shared_backend.hpp"
#include "sim/ranks/thread_ranks.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "tests/complaint.hpp"
#include "tests/sim/short_range_runs.hpp"
#include "tests/sim/tree_cases.hpp"

namespace orrery::sim::testing {
namespace {

/// Directly, and through the host.
class SharedPairs : public Gpu, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    ::setenv("ORRERY_NO_PEERS", GetParam(), 1);
  }
  void TearDown() override { ::unsetenv("ORRERY_NO_PEERS"); }

  static std::unique_ptr<Backend> shared(const System& system, int ranks, BackendOptions options = {}) {
    for (int rank = 1; rank < ranks; ++rank) options.helpers.push_back(rank % cuda_backend.devices());
    options.ranks = start_thread_ranks(ranks);
    return make_shared_backend(cuda_backend, system, options);
  }
  static std::uint64_t result(Backend& backend, const char* method) {
    Simulation there(backend, integrator(method), 1e-3);
    there.advance(40);
    (void)there.observe();
    there.advance(7), there.advance(18, true);
    return fingerprint(there.observe());
  }
};
INSTANTIATE_TEST_SUITE_P(Peers, SharedPairs, ::testing::Values("0"));
INSTANTIATE_TEST_SUITE_P(Host, SharedPairs, ::testing::Values("1"));

/// Ranks on one GPU slow each other down, so that rows move.
TEST_P(SharedPairs, BitsAreThoseOfTheProcessor) {
  for (const std::size_t n : {1000U, 2031U, 8321U, 20001U}) {
    const System system = system_of(cloud(n), 0.05);
    const std::uint64_t expected = result(*on_cpu(system), "leapfrog");
    for (const int ranks : {2, 3, 4})
      EXPECT_EQ(result(*shared(system, ranks), "leapfrog"), expected) << n << " bodies, " << ranks;
  }
}

TEST_P(SharedPairs, BitsWithJerksAndSeveralForces) {
  System system = system_of(cloud(4321), 0.05);
  system.forces.push_back(system_of(cloud(4321), 0.1, 0.3).forces.front());
  for (const char* method : {"hermite4", "yoshida4"}) {
    const std::uint64_t expected = result(*on_gpu(system), method);
    for (const int ranks : {2, 3}) EXPECT_EQ(result(*shared(system, ranks), method), expected) << method;
  }
}

/// Rows of chunks, or bodies of the tree, move from the GPU that another backend uses.
TEST_P(SharedPairs, BitsWhileOneGpuIsBusy) {
  for (const ForceSolver* const solver : {&direct_solver, &tree_solver}) {
    System system = system_of(heavy_cloud(9001), 0.05);
    system.jerk = false;
    system.solver = solver;
    const std::uint64_t expected = result(*on_gpu(system), "leapfrog");
    const auto two = shared(system, 2);
    const std::jthread other([&](const std::stop_token& stop) {
      const auto busy = on_gpu(system_of(cloud(30'011), 0.05), {.device = cuda_backend.devices() - 1});
      Simulation there(*busy, integrator("leapfrog"), 1e-3);
      while (!stop.stop_requested()) there.advance(2);
    });
    EXPECT_EQ(result(*two, "leapfrog"), expected) << solver->name;
  }
}

TEST_P(SharedPairs, BitsOfFloatsAreThoseOfOneGpu) {
  System system = system_of(cloud(9001), 0.05);
  system.jerk = false;
  for (const Precision precision : {Precision::mixed, Precision::float32, Precision::float32_exact_root}) {
    const BackendOptions options{.precision = precision};
    const std::uint64_t expected = result(*on_gpu(system, options), "leapfrog");
    for (const int ranks : {2, 3}) EXPECT_EQ(result(*shared(system, ranks, options), "leapfrog"), expected);
  }
}

TEST_P(SharedPairs, BitsOfTheTree) {
  for (const TreeCase& c : committed_tree_cases()) {
    System system = c.system();
    system.solver = &tree_solver;
    if (system.bodies.size() < 2) continue;
    const std::uint64_t expected = result(*on_cpu(system), "leapfrog");
    for (const int ranks : {2, 3}) EXPECT_EQ(result(*shared(system, ranks), "leapfrog"), expected) << c;
  }
}

/// A gas that repels itself, in a box or in open space. Some of its bodies are so fast that they cross several layers of cells,
/// or boxes, between two sorts.
System gas(std::size_t n, int dimensions, const Boundary& boundary, double spacing) {
  Draws draw(n);
  System system;
  Bodies& bodies = system.bodies;
  const double edge = std::max(2.1, spacing * std::pow(static_cast<double>(n), 1.0 / dimensions));
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [&] { return edge * draw.unit(); };
    const double speed = i % 100 == 7 ? 40 : i % 10 == 7 ? 8 : 1;
    const auto v = [&] { return speed * draw.between(-1, 1); };
    bodies.position.push_back(at(), at(), dimensions == 3 ? at() : 0.0);
    bodies.velocity.push_back(v(), v(), dimensions == 3 ? v() : 0.0);
    bodies.mass.push_back(i % 2 == 0 ? 1.0 : 1.7);
    bodies.species.push_back(0);
  }
  system.domain.dimensions = dimensions;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions) && boundary.bounded; ++axis)
    system.domain.boundary[axis] = &boundary, system.domain.edges[axis] = edge;
  const ForceLaw& soft = **std::ranges::find(force_laws(), "soft", &ForceLaw::name);
  system.forces.push_back(make_pair_force(soft, bodies, 0, 3.0, soft.parameters_of(defaults(soft))));
  return system;
}
ShortRangeRun run_of(const System& system, double dt) {
  return {system, &integrator("leapfrog"), dt, {3, 1, 40, 17}, {true, false, true, false}};
}

struct GasCase {
  int dimensions;
  const char* boundary;
  double spacing;
  const char* kernel;
};
constexpr GasCase gas_cases[] = {{2, "reflecting", 1.2, "cells"}, {2, "open", 1.2, "cells"},
                                 {2, "reflecting", 0.5, "lists"}, {2, "periodic", 0.8, "lists"},
                                 {3, "reflecting", 0.8, "lists"}, {3, "periodic", 0.7, "lists"},
                                 {3, "open", 0.8, "lists"}};
System gas(std::size_t n, const GasCase& c) {
  return gas(n, c.dimensions, **std::ranges::find(boundaries(), c.boundary, &Boundary::name), c.spacing);
}

TEST_P(SharedPairs, BitsOfCells) {
  for (const GasCase& c : gas_cases) {
    for (const std::size_t n : {3U, 1000U, 4097U, 30'011U}) {
      const System system = gas(n, c);
      for (const double dt : {0.004, 0.03}) {
        const ShortRangeRun run = run_of(system, dt);
        const Outcome expected = outcome_of(run, *on_cpu(system)), one = outcome_of(run, *on_gpu(system));
        EXPECT_EQ(one, expected) << n << ", " << c.boundary << ", " << c.dimensions;
        for (const int ranks : {2, 3, 4}) {
          const auto backend = shared(system, ranks);
          if (n > 3) {
            EXPECT_EQ(backend->kernel(), c.kernel);
          }
          EXPECT_EQ(outcome_of(run, *backend), expected)
              << n << ", " << c.boundary << ", " << c.dimensions << ", " << dt << ", " << ranks;
        }
      }
    }
  }
}

TEST_P(SharedPairs, BitsOfCellsInFloatsAreThoseOfOneGpu) {
  for (const GasCase& c : gas_cases) {
    const System system = gas(4097, c);
    const ShortRangeRun run = run_of(system, 0.01);
    const BackendOptions options{.precision = Precision::float32};
    const Outcome expected = outcome_of(run, *on_gpu(system, options));
    for (const int ranks : {2, 3, 4})
      EXPECT_EQ(outcome_of(run, *shared(system, ranks, options)), expected) << c.boundary << ", " << c.dimensions;
  }
}

/// Bodies that gather at one end of the box, so that its layers are divided among ranks anew.
TEST_P(SharedPairs, BitsOfCellsWhileBodiesGather) {
  for (const GasCase& c : {gas_cases[0], gas_cases[1], gas_cases[3], gas_cases[4]}) {
    System system = gas(4097, c);
    const Bodies& bodies = system.bodies;
    const auto& [at, v] = c.dimensions == 3 ? std::tie(bodies.position.z, system.bodies.velocity.z)
                                            : std::tie(bodies.position.y, system.bodies.velocity.y);
    for (std::size_t i = 0; i < bodies.size(); ++i) v[i] -= 3 * at[i];
    const ShortRangeRun run = run_of(system, 0.004);
    const Outcome expected = outcome_of(run, *on_gpu(system));
    EXPECT_EQ(expected, outcome_of(run, *on_cpu(system)));
    for (const int ranks : {2, 3, 4}) EXPECT_EQ(outcome_of(run, *shared(system, ranks)), expected) << c.boundary;
  }
}

/// Few bodies, among them more ranks than bodies; and steps of up to several boxes.
TEST_P(SharedPairs, BitsOfCellsInRandomRuns) {
  int fine = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    ShortRangeRun run = random_run(seed);
    const Outcome expected = outcome_of(run, *on_cpu(run.system));
    if (!is_fine(expected)) continue;
    ++fine;
    for (const ForceSolver* solver : {&cells_solver, force_solvers().front()}) {
      run.system.solver = solver;
      EXPECT_EQ(outcome_of(run, *shared(run.system, 2 + static_cast<int>(seed % 3))), expected)
          << "seed " << seed << ", " << solver->name << ", " << described(run.system) << ", " << run.method->name
          << ", dt " << run.dt;
    }
  }
  EXPECT_GT(fine, 45);
}

TEST_P(SharedPairs, BitsOfCellsWithFieldsAndHeatBath) {
  KeyValues bath;
  bath.at = {1.2, 2.0, 1.0};
  for (const GasCase& c : {gas_cases[0], gas_cases[4]}) {
    System system = gas(1000, c);
    for (const FieldLaw* law : field_laws()) system.fields.push_back({law, {{0.7, 0.3, 0.1, -0.2, 0.05}}});
    add_requirements(system, integrator("langevin"));
    const auto state = [&](Backend& backend) {
      Simulation simulation(backend, integrator("langevin"), 0.004, bath);
      simulation.advance(20);
      return fingerprint(simulation.state());
    };
    const std::uint64_t expected = state(*on_cpu(system));
    for (const int ranks : {2, 3}) EXPECT_EQ(state(*shared(system, ranks)), expected);
  }
}

TEST_P(SharedPairs, AreRefusedWhereRowsAreTooFew) {
  EXPECT_EQ(complaint([] { (void)shared(system_of(cloud(257), 0.05), 4); }, 2),
            "257 bodies have pairs for at most 3 ranks, not for 4");
}

}  // namespace
}  // namespace orrery::sim::testing
