// SPDX-License-Identifier: MIT
// The cuda backend gives the bits of the other backends, with any kernel and any bands.
#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu.hpp"
#include "tests/sim/box_cases.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {
namespace {

void expect_same_bits(std::size_t n, std::int64_t steps, double softening, const Integrator& method,
                      const BackendOptions& options) {
  const Bodies bodies = options.kernel == "tiled" ? heavy_cloud(n) : cloud(n);
  const auto cpu = on_cpu(system_of(bodies, softening)), gpu = on_gpu(system_of(bodies, softening), options);
  const Snapshot expected = run(*cpu, method, 1e-3, steps), found = run(*gpu, method, 1e-3, steps);
  EXPECT_EQ(fingerprint(found), fingerprint(expected))
      << method.name << ", N = " << n << ", ε = " << softening << ", " << gpu->kernel() << ", " << gpu->hardware();
}

class CudaBits : public Gpu, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(CudaBits, EqualThoseOfTheCpuWithEveryIntegrator) {
  for (const Integrator* method : integrators()) {
    for (const char* kernel : {"pair-once", "tiled"}) {
      expect_same_bits(GetParam(), 300, 0.05, *method, {.kernel = kernel});
      expect_same_bits(GetParam(), 20, 0.0, *method, {.kernel = kernel});
    }
  }
}

// Around the edges of a group, a tile, a chunk and a block of the trees.
INSTANTIATE_TEST_SUITE_P(Sizes, CudaBits, ::testing::Values(1, 2, 3, 31, 33, 127, 128, 129, 255, 257, 1003));

/// One of every k bodies acts on others: chunks without sources, with few and with many; chunks of one tile and of
/// several.
TEST_F(Gpu, BitsAreTheSameIfFewBodiesAct) {
  for (const std::size_t n : {2U, 33U, 129U, 1003U, 5003U, 70001U}) {
    for (const std::size_t one_in : {1U, 2U, 5U, 63U, 4001U, 1000000U}) {
      Bodies bodies = cloud(n);
      for (std::size_t i = 0; i < n; ++i)
        bodies.mass[i] = one_in == 1000000 || (i * 11 + 5) % one_in != 0 ? 0.0 : 1.0 / static_cast<double>(i + 2);
      const std::int64_t steps = n < 5000 ? 40 : 1;
      const auto cpu = on_cpu(system_of(bodies, 0.05)), gpu = on_gpu(system_of(bodies, 0.05));
      EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-3, steps)),
                fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, steps)))
          << n << ", one in " << one_in << ", " << gpu->kernel();
    }
  }
}

/// Several forces, each with its own scale in floats.
TEST_F(Gpu, SeveralForcesAddInFloats) {
  System system = system_of(law("gravity"), charged_cloud(300), 0.3);
  system.forces.push_back(system_of(law("inverse-power", 1), charged_cloud(300), 0.3).forces.front());
  for (auto* axis : {&system.bodies.position.x, &system.bodies.position.y, &system.bodies.position.z}) {
    for (double& x : *axis) x *= 1000;
  }
  const auto cpu = on_cpu(system);
  cpu->accelerate();
  const Vectors expected = cpu->download(Column::acceleration);
  for (const Precision precision : {Precision::mixed, Precision::float32}) {
    const auto gpu = on_gpu(system, {.precision = precision});
    gpu->accelerate();
    const Vectors found = gpu->download(Column::acceleration);
    for (std::size_t i = 0; i < 300; ++i) {
      const double size = std::abs(expected.x[i]) + std::abs(expected.y[i]) + std::abs(expected.z[i]);
      EXPECT_NEAR(found.x[i], expected.x[i], 1e-5 * size) << i;
    }
  }
}

// 4097 has 33 chunks, 33000 chunks of 256, 70001 chunks of 512.
TEST_F(Gpu, BitsAreTheSameInManyAndInLargerChunks) {
  for (const char* kernel : {"pair-once", "tiled"}) {
    expect_same_bits(4097, 10, 0.05, integrator("leapfrog-dkd"), {.kernel = kernel});
    expect_same_bits(33000, 1, 0.05, integrator("leapfrog"), {.kernel = kernel});
    expect_same_bits(70001, 1, 0.05, integrator("leapfrog"), {.kernel = kernel});
  }
}

/// Steps are recorded and replayed; readbacks at any step between give the same bits.
TEST_F(Gpu, BitsDoNotDependOnHowStepsAreCutIntoSlices) {
  for (const Integrator* method : integrators()) {
    const auto whole = on_cpu(system_of(cloud(300), 0.05)), cut = on_gpu(system_of(cloud(300), 0.05));
    Simulation simulation(*cut, *method, 1e-3);
    for (const std::int64_t steps : {1, 17, 40, 3, 64, 25}) simulation.advance(steps, steps == 3 || steps == 25);
    EXPECT_EQ(fingerprint(simulation.observe()), fingerprint(run(*whole, *method, 1e-3, 150))) << method->name;
    EXPECT_EQ(cut->evaluations(), whole->evaluations()) << method->name;
  }
}

