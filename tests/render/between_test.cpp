// SPDX-License-Identifier: MIT
// Whether the way between frames is known: against Kepler orbits, whose way is.
#include "render/between.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/shown.hpp"
#include "render/view/paths.hpp"

namespace orrery::render {
namespace {

struct State {
  Place r, v;
};

/// A Kepler orbit of a = 1 and period 2π, `t` after pericentre.
State kepler(double e, double t) {
  const double mean = std::remainder(t, 2 * M_PI), b = std::sqrt(1 - e * e);
  double E = mean + std::copysign(e, mean);
  for (int k = 0; k < 60; ++k) E -= (E - e * std::sin(E) - mean) / (1 - e * std::cos(E));
  const double rate = 1 / (1 - e * std::cos(E));
  return {{std::cos(E) - e, b * std::sin(E), 0}, {-std::sin(E) * rate, b * std::cos(E) * rate, 0}};
}

Way orbit(double e, double frames_per_period, std::size_t frames, bool velocities = true) {
  Way way;
  for (std::size_t i = 0; i < frames; ++i) {
    const double t = 0.123 + 2 * M_PI / frames_per_period * static_cast<double>(i);
    const State at = kepler(e, t);
    way.time.push_back(t);
    way.place.push_back(at.r);
    if (velocities) way.velocity.push_back(at.v);
  }
  return way;
}

double greatest(const std::vector<double>& values) {
  return *std::ranges::max_element(values);
}

TEST(Between, ErrorsAreThoseOfTheInterpolation) {
  for (const auto& [e, each] :
       std::vector<std::pair<double, double>>{{0.0, 5.1}, {0.3, 8.1}, {0.5, 12.9}, {0.7, 27.3}}) {
    const Way way = orbit(e, each, 300);
    const std::vector<double> errors = errors_between(way);
    double worst = 0;
    for (std::size_t i = 0; i + 1 < way.time.size(); ++i) {
      const double h = way.time[i + 1] - way.time[i];
      const State true_one = kepler(e, way.time[i] + h / 2);
      Place there{};
      for (std::size_t k = 0; k < 3; ++k)
        there[k] =
            hermite(0.5, way.place[i][k], h * way.velocity[i][k], way.place[i + 1][k], h * way.velocity[i + 1][k]);
      worst = std::max(worst, length(plus(there, -1, true_one.r)));
    }
    EXPECT_NEAR(greatest(errors) / worst, 1, 0.35) << e;
    EXPECT_LT(worst, 1.2 * tolerated_error(way)) << e;
  }
}

TEST(Between, OrbitsThatTurnBetweenFramesAreFoundAtAnyPhase) {
  for (const double each : {3.0, 2.5, 2.0, 1.37, 1.0, 0.6993, 0.625, 0.5, 0.3, 0.01}) {
    for (const double e : {0.0, 0.3, 0.8}) {
      const Way way = orbit(e, each, 101);
      for (const double error : errors_between(way)) EXPECT_GT(error, tolerated_error(way)) << each << " " << e;
    }
  }
}

TEST(Between, TurningPointsAndStraightLinesAreKnown) {
  Way swing, line;
  for (int i = 0; i < 40; ++i) {
    const double t = 0.31 * i;
    swing.time.push_back(t), line.time.push_back(t);
    swing.place.push_back({std::cos(t), 0, 0}), line.place.push_back({1e6 + 3 * t, 2 * t, 1});
    swing.velocity.push_back({-std::sin(t), 0, 0}), line.velocity.push_back({3, 2, 0});
  }
  EXPECT_LT(greatest(errors_between(swing)), tolerated_error(swing));
  EXPECT_LT(greatest(errors_between(line)), tolerated_error(line));
}

TEST(Between, WithoutVelocitiesItIsTheSagOfChords) {
  const auto known = [](double each) {
    const Way way = orbit(0, each, 90, false);
    return greatest(errors_between(way)) < tolerated_error(way);
  };
  EXPECT_TRUE(known(12.3));
  EXPECT_FALSE(known(9.1));
  EXPECT_FALSE(known(1.6));
}

/// Frames of a body at rest, one on a slow orbit and one on an orbit with `fast` frames per period; 40 frames.
std::vector<Frame> frames_of(double fast) {
  std::vector<Frame> frames;
  const Way slow = orbit(0.1, 33, 40), quick = orbit(0.1, fast, 40);
  for (std::size_t i = 0; i < 40; ++i) {
    Frame frame{.time = static_cast<double>(i), .position = {}, .velocity = {}};
    std::vector<float>&p = frame.position.edit(), &v = frame.velocity.edit();
    const auto add = [&](const Way& way, double each) {
      for (std::size_t k = 0; k < 3; ++k) p.push_back(static_cast<float>(way.place[i][k]));
      for (std::size_t k = 0; k < 3; ++k) v.push_back(static_cast<float>(way.velocity[i][k] * 2 * M_PI / each));
    };
    p = {0, 0, 0}, v = {0, 0, 0};
    add(slow, 33);
    add(quick, fast);
    frames.push_back(frame);
  }
  return frames;
}

TEST(Between, PathsThatAreNotKnownArePoints) {
  const auto frames = frames_of(1.7);
  const auto between = std::make_shared<const Between>(frames, Bounds{});
  EXPECT_FALSE(between->all_known());
  EXPECT_EQ(between->bodies(), (std::set<std::size_t>{2}));
  EXPECT_TRUE(between->known(1, 3, 4));
  EXPECT_FALSE(between->known(2, 3, 4));
  EXPECT_GT(between->turned(), 39 * M_PI * 0.999);
  Paths paths(Trails{.time = INFINITY}, {}, between);
  for (const Frame& frame : frames) paths.append(frame);
  EXPECT_TRUE(paths.has_dots());
  EXPECT_EQ(paths.of(0).size(), 1U);
  EXPECT_EQ(paths.of(1).size(), 1U);
  const auto points = paths.of(2);
  ASSERT_EQ(points.size(), 40U);
  for (const PathPiece& piece : points) EXPECT_EQ(piece.size(), 1U);
  EXPECT_TRUE(Between(frames_of(20), Bounds{}).all_known());
}

TEST(Between, BodiesWhoseWayIsNotKnownStayWhereAFrameHasThem) {
  const auto frames = frames_of(1.7);
  const Between between(frames, Bounds{});
  for (const double share : {0.2, 0.8}) {
    Frame now;
    interpolate(frames[7], frames[8], 7 + share, Bounds{}, true, now);
    const Frame free = now;
    between.hold(frames[7], frames[8], now);
    const Frame& nearer = share < 0.5 ? frames[7] : frames[8];
    for (std::size_t k = 0; k < 9; ++k) {
      EXPECT_EQ(now.position[k], k < 6 ? free.position[k] : nearer.position[k]) << k;
      EXPECT_EQ(now.velocity[k], k < 6 ? free.velocity[k] : nearer.velocity[k]) << k;
    }
  }
}

TEST(Between, AFilmSaysThatItStepsOverTurns) {
  const Between slow(frames_of(20), Bounds{});  // two turns
  EXPECT_NEAR(slow.turned(), 2 * M_PI * 39 / 20, 0.3);
  EXPECT_EQ(words_for(slow, 0), "");
  EXPECT_EQ(words_for(slow, 40), "");
  EXPECT_EQ(words_for(slow, 3), "more than half a turn from picture to picture");
  // Without trails there is no path that could be missing.
  const Between lost(frames_of(1.7), Bounds{});
  ASSERT_FALSE(lost.all_known());
  EXPECT_EQ(words_for(lost, 0), "no path where frames are too far apart");
  EXPECT_EQ(words_for(lost, 400, false), "bodies jump where frames are too far apart");
}

}  // namespace
}  // namespace orrery::render
