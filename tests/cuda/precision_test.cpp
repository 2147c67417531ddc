// SPDX-License-Identifier: MIT
// The accuracy of the cuda backend in mixed and float32, for every kernel and in any units.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "gpu.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {
namespace {

struct Kind {
  Precision precision;
  double allowed;
};
constexpr Kind kinds[] = {{Precision::mixed, 2e-7}, {Precision::float32, 2e-6}, {Precision::float32_exact_root, 2e-6}};

BackendOptions options(const Kind& kind, std::string_view kernel = "") {
  return {.kernel = kernel, .precision = kind.precision};
}

struct Found {
  Vectors acceleration;
  double energy;
};
Found found_on(Backend& backend) {
  backend.expect_observation(true);
  backend.accelerate();
  return {backend.download(Column::acceleration), backend.observe().potential_energy};
}

/// As tests/sim/precision_test.cpp for the cpu, but against float64, whose own errors are a billion times smaller.
void expect_accurate(const System& system, const std::string& what, double slack = 1) {
  const Found exact = found_on(*on_gpu(system));
  for (const Kind& kind : kinds) {
    const Found found = found_on(*on_gpu(system, options(kind)));
    std::vector<double> errors;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
      const Vectors &a = exact.acceleration, &b = found.acceleration;
      const double size = std::hypot(a.x[i], a.y[i], a.z[i]);
      if (size == 0) continue;
      errors.push_back(std::hypot(b.x[i] - a.x[i], b.y[i] - a.y[i], b.z[i] - a.z[i]) / size);
    }
    const std::string which = what + ", N = " + std::to_string(system.bodies.size());
    // If a few pairs dominate, the error is that of one pair; with many bodies the errors of all pairs average out.
    const double allowed = slack * (errors.size() < 1000 ? 2 : 1) * kind.allowed;
    EXPECT_LT(quantile(errors, 0.95), allowed) << which;
    EXPECT_NEAR(found.energy / exact.energy, 1, kind.allowed) << which;
    std::cout << which << (kind.precision == Precision::mixed ? ", mixed" : ", float32")
              << (kind.precision == Precision::float32_exact_root ? " exact" : "") << ": median "
              << quantile(errors, 0.5) << ", 97 % " << quantile(errors, 0.97) << ", greatest " << quantile(errors, 1)
              << ", energy " << found.energy / exact.energy - 1 << '\n';
  }
}

// 2, 33, …: orders of chunks of 32, 64 and 256; 1003, 5000 and 20011 end in part-filled groups; 70001 has chunks of 512.
TEST_F(Gpu, FloatErrorsAreBoundedInACubeAndInAPlummerSphere) {
  for (const std::size_t n : {2UL, 33UL, 257UL, 1003UL, 5000UL, 20011UL, 65536UL, 70001UL}) {
    expect_accurate(system_of(cloud(n), 0.01), "cube");
    expect_accurate(system_of(plummer_sphere(n), 0.01), "Plummer");
  }
}

TEST_F(Gpu, PrecisionDoesNotDependOnUnits) {
  for (const std::size_t n : {300UL, 9000UL}) {
    const Bodies bodies = in_metres_and_kilograms(cloud(n));
    expect_accurate(system_of(bodies, 1e10, 6.6743e-11), "metres and kilograms");
    expect_accurate(system_of(bodies, 0, 6.6743e-11), "metres and kilograms, not softened");
  }
}

/// Steeper laws enlarge the error of a distance, and charges of both signs cancel.
TEST_F(Gpu, FloatErrorsAreBoundedForEveryLaw) {
  for (const NumberedLaw& law : every_law()) {
    for (const std::size_t n : {257UL, 3001UL}) expect_accurate(system_of(law, charged_cloud(n), 0.3), law.name(), 5);
  }
}

/// The same sums in the same order, from one side of a pair or from both, in tiles or not: the same bits.
TEST_F(Gpu, BitsOfFloatsDoNotDependOnTheKernel) {
  for (const Kind& kind : kinds) {
    for (const std::size_t n : {1, 2, 31, 33, 65, 257, 1003, 1024, 1025, 2049, 4097, 8193, 20011, 70001}) {
      const System system = system_of(heavy_cloud(n), 0.02);
      const auto print = [&](const BackendOptions& o) {
        return fingerprint(run(*on_gpu(system, o), integrator("leapfrog"), 1e-3, n < 5000 ? 40 : 2));
      };
      const auto expected = print(options(kind, "pair-once"));
      EXPECT_EQ(print(options(kind, "tiled")), expected) << n;
      EXPECT_EQ(print(options(kind)), expected) << n;
    }
  }
}

