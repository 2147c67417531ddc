// SPDX-License-Identifier: MIT
// Schedules against brute force, and near the limits of 64 bits.
#include "pipeline/scenario/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/random.hpp"

namespace orrery::pipeline {
namespace {

/// The steps enumerated by `from`.
std::vector<std::int64_t> walk(const Schedule& schedule, std::int64_t last) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = schedule.from(0); step <= last; step = schedule.from(step + 1)) steps.push_back(step);
  return steps;
}

/// Checks by all queries that `schedule` is this set of steps.
void expect_steps(const Schedule& schedule, const std::set<std::int64_t>& steps, std::int64_t last) {
  EXPECT_EQ(walk(schedule, last), std::vector(steps.begin(), steps.end()));
  EXPECT_EQ(schedule.size(), static_cast<std::int64_t>(steps.size()));
  for (std::int64_t step = 0; step <= last + 1; ++step) {
    const auto next = steps.lower_bound(step);
    ASSERT_EQ(schedule.from(step), next == steps.end() ? last + 1 : *next) << step << " of " << last;
    ASSERT_EQ(schedule.contains(step), steps.contains(step)) << step << " of " << last;
  }
}

TEST(Schedule, EvenlyIsNearestToEvenTimes) {
  for (std::int64_t last = 0; last <= 60; ++last) {
    for (std::int64_t count = 1; count <= last + 1; ++count) {
      std::set<std::int64_t> steps;
      for (std::int64_t k = 0; k < count; ++k) {
        // k last/(count − 1) rounded to the nearest integer, halves upwards.
        const std::int64_t parts = count == 1 ? 1 : count - 1;
        steps.insert((2 * k * last + parts) / (2 * parts));
      }
      SCOPED_TRACE(::testing::Message() << count << " of " << last);
      ASSERT_EQ(static_cast<std::int64_t>(steps.size()), count);
      expect_steps({Evenly{count}, last}, steps, last);
      EXPECT_TRUE((Schedule{Evenly{count}, last}.contains(0)));
      EXPECT_TRUE(count == 1 || (Schedule{Evenly{count}, last}.contains(last)));
    }
  }
}

