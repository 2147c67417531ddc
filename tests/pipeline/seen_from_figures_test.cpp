// SPDX-License-Identifier: MIT
// Figures of what an observer sees: velocities along a line of sight, angles, paths across the sky.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chart_support.hpp"
#include "sim/initial_state.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

class SeenFromFigures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  void simulate(const std::string& text) {
    write(folder_ / "a.toml", text);
    testing::simulate(folder_, "a.toml", "a");
  }
  render::Chart chart(std::string_view kind, const std::string& keys = "") {
    return charts_of_run(folder_ / "a/run.h5", kind, keys, false, {}).front();
  }
  Folder folder_;
};

/// m = 1 and 0.5, a = 1.3, e = 0.6: µ = 1.5.
constexpr const char* eccentric_orbit =
    "[initial]\nkind = \"two-body\"\nmasses = [1.0, 0.5]\nsemi_major_axis = 1.3\neccentricity = 0.6\n"
    "[integrator]\nkind = \"ias15\"\ndt = \"1/1024 period\"\ntime = \"1.1 periods\"\n[trajectory]\nevery = 1\n";

TEST_F(SeenFromFigures, RadialVelocityHasTheAmplitudeOfTheOrbit) {
  simulate(eccentric_orbit);
  const double K = 0.5 / 1.5 * std::sqrt(1.5 / (1.3 * (1 - 0.36)));  // of the heavier body
  for (const char* sight : {"[0.0, 2.0, 0.0]", "[1.0, 0.0, 0.0]", "[-0.3, 0.4, 0.0]"}) {
    const auto y = chart("radial-velocity", std::string("line_of_sight = ") + sight).curves.at(0).y;
    const auto [low, high] = std::ranges::minmax(y);
    EXPECT_NEAR((high - low) / 2, K, 1e-5) << sight;
  }
  const auto lighter = chart("radial-velocity", "bodies = [\"1\"]\nline_of_sight = [0.0, 2.0, 0.0]");
  EXPECT_NEAR(lighter.curves.at(0).y.front(), 2 * K * 1.6, 1e-12);  // at pericentre
  EXPECT_THAT(lighter.y.name, HasSubstr("radial velocity of body 1"));
  const auto across = chart("radial-velocity", "line_of_sight = [0.0, 0.0, 1.0]").curves.at(0).y;
  EXPECT_EQ(*std::ranges::max_element(across), 0);
  EXPECT_THROW((void)chart("radial-velocity", "line_of_sight = [0.0, 0.0, 0.0]"), Error);
}

TEST_F(SeenFromFigures, AnglesOfATriangleAreSixtyDegrees) {
  simulate(
      "[initial]\nkind = \"lagrange-triangle\"\nmasses = [1.0, 2.0, 3.0]\n"
      "[integrator]\nkind = \"rk4\"\ndt = \"1/500 period\"\ntime = \"0.7 periods\"\n[trajectory]\nevery = 5\n");
  for (const char* from : {"0", "1", "2"}) {
    const render::Chart seen = chart("angle", std::string("from = \"") + from + "\"");
    ASSERT_EQ(seen.curves.size(), 1U);
    ASSERT_EQ(seen.curves[0].y.size(), 71U);
    for (const double angle : seen.curves[0].y) EXPECT_NEAR(angle, 60, 1e-5);
    EXPECT_THAT(seen.y.name, HasSubstr(std::string("from body ") + from));
  }
  EXPECT_THROW((void)chart("angle", "from = \"0\"\nbodies = [\"0\", \"1\"]"), Error);
}

/// On a Kepler orbit the speed over the distance is the vis-viva equation, and outwards it is what is left of that across.
TEST_F(SeenFromFigures, PhaseShowsAnyTwoColumns) {
  simulate(eccentric_orbit);
  const render::Chart chosen = chart("phase", "body = \"1\"\nx = \"r\"\ny = \"v\"");
  const render::Curve& vis_viva = chosen.curves.at(0);
  EXPECT_THAT(chosen.x.name, HasSubstr("r of body 1"));
  EXPECT_EQ(chosen.y.name, "v");
  for (const std::size_t k : {0U, 100U, 333U, 700U}) {
    const double share = 1.0 / 1.5, r = vis_viva.x.at(k) / share,
                 v = vis_viva.y.at(k) / share;  // of the relative orbit
    EXPECT_NEAR(v * v, 1.5 * (2 / r - 1 / 1.3), 1e-11) << k;
  }
  const auto usual = chart("phase", "body = \"1\"\ncoordinate = \"y\""),
             same = chart("phase", "body = \"1\"\nx = \"y\"\ny = \"vy\"");
  EXPECT_EQ(usual.curves.at(0).y, same.curves.at(0).y);
  EXPECT_EQ(usual.y.name, "dy/dt");
  EXPECT_THROW((void)chart("phase", "y = \"mass\""), Error);
}

