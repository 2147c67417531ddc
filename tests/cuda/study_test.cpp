// SPDX-License-Identifier: MIT
// Study kernels give the same forces as the engine.
#include "sim/study/study.hpp"

#include "common/error.hpp"
#include "gpu.hpp"

namespace orrery::sim::testing {
namespace {

std::uint64_t print(System system, const ForceSolver* solver, const BackendOptions& options, std::int64_t steps) {
  system.solver = solver;
  return fingerprint(run(*on_gpu(std::move(system), options), integrator("leapfrog"), 1e-3, steps));
}

TEST_F(Gpu, StudiedKernelsHaveTheBitsOfTheEngine) {
  for (const std::size_t n : {33U, 1031U, 4097U}) {
    const System system = system_of(cloud(n), 0.05);
    const std::int64_t steps = n < 2000 ? 40 : 20;
    const std::uint64_t expected = print(system, nullptr, {.kernel = "pair-once"}, steps);
    EXPECT_EQ(expected, fingerprint(run(*on_cpu(system), integrator("leapfrog"), 1e-3, steps)));
    for (const study::OneSided& one : study::one_sided()) {
      EXPECT_EQ(print(system, &one.solver, {}, steps), expected)
          << n << ", " << one.solver.name << ", block " << one.shape.block << ", unroll " << one.shape.unroll;
    }
  }
}

/// In floats, equal from the size at which the engine uses its final chunk order; close to it below.
TEST_F(Gpu, StudiedKernelsHaveTheBitsOfTheEngineInFloats) {
  const BackendOptions floats{.precision = Precision::float32};
  for (const std::size_t n : {9001U, 20011U}) {
    const System system = system_of(cloud(n), 0.05);
    const std::uint64_t expected = print(system, nullptr, floats, 20);
    for (const study::OneSided& one : study::one_sided()) {
      if (one.shape.block % 96 != 0 && one.shape.block != 512) continue;
      EXPECT_EQ(print(system, &one.solver, floats, 20), expected)
          << n << ", " << one.solver.name << ", block " << one.shape.block << ", unroll " << one.shape.unroll;
    }
  }
  System system = system_of(cloud(33), 0.05);
  const auto exact = on_cpu(system);
  exact->accelerate();
  system.solver = &study::one_sided().back().solver;
  const auto near = on_gpu(system, floats);
  near->accelerate();
  const Vectors a = exact->download(Column::acceleration), b = near->download(Column::acceleration);
  for (std::size_t i = 0; i < 33; ++i) EXPECT_NEAR(b.x[i] / a.x[i], 1, 1e-3);
}

TEST_F(Gpu, StudiedKernelsAreOfEveryShapeAndSaySo) {
  ASSERT_EQ(study::one_sided().size(), 2U * 4 * 16);
  System system = system_of(cloud(33), 0.05);
  system.solver = &study::one_sided().front().solver;
  EXPECT_EQ(on_gpu(system)->kernel(), "tiled, block 32, unroll 1");
  EXPECT_THROW((void)on_gpu(system, {.precision = Precision::mixed}), Error);
  system.forces.push_back(system.forces.front());
  EXPECT_NE(system.solver->refusal(system, Precision::float64), "");
  EXPECT_THROW((void)on_gpu(system), Error);
}

}  // namespace
}  // namespace orrery::sim::testing