/// A fused kernel starts its sums once the next operations are known: for every integrator, with readbacks in between.
TEST_F(Gpu, BitsOfFloatsDoNotDependOnKernelFusion) {
  EXPECT_EQ(on_gpu(system_of(heavy_cloud(64), 0.05), options(kinds[1]))->kernel(), "pair-once");
  EXPECT_EQ(on_gpu(system_of(heavy_cloud(1025), 0.05), options(kinds[1]))->kernel(), "pair-once");
  EXPECT_EQ(on_gpu(system_of(cloud(300), 0.05), options(kinds[1]))->kernel(), "pair-once") << "some are massless";
  for (const Integrator* method : integrators()) {
    System system = with_fields(system_of(heavy_cloud(300), 0.05));
    add_requirements(system, *method);
    if (system.jerk) continue;
    for (const Kind& kind : kinds) {
      const auto one = on_gpu(system, options(kind)), other = on_gpu(system, options(kind, "pair-once"));
      EXPECT_EQ(one->kernel(), "fused");
      Simulation fused(*one, *method, 1e-3), plain(*other, *method, 1e-3);
      for (const std::int64_t steps : {1, 18, 40, 3, 2}) {
        fused.advance(steps, steps == 40), plain.advance(steps, steps == 40);
        if (steps != 3) {
          EXPECT_EQ(fingerprint(fused.observe()), fingerprint(plain.observe())) << method->name << ", " << steps;
        }
        EXPECT_EQ(bits_of(one->download(Column::acceleration)), bits_of(other->download(Column::acceleration)));
      }
      const Vectors moved = one->download(Column::velocity);
      for (Backend* backend : {one.get(), other.get()}) backend->upload(Column::position, moved);
      fused.advance(17), plain.advance(17);
      EXPECT_EQ(fingerprint(fused.observe()), fingerprint(plain.observe())) << method->name;
    }
  }
}

/// Far from the origin, where two bodies round to the same float.
TEST_F(Gpu, MixedPrecisionSubtractsInDoubles) {
  const auto relative = [](const Kind& kind) {
    return error_of_distant_pair(*on_gpu(system_of(distant_pair(), 0), options(kind)));
  };
  EXPECT_LT(relative(kinds[0]), 3e-6);
  EXPECT_FALSE(relative(kinds[1]) < 0.1);
}

TEST_F(Gpu, PrecisionOfCoincidentAndMasslessBodies) {
  for (const Kind& kind : kinds) {
    Bodies bodies = cloud(200);
    for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) std::ranges::fill(*axis, 0.3);
    EXPECT_EQ(found_on(*on_gpu(system_of(bodies, 0.1), options(kind))).acceleration, Vectors(200));
    Bodies light = cloud(200);
    std::ranges::fill(light.mass, 0.0);
    EXPECT_EQ(found_on(*on_gpu(system_of(light, 0), options(kind))).acceleration, Vectors(200));
  }
}

/// Two bodies that round to the same float stop the run, and are named.
TEST_F(Gpu, FloatsNameCoincidentBodies) {
  for (const Kind& kind : kinds) {
    Bodies bodies = cloud(5);
    bodies.mass.assign(5, 1.0);
    bodies.position.x[3] = bodies.position.x[1] = 0.25;
    bodies.position.y[3] = bodies.position.y[1] = 0.5;
    bodies.position.z[3] = bodies.position.z[1] = 0.125;
    const auto gpu = on_gpu(system_of(bodies, 0), options(kind));
    Simulation simulation(*gpu, integrator("leapfrog"), 1e-3, 0, {"a", "b", "c", "d", "e"});
    std::string said;
    try {
      (void)simulation.observe();
    } catch (const std::exception& error) {
      said = error.what();
    }
    EXPECT_NE(said.find("b and d came within"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace orrery::sim::testing
