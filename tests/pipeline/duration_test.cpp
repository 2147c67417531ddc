// SPDX-License-Identifier: MIT
// The grammar of times: what is accepted and what is refused.
#include "pipeline/scenario/duration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline {
namespace {

double in_time(const Value& value) {
  return parse_duration(value).in_time({8});
}

TEST(Duration, Numbers) {
  EXPECT_EQ(in_time(0.25), 0.25);
  EXPECT_EQ(in_time("0.25"), 0.25);
  EXPECT_EQ(in_time(" 1/4 "), 0.25);
  EXPECT_EQ(in_time("1e-3"), 1e-3);
  EXPECT_EQ(in_time("-1"), -1);
}

TEST(Duration, OfTheTimescale) {
  for (const char* unit : {"period", "periods", "crossing time", "crossing times", "rotation", "rotations",
                           "free-fall time", "free-fall times"}) {
    EXPECT_EQ(in_time(std::string("3 ") + unit), 24);
    EXPECT_EQ(in_time(std::string(" 1 / 4  ") + unit + " "), 2);
  }
  EXPECT_EQ(in_time("1/4period"), 2);
  EXPECT_TRUE(parse_duration("1 period").of_timescale);
  EXPECT_FALSE(parse_duration("1").of_timescale);
}

/// The product is computed before the quotient: if the result is a double, it is exact.
TEST(Duration, FractionsAreExactIfPossible) {
  for (const double n : {3.0, 7.0, 49.0, 1000.0}) {
    EXPECT_EQ((Duration{.numerator = 1, .denominator = n, .of_timescale = true}.in_time({n})), 1);
  }
}

std::string refused_words(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

double in_unit(const std::string& text, const std::string& own) {
  return parse_duration(text).in_time({0, own});
}

TEST(Duration, OfTheCalendar) {
  for (const char* text : {"1 hour", "1 h", "60 min", "60 minutes", "1h", "3600 seconds", "3600 s", "1 / 24 day",
                           "2/2 hours", "1/24d", "3.6e6 ms", "3600e6 us", "0.36e13 nanoseconds"}) {
    EXPECT_EQ(in_unit(text, "s"), 3600) << text;
  }
  EXPECT_EQ(in_unit("-30 days", "s"), -30 * 86400);
  EXPECT_EQ(in_unit("3 years", "d"), 1095.75) << "Julian years";
  EXPECT_EQ(in_unit("1 kyr", "yr"), 1000);
  EXPECT_EQ(in_unit("2 megayears", "s"), 2e6 * 31557600);
  EXPECT_EQ(in_unit("1 Gyr", "s"), 31557600e9);
}

/// An hour is the double nearest to 1/24 of a day; a time in the run's own unit is unchanged.
TEST(Duration, OfTheCalendarIsRoundedOnce) {
  EXPECT_EQ(in_unit("1 hour", "d"), 1.0 / 24);
  EXPECT_EQ(in_unit("7 minutes", "d"), 7.0 / 1440);
  EXPECT_EQ(in_unit("1 day", "yr"), 4.0 / 1461);
  EXPECT_EQ(in_unit("0.1 days", "d"), 0.1);
  EXPECT_EQ(in_unit("1/3 day", "s"), 28800);
  for (int n = 1; n < 2000; ++n) EXPECT_EQ(in_unit(std::to_string(n) + " ms", "s"), n / 1000.0);
}

TEST(Duration, OfTheCalendarInUnitsThatAreProducts) {
  // 1 kpc/(km/s) = 977.79222… Myr (IAU 2015 B2: the parsec is 648000/π au).
  const double own = 648000 / M_PI * 149597870700.0 / 31557600e6;
  EXPECT_NEAR(in_unit("1 Myr", "kpc s km-1") * own, 1, 1e-15);
  EXPECT_NEAR(in_unit("2 Gyr", "kpc s km-1"), 2000 / own, 1e-14);
}

TEST(Duration, OfTheCalendarNeedsAUnitOfTime) {
  for (const char* own : {"", "furlong", "M☉", "s+2000000000"}) {
    EXPECT_THAT(refused_words([&] { (void)in_unit("1 hour", own); }),
                ::testing::StartsWith("a time in hours needs a unit of time: set `units = \"si\"`"))
        << own;
  }
  using namespace testing;
  EXPECT_EQ(
      refusal(with(sound, "dt = 0.1", "dt = \"1 hour\"")),
      "s.toml:7:6: a time in hours needs a unit of time: set `units = \"si\"`, \"astronomical\" or \"galactic\" at the "
      "top of the file, or write the time as a number");
  EXPECT_EQ(refusal("units = \"astronomical\"\n" + with(sound, "dt = 0.1", "dt = \"1 hour\"")), "");
}

/// Whole days to a date are exact in units that divide the day.
TEST(Duration, UntilADate) {
  using namespace testing;
  const auto to = [](const std::string& text, const std::string& own) {
    return parse_duration(text).in_time({0, own, parse_date("2026-11-27")});
  };
  EXPECT_EQ(to("until 2031-01-01", "d"), 1496);
  EXPECT_EQ(to("2031-01-01", "s"), 1496 * 86400.0);
  EXPECT_EQ(to("until 2026-11-27 06:00", "d"), 0.25);
  EXPECT_EQ(to("JD 2461372.5", "d"), 1);
  EXPECT_EQ(to("until 2026-11-26", "d"), -1);
  EXPECT_EQ(to("until 2031-01-01", "yr"), 1496 / 365.25);
  EXPECT_THAT(refused_words([] { (void)parse_duration("until 2031-02-30"); }),
              ::testing::StartsWith("\"2031-02-30\" is not a date"));
  EXPECT_THAT(refused_words([] {
                (void)parse_duration("until 2031-01-01").in_time({0, "d"});
              }),
              ::testing::StartsWith("a date needs that of t = 0: set `epoch`"));
  const auto run = [](const std::string& dt, const std::string& until) {
    return "units = \"si\"\nepoch = \"2026-11-27\"\n" +
           with(with(sound, "dt = 0.1", "dt = " + dt), "steps = 20", "time = \"until " + until + "\"");
  };
  EXPECT_EQ(setup_of(run("\"1 d\"", "2031-01-01")).model.steps, 1496);
  EXPECT_EQ(setup_of(run("\"-6 h\"", "2026-11-20")).model.steps, 28);
  EXPECT_EQ(refusal(run("\"1 d\"", "2026-11-20")),
            "s.toml:10:8: the date is before the epoch, 2026-11-27 TDB: a run backward has a negative `dt`");
  EXPECT_THAT(refusal(run("\"-1 d\"", "2028-11-20")), ::testing::HasSubstr("the date is after the epoch"));
  const Scenario dated = parse_scenario(
      run("\"1 d\"", "2026-12-07") + "[trajectory]\ntimes = [\"2026-11-28\", \"2026-12-01\"]\n", "s.toml");
  for (const pipeline::Setup& setup : {set_up(dated), set_up(read_again(dated))})
    EXPECT_EQ(setup.output.frames.from(2), 4);
}

TEST(Duration, SuggestsSimilarWords) {
  EXPECT_THAT(refused_words([] { (void)parse_duration("3 a"); }), ::testing::EndsWith("; did you mean `yr`?"));
  EXPECT_THAT(refused_words([] { (void)parse_duration("3 yers"); }), ::testing::EndsWith("; did you mean `year`?"));
  EXPECT_THAT(refused_words([] { (void)parse_duration("3 myr"); }), ::testing::EndsWith("; did you mean `Myr`?"));
  EXPECT_THAT(refused_words([] { (void)parse_duration("3 periodes"); }),
              ::testing::EndsWith("; did you mean `period`?"));
}

/// Every key that takes a time; and the stored scenario reads back the same.
TEST(Duration, OfTheCalendarInEveryKeyOfTimes) {
  using namespace testing;
  const std::string text = "units = \"si\"\n" +
                           with(with(sound, "dt = 0.1", "dt = \"1 hour\""), "steps = 20", "time = \"10 days\"") +
                           "[trajectory]\nframes = 20\nspacing = \"log\"\nfirst = \"0.5 d\"\n"
                           "[observables]\ntimes = [0, \"1 day\", \"10 days\", 7200]\n";
  const Scenario scenario = parse_scenario(text, "s.toml");
  for (const pipeline::Setup& setup : {set_up(scenario), set_up(read_again(scenario))}) {
    EXPECT_EQ(setup.model.dt, 3600);
    EXPECT_EQ(setup.model.steps, 240);
    EXPECT_EQ(setup.output.frames.from(1), 12);
    EXPECT_EQ(setup.output.rows.from(1), 2);
    EXPECT_EQ(setup.output.rows.from(3), 24);
  }
  EXPECT_THAT(setup_of(text, {"integrator.time=1000 minutes"}).notes.front(),
              ::testing::HasSubstr("integrator.time=1000 minutes: t = 60000 is 16.6667 steps"));
}

TEST(Duration, RefusesOtherTexts) {
  for (const char* text : {"", " ", "period", "1 fortnight", "1/0 period", "1/0", "1/", "/2", "1//2", "1/2/3", "inf",
                           "nan", "1e400", "1e-5x", "0x10", "1 2", "1 period period", "one period", "1,5 periods"}) {
    try {
      (void)parse_duration(std::string(text));
      ADD_FAILURE() << '"' << text << "\" is taken for a time";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("\"" + std::string(text) + "\" is not a time: write a number"));
    }
  }
}

}  // namespace
}  // namespace orrery::pipeline
