// SPDX-License-Identifier: MIT
// Bands of pairs over two streams, recorded and replayed, give the bits of the cpu.
#include <string>

#include "gpu.hpp"

namespace orrery::sim::testing {
namespace {

/// 65 and 66 chunks have three bands, 101 have four, so the last band is in either stream; all bodies act, or a few do
/// not.
TEST_F(Gpu, BitsOfBandsAreTheSameInReplayedSteps) {
  for (const std::size_t n : {8320U, 8321U, 12801U}) {
    for (const bool all_act : {false, true}) {
      Bodies bodies = cloud(n);
      for (double& mass : bodies.mass) mass = mass == 0 && all_act ? 0.25 / static_cast<double>(n) : mass;
      const auto cpu = on_cpu(system_of(bodies, 0.05));
      Simulation there(*cpu, integrator("leapfrog"), 1e-3);
      there.advance(40);
      const std::uint64_t at_40 = fingerprint(there.observe());
      there.advance(7), there.advance(18, true);
      const std::uint64_t at_65 = fingerprint(there.observe());
      for (const char* kernel : {"pair-once", "tiled"}) {
        const auto gpu = on_gpu(system_of(bodies, 0.05), {.kernel = kernel});
        Simulation here(*gpu, integrator("leapfrog"), 1e-3);
        here.advance(40);
        const std::string what = "N = " + std::to_string(n) + ", " + gpu->kernel();
        EXPECT_EQ(fingerprint(here.observe()), at_40) << what;
        here.advance(7);
        here.advance(18, true);
        EXPECT_EQ(fingerprint(here.observe()), at_65) << what;
      }
    }
  }
}

/// Two forces share the partial sums of the bands.
TEST_F(Gpu, BitsOfBandsAreTheSameWithTwoForces) {
  System system = system_of(cloud(8321), 0.05);
  system.forces.push_back(system_of(cloud(8321), 0.1, 0.3).forces.front());
  const auto cpu = on_cpu(system), gpu = on_gpu(system, {.kernel = "pair-once"});
  EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-3, 36)),
            fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, 36)));
}

}  // namespace
}  // namespace orrery::sim::testing
