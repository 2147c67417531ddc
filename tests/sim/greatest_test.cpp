// SPDX-License-Identifier: MIT
// The maximum component of a column, and the body that has it.
#include "sim/greatest.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sim/bodies.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

void expect_greatest(const Vectors& column, double value, std::size_t body) {
  const Greatest found = greatest(column);
  EXPECT_EQ(found.value, value);
  EXPECT_EQ(found.body, body);
}

TEST(Greatest, IsTheFirstOfEqualValues) {
  Vectors column(7);
  expect_greatest(column, 0, 0);
  column.z[2] = 1.5, column.z[3] = -1.5;
  expect_greatest(column, 1.5, 2);
  column.y[5] = -1.5;
  expect_greatest(column, 1.5, 5);
  column.z[6] = 1.75;
  expect_greatest(column, 1.75, 6);
}

TEST(Greatest, NanCountsAsInfinite) {
  for (const double odd : {nan, -nan, infinity, -infinity}) {
    for (const double other : {nan, infinity, -infinity, 3.0}) {
      Vectors column(7);
      column.x[6] = 2, column.y[4] = odd, column.y[5] = other, column.z[0] = other;
      expect_greatest(column, infinity, 4);
    }
  }
}

TEST(Greatest, ExtentDoesNotDependOnTheOrigin) {
  Vectors column(3);
  column.x = {5, 5, 5}, column.y = {-1, 3, 2}, column.z = {7, 10, 7.5};
  EXPECT_EQ(half_extent(column), 2);
  column.y = {1e308, -1e308, 0};
  EXPECT_EQ(half_extent(column), 1e308);
}

}  // namespace
}  // namespace orrery::sim::testing
