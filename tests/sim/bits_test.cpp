// SPDX-License-Identifier: MIT
// The promise: the same bits on every backend, with any number of threads and on every SIMD target.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/kernels.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

/// Every SIMD target of this processor with these numbers of threads against the reference.
void expect_same_bits(std::size_t n, std::int64_t steps, double softening, std::initializer_list<int> threads) {
  const Bodies bodies = cloud(n);
  for (const Integrator* method : integrators()) {
    const auto definition = reference(system_of(bodies, softening));
    const Snapshot expected = run(*definition, *method, 1e-3, steps);
    for (std::size_t target = 0; target < simd::available_kernels().size(); ++target) {
      for (const int count : threads) {
        const auto cpu = make_cpu_backend(system_of(bodies, softening), count, target);
        const Snapshot found = run(*cpu, *method, 1e-3, steps);
        EXPECT_EQ(fingerprint(found), fingerprint(expected))
            << method->name << ", N = " << n << ", " << cpu->hardware();
      }
    }
  }
}

class Bits : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Bits, AreTheSameAfterAThousandSteps) {
  expect_same_bits(GetParam(), 1000, 0.05, {1, 2, 3});
}
TEST_P(Bits, AreTheSameWithoutSoftening) {
  expect_same_bits(GetParam(), 50, 0.0, {1, 3});
}

INSTANTIATE_TEST_SUITE_P(SmallN, Bits, ::testing::Values(1, 2, 3, 31, 33));

// 257 is a whole tile and a half, and one body; 1003 and 4097 leave part-filled groups in the last chunk.
TEST(Bits, AreTheSameAcrossChunks) {
  expect_same_bits(257, 100, 0.05, {1, 2, 3, 7});
}
TEST(Bits, AreTheSameAcrossChunksAfterAThousandStepsSlow) {
  expect_same_bits(257, 1000, 0.05, {1, 2, 3});
}
TEST(Bits, AreTheSameInManyChunks) {
  expect_same_bits(1003, 2, 0.05, {1, 2, 3});
}
TEST(Bits, AreTheSameInManyChunksAfterTenStepsSlow) {
  expect_same_bits(1003, 10, 0.05, {1, 2, 3, 7});
  expect_same_bits(4097, 2, 0.05, {7});
}

/// These numbers were printed once and must come out on every machine and compiler: they are the promise itself.
TEST(Bits, AreThoseOfEveryOtherMachine) {
  const auto hash = [](std::size_t n, std::int64_t steps, const char* method) {
    const auto cpu = make_cpu_backend(system_of(cloud(n), 0.05), 2, 0);
    return fingerprint(run(*cpu, integrator(method), 1e-3, steps));
  };
  EXPECT_EQ(hash(3, 1000, "leapfrog"), 0xb53994a0fa9c0220ULL);
  EXPECT_EQ(hash(257, 100, "leapfrog"), 0xb5b00e2a1c52e715ULL);
  EXPECT_EQ(hash(1003, 10, "yoshida4"), 0x6566baf02e705842ULL);
  EXPECT_EQ(hash(4097, 10, "leapfrog-dkd"), 0xfb2784d6879112e2ULL);
}

TEST(Bits, OfAFusedMultiplyAddAreRoundedOnce) {
  // (1 + 2⁻³⁰)(1 − 2⁻³⁰) − 1 = −2⁻⁶⁰ exactly; a product rounded first gives 0.
  for (const auto* kernels : simd::available_kernels()) {
    double target[32] = {};
    double ones[32], sums[32];
    std::fill_n(ones, 32, 1 + 0x1p-30);
    std::fill_n(sums, 32, -1.0);
    const double* sources[] = {sums, ones};
    const double factors[] = {1.0, 1 - 0x1p-30};
    kernels->combine(target, sources, factors, 2, 32);
    EXPECT_EQ(target[5], -0x1p-60) << kernels->name;
  }
}

/// What a combination does with signed zeros and leading factors is part of the promise too.
TEST(Bits, OfCombinationsAreTheSame) {
  const Bodies bodies = cloud(33);
  const auto definition = reference(system_of(bodies, 0.1));
  const auto cpu = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
  Vectors zeros(33);
  for (double& x : zeros.x) x = -0.0;
  for (Backend* backend : {definition.get(), cpu.get()}) {
    backend->upload(Column::acceleration, zeros);
    backend->combine(Column::velocity, {{1, Column::acceleration}});
    backend->combine(Column::position, {{-0.3, Column::position}, {1.7, Column::velocity}, {1, Column::acceleration}});
  }
  const Vectors a = definition->download(Column::position), b = cpu->download(Column::position);
  for (std::size_t i = 0; i < 33; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.x[i]), std::bit_cast<std::uint64_t>(b.x[i]));
  EXPECT_TRUE(std::signbit(definition->download(Column::velocity).x[0]));
  EXPECT_TRUE(std::signbit(cpu->download(Column::velocity).x[0]));
}

TEST(Bits, DoNotDependOnWhetherThePotentialIsAskedFor) {
  const Bodies bodies = cloud(300);
  const auto a = make_cpu_backend(system_of(bodies, 0.1), 2, 0);
  const auto b = make_cpu_backend(system_of(bodies, 0.1), 2, 0);
  Simulation with(*a, integrator("leapfrog"), 1e-3), without(*b, integrator("leapfrog"), 1e-3);
  for (int k = 0; k < 20; ++k) {
    with.advance(1, true);
    (void)with.observe();
  }
  without.advance(20);
  EXPECT_EQ(fingerprint(with.observe()), fingerprint(without.observe()));
  EXPECT_EQ(a->evaluations(), 21);  // every potential came with forces that were wanted anyway
}

}  // namespace
}  // namespace orrery::sim::testing
