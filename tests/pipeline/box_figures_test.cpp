// SPDX-License-Identifier: MIT
// Figures of runs in a box: g(r) and displacements against closed forms and sums, interpolation across an end.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "box_support.hpp"
#include "chart_support.hpp"
#include "pipeline/pictures/film_frames.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

class BoxFigures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }

  /// A run whose bodies move in straight lines to where `at` says; positions are stored as wrapped by the box.
  void write_run(const sim::Domain& domain, int frames, double dt, const sim::Vectors& from,
                 const sim::Vectors& velocity) {
    const auto moment = [&](int k) {
      sim::Snapshot now{.step = k,
                        .time = k * dt,
                        .position = from,
                        .velocity = velocity,
                        .columns = {},
                        .clock = {},
                        .observables = {}};
      if (domain.is_periodic()) now.image = sim::Vectors(from.size());
      const std::array places{&now.position.x, &now.position.y, &now.position.z},
          ways{&now.velocity.x, &now.velocity.y, &now.velocity.z}, images{&now.image.x, &now.image.y, &now.image.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < from.size(); ++i) {
          double &x = (*places[axis])[i], &v = (*ways[axis])[i];
          const sim::Coordinate in = domain.cross(axis, {x + v * k * dt, v, 0});
          x = in.x, v = in.v;
          if (domain.is_periodic()) (*images[axis])[i] = static_cast<double>(in.image);
        }
      }
      return now;
    };
    sim::Bodies bodies{.mass = std::vector<double>(from.size(), 1),
                       .charge = {},
                       .radius = {},
                       .position = from,
                       .velocity = velocity,
                       .species = std::vector<std::int32_t>(from.size(), 0),
                       .names = {}};
    RunRecord record;
    record.title = "box";
    record.dt = dt;
    record.steps = frames - 1;
    record.domain = domain;
    record.components = {"gas"};
    std::filesystem::remove(folder_ / "run.h5");
    TrajectoryWriter writer(folder_ / "run.h5", bodies, record, {});
    for (int k = 0; k < frames; ++k) writer.append(moment(k), true);
    writer.finish(moment(frames - 1));
  }

  std::vector<render::Chart> charts(std::string_view kind, const std::string& keys = "", bool moving = false) {
    return charts_of_run(folder_ / "run.h5", kind, keys, moving);
  }
  render::Curve curve(std::string_view kind, const std::string& keys = "") {
    return charts(kind, keys).front().curves.front();
  }

  Folder folder_;
};

TEST_F(BoxFigures, PairCorrelationOfAnIdealGasIsOne) {
  for (const auto& [dimensions, kinds] : {std::pair(2, "pp"), {3, "ppp"}, {2, "rr"}, {3, "prr"}}) {
    const sim::Domain domain = domain_of(dimensions, {2, 2, dimensions == 3 ? 2.0 : 0}, kinds);
    const std::size_t bodies = 4000;
    write_run(domain, 3, 0.1, gas(bodies, domain, 17), sim::Vectors(bodies));
    const auto [r_of, g] = [&] {
      const render::Curve s = curve("pair-correlation", "bins = 20\nfrom = 0.0\nto = 0.0\n");
      return std::pair(s.x, s.y);
    }();
    ASSERT_EQ(g.size(), 20U);
    const double width = 2 * r_of.front(), volume = std::pow(2.0, dimensions), density = bodies / volume;
    const double centers = dimensions == 2 && kinds[0] == 'p'   ? bodies
                           : dimensions == 3 && kinds[1] == 'p' ? bodies
                                                                : bodies / 8.0;
    for (std::size_t k = 0; k < g.size(); ++k) {
      const double r = r_of[k];
      const double gas = density * width * (dimensions == 2 ? 2 * std::numbers::pi * r : 4 * std::numbers::pi * r * r);
      // Pairs are counted from both ends: half of them are independent.
      EXPECT_NEAR(g[k], 1, 5 * std::sqrt(2 / (centers * gas))) << kinds << " at " << r;
    }
  }
}

