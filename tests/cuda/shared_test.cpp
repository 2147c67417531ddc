// SPDX-License-Identifier: MIT
// GPUs that share the pairs give the bits of one. A GPU can help itself, so one suffices here; two are used if there are two.
#include <string>
#include <vector>

#include "common/error.hpp"
#include "gpu.hpp"
#include "tests/complaint.hpp"

namespace orrery::sim::testing {
namespace {

class SharedPairs : public Gpu {
 protected:
  /// Device indices of 1, 2 and 3 helpers.
  static std::vector<std::vector<int>> helpers() {
    const int other = cuda_backend.devices() - 1;
    return {{other}, {other, 0}, {0, other, other}};
  }
};

std::uint64_t at_65(const System& system, const BackendOptions& options, const char* method) {
  const auto gpu = on_gpu(system, options);
  Simulation there(*gpu, integrator(method), 1e-3);
  there.advance(40);
  (void)there.observe();
  there.advance(7), there.advance(18, true);
  return fingerprint(there.observe());
}

/// With 20001 bodies, the only helper of a GPU has several bands.
TEST_F(SharedPairs, BitsAreThoseOfTheProcessor) {
  for (const std::size_t n : {2031U, 8320U, 8321U, 12801U, 20001U}) {
    const System system = system_of(cloud(n), 0.05);
    const auto cpu = on_cpu(system);
    Simulation there(*cpu, integrator("leapfrog"), 1e-3);
    there.advance(40), there.advance(7), there.advance(18, true);
    const std::uint64_t expected = fingerprint(there.observe());
    for (const auto& indices : helpers())
      EXPECT_EQ(at_65(system, {.helpers = indices, .kernel = "pair-once"}, "leapfrog"), expected)
          << n << " bodies, " << indices.size() << " helpers";
  }
}

TEST_F(SharedPairs, BitsWithJerksAndSeveralForces) {
  System system = system_of(cloud(4321), 0.05);
  system.forces.push_back(system_of(cloud(4321), 0.1, 0.3).forces.front());
  for (const char* method : {"hermite4", "yoshida4"}) {
    const std::uint64_t expected = at_65(system, {}, method);
    for (const auto& indices : helpers()) EXPECT_EQ(at_65(system, {.helpers = indices}, method), expected) << method;
  }
}

TEST_F(SharedPairs, BitsOfFloatsAreThoseOfOneGpu) {
  System system = system_of(cloud(9001), 0.05);
  system.jerk = false;
  for (const Precision precision : {Precision::mixed, Precision::float32, Precision::float32_exact_root}) {
    const std::uint64_t expected = at_65(system, {.precision = precision}, "leapfrog");
    for (const auto& indices : helpers())
      EXPECT_EQ(at_65(system, {.helpers = indices, .precision = precision}, "leapfrog"), expected);
  }
}

TEST_F(SharedPairs, AreRefusedWhereOneGpuSuffices) {
  const auto refusal = [](const System& system) {
    return complaint([&] { (void)on_gpu(system, {.helpers = {0}}); }, 2);
  };
  EXPECT_EQ(refusal(system_of(cloud(257), 0.05)),
            "cuda: the pairs of 221 bodies that attract 257 are too few for 2 GPUs: take one, --device 0");
}

}  // namespace
}  // namespace orrery::sim::testing
