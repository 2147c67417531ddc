// SPDX-License-Identifier: MIT
// The extremes between two rows are in the file, are reported at the end of a run, and are drawn.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipeline/run/energy_record.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string eccentric = R"([[initial]]
kind = "two-body"
masses = [0.5, 0.5]
eccentricity = 0.9
[integrator]
kind = "yoshida4"
dt = "1/2000 period"
time = "20 periods"
[trajectory]
every = 413
)";

TEST(Extremes, AreStoredAndPrinted) {
  const Folder folder;
  write(folder / "s.toml", eccentric);
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const TrajectoryReader trajectory(folder / "s/run.h5");
  const History history = trajectory.history();
  ASSERT_EQ(history.energy_range.size(), history.time.size());
  double of_rows = 0;
  for (std::size_t i = 0; i < history.time.size(); ++i) {
    const auto& [low, high] = history.energy_range[i];
    EXPECT_LE(low, history.total_energy[i]);
    EXPECT_GE(high, history.total_energy[i]);
    EXPECT_EQ(history.states[i], i == 0 ? 0 : history.step[i] - history.step[i - 1]);
    of_rows = std::max(of_rows, std::abs(initial_energy(history).error(history.total_energy[i])));
  }
  const auto record = energy_record(history);
  ASSERT_TRUE(record);
  EXPECT_GE(record->greatest_error, of_rows);
  int peaks = 0;
  for (std::size_t i = 1; i < history.time.size(); ++i) {
    const double rows_have = std::max(history.total_energy[i - 1], history.total_energy[i]);
    if (history.energy_range[i][1] > rows_have + 1e-5 * std::abs(history.total_energy[0])) ++peaks;
  }
  EXPECT_GE(peaks, 15) << "of twenty pericentres, on which hardly a row falls";
  EXPECT_EQ(record->states_used, "every step");
  EXPECT_TRUE(shows_between_rows(history));
  const std::string greatest = fmt::format("{:.2e}", record->greatest_error);
  EXPECT_THAT(outcome.output, HasSubstr(fmt::format("ΔE/|E₀| = {:+.2e}, at most {}", record->error, greatest)));
  EXPECT_THAT(outcome.output, Not(HasSubstr("not conserved")));
  EXPECT_THAT(run(folder, {"info", "s/run.h5"}).output, HasSubstr("at most " + greatest + " (every step)"));
  EXPECT_THAT(read(folder / "s/summary.json"),
              AllOf(HasSubstr(fmt::format("\"greatest_energy_error\": {}", record->greatest_error)),
                    Not(HasSubstr("energy_off_step"))));
  EXPECT_EQ(run(folder, {"verify", "s/run.h5", "--quiet"}).code, 0);
}

TEST(Extremes, CanBeDisabled) {
  const Folder folder;
  write(folder / "s.toml", eccentric);
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--set", "observables.extremes=false"}).code, 0);
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "-o", "with"}).code, 0);
  const TrajectoryReader without(folder / "s/run.h5"), with(folder / "with/run.h5");
  EXPECT_THAT(without.history().energy_range, IsEmpty());
  EXPECT_EQ(without.history().total_energy, with.history().total_energy);
  EXPECT_LT(energy_record(without.history())->greatest_error, energy_record(with.history())->greatest_error);
  const std::size_t rows = with.history().time.size();
  EXPECT_THAT(run(folder, {"diff", "s/run.h5", "with/run.h5"}).output,
              HasSubstr(fmt::format(" {0}, {0} of them the same bits\n", rows)))
      << "rows are compared by what both have";
}

TEST(Extremes, OfAResumedRunAreTheSame) {
  const Folder folder;
  write(folder / "s.toml", with(eccentric, "every = 413", "frames = 5\ncommit = 0.0"));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "-o", "calm", "--set", "integrator.time=\"1200 periods\""}).code, 0);
  for (int kill = 0; kill < 3; ++kill) {
    Running running(folder, {"simulate", "s.toml", "--quiet", "--set", "integrator.time=\"1200 periods\""});
    const auto reached = [&] { return TrajectoryReader(folder / "s/run.h5").restart().value_or(sim::Snapshot{}).step; };
    ASSERT_TRUE(wait_until([&] { return complaint([&] { (void)reached(); }).empty() && reached() > 300'000 * kill; }));
    running.send(SIGKILL);
    (void)running.wait();
  }
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--set", "integrator.time=\"1200 periods\""}).code, 0);
  expect_same_content(folder / "s/run.h5", folder / "calm/run.h5");
}

/// A fixed step through a collision: the run reports the time, the bodies and a remedy, without claiming accuracy.
TEST(Extremes, WarnOfACollision) {
  const Folder folder;
  write(folder / "s.toml", R"([[initial]]
kind = "table"
bodies = [
  { name = "Ida", mass = 1.0, position = [-1.0, 0.0, 0.0], velocity = [0.0, 0.0, 0.0] },
  { name = "Eva", mass = 1.0, position = [1.0, 0.01, 0.0], velocity = [0.0, 0.0, 0.0] },
  { name = "Far", mass = 0.1, position = [0.0, 50.0, 0.0], velocity = [0.0, 0.0, 0.0] },
]
[integrator]
kind = "leapfrog"
dt = 0.01
steps = 600
[trajectory]
frames = 4
)");
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(last_line(outcome.output),
              AllOf(HasSubstr("but its energy is not conserved"), Not(HasSubstr("reproducible"))));
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("|ΔE|/|E₀| reached "), HasSubstr("above 0.01 first at t = "),
                                    HasSubstr("when Ida and Eva passed each other, "), HasSubstr("softening > 0")));
  const sim::EnergyViolation at = TrajectoryReader(folder / "s/run.h5").restart()->energy_violation;
  EXPECT_TRUE(at);
  EXPECT_EQ(at.time, static_cast<double>(at.step) * 0.01);
  EXPECT_THAT(read(folder / "s/summary.json"), AllOf(HasSubstr(fmt::format("\"energy_off_step\": {}", at.step)),
                                                     HasSubstr("\"Ida\","), HasSubstr("\"Eva\"\n")));
  const Outcome told = run(folder, {"info", "s/run.h5"});
  EXPECT_THAT(told.errors, HasSubstr("Ida and Eva"));
  EXPECT_EQ(told.code, 0);
}

TEST(Resolution, UnresolvedRowsAreDetected) {
  std::vector<double> time, smooth, aliased, rising, rounding;
  for (int i = 0; i < 400; ++i) {
    time.push_back(i);
    smooth.push_back(std::sin(i / 8.0));
    aliased.push_back(std::sin(2.7 * i));
    rising.push_back(1 + 1e-3 * i);
    rounding.push_back(1 + 1e-16 * std::sin(2.7 * i));
  }
  EXPECT_THAT(too_few_rows(time, smooth, 0), IsEmpty());
  EXPECT_THAT(too_few_rows(time, smooth, 50.3), IsEmpty());
  EXPECT_THAT(too_few_rows(time, aliased, 0), StartsWith("400 rows are too few"));
  EXPECT_THAT(too_few_rows(time, smooth, 6), StartsWith("400 rows are too few")) << "a beat looks smooth";
  EXPECT_THAT(too_few_rows(time, rising, 0), IsEmpty());
  EXPECT_THAT(too_few_rows(time, rounding, 6), IsEmpty());
  EXPECT_THAT(too_few_rows({0, 1}, {1, 2}, 0.1), IsEmpty());
}

}  // namespace
}  // namespace orrery::pipeline::testing