TEST_F(BoxFigures, PairCorrelationOfALatticePeaksAtItsDistances) {
  for (const int dimensions : {2, 3}) {
    const sim::Domain domain =
        domain_of(dimensions, {12, 12, dimensions == 3 ? 12.0 : 0}, dimensions == 3 ? "ppp" : "pp");
    sim::Vectors at;
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y) {
        for (int z = 0; z < (dimensions == 3 ? 12 : 1); ++z)
          at.push_back(x + 0.25, y + 0.25, dimensions == 3 ? z + 0.25 : 0);
      }
    }
    write_run(domain, 2, 0.1, at, sim::Vectors(at.size()));
    const render::Curve s = curve("pair-correlation", "r_max = 2.6\nbins = 260\n");
    const double density = (static_cast<double>(at.size()) - 1) / domain.volume();
    // Of squares and of cubes: how many are at √1, √2, √3, √4, √5.
    const std::array<double, 5> neighbours =
        dimensions == 2 ? std::array<double, 5>{4, 4, 0, 4, 8} : std::array<double, 5>{6, 12, 8, 6, 24};
    std::array<double, 5> met{};
    double others = 0;
    for (std::size_t k = 0; k < s.x.size(); ++k) {
      const double r = s.x[k], low = r - 0.005, high = r + 0.005;
      const double shell = dimensions == 2 ? std::numbers::pi * (high * high - low * low)
                                           : 4 * std::numbers::pi / 3 * (high * high * high - low * low * low);
      const double count = s.y[k] * density * shell;
      bool known = false;
      for (std::size_t n = 0; n < 5; ++n) {
        if (std::abs(r - std::sqrt(static_cast<double>(n + 1))) < 0.011) met[n] += count, known = true;
      }
      if (!known && r < 2.3) others += count;
    }
    for (std::size_t n = 0; n < 5; ++n) EXPECT_NEAR(met[n], neighbours[n], 1e-9) << dimensions << "-D, √" << n + 1;
    EXPECT_EQ(others, 0);
  }
}

TEST_F(BoxFigures, PairCorrelationUsesAllFramesOfFewBodiesAndOnlyTheChosenOnes) {
  const sim::Domain domain = domain_of(3, {2, 2, 2}, "ppp");
  write_run(domain, 2601, 0.01, gas(20, domain, 5), sim::Vectors(20));
  EXPECT_THAT(charts("pair-correlation").front().title, HasSubstr("1301 frames"));
  // Three bodies of the lattice: each has two others, at distance 0.5.
  sim::Vectors from;
  for (const double x : {0.1, 0.6, 0.35, 1.1, 1.6})
    from.push_back(x, x == 0.35 ? 0.1 + 0.25 * std::sqrt(3.0) : 0.1, 0.1);
  write_run(domain, 2, 0.1, from, sim::Vectors(5));
  const auto g = curve("pair-correlation", "bodies = [\"0:2\"]\nbins = 7\nr_max = 0.7\nfrom = 0.0\n").y;
  for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(g[k] > 0, k == 4 || k == 5) << k;
}

TEST_F(BoxFigures, InvalidPairCorrelationKeysAreRefused) {
  const auto complaint_of = [&](const std::string& keys) {
    return complaint([&] { (void)charts("pair-correlation", keys); });
  };
  const sim::Domain box = domain_of(2, {2, 1, 0}, "pr");
  write_run(box, 3, 0.1, gas(50, box, 1), sim::Vectors(50));
  EXPECT_EQ(complaint_of(""), "");
  EXPECT_THAT(complaint_of("r_max = 0.7"), HasSubstr("0.7 is more than half of the box, which is 1 long along y"));
  EXPECT_THAT(complaint_of("from = 7.0"), HasSubstr("no frame is between t = 7 and 0.2: they are from 0 to 0.2"));
  EXPECT_EQ(charts("pair-correlation").front().title, "2 frames, t = 0.1 to 0.2");
  EXPECT_EQ(charts("pair-correlation", "", true).size(), 3U);
  write_run(domain_of(2, {2, 1, 0}, "po"), 3, 0.1, gas(50, box, 1), sim::Vectors(50));
  EXPECT_TRUE(charts("pair-correlation").front().curves.empty()) << "no density";
}

