// SPDX-License-Identifier: MIT
// Every force solver, and a toy solver outside the list: properties that hold for any algorithm.
#include "tests/sim/solvers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/cuda.hpp"
#include "sim/backends/cuda/solver.hpp"
#include "sim/solvers/direct/direct.hpp"

namespace orrery::sim::testing {
namespace {

constexpr Column of_jerks = scratch_column(0);

/// The three coordinates of a body.
double& coordinate(Vectors& v, std::size_t q, std::size_t i) {
  return (q == 0 ? v.x : q == 1 ? v.y : v.z)[i];
}

/// `v` after the given time at the rate `change`.
Vectors later(Vectors v, Vectors change, double time) {
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t i = 0; i < v.size(); ++i) coordinate(v, q, i) += time * coordinate(change, q, i);
  }
  return v;
}

Vectors acceleration_at(Backend& backend, const Vectors& position) {
  backend.upload(Column::position, position);
  backend.accelerate();
  return backend.download(Column::acceleration);
}

class Solvers : public ::testing::TestWithParam<const ForceSolver*> {
 protected:
  static const ForceSolver& solver() { return *GetParam(); }
  static System system(std::size_t n) { return served_by(solver(), n); }
  static std::unique_ptr<Backend> on_cpu(System system, int threads = 1) {
    return make_cpu_backend(std::move(system), threads, 0);
  }
};

/// m a = −dU/dx by fourth-order differences, for every law.
TEST_P(Solvers, ForcesAreMinusTheGradientOfThePotential) {
  for (const NumberedLaw& law : laws_of(solver())) {
    System system = cloud_for(law, 33, 0.3);
    system.solver_values = {{}, {}, {}, 33};  // one leaf: the forces of series are not the gradient of their potentials
    const Bodies& bodies = system.bodies;
    const double h = law.law->cutoff == nullptr ? 1e-3 : 2e-4 * law.cutoff();
    const auto cpu = on_cpu(solved_by(solver(), system));
    Vectors a = acceleration_at(*cpu, bodies.position);
    const auto energy = [&](std::size_t q, std::size_t i, double by) {
      Vectors moved = bodies.position;
      coordinate(moved, q, i) += by;
      cpu->upload(Column::position, moved);
      return cpu->observe().potential_energy;
    };
    for (const std::size_t i : {0UL, 9UL, 21UL}) {
      for (std::size_t q = 0; q < 3; ++q) {
        const double slope =
            (8 * (energy(q, i, h) - energy(q, i, -h)) - (energy(q, i, 2 * h) - energy(q, i, -2 * h))) / (12 * h);
        const double force = bodies.mass[i] * coordinate(a, q, i);
        EXPECT_NEAR(force, -slope, 1e-5 * std::abs(force) + 1e-9) << law.name() << ", body " << i;
      }
    }
  }
}

TEST_P(Solvers, KeepMomentumToRounding) {
  for (const std::size_t n : {2UL, 33UL, 257UL, 1031UL}) {
    const System whole = system(n);
    const Bodies& bodies = whole.bodies;
    const auto cpu = on_cpu(whole);
    Vectors a = acceleration_at(*cpu, bodies.position);
    for (std::size_t q = 0; q < 3; ++q) {
      double sum = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += bodies.mass[i] * coordinate(a, q, i);
        size += bodies.mass[i] * std::abs(coordinate(a, q, i));
      }
      EXPECT_LT(std::abs(sum), 1e-14 * size) << n;
      EXPECT_GT(size, 0) << n;
    }
  }
}

/// Forces, potentials and jerks; several threads are used above 512 bodies.
TEST_P(Solvers, HaveTheBitsOfTheirReferenceWithAnyThreads) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 33UL, 257UL, 1031UL}) {
    const auto definition = reference(system(n));
    definition->accelerate();
    const auto a = bits_of(definition->download(Column::acceleration));
    const Observables seen = definition->observe();
    if (solver().has_jerk) definition->accelerate_with_jerk(of_jerks);
    for (const int threads : {1, 2, 3}) {
      const auto cpu = on_cpu(system(n), threads);
      cpu->accelerate();
      EXPECT_EQ(bits_of(cpu->download(Column::acceleration)), a) << n << ", " << threads;
      EXPECT_EQ(cpu->observe(), seen) << n << ", " << threads;
      EXPECT_EQ(bits_of(cpu->download(Column::acceleration)), a) << n << ", " << threads;  // now with a potential
      if (!solver().has_jerk) continue;
      cpu->accelerate_with_jerk(of_jerks);
      EXPECT_EQ(bits_of(cpu->download(of_jerks)), bits_of(definition->download(of_jerks))) << n << ", " << threads;
      EXPECT_EQ(bits_of(cpu->download(Column::acceleration)), a) << n << ", " << threads;
    }
  }
}

