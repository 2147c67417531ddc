// SPDX-License-Identifier: MIT
// An error on a GPU gives a one-line message that says what to do, and leaves the GPU usable.
#include "sim/backends/cuda/device.hpp"

#include <gmock/gmock.h>

#include "gpu.hpp"
#include "tests/complaint.hpp"

namespace orrery::sim::testing {
namespace {

TEST_F(Gpu, MissingDeviceIsReported) {
  const auto make = [] { (void)on_gpu(system_of(cloud(3), 0.1), {.device = 250}); };
  EXPECT_THAT(complaint(make, 2), ::testing::HasSubstr("there is no device 250"));
}

TEST_F(Gpu, OutOfMemoryIsReportedAndRecoverable) {
  const auto take = [] { (void)cuda::DeviceArray<double>(cuda::Device(0), std::size_t{1} << 40); };
  const std::string said = complaint(take, 1);
  EXPECT_THAT(said, ::testing::HasSubstr("8388608 MiB"));
  EXPECT_THAT(said, ::testing::HasSubstr("take fewer bodies"));
  EXPECT_EQ(said.find('\n'), std::string::npos);
  const auto gpu = on_gpu(system_of(cloud(31), 0.1)), cpu = on_cpu(system_of(cloud(31), 0.1));
  EXPECT_EQ(fingerprint(run(*gpu, integrator("leapfrog"), 1e-3, 5)),
            fingerprint(run(*cpu, integrator("leapfrog"), 1e-3, 5)));
}

TEST_F(Gpu, OverflowNamesTheBody) {
  Bodies bodies = cloud(5);
  bodies.position.x[3] = bodies.position.x[1];
  bodies.position.y[3] = bodies.position.y[1];
  bodies.position.z[3] = bodies.position.z[1];
  const auto gpu = on_gpu(system_of(bodies, 0.0));
  Simulation simulation(*gpu, integrator("leapfrog"), 1e-3, 0, {"a", "b", "c", "d", "e"});
  const std::string said = complaint([&] { (void)simulation.observe(); }, 1);
  EXPECT_THAT(said, ::testing::HasSubstr("b"));
  EXPECT_THAT(said, ::testing::HasSubstr("d"));
}

TEST_F(Gpu, ItsNameIsKnown) {
  const auto gpu = on_gpu(system_of(cloud(2), 0.1), {.kernel = "pair-once"});
  EXPECT_THAT(gpu->hardware(), ::testing::HasSubstr("(sm_"));
  EXPECT_EQ(gpu->kernel(), "pair-once");
}

}  // namespace
}  // namespace orrery::sim::testing
