// SPDX-License-Identifier: MIT
// An escaping body must not shrink the picture of the others, and a returning one must not be cut off.
#include "render/view/outliers.hpp"

#include <gtest/gtest.h>

#include <array>

#include "render/view/reference.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using Vector = std::array<double, 3>;

/// Positions of all bodies at `frames` times from 0 to `end`.
template <class Places>
TestRun test_run(int frames, double end, const Places& places) {
  TestRun run;
  for (int f = 0; f < frames; ++f) {
    Frame frame;
    frame.time = end * f / (frames - 1);
    for (const Vector& p : places(frame.time)) {
      for (const double x : p) frame.position.edit().push_back(static_cast<float>(x));
    }
    run.frames.push_back(frame);
  }
  return settled(run);
}

/// On an ellipse of semi-major axis 1 with one focus at the origin, from pericentre: Kepler's equation by Newton.
Vector kepler(double e, double mean_anomaly) {
  double E = M_PI;
  for (int i = 0; i < 60; ++i) E -= (E - e * std::sin(E) - std::fmod(mean_anomaly, 2 * M_PI)) / (1 - e * std::cos(E));
  return {std::cos(E) - e, std::sqrt(1 - e * e) * std::sin(E), 0};
}

/// Two bodies on a circle of radius 1, and a third that went out to 2 and back and then leaves along x.
std::vector<Vector> with_escaper(double t, double speed) {
  const double out = t < 4 ? 2 * std::abs(std::sin(M_PI * t / 4)) + 0.1 : 0.1 + speed * (t - 4);
  return {{std::cos(t), std::sin(t), 0}, {-std::cos(t), -std::sin(t), 0}, {out, 0.2, 0}};
}

double width(const Extent& extent) {
  return extent.high[0] - extent.low[0];
}

TEST(Outliers, EscaperIsOutsideLimitsFromItsEscape) {
  TestRun run = test_run(1001, 20, [](double t) { return with_escaper(t, 5); });
  run.info.mass = {1, 1, 0};
  const Extent all = Reference("inertial", run.info, true).extent();
  EXPECT_NEAR(all.high[0], 80.1, 1e-3);
  const Extent kept_extent = Reference("inertial", run.info).extent();
  EXPECT_NEAR(kept_extent.low[0], -1, 1e-3);
  // The distance from which it returned counts, although no other body was as far out; its final departure does not.
  EXPECT_NEAR(kept_extent.high[0], 2.1, 1e-3);
  EXPECT_NEAR(kept_extent.high[1], 1, 1e-3);
  // A body slightly further out than the others is kept.
  TestRun slow = test_run(1001, 20, [](double t) { return with_escaper(t, 0.08); });
  slow.info.mass = {1, 1, 0};
  EXPECT_EQ(Reference("inertial", slow.info).extent().high, slow.info.extent.high);
}

TEST(Outliers, ReturningOrbitIsNeverCut) {
  for (const double e : {0.0, 0.5, 0.9, 0.99}) {
    for (const double turns : {0.3, 0.49, 0.5, 0.7, 3.3}) {
      const TestRun pair = test_run(777, 2 * M_PI * turns, [&](double t) {
        const Vector p = kepler(e, t);
        return std::vector<Vector>{{-0.3 * p[0], -0.3 * p[1], 0}, {0.7 * p[0], 0.7 * p[1], 0}};
      });
      const Extent kept_extent = Reference("inertial", pair.info).extent();
      EXPECT_EQ(kept_extent.low, pair.info.extent.low) << e << " " << turns;
      EXPECT_EQ(kept_extent.high, pair.info.extent.high) << e << " " << turns;

      // A comet among planets close to their sun is kept too, although it has not returned by the end of the run.
      const TestRun comet = test_run(777, 2 * M_PI * turns, [&](double t) {
        return std::vector<Vector>{
            {0, 0, 0}, {0.01 * std::cos(99 * t), 0.01 * std::sin(99 * t), 0}, {0, 0.02, 0}, kepler(e, t)};
      });
      TestRun massive = comet;
      massive.info.mass = {1, 0, 0, 0};
      EXPECT_EQ(Reference("inertial", massive.info).extent().low, comet.info.extent.low) << e << " " << turns;
    }
  }
}

TEST(Outliers, BinaryOnAWideOrbitIsKeptAndAnUnboundOneIsNot) {
  // Three in the middle, and a close pair whose relative speed exceeds its orbital speed around them.
  double phase = 0;
  bool across = false;  // their own orbit is across their way
  const auto with_binary = [&](double t, const Vector& at) {
    const double x = 0.04 * std::cos(60 * t + phase), y = 0.04 * std::sin(60 * t + phase);
    const Vector b = across ? Vector{0, x, y} : Vector{x, y, 0};
    return std::vector<Vector>{{0, 0, 0},
                               {0.02 * std::cos(9 * t), 0.02 * std::sin(9 * t), 0},
                               {-0.03 * std::cos(5 * t), -0.03 * std::sin(5 * t), 0},
                               {at[0] + b[0], at[1] + b[1], b[2]},
                               {at[0] - b[0], at[1] - b[1], -b[2]}};
  };
  for (const double mass : {0.0, 1e-4}) {  // of each of the two
    for (int k = 0; k < 32; ++k) {         // wherever on their way round each other they are at the end
      phase = 0.2 * k;
      across = k % 2 == 0;
      TestRun bound = test_run(1501, 2 * M_PI * 0.41, [&](double t) { return with_binary(t, kepler(0.99, t)); });
      bound.info.mass = {1, 0, 0, mass, mass};
      EXPECT_EQ(Reference("inertial", bound.info).extent().low, bound.info.extent.low) << k;
      TestRun free = test_run(1501, 3, [&](double t) { return with_binary(t, {0.1 + 2 * t, 0, 0}); });
      free.info.mass = {1, 0, 0, mass, mass};
      EXPECT_LT(width(Reference("inertial", free.info).extent()), 0.5) << k;
    }
  }
}

