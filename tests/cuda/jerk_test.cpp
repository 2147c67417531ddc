// SPDX-License-Identifier: MIT
// Jerks on a GPU have the bits of the cpu, and so have hermite4's adaptive steps.
#include "common/error.hpp"
#include "gpu.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {
namespace {

constexpr Column jerk = scratch_column(0);

System with_jerks(System system) {
  system.scratch_columns = 1;
  system.jerk = true;
  return system;
}

void expect_same_jerks(const System& system, const BackendOptions& options, const std::string& what) {
  const auto cpu = on_cpu(system), gpu = on_gpu(system, options);
  cpu->accelerate_with_jerk(jerk), gpu->accelerate_with_jerk(jerk);
  EXPECT_EQ(bits_of(gpu->download(jerk)), bits_of(cpu->download(jerk))) << what << ", " << gpu->kernel();
  const Vectors a = gpu->download(Column::acceleration);
  EXPECT_EQ(bits_of(a), bits_of(cpu->download(Column::acceleration))) << what << ", " << gpu->kernel();
  gpu->upload(Column::position, system.bodies.position);  // nothing is known any more
  gpu->accelerate();
  EXPECT_EQ(bits_of(gpu->download(Column::acceleration)), bits_of(a)) << what << ", " << gpu->kernel();
}

class CudaJerks : public Gpu, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(CudaJerks, EqualThoseOfTheCpu) {
  const std::size_t n = GetParam();
  for (const NumberedLaw& law : every_law()) {
    for (const char* kernel : {"pair-once", "tiled"}) {
      for (const bool fields : {false, true}) {
        System system = with_jerks(system_of(law, charged_cloud(n), n % 2 == 0 ? 0.3 : 0.0));
        if (fields) system = with_fields(std::move(system));
        expect_same_jerks(system, {.kernel = kernel},
                          law.name() + ", N = " + std::to_string(n) + (fields ? ", with fields" : ""));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaJerks, ::testing::Values(1, 2, 6, 33, 129, 257, 1000, 5000));

/// Only fields, without pairs; and 33000 bodies, whose chunks have two tiles.
TEST_F(Gpu, JerksEqualThoseOfTheCpuWithoutPairsAndInLargerChunks) {
  System fields = with_jerks(with_fields(system_of(cloud(257), 0.05)));
  fields.forces.clear();
  expect_same_jerks(fields, {}, "fields alone");
  for (const char* kernel : {"pair-once", "tiled"})
    expect_same_jerks(with_jerks(system_of(cloud(33000), 0.05)), {.kernel = kernel}, "N = 33000");
}

TEST_F(Gpu, KernelsAndPotentialsDoNotChangeJerks) {
  const System system = with_jerks(with_fields(system_of(cloud(300), 0.05)));
  const auto cpu = on_cpu(system);
  cpu->accelerate_with_jerk(jerk);
  const double energy = cpu->observe().potential_energy;
  for (const char* kernel : {"pair-once", "tiled"}) {
    expect_same_jerks(system, {.kernel = kernel}, kernel);
    const auto gpu = on_gpu(system, {.kernel = kernel});
    gpu->accelerate_with_jerk(jerk);
    EXPECT_EQ(gpu->observe().potential_energy, energy);
    gpu->accelerate_with_jerk(jerk);  // leaves the potential as it is
    EXPECT_EQ(gpu->observe().potential_energy, energy);
    EXPECT_EQ(gpu->evaluations(), 3);
    EXPECT_EQ(bits_of(gpu->download(jerk)), bits_of(cpu->download(jerk)));
  }
}

TEST_F(Gpu, JerksAreRefusedInFloats) {
  for (const Precision precision : {Precision::mixed, Precision::float32}) {
    const auto gpu = on_gpu(with_jerks(system_of(cloud(33), 0.05)), {.precision = precision});
    EXPECT_THROW(gpu->accelerate_with_jerk(jerk), Error);
  }
}

/// Aarseth's steps, chosen on the host from columns that are read back.
TEST_F(Gpu, Hermite4ChoosesTheSameStepsAsOnTheCpu) {
  for (const std::size_t n : {2UL, 33UL, 257UL, 1000UL}) {
    const System system = with_fields(system_of(cloud(n), 0.05));
    const auto cpu = on_cpu(system), gpu = on_gpu(system);
    Simulation there(*cpu, integrator("hermite4"), 0.01, 0.02), here(*gpu, integrator("hermite4"), 0.01, 0.02);
    for (const std::int64_t steps : {7, 1, 12}) {
      there.advance(steps), here.advance(steps);
      EXPECT_EQ(fingerprint(here.observe()), fingerprint(there.observe())) << n;
      EXPECT_EQ(here.clock(), there.clock()) << n;
    }
  }
}

}  // namespace
}  // namespace orrery::sim::testing
