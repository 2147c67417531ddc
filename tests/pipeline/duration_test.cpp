// SPDX-License-Identifier: MIT
// The grammar of times: what it takes, and what it refuses.
#include "pipeline/scenario/duration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace orrery::pipeline {
namespace {

double in_time(const Value& value) {
  return parse_duration(value).in_time(8);
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

/// The product first, the quotient last: where the answer is a double, it is that double.
TEST(Duration, FractionsAreExactWhereTheyCanBe) {
  for (const double n : {3.0, 7.0, 49.0, 1000.0}) {
    EXPECT_EQ((Duration{.numerator = 1, .denominator = n, .of_timescale = true}.in_time(n)), 1);
  }
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* text : {"", " ", "period", "1 fortnight", "1/0 period", "1/0", "1/", "/2", "1//2", "1/2/3", "inf",
                           "nan", "1e400", "1e-5x", "0x10", "1 2", "1 period period", "one period", "1,5 periods"}) {
    try {
      (void)parse_duration(std::string(text));
      ADD_FAILURE() << '"' << text << "\" is taken for a time";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("\"" + std::string(text) + "\" is no time: write a number"));
    }
  }
}

}  // namespace
}  // namespace orrery::pipeline
