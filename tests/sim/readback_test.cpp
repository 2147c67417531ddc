// SPDX-License-Identifier: MIT
// Readbacks of observables alone agree with readbacks of the whole state, and the state is available afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/simulation.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

struct Way {
  const char* name;
  double accuracy;
};
constexpr Way ways[] = {{"leapfrog", 0}, {"leapfrog-dkd", 0}, {"hermite4", 0}, {"hermite4", 0.02}, {"rk45", 1e-3}};

/// Rows every 40 steps of a run whose energy diverges; each `whole`th is read back with its state.
std::vector<Snapshot> rows_of(const Way& way, std::size_t n, int whole) {
  System system = system_of(cloud(n), 1e-3);
  const Integrator& method = integrator(way.name);
  const auto cpu = make_cpu_backend(system, 1, 0);
  Simulation simulation(*cpu, method, 0.02, way.accuracy);
  simulation.watch(simulation.observe().observables, {});
  std::vector<Snapshot> rows;
  for (int row = 1; row <= 12; ++row) {
    simulation.advance(40, true);
    row % whole == 0 ? simulation.request_readback() : simulation.request_observables();
    simulation.advance(7);  // as on a device, which goes on before it is read
    rows.push_back(simulation.take_readback());
    simulation.advance(13);
  }
  return rows;
}

TEST(Readback, OfObservablesEqualsReadbackWithState) {
  bool off = false;
  for (const Way& way : ways) {
    for (const std::size_t n : {3U, 70U}) {
      const auto all = rows_of(way, n, 1), few = rows_of(way, n, 5);
      for (std::size_t k = 0; k < all.size(); ++k) {
        SCOPED_TRACE(std::string(way.name) + ", row " + std::to_string(k));
        EXPECT_EQ(few[k].size(), (k + 1) % 5 == 0 ? n : 0);
        EXPECT_EQ(few[k].step, all[k].step);
        EXPECT_EQ(few[k].time, all[k].time);
        EXPECT_EQ(few[k].clock, all[k].clock);
        EXPECT_EQ(few[k].observables, all[k].observables);
        EXPECT_EQ(few[k].extremes, all[k].extremes);
        EXPECT_EQ(few[k].energy_violation, all[k].energy_violation);
        off = off || all[k].energy_violation;
      }
    }
  }
  EXPECT_TRUE(off);
}

TEST(Readback, StateCanBeRestored) {
  for (const Way& way : ways) {
    const System system = system_of(cloud(9), 0.05);
    const auto cpu = make_cpu_backend(system, 1, 0), other = make_cpu_backend(system, 1, 0);
    Simulation simulation(*cpu, integrator(way.name), 1e-2, way.accuracy);
    Simulation plain(*other, integrator(way.name), 1e-2, way.accuracy);
    std::vector<Snapshot> rows;
    for (int k = 0; k < 3; ++k) {
      simulation.advance(10, true);
      simulation.request_observables();
      rows.push_back(simulation.take_readback());
    }
    simulation.advance(5);
    for (const Snapshot& row : rows) {
      plain.advance(10, true);
      const Snapshot expected = plain.observe(), found = simulation.restore_state(row);
      EXPECT_EQ(fingerprint(found), fingerprint(expected)) << way.name;
      EXPECT_EQ(found.columns, expected.columns) << way.name;
      EXPECT_EQ(found.clock, expected.clock) << way.name;
    }
  }
}

/// A body far out of range still has a finite energy.
TEST(Readback, WithoutStateDoesNotCheckRange) {
  Bodies bodies = cloud(3);
  bodies.mass[2] = 0, bodies.velocity.y[2] = 1e101;
  const auto cpu = make_cpu_backend(system_of(bodies, 0.1), 1, 0);
  Simulation simulation(*cpu, integrator("leapfrog"), 1.0);
  std::vector<Snapshot> rows;
  for (int k = 0; k < 8; ++k) {
    simulation.advance(1, true);
    simulation.request_observables();
    rows.push_back(simulation.take_readback());
  }
  try {
    (void)simulation.observe();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("body 2 left the range of numbers at step 6"));
  }
  EXPECT_EQ(simulation.restore_state(rows[4]).step, 5);
  EXPECT_THROW((void)simulation.restore_state(rows[5]), Error);
}

}  // namespace
}  // namespace orrery::sim::testing
