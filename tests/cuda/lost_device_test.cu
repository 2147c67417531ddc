// SPDX-License-Identifier: MIT
// A GPU that fails during a run. It is unusable in this process afterwards, so this is a separate program.
#include "common/error.hpp"
#include "gpu.hpp"

namespace orrery::sim::testing {
namespace {

__global__ void fail() {
  asm volatile("trap;");
}

TEST_F(Gpu, LossIsReportedInOneLine) {
  const auto gpu = on_gpu(system_of(cloud(257), 0.1));
  Simulation simulation(*gpu, integrator("leapfrog"), 1e-3);
  simulation.advance(3);
  fail<<<1, 1>>>();
  std::string said;
  try {
    simulation.advance(3, true);
    (void)simulation.observe();
  } catch (const Error& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("the GPU failed or was lost"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

}  // namespace
}  // namespace orrery::sim::testing