TEST_P(Solvers, EstimateTheirCostForAnyNumberOfBodies) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 33UL, 1031UL}) {
    for (const int threads : {1, 3}) {
      const SolverBytes bytes = solver().bytes(n, Outputs::potential, {.threads = threads});
      EXPECT_LE(bytes.host, 4096 * (n + 1) + threads * (std::size_t{1} << 19)) << n << ", " << threads;
    }
    const double interactions = solver().interactions(system(n));
    EXPECT_TRUE(n < 2 ? std::abs(interactions) <= 1 : interactions >= 1) << n << ": " << interactions;
  }
}

TEST_P(Solvers, TakeStepsWithoutBodies) {
  for (const bool plain : {true, false}) {
    const auto backend = plain ? reference(system(0)) : on_cpu(system(0), 2);
    const Snapshot end = run(*backend, integrator("leapfrog"), 1e-3, 3);
    EXPECT_EQ(end.size(), 0U);
    EXPECT_EQ(end.observables, Observables{});
  }
}

/// (8 (a(h) − a(−h)) − (a(2h) − a(−2h))) / 12h along the velocities.
TEST_P(Solvers, JerksAreTheChangeOfForces) {
  if (!solver().has_jerk) GTEST_SKIP() << "it has none";
  constexpr double h = 1e-4;
  for (const NumberedLaw& law : every_law()) {
    const Bodies bodies = charged_cloud(33);
    const auto cpu = on_cpu(solved_by(solver(), system_of(law, bodies, 0.3)));
    cpu->accelerate_with_jerk(of_jerks);
    Vectors found = cpu->download(of_jerks);
    const auto after = [&](double time) {
      return acceleration_at(*cpu, later(bodies.position, bodies.velocity, time));
    };
    Vectors one = after(h), back = after(-h), two = after(2 * h), two_back = after(-2 * h);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double size =
          std::abs(coordinate(found, 0, i)) + std::abs(coordinate(found, 1, i)) + std::abs(coordinate(found, 2, i));
      for (std::size_t q = 0; q < 3; ++q) {
        const double change = (8 * (coordinate(one, q, i) - coordinate(back, q, i)) -
                               (coordinate(two, q, i) - coordinate(two_back, q, i))) /
                              (12 * h);
        EXPECT_NEAR(coordinate(found, q, i), change, 1e-6 * size) << law.name() << ", body " << i;
      }
    }
  }
}

/// A restart or a different division into advances changes no bit, on either host backend.
TEST_P(Solvers, ResumeFromASnapshotWithTheSameBits) {
  const auto on_reference = [](System system) { return reference(std::move(system)); };
  const auto on_threads = [](System system) { return on_cpu(std::move(system), 3); };
  const auto expect_same = [](const auto& make, std::size_t n) {
    const auto whole = make(system(n)), first = make(system(n)), rest = make(system(n));
    const Snapshot expected = run(*whole, integrator("leapfrog"), 1e-3, 17);
    const Snapshot middle = run(*first, integrator("leapfrog"), 1e-3, 6);
    Simulation simulation(*rest, integrator("leapfrog"), 1e-3);
    simulation.resume(middle);
    simulation.advance(11, true);
    EXPECT_EQ(fingerprint(simulation.observe()), fingerprint(expected)) << n;
  };
  for (const std::size_t n : {1UL, 2UL, 33UL, 257UL}) expect_same(on_reference, n);
  for (const std::size_t n : {1UL, 2UL, 33UL, 257UL, 1031UL}) expect_same(on_threads, n);
}

