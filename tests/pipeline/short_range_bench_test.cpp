// SPDX-License-Identifier: MIT
// orrery bench --suite short-range: its rows, its reference values, and the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "common/error.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/short_range.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr auto nobody_stops = [] { return false; };

TEST(BenchTiming, WholeRunsAreRepeatedUntilTheTimeLimit) {
  const auto of = [](double seconds) { return [seconds] { return seconds; }; };
  const Timing quick = measure_whole(1000, of(0.1), nobody_stops, 3);
  EXPECT_EQ(quick.repetitions, 7);
  EXPECT_EQ(quick.steps, 1000);
  EXPECT_DOUBLE_EQ(quick.median, 1e-4);
  EXPECT_EQ(measure_whole(1000, of(0.9), nobody_stops, 3).repetitions, 3);
  EXPECT_EQ(measure_whole(1000, of(60), nobody_stops, 3).repetitions, 1);
}

TEST(BenchTiming, InterruptedRunsAreNotCounted) {
  int taken = 0;
  const auto take = [&] {
    ++taken;
    return 1.0;
  };
  EXPECT_EQ(measure_whole(
                10, take, [&] { return taken == 3; }, 100)
                .repetitions,
            2);
  EXPECT_EQ(measure_whole(
                10, take, [] { return true; }, 100)
                .repetitions,
            0);
}

TEST(ShortRangeBench, RunIsComparedWithCopiedBodies) {
  ShortRangeRow row{.problem = ShortRangeProblem::repulsive, .backend = "cpu", .bodies = 1000};
  row.timing = {.median = 1e-5, .repetitions = 1};
  row.copy_rate = 64e9;
  EXPECT_DOUBLE_EQ(row.of_a_run(), 1e-2);
  EXPECT_DOUBLE_EQ(row.of_a_particle_step(), 1e-8);
  EXPECT_DOUBLE_EQ(row.min_bytes(), 64);
  EXPECT_DOUBLE_EQ(row.share_of_copy(), 0.1);
  row.precision = sim::Precision::float32;
  EXPECT_DOUBLE_EQ(row.min_bytes(), 32);
  row.problem = ShortRangeProblem::wca;
  EXPECT_DOUBLE_EQ(row.min_bytes(), 48);
  row.copy_rate = 0;
  EXPECT_EQ(row.share_of_copy(), 0);
}

/// The float64 rows of a backend that cannot be created.
std::vector<std::pair<ShortRangeProblem, std::size_t>> rows_planned(ShortRangeBench bench) {
  const sim::BackendKind kind{.name = "broken",
                              .meaning = "",
                              .kernels = {},
                              .precisions = sim::every_precision,
                              .absence = [] { return std::string(); },
                              // NOLINTNEXTLINE(performance-unnecessary-value-param): the type of a function pointer
                              .make = [](sim::System, const sim::BackendOptions&) -> std::unique_ptr<sim::Backend> {
                                throw Error("it broke");
                              }};
  bench.kinds = {&kind};
  const ShortRangeResult result = bench_short_range(bench, [](double, const ShortRangeRow&) { return false; });
  std::vector<std::pair<ShortRangeProblem, std::size_t>> rows;
  for (const ShortRangeRow& row : result.rows) {
    EXPECT_EQ(row.failure, "it broke");
    if (row.precision == sim::Precision::float64) rows.emplace_back(row.problem, row.bodies);
  }
  return rows;
}

TEST(ShortRangeBench, SizesAreTheDefaultOrRequestedOnes) {
  constexpr auto repulsive = ShortRangeProblem::repulsive, wca = ShortRangeProblem::wca;
  using Row = std::pair<ShortRangeProblem, std::size_t>;
  EXPECT_THAT(rows_planned({.quick = true}), ElementsAre(Row{repulsive, 1000}, Row{repulsive, 10'000}, Row{wca, 1000}));
  EXPECT_THAT(rows_planned({.sizes = {2, 27, 100}}),
              ElementsAre(Row{repulsive, 2}, Row{repulsive, 27}, Row{repulsive, 100}, Row{wca, 27}))
      << "a lattice has k³ bodies";
}

TEST(ShortRangeBench, PublishedTimesAreShown) {
  ShortRangeRow row{.problem = ShortRangeProblem::repulsive, .backend = "cpu", .bodies = 1'000'000, .failure = "no"};
  EXPECT_THAT(table({row}), HasSubstr("V100 2.6 s, A100 1.0 s  no\n"));
  EXPECT_THAT(published_records({row}), SizeIs(2));
  row.bodies = 1000;
  EXPECT_THAT(table({row}), Not(HasSubstr("V100")));
  EXPECT_THAT(published_records({row}), IsEmpty());
  row.problem = ShortRangeProblem::wca, row.bodies = 64'000;
  EXPECT_THAT(table({row}), HasSubstr("A100 9216 steps/s"));
  for (const Published& theirs : published_times()) EXPECT_FALSE(theirs.source.empty());
}

std::vector<double> numbers_under(const std::string& json, const std::string& key) {
  const std::regex field("\"" + key + "\": (-?[0-9][0-9.eE+-]*)");
  std::vector<double> all;
  for (std::sregex_iterator it(json.begin(), json.end(), field), end; it != end; ++it)
    all.push_back(std::stod((*it)[1]));
  return all;
}

TEST(ShortRangeBenchCommand, WritesATableAndAFile) {
  const Folder folder;
  const Outcome outcome = run(folder, {"bench", "--suite", "short-range", "--quick", "--n", "27,100", "--backend",
                                       "cpu", "--threads", "1", "--quiet", "--json", "b.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  for (const char* words : {"processor", "copy rates", "ns/particle-step", "s of 1000 steps", "repulsive", "wca"})
    EXPECT_THAT(outcome.output, HasSubstr(words));
  const std::string json = read(folder / "b.json");
  EXPECT_TRUE(is_json(json)) << json;
  EXPECT_THAT(json, HasSubstr("\"suite\": \"short-range\""));
  EXPECT_THAT(json, Not(HasSubstr("\"failure\"")));
  EXPECT_THAT(numbers_under(json, "bodies"), ElementsAre(27, 100, 27, 100, 27, 27));
  for (const char* key :
       {"seconds_per_step", "least_seconds_per_step", "greatest_seconds_per_step", "repetitions", "steps_per_second",
        "seconds_of_1000_steps", "seconds_of_set_up", "seconds_per_particle_step", "share_of_copy_rate"}) {
    EXPECT_THAT(numbers_under(json, key), SizeIs(6)) << key;
    EXPECT_THAT(numbers_under(json, key), Each(Gt(0))) << key;
  }
  EXPECT_THAT(numbers_under(json, "least_bytes_per_particle_step"), ElementsAre(64, 64, 32, 32, 96, 48));
  EXPECT_THAT(numbers_under(json, "bytes_per_second"), ElementsAre(Gt(1e8)));
}

TEST(ShortRangeBenchCommand, RefusesUnknownArguments) {
  const Folder folder;
  for (const char* size : {"0", "many", "1e3", "-5"}) {
    const Outcome refused = run(folder, {"bench", "--suite", "short-range", std::string("--n=") + size});
    EXPECT_EQ(refused.code, 2) << size;
    EXPECT_THAT(refused.errors, HasSubstr("n")) << size;
  }
  EXPECT_EQ(run(folder, {"bench", "--suite", "short-range", "--neighbours", "1"}).code, 2);
  EXPECT_THAT(run(folder, {"bench", "--suite", "short"}).errors, HasSubstr("short-range"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
