// SPDX-License-Identifier: MIT
// Every force solver with GPU code, and a toy solver outside the list, gives the bits of the cpu.
#include "tests/sim/solvers.hpp"

#include "gpu.hpp"

namespace orrery::sim::testing {
namespace {

constexpr Column of_jerks = scratch_column(0);
constexpr std::size_t numbers_of_bodies[] = {1, 2, 33, 64, 65, 257, 1031, 5000};

std::vector<const ForceSolver*> solvers_on_gpus() {
  auto all = every_solver();
  std::erase_if(all, [](const ForceSolver* solver) { return solver->on_cuda == nullptr; });
  return all;
}

class CudaSolvers : public Gpu {
 protected:
  /// Calls `use` for each of them.
  template <class Op>
  static void each(const Op& act) {
    const auto all = solvers_on_gpus();
    ASSERT_GE(all.size(), 2U);
    for (const ForceSolver* solver : all) {
      SCOPED_TRACE(solver->name);
      act(*solver);
    }
  }
  static System system(const ForceSolver& solver, std::size_t n) { return served_by(solver, n); }
};

/// Compares all columns twice, since a readback may change their order.
void expect_same_state(const Backend& gpu, const Backend& cpu, std::size_t n) {
  for (const Column column : {Column::position, Column::velocity, Column::acceleration, of_jerks}) {
    const auto expected = bits_of(cpu.download(column));
    for (int k = 0; k < 2; ++k)
      EXPECT_EQ(bits_of(gpu.download(column)), expected) << "N = " << n << ", column " << static_cast<int>(column);
  }
}

/// The body with the maximum component is identified by its index.
void expect_same_greatest(const Backend& gpu, const Backend& cpu, std::size_t n) {
  constexpr Column columns[] = {Column::position, Column::acceleration};
  const auto found = gpu.greatest(columns), expected = cpu.greatest(columns);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(found[k].value, expected[k].value) << n;
    EXPECT_EQ(found[k].body, expected[k].body) << n;
  }
  EXPECT_EQ(gpu.half_extents(columns), cpu.half_extents(columns)) << n;
}

/// Compares a readback of both, as used for a snapshot.
void expect_same_note(Backend& gpu, Backend& cpu, std::size_t n) {
  const std::vector<Column> columns{Column::position, Column::velocity, of_jerks};
  gpu.request_readback(columns), cpu.request_readback(columns);
  const Backend::Readback found = gpu.take_readback(), expected = cpu.take_readback();
  EXPECT_EQ(found.observables, expected.observables) << n;
  EXPECT_EQ(found.extremes, expected.extremes) << n;
  ASSERT_EQ(found.columns.size(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    EXPECT_EQ(bits_of(found.columns[k]), bits_of(expected.columns[k])) << n << ", column " << k;
}

TEST_F(CudaSolvers, HaveTheBitsOfTheCpu) {
  each([](const ForceSolver& solver) {
    for (const std::size_t n : numbers_of_bodies) {
      const auto gpu = on_gpu(system(solver, n)), cpu = on_cpu(system(solver, n));
      for (Backend* backend : {gpu.get(), cpu.get()}) backend->accelerate();
      expect_same_state(*gpu, *cpu, n);
      expect_same_greatest(*gpu, *cpu, n);
      EXPECT_EQ(gpu->observe(), cpu->observe()) << n;
      if (!solver.has_jerk) continue;
      for (Backend* backend : {gpu.get(), cpu.get()}) backend->accelerate_with_jerk(of_jerks);
      expect_same_state(*gpu, *cpu, n);
      EXPECT_EQ(gpu->observe(), cpu->observe()) << n;  // the potential is that of before
    }
  });
}

/// The first evaluation with a jerk, with deferred operations: the order changes while a column is read.
TEST_F(CudaSolvers, ExecuteDeferredOperationsBeforeEvaluating) {
  each([](const ForceSolver& solver) {
    for (const std::size_t n : numbers_of_bodies) {
      const auto gpu = on_gpu(system(solver, n)), cpu = on_cpu(system(solver, n));
      for (Backend* backend : {gpu.get(), cpu.get()}) {
        backend->drift(0.125);
        backend->combine(of_jerks, {{0.5, Column::velocity}, {2, Column::position}});
        backend->accelerate();
        backend->kick(0.25);
      }
      expect_same_state(*gpu, *cpu, n);
      if (!solver.has_jerk) continue;
      const auto other_gpu = on_gpu(system(solver, n)), other_cpu = on_cpu(system(solver, n));
      for (Backend* backend : {other_gpu.get(), other_cpu.get()}) {
        backend->drift(0.125);
        backend->accelerate_with_jerk(of_jerks);
      }
      expect_same_state(*other_gpu, *other_cpu, n);
    }
  });
}

/// Enough steps that most of them are replayed, with and without tracking, with readbacks in between.
TEST_F(CudaSolvers, ReplayedStepsHaveTheBitsOfTheCpu) {
  each([](const ForceSolver& solver) {
    for (const std::size_t n : {1UL, 2UL, 33UL, 64UL, 65UL, 257UL, 1031UL}) {
      for (const bool tracked : {false, true}) {
        const auto gpu = on_gpu(system(solver, n)), cpu = on_cpu(system(solver, n));
        Step step{.dt = 1e-3};
        for (const std::int64_t times : {50, 3, 67}) {
          for (Backend* backend : {gpu.get(), cpu.get()}) backend->repeat(integrator("leapfrog"), step, times, tracked);
          expect_same_note(*gpu, *cpu, n);
          expect_same_state(*gpu, *cpu, n);
          step = step.later(times);
        }
        EXPECT_EQ(gpu->evaluations(), cpu->evaluations()) << n;
        for (Backend* backend : {gpu.get(), cpu.get()}) backend->repeat(integrator("leapfrog"), step, 40, tracked);
        EXPECT_EQ(gpu->take_extremes(), cpu->take_extremes()) << n;
      }
    }
  });
}

/// Values written by the host reach the right bodies, before and after the first evaluation.
TEST_F(CudaSolvers, ColumnsAreInTheOrderOfTheBodies) {
  each([](const ForceSolver& solver) {
    for (const std::size_t n : numbers_of_bodies) {
      const auto gpu = on_gpu(system(solver, n)), cpu = on_cpu(system(solver, n));
      const Bodies other = cloud(n, 5);
      for (const bool evaluated : {false, true}) {
        for (Backend* backend : {gpu.get(), cpu.get()}) {
          if (evaluated) backend->accelerate();
          backend->upload(Column::velocity, other.velocity);
          backend->upload(of_jerks, other.position);
          backend->combine(Column::position, {{1, Column::position}, {0.5, of_jerks}});
        }
        expect_same_state(*gpu, *cpu, n);
        expect_same_note(*gpu, *cpu, n);
      }
    }
  });
}

/// External fields act on each body at its own position.
TEST_F(CudaSolvers, ExternalFieldsAreAdded) {
  each([](const ForceSolver& solver) {
    for (const std::size_t n : numbers_of_bodies) {
      const System both = with_fields(system(solver, n));
      const auto gpu = on_gpu(both), cpu = on_cpu(both);
      EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-3, 40)),
                fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, 40)))
          << n;
    }
  });
}

TEST_F(CudaSolvers, ResumeFromASnapshotWithTheSameBits) {
  each([](const ForceSolver& solver) {
    for (const std::size_t n : {2UL, 33UL, 257UL, 1031UL}) {
      const auto whole = on_cpu(system(solver, n)), first = on_gpu(system(solver, n)), rest = on_gpu(system(solver, n));
      const Snapshot expected = run(*whole, integrator("leapfrog"), 1e-3, 101);
      const Snapshot middle = run(*first, integrator("leapfrog"), 1e-3, 37);
      Simulation simulation(*rest, integrator("leapfrog"), 1e-3);
      simulation.advance(3);  // any other state
      simulation.resume(middle);
      simulation.advance(64, true);
      EXPECT_EQ(fingerprint(simulation.observe()), fingerprint(expected)) << n;
    }
  });
}

}  // namespace
}  // namespace orrery::sim::testing
