// SPDX-License-Identifier: MIT
// Ranks with a GPU each give the bits of one. Several can be on the same GPU, so one suffices here: then all copies go through the
// host. With as many GPUs as ranks they are direct.
#include <cstdlib>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "gpu.hpp"
#include "sim/ranks/shared_backend.hpp"
#include "sim/ranks/thread_ranks.hpp"
#include "tests/complaint.hpp"
#include "tests/sim/tree_cases.hpp"

namespace orrery::sim::testing {
namespace {

/// Directly, and through the host.
class SharedPairs : public Gpu, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    ::setenv("ORRERY_NO_PEERS", GetParam(), 1);
  }
  void TearDown() override { ::unsetenv("ORRERY_NO_PEERS"); }

  static std::unique_ptr<Backend> shared(const System& system, int ranks, BackendOptions options = {}) {
    for (int rank = 1; rank < ranks; ++rank) options.helpers.push_back(rank % cuda_backend.devices());
    return make_shared_backend(cuda_backend, system, options, start_thread_ranks(ranks));
  }
  static std::uint64_t result(Backend& backend, const char* method) {
    Simulation there(backend, integrator(method), 1e-3);
    there.advance(40);
    (void)there.observe();
    there.advance(7), there.advance(18, true);
    return fingerprint(there.observe());
  }
};
INSTANTIATE_TEST_SUITE_P(Peers, SharedPairs, ::testing::Values("0"));
INSTANTIATE_TEST_SUITE_P(Host, SharedPairs, ::testing::Values("1"));

/// With 20001 bodies, ranks after the first have several bands.
TEST_P(SharedPairs, BitsAreThoseOfTheProcessor) {
  for (const std::size_t n : {1000U, 2031U, 8321U, 20001U}) {
    const System system = system_of(cloud(n), 0.05);
    const std::uint64_t expected = result(*on_cpu(system), "leapfrog");
    for (const int ranks : {2, 3, 4})
      EXPECT_EQ(result(*shared(system, ranks), "leapfrog"), expected) << n << " bodies, " << ranks;
  }
}

TEST_P(SharedPairs, BitsWithJerksAndSeveralForces) {
  System system = system_of(cloud(4321), 0.05);
  system.forces.push_back(system_of(cloud(4321), 0.1, 0.3).forces.front());
  for (const char* method : {"hermite4", "yoshida4"}) {
    const std::uint64_t expected = result(*on_gpu(system), method);
    for (const int ranks : {2, 3}) EXPECT_EQ(result(*shared(system, ranks), method), expected) << method;
  }
}

TEST_P(SharedPairs, BitsOfFloatsAreThoseOfOneGpu) {
  System system = system_of(cloud(9001), 0.05);
  system.jerk = false;
  for (const Precision precision : {Precision::mixed, Precision::float32, Precision::float32_exact_root}) {
    const BackendOptions options{.precision = precision};
    const std::uint64_t expected = result(*on_gpu(system, options), "leapfrog");
    for (const int ranks : {2, 3}) EXPECT_EQ(result(*shared(system, ranks, options), "leapfrog"), expected);
  }
}

TEST_P(SharedPairs, BitsOfTheTree) {
  for (const TreeCase& c : committed_tree_cases()) {
    System system = c.system();
    system.solver = &tree_solver;
    if (system.bodies.size() < 2) continue;
    const std::uint64_t expected = result(*on_cpu(system), "leapfrog");
    for (const int ranks : {2, 3}) EXPECT_EQ(result(*shared(system, ranks), "leapfrog"), expected) << c;
  }
}

TEST_P(SharedPairs, AreRefusedWhereRowsAreTooFew) {
  EXPECT_EQ(complaint([] { (void)shared(system_of(cloud(257), 0.05), 4); }, 2),
            "257 bodies have pairs for at most 3 ranks, not for 4");
}

}  // namespace
}  // namespace orrery::sim::testing
