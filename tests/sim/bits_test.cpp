// SPDX-License-Identifier: MIT
// The same bits on every backend, with any number of threads and on every SIMD target.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "box_cases.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/backends/simd/columns.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

// The chain of comparisons from the page to every machine:
//   docs/canonical-order.md = committed hash   tests/canonical_order.py, a program written from the page alone
//   reference = committed hash                 runs of the reference; long ones have the label slow
//   cpu = committed hash                       every SIMD target with 1, 2, 3 and 7 threads; likewise
//   cuda = committed hash, = cpu               tests/cuda
// A hash covers every bit of the last state and its observables, so equal hashes mean equal runs. Tests with the label
// slow are longer runs and more threads of the same code, at sizes that the default tests cover too.

/// Maximum interactions of a default test if a second suffices for 0.05·10⁹ of them, or for 10⁹ and more.
constexpr double few = 1.2e7, many = 1e9;

void expect_of_reference(const Case& c) {
  EXPECT_EQ(c.found_on(*reference(c.system())), c.hash) << c;
}

void expect_of_cpu(const Case& c, std::size_t target, int threads) {
  const auto cpu = make_cpu_backend(c.system(), threads, target);
  EXPECT_EQ(c.found_on(*cpu), c.hash) << c << ", " << cpu->hardware();
}

/// Whether lanes are single doubles and every fma is a function call.
bool is_plain(std::size_t target) {
  return target + 1 == simd::available_targets().size();
}

class Bits : public ::testing::TestWithParam<const Integrator*> {
 protected:
  static std::vector<Case> cases() {
    auto all = committed_cases();
    std::erase_if(all, [](const Case& c) { return c.method != GetParam(); });
    EXPECT_GE(all.size(), 10U) << "no committed hashes for " << GetParam()->name;
    return all;
  }
};

TEST_P(Bits, OfTheReferenceAreTheCommitted) {
  for (const Case& c : cases()) {
    if (c.interactions() < few) expect_of_reference(c);
  }
}

/// Up to 256 bodies one thread does all the work, so the number of threads is irrelevant. 66001 bodies have chunks of
/// 512, of four tiles each, which only the best target runs here.
TEST_P(Bits, OfEveryTargetAndThreadCountAreTheCommitted) {
  for (const Case& c : cases()) {
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      const bool best = target == 0 && !is_plain(target);
      if (!best && c.interactions() > (is_plain(target) ? few : many)) continue;
      if (c.n <= 256) {
        expect_of_cpu(c, target, 3);
      } else if (c.interactions() > few) {
        expect_of_cpu(c, target, 2);
        if (c.interactions() < 50 * few) expect_of_cpu(c, target, 7);
      } else {
        for (const int threads : {1, 2, 3, 7}) expect_of_cpu(c, target, threads);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Bits, ::testing::ValuesIn(integrators().begin(), integrators().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(BitsInFull, OfTheReferenceAreTheCommittedSlow) {
  for (const Case& c : committed_cases()) expect_of_reference(c);
}

TEST(BitsInFull, OfEveryTargetAndThreadCountAreTheCommittedSlow) {
  for (const Case& c : committed_cases()) {
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      for (const int threads : {1, 2, 3, 7}) expect_of_cpu(c, target, threads);
    }
  }
}

void expect_of_cpu(const BoxCase& c, std::size_t target, int threads) {
  const auto cpu = make_cpu_backend(c.system(), threads, target);
  EXPECT_EQ(c.found_on(*cpu), c.hash) << c << ", " << cpu->hardware();
}

TEST(BitsInBoxes, AreCommittedForEveryLawWithACutoff) {
  std::set<std::string> committed;
  for (const BoxCase& c : committed_box_cases()) committed.insert(c.law + c.truncation);
  for (const ForceLaw* law : force_laws()) {
    if (law->cutoff == nullptr) continue;
    const auto truncation = std::ranges::find(law->parameters, "truncation", &Parameter::name);
    if (truncation == law->parameters.end()) {
      EXPECT_TRUE(committed.contains(std::string(law->name))) << law->name;
    } else {
      for (const std::string_view choice : truncation->choices)
        EXPECT_TRUE(committed.contains(std::string(law->name) + std::string(choice))) << choice;
    }
  }
}

TEST(BitsInBoxes, OfTheReferenceAreTheCommitted) {
  for (const BoxCase& c : committed_box_cases()) {
    if (c.interactions() > few) continue;
    EXPECT_EQ(c.found_on(*reference(c.system())), c.hash) << c;
  }
}

TEST(BitsInBoxes, OfEveryTargetAndThreadCountAreTheCommitted) {
  for (const BoxCase& c : committed_box_cases()) {
    if (c.interactions() > 2 * few) continue;
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      for (const int threads : {1, 2, 3, 7}) {
        if (c.n > 512 || threads == 3) expect_of_cpu(c, target, threads);
      }
    }
  }
}

TEST(BitsInBoxes, InFullAreTheCommittedSlow) {
  for (const BoxCase& c : committed_box_cases()) {
    EXPECT_EQ(c.found_on(*reference(c.system())), c.hash) << c;
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      for (const int threads : {1, 2, 3, 7}) expect_of_cpu(c, target, threads);
    }
  }
}

/// More than 256² terms are a tree of three levels; without forces that costs nothing.
TEST(Bits, OfSumsOverManyBodiesAreTheSame) {
  for (const std::size_t n : {255UL, 256UL, 511UL, 65536UL, 65537UL, 70001UL}) {
    System system;
    system.bodies = cloud(n);
    const auto definition = reference(system);
    const auto cpu = make_cpu_backend(system, 1, 0);
    Snapshot expected, found;
    expected.observables = definition->observe();
    found.observables = cpu->observe();
    EXPECT_EQ(fingerprint(found), fingerprint(expected)) << n;
  }
}

TEST(Bits, FusedMultiplyAddRoundsOnce) {
  // (1 + 2⁻³⁰)(1 − 2⁻³⁰) − 1 = −2⁻⁶⁰ exactly; a product rounded first gives 0.
  for (const simd::Target kernels : simd::available_targets()) {
    double target[32] = {};
    double ones[32], sums[32];
    std::fill_n(ones, 32, 1 + 0x1p-30);
    std::fill_n(sums, 32, -1.0);
    const double* sources[] = {sums, ones};
    const double factors[] = {1.0, 1 - 0x1p-30};
    simd::column_kernels(kernels).combine(target, sources, factors, 2, 32);
    EXPECT_EQ(target[5], -0x1p-60) << simd::name_of(kernels);
  }
}

/// Signed zeros and leading factors in a combination are part of the promise too.
TEST(Bits, OfLinearCombinationsAreTheSame) {
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

TEST(Bits, DoNotDependOnComputingThePotential) {
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