/// A refusal is one line of message and counts no work.
TEST_P(Solvers, SupportOneForceAndRefuseOthers) {
  EXPECT_EQ(refusal_of(solver(), system(33), Precision::float64), Refusal());
  System two = system(33);
  two.forces.push_back(two.forces.front());
  const auto [key, refusal] = refusal_of(solver(), two, Precision::float64);
  EXPECT_EQ(key.empty(), refusal.empty());
  EXPECT_EQ(refusal.find('\n'), std::string::npos);
  if (!refusal.empty()) return;
  EXPECT_EQ(solver().interactions(two), 2 * solver().interactions(system(33)));
  const auto definition = reference(two), cpu = on_cpu(two);
  EXPECT_EQ(cpu->observe(), definition->observe());
}

/// What a solver does not compute it refuses, on every backend, in one line; all else is as all pairs are, within its accuracy.
TEST_P(Solvers, RefuseWhatTheyDoNotCompute) {
  std::vector<NumberedLaw> laws = every_law();
  for (const NumberedLaw& law : every_short_range_law()) laws.push_back(law);
  int computed = 0, refused = 0;
  for (const NumberedLaw& law : laws) {
    for (const bool periodic : {false, true}) {
      System system = cloud_for(law, 65, 0.3);
      system.scratch_columns = 1;
      const double edge = law.law->cutoff == nullptr ? 9 : edge_of_gas(65, 3, 0.8 * law.cutoff());
      if (periodic) system.domain = box_of(Periodic::kind, 3, edge);
      std::optional<Vectors> exact;
      for (const Precision precision : every_precision) {
        for (const bool jerk : {false, true}) {
          const std::string what = law.name() + (periodic ? ", periodic, " : ", ") + std::string(name_of(precision));
          system.solver = &solver();
          system.jerk = jerk;
          const Refusal refusal = refusal_of(solver(), system, precision);
          EXPECT_EQ(refusal.key.empty(), refusal.why.empty()) << what;
          const auto make = [&] { return make_backend(cpu_backend, system, {.threads = 1, .precision = precision}); };
          if (!refusal.why.empty()) {
            ++refused;
            EXPECT_EQ(refusal.why.find('\n'), std::string::npos) << what;
            EXPECT_THROW((void)make(), Error) << what;
            continue;
          }
          ++computed;
          if (!exact) {
            System plain = system;
            plain.solver = &direct_solver;
            plain.jerk = false;
            exact = acceleration_at(*reference(plain), plain.bodies.position);
          }
          const auto cpu = make();
          Vectors a = acceleration_at(*cpu, system.bodies.position);
          const double bound = precision != Precision::float64 ? 1e-3 : solver().is_approximate() ? 0.05 : 1e-12;
          double largest = 0, error = 0;
          for (std::size_t q = 0; q < 3; ++q) {
            for (std::size_t i = 0; i < 65; ++i) {
              largest = std::max(largest, std::abs(coordinate(*exact, q, i)));
              error = std::max(error, std::abs(coordinate(a, q, i) - coordinate(*exact, q, i)));
            }
          }
          EXPECT_LT(error, bound * largest) << what;
          if (jerk && precision == Precision::float64) {
            EXPECT_NO_THROW(cpu->accelerate_with_jerk(of_jerks)) << what;
          }
        }
      }
    }
  }
  EXPECT_GT(computed, 0);
  EXPECT_GT(refused, 0);
}

/// The number of interactions is positive and grows with the bodies; massless bodies do not act.
TEST_P(Solvers, InteractionsAreThoseOfBodiesThatAct) {
  double last = 0;
  for (const std::size_t n : {2UL, 33UL, 257UL, 1031UL}) {
    const double now = solver().interactions(system(n));
    EXPECT_GT(now, last) << n;
    EXPECT_LE(now, static_cast<double>(n * n)) << n;
    last = now;
  }
  if (!reaches_far(solver())) return;  // all have a mass
  Bodies light = cloud(33);
  light.mass.assign(33, 0.0);
  EXPECT_EQ(solver().interactions(solved_by(solver(), system_of(light, 0.05))), 0);
}

