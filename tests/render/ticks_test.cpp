// SPDX-License-Identifier: MIT
// Ticks are round, ordered and inside the axis; labels never overlap.
#include "render/chart/ticks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "render/canvas/drawing.hpp"
#include "render/canvas/text.hpp"

namespace orrery::render {
namespace {

TEST(Ticks, LabelsOfNarrowAxesDoNotOverlapEither) {
  for (const double half : {0.13, 0.31, 0.72, 1.3, 7.7}) {
    for (float axis = 12; axis < 200; axis += 3) {
      const Ticks ticks = linear_ticks({-half, 1.1 * half}, axis, 20, true);
      for (std::size_t t = 1; t < ticks.at.size(); ++t) {
        const double room = (ticks.at[t] - ticks.at[t - 1]) / (2.1 * half) * static_cast<double>(axis);
        const float widths = extents_of(ticks.labels[t], 20).width + extents_of(ticks.labels[t - 1], 20).width;
        EXPECT_GT(room, static_cast<double>(widths) / 2) << half << " " << axis;
      }
    }
  }
}

TEST(Ticks, LabelsNeverOverlap) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12, 12), place(-3, 3), pixels(60, 2000);
  for (int i = 0; i < 400; ++i) {
    const double length = std::pow(10, exponent(random)), low = place(random) * length;
    const Interval limits{low, low + length};
    const auto axis = static_cast<float>(pixels(random));
    for (const bool along : {true, false}) {
      const Ticks ticks = linear_ticks(limits, axis, 20, along);
      ASSERT_EQ(ticks.at.size(), ticks.labels.size());
      for (std::size_t t = 0; t < ticks.at.size(); ++t) {
        EXPECT_GE(ticks.at[t], limits.low - 1e-5 * length);
        EXPECT_LE(ticks.at[t], limits.high + 1e-5 * length);
        if (t == 0) continue;
        EXPECT_NE(ticks.labels[t], ticks.labels[t - 1]) << limits.low << " " << limits.high;
        const double room = (ticks.at[t] - ticks.at[t - 1]) / length * static_cast<double>(axis);
        const auto half = [&](std::size_t k) { return along ? extents_of(ticks.labels[k], 20).width / 2 : 10; };
        EXPECT_GT(room, static_cast<double>(half(t) + half(t - 1)));
      }
      EXPECT_GE(ticks.at.size(), axis > 400 ? 2U : 0U) << limits.low << " " << limits.high << " " << axis;
    }
  }
}

TEST(Ticks, AreRound) {
  const Ticks ticks = linear_ticks({-1.1, 1.1}, 800, 20, true);
  EXPECT_EQ(ticks.exponent, 0);
  EXPECT_EQ(ticks.labels.front(), "−1.0");
  EXPECT_EQ(ticks.labels[ticks.labels.size() / 2], "0.0");
  EXPECT_EQ(linear_ticks({0, 3e-7}, 400, 20, true).exponent, -7);
  EXPECT_EQ(linear_ticks({0, 3e6}, 400, 20, true).exponent, 6);
  EXPECT_EQ(number_text(-0.001, 2), "0.00");
  EXPECT_EQ(number_text(-2.5, 1), "−2.5");
  EXPECT_EQ(axis_label("x", "au", 0), "x [au]");
  EXPECT_EQ(axis_label("x", "", 0), "x");
  EXPECT_EQ(axis_label("ΔE/E₀", "", -12), "ΔE/E₀ [10⁻¹²]");
  EXPECT_EQ(axis_label("x", "km", 6), "x [10⁶ km]");
}

TEST(Ticks, DecadesAreThinnedEvenly) {
  const Ticks few = decade_ticks({-8, -5}, 400, 20);
  EXPECT_EQ(few.labels, (std::vector<std::string>{"10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"}));
  EXPECT_GT(few.minor.size(), 20U);
  EXPECT_EQ(decade_ticks({-0.8, 0.4}, 400, 20).labels, (std::vector<std::string>{"0.2", "0.5", "1", "2"}));
  EXPECT_EQ(decade_ticks({3.1, 3.65}, 400, 20).labels, (std::vector<std::string>{"2000", "3000", "4000"}));
  EXPECT_EQ(decade_ticks({-8.2, -7.4}, 400, 20).labels, (std::vector<std::string>{"10⁻⁸", "2·10⁻⁸"}));
  const Ticks many = decade_ticks({-30, 300}, 400, 20);
  EXPECT_LE(many.at.size(), 9U);
  EXPECT_GE(many.at.size(), 3U);
  EXPECT_LT(many.minor.size(), 400U);
}

TEST(Ticks, TwoDecadesHaveIntermediateLabels) {
  EXPECT_EQ(decade_ticks({-1.2, 0.8}, 800, 20).labels, (std::vector<std::string>{"0.1", "0.2", "0.5", "1", "2", "5"}));
  EXPECT_EQ(decade_ticks({-1.2, 0.8}, 300, 20).labels, (std::vector<std::string>{"10⁻¹", "10⁰"})) << "no room";
  EXPECT_EQ(decade_ticks({-9.2, -7.2}, 800, 20).labels, (std::vector<std::string>{"10⁻⁹", "10⁻⁸"})) << "too long";
}