TEST(Outliers, VelocitiesIdentifyEscapersFarFromTheOrigin) {
  // Per frame it moves by less than a float resolves there, so its position sometimes does not change.
  for (const int frames : {16001, 17001, 20001}) {
    TestRun run = test_run(frames, 20, [](double t) {
      return std::vector<Vector>{{19999, 0, 0}, {20001, 0, 0}, {20000.1 + 0.5 * t, 0.2, 0}};
    });
    for (Frame& frame : run.frames) frame.velocity = {0, 0, 0, 0, 0, 0, 0.5F, 0, 0};
    run = settled(run);
    run.info.mass = {1, 1, 0};
    EXPECT_LT(Reference("inertial", run.info).extent().high[0], 20001.1) << frames;
    // A body too slow to escape from the others is kept.
    for (Frame& frame : run.frames) {
      if (frame.time > 15) frame.velocity.edit()[6] = 0.3F;
    }
    run.info.samples = run.frames;
    EXPECT_GT(Reference("inertial", run.info).extent().high[0], 20010) << frames;
  }
}

TEST(Outliers, TwoBodiesAndMostBodiesAreNoOutliers) {
  const TestRun apart = test_run(100, 9, [](double t) {
    return std::vector<Vector>{{-0.1 - t, 0, 0}, {0.1 + 7 * t, 0, 0}};
  });
  EXPECT_EQ(Reference("inertial", apart.info).extent().high, apart.info.extent.high);
  // All fly apart at different speeds: fewer than half may be left out.
  TestRun burst = test_run(100, 9, [](double t) {
    std::vector<Vector> places;
    for (int i = 0; i < 7; ++i) places.push_back({(0.01 + t) * std::pow(3, i) * (i % 2 == 0 ? 1 : -1), 0, 0});
    return places;
  });
  burst.info.mass = {1, 0, 0, 0, 0, 0, 0};
  const Extent kept_extent = Reference("inertial", burst.info).extent();
  EXPECT_GE(kept_extent.low[0], burst.info.extent.low[0]);
  EXPECT_NEAR(kept_extent.low[0], -9.01 * 27, 40) << "four of seven are shown";
  EXPECT_LT(kept_extent.high[0], 9.01 * 81);
}

TEST(Outliers, EscapesAreRelativeToTheReference) {
  // The whole system drifts: in its own frame no body escapes by that.
  TestRun run = test_run(500, 20, [](double t) {
    std::vector<Vector> places = with_escaper(std::min(t, 3.9), 1);
    for (Vector& p : places) p[1] += 50 * t;
    return places;
  });
  run.info.mass = {1, 1, 0};
  EXPECT_NEAR(width(Reference("barycentric", run.info).extent()), 3.1, 0.01);
  const Extent inertial = Reference("inertial", run.info).extent();
  EXPECT_NEAR(inertial.high[1], 1000, 1.1) << "and in the frame of the scenario all of them go there";
}

TEST(Outliers, EscaperDoesNotChangeLimitsOfManyBodies) {
  for (const std::size_t n : {65U, 200U, 5000U}) {
    TestRun run = ball(n, 20);
    const double before = width(Reference("inertial", run.info).extent());
    for (std::size_t f = 0; f < run.frames.size(); ++f) run.frames[f].position.edit()[0] = 40 * static_cast<float>(f);
    run = settled(run);
    const Reference reference("inertial", run.info);
    EXPECT_LT(width(reference.extent()), 1.1 * before) << n;
    EXPECT_GT(width(reference.extent()), 0.75 * before) << n;
    EXPECT_NEAR(width(Reference("inertial", run.info, true).extent()), 760, 3) << n;
  }
}

TEST(Outliers, NonFiniteBodyIsIgnored) {
  TestRun run = test_run(50, 1, [](double t) { return with_escaper(t, 5); });
  for (std::size_t f = 30; f < 50; ++f) run.frames[f].position.edit()[6] = std::numeric_limits<float>::quiet_NaN();
  run.info.samples = run.frames;
  const Extent kept_extent = Reference("inertial", run.info).extent();
  EXPECT_TRUE(std::isfinite(width(kept_extent)));
  EXPECT_GT(width(kept_extent), 1.5);
}

}  // namespace
}  // namespace orrery::render