/// Minimum and maximum energies of every step, and of sampled steps, with and without a readback in between.
TEST_F(Gpu, ExtremesEqualThoseOfTheCpu) {
  for (const Integrator* method : integrators()) {
    for (const std::size_t n : {1U, 6U, 64U, 65U, 300U, 1003U}) {
      System system = system_of(cloud(n), 0.05);
      add_requirements(system, *method);
      const auto gpu = on_gpu(system), cpu = on_cpu(system);
      Simulation one(*gpu, *method, 1e-2), other(*cpu, *method, 1e-2);
      for (Simulation* simulation : {&one, &other}) {
        simulation->watch(simulation->observe().observables, {});
        simulation->advance(150);
      }
      EXPECT_EQ(one.state().extremes, other.state().extremes) << method->name << ", N = " << n;
      one.advance(100, true), other.advance(100, true);
      const Snapshot found = one.observe(), expected = other.observe();
      EXPECT_EQ(found.extremes, expected.extremes) << method->name << ", N = " << n;
      EXPECT_EQ(fingerprint(found), fingerprint(expected)) << method->name << ", N = " << n;
    }
  }
}

/// A readback has the state at its request, whatever is done before it is read.
TEST_F(Gpu, ReadbackHasStateAtRequest) {
  for (const Integrator* method : integrators()) {
    System system = system_of(cloud(300), 0.05);
    add_requirements(system, *method);
    const auto one = on_gpu(system), other = on_cpu(system);
    Simulation ahead(*one, *method, 1e-3), plain(*other, *method, 1e-3);
    for (int k = 0; k < 5; ++k) {
      ahead.advance(7, true), plain.advance(7, true);
      ahead.request_readback();
      ahead.advance(40);
      EXPECT_EQ(fingerprint(ahead.take_readback()), fingerprint(plain.observe())) << method->name;
      plain.advance(40);
    }
  }
}

/// The committed bits.
TEST_F(Gpu, BitsAreTheCommittedOnes) {
  for (const Case& c : committed_cases()) {
    for (const char* kernel : {"pair-once", "tiled"}) {
      EXPECT_EQ(c.found_on(*on_gpu(c.system(), {.kernel = kernel})), c.hash) << c << ", " << kernel;
    }
  }
}

TEST_F(Gpu, CombinationsKeepSignedZeros) {
  const auto backend = on_gpu(system_of(cloud(33), 0.1)), cpu = on_cpu(system_of(cloud(33), 0.1));
  Vectors zeros(33);
  for (double& x : zeros.x) x = -0.0;
  for (Backend* each : {backend.get(), cpu.get()}) {
    each->upload(Column::acceleration, zeros);
    each->combine(Column::velocity, {{1, Column::acceleration}});
    each->combine(Column::position, {{-0.3, Column::position}, {1.7, Column::velocity}, {1, Column::acceleration}});
  }
  const Vectors a = cpu->download(Column::position), b = backend->download(Column::position);
  for (std::size_t i = 0; i < 33; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.x[i]), std::bit_cast<std::uint64_t>(b.x[i]));
  EXPECT_TRUE(std::signbit(backend->download(Column::velocity).x[0]));
}

TEST_F(Gpu, ColumnsOfTheIntegratorAreKept) {
  System system = system_of(cloud(37), 0.1);
  system.scratch_columns = 2;
  const auto gpu = on_gpu(std::move(system));
  const Vectors velocity = gpu->download(Column::velocity);
  gpu->combine(scratch_column(1), {{2.5, Column::velocity}});
  EXPECT_EQ(gpu->download(scratch_column(1)).y[36], 2.5 * velocity.y[36]);
  EXPECT_EQ(gpu->download(scratch_column(0)).y[36], 0.0);
}

TEST_F(Gpu, BitsOfExternalFieldsAreTheSame) {
  for (const std::size_t n : {1U, 2U, 33U, 257U}) {
    for (const bool with_pairs : {true, false}) {
      System system = system_of(cloud(n), 0.05);
      if (!with_pairs) system.forces.clear();
      for (const FieldLaw* law : field_laws()) {
        system.fields.push_back({law, {{0.7, 0.3, 0.1, -0.2, 0.05}}});
        const auto cpu = on_cpu(system), gpu = on_gpu(system);
        EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-2, 50)),
                  fingerprint(run(*cpu, integrator("leapfrog"), 1e-2, 50)))
            << law->name << ", N = " << n << ", pairs " << with_pairs;
      }
    }
  }
}

TEST_F(Gpu, BitsOfEveryForceLawAreTheSame) {
  for (const NumberedLaw& law : every_law()) {
    for (const std::size_t n : {33U, 257U}) {
      for (const char* kernel : {"pair-once", "tiled"}) {
        const System system = system_of(law, charged_cloud(n), 0.3);
        const auto cpu = on_cpu(system), gpu = on_gpu(system, {.kernel = kernel});
        EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-3, 20)),
                  fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, 20)))
            << law.name() << ", N = " << n << ", " << gpu->kernel();
      }
    }
  }
}

TEST_F(Gpu, BitsInBoxesAreTheCommitted) {
  for (const BoxCase& c : committed_box_cases()) EXPECT_EQ(c.found_on(*on_gpu(c.system())), c.hash) << c;
}

/// A run that was half done on another backend ends with the same bits.
TEST_F(Gpu, BitsDoNotDependOnChangingTheBackend) {
  const Bodies bodies = cloud(257);
  const Integrator& leapfrog = integrator("leapfrog");
  const auto whole = on_cpu(system_of(bodies, 0.05)), first = on_cpu(system_of(bodies, 0.05)),
             second = on_gpu(system_of(bodies, 0.05));
  Simulation half(*first, leapfrog, 1e-3), rest(*second, leapfrog, 1e-3);
  half.advance(37);
  rest.resume(half.state());
  rest.advance(40, true);
  EXPECT_EQ(fingerprint(rest.observe()), fingerprint(run(*whole, leapfrog, 1e-3, 77)));
}

}  // namespace
}  // namespace orrery::sim::testing
