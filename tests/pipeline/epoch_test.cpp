// SPDX-License-Identifier: MIT
// The date of t = 0: what is accepted, what is refused, and what a run records of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "common/calendar.hpp"
#include "pipeline/run/run_record.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline {
namespace {

using namespace testing;
using ::testing::HasSubstr;

/// Julian dates of Meeus, "Astronomical Algorithms" (1998), examples 7.a to 7.c, and of the IAU's epochs.
TEST(Calendar, JulianDates) {
  const std::pair<const char*, double> known[] = {{"1957-10-04 19:26:24", 2436116.31},
                                                  {"2000-01-01 12:00", 2451545.0},
                                                  {"1999-01-01", 2451179.5},
                                                  {"1988-06-19 12:00", 2447332.0},
                                                  {"1600-12-31", 2305812.5},
                                                  {"J2000", 2451545.0},
                                                  {"J2015.5", 2457206.375},
                                                  {"JD 2461371.5", 2461371.5},
                                                  {"MJD 61371.25", 2461371.75},
                                                  {"-4713-11-24 12:00", 0}};
  for (const auto& [text, jd] : known) {
    EXPECT_DOUBLE_EQ(parse_date(text).julian_date(), jd) << text;
    EXPECT_EQ(parse_date(to_text(parse_date(text))), parse_date(text)) << text;
  }
}

TEST(Calendar, EveryDayHasOneDate) {
  CalendarDay before = calendar_day(-700001);
  for (std::int64_t day = -700000; day < 200000; ++day) {
    const CalendarDay date = calendar_day(day);
    ASSERT_EQ(day_number(date), day);
    const bool next = date.day == before.day + 1 && date.month == before.month && date.year == before.year;
    const bool month = date.day == 1 && (date.month == before.month + 1 || (date.month == 1 && before.month == 12));
    ASSERT_TRUE(next || month) << day;
    before = date;
  }
}

/// TT − UTC is 69.184 s since 2017 and was 42.184 s on the first day of 1972; TT is TDB to 2 ms.
TEST(Calendar, TimeScales) {
  EXPECT_EQ(to_text(parse_date("2026-11-27 TT")), "2026-11-27 TDB");
  EXPECT_EQ(to_text(parse_date("2026-11-27T00:00:00Z")), "2026-11-27 00:01:09.184 TDB");
  EXPECT_EQ(to_text(parse_date("1972-01-01 UTC")), "1972-01-01 00:00:42.184 TDB");
  EXPECT_NEAR(seconds_between(parse_date("2016-12-31 23:59:59 UTC"), parse_date("2017-01-01 UTC")), 2, 1e-9);
  EXPECT_EQ(seconds_between(parse_date("2026-11-27"), parse_date("2031-01-01")), 1496 * 86400.0);
  EXPECT_EQ(to_text(later(parse_date("2027-12-31 23:00"), 7200)), "2028-01-01 01:00:00 TDB");
  EXPECT_EQ(to_text(later(parse_date("2028-03-01"), -0.5)), "2028-02-29 23:59:59.5 TDB");
}

TEST(Calendar, WhatIsNoDate) {
  for (const char* text :
       {"", "2026", "2026-13-01", "2026-02-29", "2026-11-27 24:00", "2026-11-27 18", "27.11.2026", "JD", "J", "JD x",
        "2026-11-27 ET", "1971-12-31 UTC", "2026-11-27 10:00:60", "2026-11-2", "1e6", "MJD -1"})
    EXPECT_THROW((void)parse_date(text), std::invalid_argument) << text;
}

const std::string dated = "epoch = \"2026-11-27 18:30 UTC\"\n" + sound;

TEST(Epoch, IsRecordedInOneForm) {
  const Scenario scenario = parse_scenario(dated, "s.toml");
  ASSERT_TRUE(scenario.epoch);
  EXPECT_EQ(to_text(*scenario.epoch), "2026-11-27 18:31:09.184 TDB");
  EXPECT_THAT(resolved(scenario), HasSubstr("epoch = \"2026-11-27 18:31:09.184 TDB\"\n"));
  EXPECT_THAT(scenario.text, HasSubstr("18:30 UTC"));
  const Scenario same = parse_scenario("epoch = \"2026-11-27 18:31:09.184\"\n" + sound, "s.toml");
  const auto recorded = [](const Scenario& of) { return std::get<std::string>(recipe(of).at("epoch")); };
  EXPECT_EQ(recorded(same), recorded(scenario));
  EXPECT_EQ(recorded(parse_scenario("epoch = \"J2000\"\n" + sound, "s.toml")), "2000-01-01 12:00:00 TDB");
  EXPECT_EQ(model_record(scenario, set_up(scenario)).epoch, scenario.epoch);
}

TEST(Epoch, IsNotRecordedWithout) {
  const Scenario scenario = parse_scenario(sound, "s.toml");
  EXPECT_FALSE(scenario.epoch);
  EXPECT_EQ(resolved(scenario).find("epoch"), std::string::npos);
  EXPECT_FALSE(recipe(scenario).contains("epoch"));
}

TEST(Epoch, Refusals) {
  EXPECT_THAT(refusal("epoch = \"2026-02-30\"\n" + sound),
              HasSubstr("s.toml:1:9: `epoch`: \"2026-02-30\" is not a date: write \"2026-11-27\""));
  EXPECT_THAT(refusal("epoch = 2461371.5\n" + sound), HasSubstr("s.toml:1:9: `epoch` must be a text in quotes"));
}

}  // namespace
}  // namespace orrery::pipeline
