// SPDX-License-Identifier: MIT
// Shared by the tests on a GPU, which are skipped if there is none.
#pragma once

#include <gtest/gtest.h>

#include "sim/backends/cpu.hpp"
#include "sim/backends/cuda.hpp"
#include "tests/sim/support.hpp"

namespace orrery::sim::testing {

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string absence = cuda_backend.absence(); !absence.empty()) GTEST_SKIP() << absence;
  }
};

/// The cuda backend, and the cpu backend to compare it with, which tests/sim compares with the reference.
inline std::unique_ptr<Backend> on_gpu(System system, const BackendOptions& options = {}) {
  return cuda_backend.make(std::move(system), options);
}
inline std::unique_ptr<Backend> on_cpu(System system) {
  return make_cpu_backend(std::move(system), 8, 0);
}

/// A system whose bodies all act on others, as the one-sided kernels require.
inline Bodies heavy_cloud(std::size_t n) {
  Bodies bodies = cloud(n);
  for (double& mass : bodies.mass) mass = mass == 0 ? 0.25 / static_cast<double>(n) : mass;
  return bodies;
}

}  // namespace orrery::sim::testing