TEST_F(BoxFigures, BallisticDisplacementAcrossPeriodicEdgesIsQuadratic) {
  for (const auto& [dimensions, kinds] : {std::pair(2, "pp"), {3, "ppp"}, {3, "ooo"}}) {
    const sim::Domain domain = domain_of(dimensions, {1, 1.5, dimensions == 3 ? 2.0 : 0}, kinds, {-0.3, 0, 0});
    const sim::Vectors from = gas(40, domain, 2);
    sim::Vectors velocity;
    double square = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const double angle = static_cast<double>(i), up = dimensions == 3 ? 0.5 : 0;
      velocity.push_back(3 * std::cos(angle), 3 * std::sin(angle), up);
      square = 9 + up * up;
    }
    write_run(domain, 201, 0.1, from, velocity);
    for (const int origins : {1, 7}) {
      const auto all = charts("mean-square-displacement", fmt::format("origins = {}\n", origins)).front().curves;
      const auto& s = all.front();
      ASSERT_EQ(s.time.size(), origins == 1 ? 201U : 101U);
      for (std::size_t k = 0; k < s.time.size(); ++k) {
        const double t = s.x[k];
        EXPECT_NEAR(t, 0.1 * static_cast<double>(k), 1e-9);
        EXPECT_NEAR(s.y[k], square * t * t, 1e-9 * (1 + square * t * t)) << kinds << k;
      }
      EXPECT_EQ(s.remark, ", no diffusion: slope 2.00") << "free flight";
      EXPECT_EQ(all.size(), 1U);
    }
  }
}

TEST_F(BoxFigures, DistancesUseNearestImagesAndOnlyConservedQuantitiesAreShown) {
  const sim::Domain domain = domain_of(2, {1, 1.5, 0}, "pp");
  sim::Vectors from, velocity;
  from.push_back(0.1, 0.2, 0);
  from.push_back(0.9, 1.4, 0);
  velocity.push_back(0, 0, 0);
  velocity.push_back(0.3, 0, 0);
  write_run(domain, 21, 0.1, from, velocity);
  const render::Curve s = curve("separation");
  EXPECT_NEAR(s.y.front(), std::hypot(0.2, 0.3), 1e-12);
  for (const double d : s.y) EXPECT_FALSE(d > std::hypot(0.5, 0.3) + 1e-12);
  EXPECT_EQ(charts("conserved").front().curves.size(), 2U) << "energy and momentum";
  EXPECT_THAT(complaint([&] { (void)charts("virial"); }), HasSubstr("\"thermodynamics\" shows the pressure"));
  const auto rows = charts("thermodynamics");
  ASSERT_EQ(rows.size(), 1U) << "temperature and pressure are of forces with a cutoff";
  EXPECT_EQ(rows[0].y.name, "E/N");
  EXPECT_EQ(rows[0].curves.front().time.size(), 21U);
  write_run(domain_of(2, {1, 1.5, 0}, "rr"), 21, 0.1, from, velocity);
  EXPECT_NEAR(curve("separation").y.front(), std::hypot(0.8, 1.2), 1e-12);
  EXPECT_EQ(charts("conserved").front().curves.size(), 1U);
}

TEST_F(BoxFigures, InterpolatedFramesStayInTheBox) {
  const sim::Domain domain = domain_of(3, {1, 1.5, 2}, "prp", {-0.3, 0, 0});
  const std::size_t bodies = 60;
  const sim::Vectors from = gas(bodies, domain, 5);
  sim::Vectors velocity;
  for (std::size_t i = 0; i < bodies; ++i)
    velocity.push_back(std::cos(1.0 * static_cast<double>(i)), std::sin(2.0 * static_cast<double>(i)),
                       0.5 * std::cos(3.0 * static_cast<double>(i)));
  write_run(domain, 41, 0.25, from, velocity);
  const TrajectoryReader run(folder_ / "run.h5");
  FilmFrames frames(run);
  const render::Bounds bounds = bounds_of(domain);
  render::Frame before = frames.at(0);
  for (int k = 1; k <= 4000; ++k) {
    const double time = 10.0 * k / 4000;
    const render::Frame now = frames.at(time);
    for (std::size_t i = 0; i < now.position.size(); ++i) {
      const std::size_t axis = i % 3;
      const double x = now.position[i],
                   way = render::nearest(x - static_cast<double>(before.position[i]), bounds.period(axis));
      ASSERT_GE(x, static_cast<float>(bounds.low[axis]));
      ASSERT_LE(x, static_cast<float>(bounds.high[axis]));
      // At most as fast as the body, except where a wall reflects it.
      ASSERT_LT(std::abs(way), axis == 1 ? 0.012 : 0.0026) << time;
      if (axis == 1) continue;
      const std::size_t body = i / 3;
      const double start = axis == 0 ? from.x[body] : from.z[body], v = axis == 0 ? velocity.x[body] : velocity.z[body];
      ASSERT_NEAR(render::nearest(x - start - v * time, bounds.period(axis)), 0, 2e-6) << time;
    }
    before = now;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