TEST(Ticks, AxesOfOneScaleHaveOnePowerOfTen) {
  const Interval wide{-2.3e11, 2.3e11}, narrow{-8e10, 8e10}, flat{-1e6, 1e6};
  const double largest = largest_of(std::array{wide, narrow, flat});
  EXPECT_EQ(largest, 2.3e11);
  EXPECT_EQ(linear_ticks(narrow, 400, 20, true).exponent, 10);
  EXPECT_EQ(linear_ticks(narrow, 400, 20, true, 0, largest).exponent, 11);
  EXPECT_EQ(linear_ticks(narrow, 400, 20, true, 0, largest).labels, (std::vector<std::string>{"−0.5", "0.0", "0.5"}));
  EXPECT_EQ(linear_ticks(wide, 400, 20, true, 0, largest).exponent, 11);
  EXPECT_EQ(linear_ticks(flat, 400, 20, true, 0, largest).exponent, 6) << "not 0.00001";
}

TEST(Ticks, TwoCloseLabelsArePreferredToOne) {
  EXPECT_EQ(decade_ticks({-15.9, -12.2}, 242, 31).labels.size(), 3U);
  EXPECT_EQ(linear_ticks({-26, 26}, 150, 31, false).labels, (std::vector<std::string>{"−20", "0", "20"}));
  EXPECT_EQ(decade_ticks({-300.5, 300.5}, 60, 31).labels.size(), 1U) << "where there is no room for two";
}

TEST(Ticks, ThinnedLabelsAreMultiplesOfOneStep) {
  EXPECT_EQ(linear_ticks({-35, 49}, 260, 31, true).labels, (std::vector<std::string>{"0", "40"})) << "not −20 and 40";
  EXPECT_EQ(linear_ticks({-47, 47}, 300, 31, true).labels, (std::vector<std::string>{"−40", "0", "40"}));
}

TEST(Drawing, ThinningKeepsTheShape) {
  Line line{{}, {Color{}}, 1};
  for (int i = 0; i <= 100000; ++i) {
    const double t = 2 * M_PI * i / 100000;
    line.points.push_back(
        {static_cast<float>(500 + 400 * std::cos(t)), static_cast<float>(500 + 300 * std::sin(3 * t))});
  }
  const Line thin = thinned(line);
  EXPECT_LT(thin.points.size(), 5000U);
  // Every vertex that was left out lies near a segment that is still there; those are in order.
  std::size_t s = 0;
  for (const Point p : line.points) {
    const auto off = [&](std::size_t k) {
      const Point a = thin.points[k], b = thin.points[k + 1];
      const float dx = b.x - a.x, dy = b.y - a.y;
      const float t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy), 0.F, 1.F);
      return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
    };
    while (s + 2 < thin.points.size() && off(s) > off(s + 1)) ++s;
    ASSERT_LT(off(s), 0.15F);
  }
}

const DateScale from_2026{parse_date("2026-11-27"), 86400};

TEST(DateTicks, BeginYearsMonthsDaysAndHours) {
  const auto labels = [](double from, double to, float length) {
    return date_ticks({from, to}, from_2026, length, 20).labels;
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(0, 1496, 800), (Labels{"2027", "2028", "2029", "2030", "2031"}));
  EXPECT_EQ(labels(0, 120, 800), (Labels{"2026-12", "2027-01", "2027-02", "2027-03"}));
  EXPECT_EQ(labels(0, 3, 800), (Labels{"2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"}));
  EXPECT_EQ(labels(0, 0.5, 900), (Labels{"2026-11-27", "02:00", "04:00", "06:00", "08:00", "10:00", "12:00"}));
  EXPECT_EQ(labels(-3652425, 0, 800).front(), "−6000");
  EXPECT_EQ(date_ticks({0.3, 0.4}, from_2026, 800, 20).name, "date (TDB), 2026-11-27");
  EXPECT_TRUE(labels(0, 1496, 30).empty());
}

/// For any span from seconds to ages: in order, inside, without overlaps, and where their labels say.
TEST(DateTicks, AreInOrderAndDoNotOverlap) {
  std::mt19937 random(3);
  for (int k = 0; k < 400; ++k) {
    const double span = std::pow(10.0, std::uniform_real_distribution(-4.0, 9.0)(random));
    const double from = std::uniform_real_distribution(-2.0, 2.0)(random) * span;
    const Interval limits{from, from + span};
    const float length = std::uniform_real_distribution(100.F, 1500.F)(random);
    const Ticks ticks = date_ticks(limits, from_2026, length, 20);
    EXPECT_TRUE(length < 400 || ticks.at.size() > 1) << from << " " << span << " " << length;
    for (std::size_t t = 0; t < ticks.at.size(); ++t) {
      EXPECT_GE(ticks.at[t], limits.low - 1e-6 * span);
      EXPECT_LE(ticks.at[t], limits.high + 1e-6 * span);
      if (t == 0) continue;
      const double room = (ticks.at[t] - ticks.at[t - 1]) / span * static_cast<double>(length);
      const float widths = extents_of(ticks.labels[t], 20).width + extents_of(ticks.labels[t - 1], 20).width;
      EXPECT_GT(room, static_cast<double>(widths) / 2) << ticks.labels[t];
    }
    for (const double minor : ticks.minor) EXPECT_TRUE(std::ranges::find(ticks.at, minor) == ticks.at.end());
  }
}

}  // namespace
}  // namespace orrery::render
