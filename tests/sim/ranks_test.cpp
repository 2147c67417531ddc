// SPDX-License-Identifier: MIT
// Several ranks that share a run give the bits of one, whatever they share: here threads, each with a backend of its own.
#include <gtest/gtest.h>

#include <cstring>

#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/ranks/shared_backend.hpp"
#include "sim/ranks/thread_ranks.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/direct/rows_of_ranks.hpp"
#include "tests/complaint.hpp"
#include "tests/sim/short_range_runs.hpp"
#include "tests/sim/tree_cases.hpp"

namespace orrery::sim::testing {
namespace {

std::unique_ptr<Backend> shared(const System& system, int ranks, BackendOptions options = {}) {
  options.ranks = start_thread_ranks(ranks);
  return make_shared_backend(cpu_backend, system, options);
}

/// A run with rows, extremes, changes from outside and a restart in its middle.
std::uint64_t result(Backend& backend, const Integrator& method, int steps) {
  Simulation run(backend, method, 1e-3, usual_keys(method));
  const Snapshot first = run.observe();
  run.watch(first.observables, first);
  run.advance(steps);
  const Snapshot middle = run.observe();
  run.advance(3, true);
  (void)run.observe();
  run.resume(middle);
  run.advance(steps, true);
  return fingerprint(run.observe());
}

/// With 929 bodies in eight chunks, so that seven ranks have one or two rows each.
TEST(Ranks, BitsWithEveryIntegrator) {
  for (const Integrator* method : integrators()) {
    System system = with_fields(system_of(cloud(929), 0.05));
    system.scratch_columns = static_cast<int>(method->columns.size());
    system.jerk = method->jerk;
    system.bath = method->bath;
    const auto one = make_cpu_backend(system, 1, 0);
    const std::uint64_t expected = result(*one, *method, 4);
    EXPECT_EQ(result(*shared(system, 3), *method, 4), expected) << method->name;
    for (const int ranks : {2, 7}) {
      if (method->name == "leapfrog") {
        EXPECT_EQ(result(*shared(system, ranks), *method, 4), expected) << ranks;
      }
    }
  }
}

TEST(Ranks, BitsWithEveryLawAndPrecision) {
  for (const NumberedLaw& law : every_law()) {
    const System system = system_of(law, charged_cloud(1283), 0.07);
    for (const Precision precision : every_precision) {
      const BackendOptions options{.precision = precision};
      const std::uint64_t expected = result(*make_cpu_backend(system, options, 0), integrator("leapfrog"), 2);
      EXPECT_EQ(result(*shared(system, 3, options), integrator("leapfrog"), 2), expected) << law.law->name;
    }
  }
}

/// Threads besides, for bands of several rows; and few sources, whose targets are shared instead.
TEST(Ranks, BitsWithThreadsAndFewSources) {
  Bodies bodies = cloud(4321);
  const System all = system_of(bodies, 0.05);
  std::fill(bodies.mass.begin() + 700, bodies.mass.end(), 0.0);
  for (const System& system : {all, system_of(bodies, 0.05)}) {
    const std::uint64_t expected = result(*make_cpu_backend(system, 1, 0), integrator("leapfrog"), 2);
    for (const int ranks : {2, 3}) {
      EXPECT_EQ(result(*shared(system, ranks, {.threads = 2}), integrator("leapfrog"), 2), expected);
    }
  }
}

constexpr std::size_t chunks = 211;
constexpr double speeds[] = {1, 3.5, 2};  // pairs in a second
double pairs_of(RankRange rows) {
  double pairs = 0;
  for (std::size_t row = rows.first; row < rows.last; ++row) pairs += static_cast<double>(chunks - row);
  return pairs;
}
/// A rank that receives the times that the others would send after 16 evaluations.
struct TimedRank : Ranks {
  explicit TimedRank(int rank) : Ranks(rank, 3) {}
  void send(int, std::span<const std::byte>) override {}
  void receive(int from, std::span<std::byte> bytes, bool) override {
    const auto other = static_cast<std::size_t>(from);
    const double time = 16 * pairs_of(rows.of_all()[other]) / speeds[other];
    ASSERT_EQ(bytes.size(), sizeof time);
    std::memcpy(bytes.data(), &time, sizeof time);
  }
  bool has_sent(int) override { return true; }
  void fail(const std::string&) noexcept override {}
  [[nodiscard]] Nearness nearness(int) const override { return Nearness::process; }
  [[nodiscard]] std::string why_broken() const override { return {}; }
  [[nodiscard]] int position() const override { return rank(); }
  [[nodiscard]] int ranks_per_node() const override { return 3; }

