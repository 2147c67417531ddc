// SPDX-License-Identifier: MIT
// Two GPUs in one process and thread, used alternately, give the same results as each alone.
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "gpu.hpp"

namespace orrery::sim::testing {
namespace {

class TwoGpus : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    try {
      (void)cuda_backend.device({.device = 1});
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

/// A run in stages, between which other work may run, and its resulting bits.
class StagedRun {
 public:
  static constexpr int stages = 5;
  std::vector<std::uint64_t> results;

  StagedRun(std::unique_ptr<Backend> backend, std::string_view method)
      : backend_(std::move(backend)), simulation_(*backend_, integrator(method), 1e-3) {
    simulation_.watch({0.25, -0.5}, {});
  }
  void next_stage() {
    switch (stage_++) {
      case 0:  // recorded and replayed, with a readback that is not waited for
        simulation_.advance(40);
        simulation_.request_readback();
        break;
      case 1:
        simulation_.advance(35);
        add_readback();
        break;
      case 2:  // single operations
        backend_->accelerate();
        backend_->kick(1e-3);
        backend_->drift(1e-3);
        for (const Greatest& one : backend_->greatest({Column::velocity, Column::acceleration})) add(one.value);
        for (const double extent : backend_->half_extents({Column::position})) add(extent);
        break;
      case 3: {
        const Vectors faster = backend_->download(Column::velocity);
        backend_->upload(Column::position, faster);
        simulation_.advance(3);
        simulation_.advance(17, true);
        simulation_.request_readback();
        break;
      }
      default:
        simulation_.advance(21);
        add_readback();
        simulation_.request_readback();
        add_readback();
    }
  }
  [[nodiscard]] bool finished() const { return stage_ == stages; }

 private:
  void add_readback() {
    const Snapshot seen = simulation_.take_readback();
    results.push_back(fingerprint(seen));
    add(seen.extremes.energy_low), add(seen.extremes.energy_high);
  }
  void add(double value) { results.push_back(std::bit_cast<std::uint64_t>(value)); }

  std::unique_ptr<Backend> backend_;
  Simulation simulation_;
  int stage_ = 0;
};

std::vector<std::uint64_t> alone(std::unique_ptr<Backend> backend, std::string_view method) {
  StagedRun run(std::move(backend), method);
  while (!run.finished()) run.next_stage();
  return run.results;
}

System system_with(std::size_t n, std::string_view method, std::uint64_t seed) {
  System system = system_of(cloud(n, seed), 0.05);
  add_requirements(system, integrator(method));
  return system;
}

void expect_no_disturbance(std::size_t n, Precision precision, std::string_view method) {
  const auto made = [&](int device, std::uint64_t seed) {
    return on_gpu(system_with(n, method, seed), {.device = device, .precision = precision});
  };
  std::vector<std::uint64_t> expected[3];  // of clouds 1, 2 and 3, which work on devices 0, 1 and 0
  for (int k = 0; k < 3; ++k) {
    const auto seed = static_cast<std::uint64_t>(k + 1);
    expected[k] = precision == Precision::float64 ? alone(on_cpu(system_with(n, method, seed)), method)
                                                  : alone(made(k % 2, seed), method);
  }
  const std::string what = "N = " + std::to_string(n) + ", " + std::string(method) + ", precision " +
                           std::to_string(static_cast<int>(precision));
  std::optional<StagedRun> first(std::in_place, made(0, 1), method);
  StagedRun second(made(1, 2), method);
  for (int k = 0; k < 3; ++k) first->next_stage(), second.next_stage();
  while (!first->finished()) first->next_stage();
  EXPECT_EQ(first->results, expected[0]) << what;
  second.next_stage();  // with a readback on its way
  first.reset();
  StagedRun third(made(0, 3), method);
  third.next_stage();
  second.next_stage();
  EXPECT_EQ(second.results, expected[1]) << what;
  while (!third.finished()) third.next_stage();
  EXPECT_EQ(third.results, expected[2]) << what;
}

/// 8321 bodies are processed in bands over two streams.
TEST_F(TwoGpus, AlternatelyUsedGiveTheSameBits) {
  for (const Precision precision : cuda_backend.precisions) {
    for (const std::size_t n : {33U, 1031U, 5003U, 8321U}) {
      for (const char* method : {"leapfrog", "yoshida4"}) {
        if (n < 2000 || method[0] == 'l') expect_no_disturbance(n, precision, method);
      }
    }
  }
}

/// Rates and properties are queried while another device has queued work.
TEST_F(TwoGpus, AreMeasuredOneByOne) {
  StagedRun at_work(on_gpu(system_with(1031, "leapfrog", 1), {.device = 0}), "leapfrog");
  at_work.next_stage();
  EXPECT_GT(cuda_backend.fma_rate({.device = 1}), 0);
  EXPECT_NE(cuda_backend.device({.device = 1}).bus_id, cuda_backend.device({.device = 0}).bus_id);
  EXPECT_GT(cuda_backend.fma_rate({.device = 1, .precision = Precision::float32}), 0);
  while (!at_work.finished()) at_work.next_stage();
  EXPECT_EQ(at_work.results, alone(on_cpu(system_with(1031, "leapfrog", 1)), "leapfrog"));
}

/// A thread may free memory of a device other than the one it last used.
TEST_F(TwoGpus, CanBeReleasedInAnyOrder) {
  for (const int first_to_end : {0, 1}) {
    std::unique_ptr<Backend> both[2];
    for (int k : {0, 1}) both[k] = on_gpu(system_with(5003, "leapfrog", 1), {.device = k});
    for (int k : {0, 1}) integrator("leapfrog").step(*both[k], {.dt = 1e-3});  // still at work
    both[first_to_end].reset();
    const auto cpu = on_cpu(system_with(5003, "leapfrog", 1));
    integrator("leapfrog").step(*cpu, {.dt = 1e-3});
    EXPECT_EQ(bits_of(both[1 - first_to_end]->download(Column::position)), bits_of(cpu->download(Column::position)));
  }
}

}  // namespace
}  // namespace orrery::sim::testing