/// Bytes are at least those of weights and target factors, grow with the bodies, and do not shrink with more sums.
TEST_P(Solvers, ReportTheirMemory) {
  for (const std::size_t n : {1UL, 33UL, 1031UL, 100'000UL}) {
    for (const int threads : {1, 2, 3}) {
      const auto bytes = [&](std::size_t bodies, Outputs most) {
        return solver().bytes(bodies, most, {.threads = threads});
      };
      const SolverBytes some = bytes(n, Outputs::potential), all = bytes(n, Outputs::jerk);
      EXPECT_GE(some.host, 2 * n * sizeof(double)) << n;
      EXPECT_GE(all.host, some.host) << n;
      EXPECT_GE(all.device, some.device / 10 * 9) << n;  // bands are cut by whole chunks
      EXPECT_GT(bytes(2 * n, Outputs::potential).host, some.host) << n;
      EXPECT_EQ(some.device > 0, solver().on_cuda != nullptr) << n;
    }
  }
}

TEST(DirectSolver, StatesInteractionsAndMemory) {
  EXPECT_EQ(direct_solver.interactions(system_of(cloud(33), 0.05)), 33 * 29);  // bodies 7, 14, 21 and 28 have no mass
  for (const std::size_t n : {33UL, 1031UL}) {
    EXPECT_GE(direct_solver.bytes(n, Outputs::potential, {}).host, (2 + 4) * n * sizeof(double));
    EXPECT_GE(direct_solver.bytes(n, Outputs::jerk, {}).host, (2 + 6) * n * sizeof(double));
  }
}

/// Columns of 64 parameters for 33 bodies: three of the state, the integrator's, a readback of the persistent ones, masses
/// and potentials; and 0 without code for GPUs.
TEST(CudaBackend, ReportsItsMemory) {
  ForceSolver solver = ascending_solver;
  solver.bytes = [](std::size_t, Outputs most, const BackendOptions&) {
    return SolverBytes{.host = 7, .device = most == Outputs::jerk ? 2000U : 1000U};
  };
  solver.on_cuda = nullptr;
  EXPECT_EQ(cuda_backend_bytes(solver, 33, integrator("leapfrog"), {}).device, 0);
  solver.on_cuda = [](const System&, const BackendOptions&, cuda::Stream&, cuda::State&) {
    return std::unique_ptr<cuda::Solver>();
  };
  constexpr std::size_t column = 3 * 64 * 8, rest = (33 + 64) * 8;
  const auto bytes = [&](std::string_view name) { return cuda_backend_bytes(solver, 33, integrator(name), {}); };
  EXPECT_EQ(bytes("leapfrog").device, 3 * column + 2 * column + rest + 1000);
  EXPECT_EQ(bytes("leapfrog").host, 2 * column);
  const Integrator& hermite = integrator("hermite4");
  const auto own = hermite.columns.size();
  const auto kept = static_cast<std::size_t>(std::ranges::count(hermite.columns, true, &ScratchColumn::persistent));
  EXPECT_EQ(bytes("hermite4").device, (3 + own) * column + (2 + kept) * column + rest + 2000);
}

/// The number of evaluations of c of the counting law.
std::atomic<std::int64_t>& asked() {
  static std::atomic<std::int64_t> times = 0;
  return times;
}

TEST(AscendingSolver, EvaluatesTheStatedNumberOfPairs) {
  ForceLaw counting = *force_laws().front();
  counting.force_over_r = [](double r2, const LawParameters& parameters) {
    ++asked();
    return force_laws().front()->force_over_r(r2, parameters);
  };
  for (const std::size_t n : {1UL, 2UL, 33UL, 257UL}) {
    System system = solved_by(ascending_solver, system_of(cloud(n), 0.05));
    system.forces.front().law = &counting;
    asked() = 0;
    make_cpu_backend(system, 3, 0)->accelerate();
    EXPECT_EQ(static_cast<double>(asked()), ascending_solver.interactions(system)) << n;
  }
}

/// The toy agrees with `direct` up to rounding.
TEST(AscendingSolver, AgreesWithAllPairs) {
  const auto toy = reference(solved_by(ascending_solver, system_of(cloud(257), 0.05)));
  const auto all = reference(system_of(cloud(257), 0.05));
  toy->accelerate(), all->accelerate();
  Vectors a = toy->download(Column::acceleration), b = all->download(Column::acceleration);
  EXPECT_NE(bits_of(a), bits_of(b));
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t i = 0; i < 257; ++i) EXPECT_NEAR(coordinate(a, q, i), coordinate(b, q, i), 1e-13) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Solvers, ::testing::ValuesIn(every_solver()),
                         [](const auto& each) { return std::string(each.param->name); });

}  // namespace
}  // namespace orrery::sim::testing