  MovingRows rows{chunks, this};
};

/// Rows move once, so that all ranks would take equally long but for one row; each rank has the same ones.
TEST(Ranks, RowsMoveToWhereTheyTakeLessTime) {
  std::vector<std::vector<RankRange>> rows;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    TimedRank one(static_cast<int>(rank));
    for (int evaluation = 1; evaluation <= 64; ++evaluation)
      EXPECT_EQ(one.rows.took(pairs_of(one.rows.mine()) / speeds[rank]), evaluation == 16);
    rows.push_back(one.rows.of_all());
  }
  std::size_t end = 0;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(rows[0][rank].first, end);
    end = rows[0][rank].last;
    EXPECT_NEAR(pairs_of(rows[0][rank]), chunks * (chunks + 1) / 2.0 * speeds[rank] / 6.5, chunks) << rank;
    for (const auto& others : rows) {
      EXPECT_EQ(others[rank].first, rows[0][rank].first);
      EXPECT_EQ(others[rank].last, rows[0][rank].last);
    }
  }
  EXPECT_EQ(end, chunks);
}

/// Each rank has a row, if there are enough.
TEST(Ranks, RowsBySpeedAreAll) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 257U}) {
    const double by_rank[] = {1.0, 1e-6, 3.5, 2.0};
    const std::vector<RankRange> rows = rows_of_ranks(count, by_rank, 0.1);
    ASSERT_EQ(rows.size(), 4U);
    std::size_t end = 0;
    for (const RankRange& mine : rows) {
      EXPECT_EQ(mine.first, end) << count;
      EXPECT_GE(mine.last, mine.first + (count >= 4 ? 1 : 0)) << count;
      end = mine.last;
    }
    EXPECT_EQ(end, count);
  }
}

TEST(Ranks, PartsBySpeedHaveAllItems) {
  for (const std::size_t count : {0U, 1U, 2U, 257U, 1'000'003U}) {
    const double by_rank[] = {1.0, 0.0, 3.5, 2.0};
    const std::vector<RankRange> parts = parts_by_speed(count, by_rank);
    ASSERT_EQ(parts.size(), 4U);
    std::size_t end = 0;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      EXPECT_EQ(parts[rank].first, end);
      end = parts[rank].last;
      EXPECT_NEAR(static_cast<double>(end - parts[rank].first), static_cast<double>(count) * by_rank[rank] / 6.5, 1.0);
    }
    EXPECT_EQ(end, count);
  }
}

/// Evaluations enough for rows to move, if times differ.
TEST(Ranks, BitsWhileRowsMove) {
  const System system = system_of(cloud(2003), 0.05);
  const auto one = make_cpu_backend(system, 1, 0);
  const std::uint64_t expected = result(*one, integrator("leapfrog"), 40);
  EXPECT_EQ(result(*shared(system, 3), integrator("leapfrog"), 40), expected);
}

TEST(Ranks, BitsOfTheTree) {
  for (const TreeCase& c : committed_tree_cases()) {
    System system = c.system();
    system.solver = &tree_solver;
    const std::uint64_t expected = result(*make_cpu_backend(system, 1, 0), integrator("leapfrog"), 2);
    EXPECT_EQ(result(*shared(system, 3), integrator("leapfrog"), 2), expected) << c;
  }
}

/// Cells and lists, in float64 and float32, with readbacks between passes.
TEST(Ranks, BitsOfShortRangeForces) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const ShortRangeRun run = random_run(seed);
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      const BackendOptions options{.threads = 2, .precision = precision};
      const Outcome expected = outcome_of(run, *make_cpu_backend(run.system, options, 0));
      if (!is_fine(expected)) continue;
      EXPECT_EQ(outcome_of(run, *shared(run.system, 3, options)), expected) << seed;
      ++compared;
    }
    System pairs = run.system;
    pairs.solver = &direct_solver;
    const Outcome expected =
        outcome_of({pairs, run.method, run.dt, run.advances, run.looks}, *make_cpu_backend(pairs, 1, 0));
    if (is_fine(expected)) {
      EXPECT_EQ(outcome_of({pairs, run.method, run.dt, run.advances, run.looks}, *shared(pairs, 2)), expected) << seed;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(Ranks, MoreThanRowsAreRefused) {
  EXPECT_EQ(complaint([] { (void)shared(system_of(cloud(300), 0.05), 4); }, 2),
            "300 bodies have pairs for at most 3 ranks, not for 4");
  EXPECT_EQ(complaint([] { (void)shared(system_of(cloud(128), 0.05), 2); }, 2),
            "128 bodies have pairs for at most 1 rank, not for 2");
}

/// What one rank cannot do, all are told.
TEST(Ranks, OneThatFailsEndsTheRun) {
  const auto ranks = start_thread_ranks(3);
  const auto backend = make_shared_backend(cpu_backend, system_of(cloud(500), 0.05), {.ranks = ranks});
  ranks->fail("rank 0 has lost its device");
  EXPECT_EQ(complaint(
                [&] {
                  backend->accelerate();
                  (void)backend->observe();
                },
                1),
            "rank 0 has lost its device");
}

}  // namespace
}  // namespace orrery::sim::testing