TEST(Schedule, DefaultFramesAreEquallySpaced) {
  int without = 0;
  for (std::int64_t steps = 0; steps <= 5000; ++steps) {
    // By brute force: the number nearest to 600 that is one more than a divisor; the larger of two.
    std::int64_t nearest = 0;
    for (std::int64_t count = 900; count >= 400; --count) {
      if (steps % (count - 1) == 0 && std::abs(count - 600) < std::abs(nearest - 600)) nearest = count;
    }
    const std::int64_t usual = usual_frames(steps);
    const Schedule::Gaps gaps = Schedule(Evenly{usual}, steps).gaps();
    if (steps < 600) {
      ASSERT_EQ(usual, steps + 1);
      ASSERT_EQ(gaps.greatest, steps > 0 ? 1 : 0);
    } else if (nearest > 0) {
      ASSERT_EQ(usual, nearest) << steps;
      ASSERT_EQ(gaps.least, gaps.greatest) << steps;
    } else {
      ASSERT_EQ(usual, 600) << steps;
      ASSERT_EQ(gaps.greatest, gaps.least + 1) << steps;
      ++without;
    }
  }
  EXPECT_GT(without, 100);
  EXPECT_EQ(usual_frames(5'000'000), 626);
  EXPECT_EQ(usual_frames(1'800), 601);
  EXPECT_EQ(usual_frames(999'999'999'999'989), 600) << "a prime of fifteen digits";
  EXPECT_EQ(equidistant_count(301, 1000), 251);
  EXPECT_EQ(equidistant_count(20, 53), std::nullopt);
  EXPECT_EQ(equidistant_count(5, 6), 4);
}

TEST(Schedule, GapsBetweenFrames) {
  for (std::int64_t last = 1; last <= 60; ++last) {
    for (const Schedule::Rule& rule :
         {Schedule::Rule(Evenly{std::min<std::int64_t>(7, last + 1)}), Schedule::Rule(Every{3}),
          Schedule::Rule(Every{3, 1}), Schedule::Rule(Every{3, std::min<std::int64_t>(8, last)}),
          Schedule::Rule(At{{0, last}}), Schedule::Rule(logarithmic(std::min<std::int64_t>(5, last + 1), 1, last))}) {
      const Schedule schedule(rule, last);
      const std::vector<std::int64_t> steps = walk(schedule, last);
      std::int64_t least = steps.size() < 2 ? 0 : last, greatest = 0;
      for (std::size_t k = 1; k < steps.size(); ++k) {
        least = std::min(least, steps[k] - steps[k - 1]);
        greatest = std::max(greatest, steps[k] - steps[k - 1]);
      }
      EXPECT_EQ(schedule.gaps().least, least) << last << ", rule " << rule.index();
      EXPECT_EQ(schedule.gaps().greatest, greatest) << last << ", rule " << rule.index();
    }
  }
}

TEST(Schedule, Every) {
  for (std::int64_t last = 0; last <= 40; ++last) {
    for (std::int64_t interval = 1; interval <= last + 2; ++interval) {
      std::set<std::int64_t> steps;
      for (std::int64_t step = 0; step <= last; step += interval) steps.insert(step);
      expect_steps({Every{interval}, last}, steps, last);
      for (std::int64_t first = 1; first <= last; ++first) {
        steps = {0};
        for (std::int64_t step = first; step <= last; step += interval) steps.insert(step);
        expect_steps({Every{interval, first}, last}, steps, last);
      }
    }
  }
}

TEST(Schedule, At) {
  expect_steps({At{{0}}, 0}, {0}, 0);
  expect_steps({At{{3, 7, 20}}, 20}, {3, 7, 20}, 20);
  const sim::Random random(1, 0);
  for (std::uint64_t k = 0; k < 50; ++k) {
    const auto last = static_cast<std::int64_t>(random.between(1, 90, 100 * k));
    std::set<std::int64_t> steps;
    for (std::uint64_t i = 1; i <= 10; ++i) {
      steps.insert(static_cast<std::int64_t>(random.between(0, static_cast<double>(last), 100 * k + i)));
    }
    expect_steps({At{{steps.begin(), steps.end()}}, last}, steps, last);
  }
}

TEST(Schedule, LogarithmicIsNearestToItsTimes) {
  for (const std::int64_t last : {1, 2, 7, 60, 1000, 123457}) {
    for (const std::int64_t first : {std::int64_t{1}, std::int64_t{3}, last / 3, last}) {
      for (std::int64_t count = 1; count <= std::min<std::int64_t>(last - first + 2, 300); ++count) {
        if (first < 1 || first > last) continue;
        SCOPED_TRACE(::testing::Message() << count << " from " << first << " to " << last);
        const At at = logarithmic(count, first, last);
        ASSERT_EQ(static_cast<std::int64_t>(at.steps.size()), count);
        for (std::size_t k = 0; k < at.steps.size(); ++k) {
          const double part = (static_cast<double>(k) - 1) / std::max(1.0, static_cast<double>(count - 2));
          const double wanted =
              static_cast<double>(first) * std::pow(static_cast<double>(last) / static_cast<double>(first), part);
          const double line = static_cast<double>(first) + static_cast<double>(k) - 1;
          if (k == 0 || k + 1 == at.steps.size()) {
            ASSERT_EQ(at.steps[k], k == 0 ? 0 : last);
          } else {
            ASSERT_NEAR(static_cast<double>(at.steps[k]), std::max(wanted, line), 0.5 + 1e-9) << k;
            ASSERT_GT(at.steps[k], at.steps[k - 1]);
          }
        }
        ASSERT_EQ(at.steps[std::min<std::size_t>(1, at.steps.size() - 1)], count == 1 ? 0 : count == 2 ? last : first);
      }
    }
  }
}

TEST(Schedule, LogarithmicHasCommittedSteps) {
  EXPECT_EQ(logarithmic(12, 1, 1000).steps,
            (std::vector<std::int64_t>{0, 1, 2, 4, 8, 16, 32, 63, 126, 251, 501, 1000}));
  EXPECT_EQ(logarithmic(8, 10, 50000).steps, (std::vector<std::int64_t>{0, 10, 41, 171, 707, 2924, 12091, 50000}));
  std::uint64_t mixed = 0;
  for (const std::int64_t step : logarithmic(100'000, 7, 1'000'000'000'000'000).steps) {
    mixed = (mixed ^ static_cast<std::uint64_t>(step)) * 0x9e3779b97f4a7c15U;
  }
  EXPECT_EQ(mixed, 11670442533566131216U);
}

TEST(Schedule, LongRuns) {
  constexpr std::int64_t last = 1'000'000'000'000'000;
  for (const std::int64_t count : {std::int64_t{2}, std::int64_t{601}, std::int64_t{1'000'003}, last, last + 1}) {
    const Schedule evenly{Evenly{count}, last};
    EXPECT_EQ(evenly.from(0), 0);
    EXPECT_EQ(evenly.from(last), last);
    EXPECT_EQ(evenly.from(last + 1), last + 1);
    EXPECT_EQ(evenly.size(), count);
    // From any start, the next step is scheduled and none lies between.
    for (const std::int64_t step : {std::int64_t{1}, last / 3, last / 2, last - 1}) {
      const std::int64_t next = evenly.from(step);
      EXPECT_GE(next, step);
      EXPECT_TRUE(evenly.contains(next));
      EXPECT_EQ(evenly.from(next), next);
      EXPECT_TRUE(next == step || evenly.from(next - 1) == next);
    }
  }
  const Schedule rare{Every{last}, last};
  EXPECT_EQ(rare.from(1), last);
  EXPECT_EQ(rare.size(), 2);
  EXPECT_EQ((Schedule{Every{9'000'000'000'000'000'000}, last}.from(1)), last + 1);
}

}  // namespace
}  // namespace orrery::pipeline