/// The longitude of an orbit in the xy plane is its true anomaly; the path ends at 360° and begins again at 0°.
TEST_F(SeenFromFigures, SkyHasLongitudesAndDeclinations) {
  simulate(eccentric_orbit);
  const render::Curve path = chart("sky").curves.at(0);
  EXPECT_NEAR(path.x.front(), 0, 1e-12);
  EXPECT_NEAR(path.x.at(512), 180, 1e-9);  // half a period
  EXPECT_EQ(path.y.at(512), 0);
  EXPECT_EQ(std::ranges::count_if(path.x, [](double x) { return std::isnan(x); }), 1);
  EXPECT_TRUE(std::ranges::all_of(path.x, [](double x) { return std::isnan(x) || (x >= 0 && x <= 360); }));
  const render::Curve sky = chart("sky", "coordinates = \"equatorial\"").curves.at(0);
  const double obliquity = 84381.448 / 3600 * sim::pi / 180;
  for (const std::size_t k : {200U, 700U, 900U}) {
    const double longitude = path.x.at(k) * sim::pi / 180;
    EXPECT_NEAR(sky.y.at(k) * sim::pi / 180, std::asin(std::sin(obliquity) * std::sin(longitude)), 1e-12) << k;
  }
  EXPECT_THROW((void)chart("sky", "from = \"Mars\""), Error);
}

/// A star of radius 0.1, a planet of radius 0.01 on a nearly circular orbit of radius 1, and a body without a radius.
constexpr const char* passing_bodies = R"(
[initial]
kind = "table"
bodies = [
  { name = "star", mass = 1.0, radius = 0.1, position = [0, 0, 0], velocity = [0, 0, 0] },
  { name = "planet", mass = 1e-12, radius = 0.01, position = [1, 0.01, 0.03], velocity = [0, 1, 0] },
  { name = "bare", mass = 1e-12, position = [-2, 0, 0], velocity = [0, 0.7, 0] },
]
)";

TEST_F(SeenFromFigures, TransitsHaveTheDepthAndLengthOfTheirSpheres) {
  // Frames are 4° apart: half of a passage is shorter than two of them.
  simulate(std::string(passing_bodies) +
           "[integrator]\nkind = \"rk4\"\ndt = 0.01\ntime = 6.3\n[trajectory]\nframes = 91\n");
  const render::Curve curve = chart("transit", "line_of_sight = [-2.0, 0.0, 0.0]").curves.at(0);
  const auto [low, high] = std::ranges::minmax(curve.y);
  EXPECT_EQ(high, 1);
  EXPECT_NEAR(low, 1 - 0.01, 1e-9);        // (0.01 / 0.1)²
  const auto passed = [&](double level) {  // where the light comes back above a level
    std::size_t k = 0;
    while (curve.y.at(k) < level) ++k;
    const double part = (level - curve.y[k - 1]) / (curve.y[k] - curve.y[k - 1]);
    return curve.time[k - 1] + part * (curve.time[k] - curve.time[k - 1]);
  };
  // Half of the planet is past the edge of the star, to first order, where y² + z² = R²; y = sin(t + 0.01), nearly.
  EXPECT_NEAR(passed(0.995), std::asin(std::sqrt(0.01 - 0.0009)) - 0.01, 5e-4);
  EXPECT_EQ(*std::ranges::min_element(chart("transit", "line_of_sight = [0.0, 0.0, 1.0]").curves.at(0).y), 1);
  const auto darker = chart("transit", "line_of_sight = [-1.0, 0.0, 0.0]\nlimb_darkening = [0.5, 0.2]").curves.at(0).y;
  EXPECT_LT(*std::ranges::min_element(darker), low - 1e-3);
  // Two that shine, the planet half as much per area: 1 and 0.5/100 of the light; half a year later it is behind the star.
  const auto both =
      chart("transit", "line_of_sight = [-1.0, 0.0, 0.0]\nbodies = [\"star\", \"planet\"]\nbrightness = [1.0, 0.5]")
          .curves.at(0);
  EXPECT_NEAR(both.y.front(), 1 - 0.01 / 1.005, 1e-9);
  const auto half = std::ranges::lower_bound(both.time, sim::pi) - both.time.begin();
  EXPECT_NEAR(both.y.at(static_cast<std::size_t>(half)), 1 - 0.005 / 1.005, 1e-9);
}

TEST_F(SeenFromFigures, TransitsThatCannotBeFollowedAreGaps) {
  simulate(std::string(passing_bodies) +
           "[integrator]\nkind = \"rk4\"\ndt = 0.01\ntime = 31.5\n[trajectory]\nframes = 7\n");
  const render::Chart seen = chart("transit");
  EXPECT_TRUE(std::ranges::any_of(seen.curves.at(0).y, [](double y) { return std::isnan(y); }));
  EXPECT_THAT(seen.remark, HasSubstr("too far apart"));
  const render::Chart bare = chart("transit", "bodies = [\"bare\"]");
  EXPECT_TRUE(bare.curves.at(0).y.empty());
  EXPECT_THAT(bare.empty, HasSubstr("need a `radius`"));
  for (const char* wrong : {"brightness = [1.0, 2.0]", "line_of_sight = [0.0, 0.0, 0.0]"})
    EXPECT_THROW((void)chart("transit", wrong), Error) << wrong;
}

}  // namespace
}  // namespace orrery::pipeline::testing
