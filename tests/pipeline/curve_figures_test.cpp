// SPDX-License-Identifier: MIT
// The numbers of curve figures from runs of the program: against closed forms, and for unusual runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chart_support.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view new_kinds[] = {"conserved", "virial", "lagrangian-radii", "radial-profile",
                                          "rotation-curve"};

class CurveFigures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  void simulate(const std::string& name, const std::string& text) {
    write(folder_ / (name + ".toml"), text);
    testing::simulate(folder_, name + ".toml", name);
  }
  std::vector<render::Chart> charts(const std::string& name, std::string_view kind, const std::string& keys = "",
                                    bool moving = false, std::optional<FrameRange> part = {}) {
    return charts_of_run(folder_ / (name + "/run.h5"), kind, keys, moving, part);
  }
  Folder folder_;
};

std::string kepler(const std::string& force, const std::string& more = "") {
  return "[initial]\nkind = \"two-body\"\nmasses = [1.0, 0.5]\neccentricity = 0.6\n" + force +
         "[integrator]\nkind = \"ias15\"\ndt = \"1/64 period\"\ntime = \"1 period\"\n" + more;
}

TEST_F(CurveFigures, ProfilesAreWithinTheDrawnPart) {
  simulate("a", kepler("", "[trajectory]\nframes = 17\n"));
  const TrajectoryReader run(folder_ / "a/run.h5");
  const auto film = charts("a", "radial-profile", "", true, FrameRange{3, 11});
  ASSERT_EQ(film.size(), 8U);
  EXPECT_EQ(film.front().moment, run.times()[3]);
  EXPECT_EQ(film.back().moment, run.times()[10]);
  const auto strided = charts("a", "rotation-curve", "", true, FrameRange{3, 12, 4});
  EXPECT_EQ(strided.back().moment, run.times()[11]);
  EXPECT_EQ(charts("a", "rotation-curve", "", true, FrameRange{5, 6}).size(), 1U);
  // Of a still the last and, dashed, the first one.
  const auto still = charts("a", "radial-profile", "", false, FrameRange{3, 11}).front();
  ASSERT_EQ(still.curves.size(), 2U);
  EXPECT_EQ(still.curves[0].y, film.front().curves[1].y);
  EXPECT_EQ(still.curves[1].y, film.back().curves[1].y);
}

TEST(TellingRows, ExtremesAndEndsAreKept) {
  std::vector<double> wave, fast;
  for (int i = 0; i < 100'003; ++i) {
    wave.push_back(i == 54'321 ? 9 : std::sin(1e-3 * i));
    fast.push_back(i < 7 ? std::nan("") : i == 77'777 ? -5 : std::cos(2.0 * i));
  }
  const std::vector<const std::vector<double>*> columns{&wave, &fast};
  const std::vector<std::size_t> rows = telling_rows(columns, 2000);
  EXPECT_LE(rows.size(), 2001U);
  EXPECT_GT(rows.size(), 1000U);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  EXPECT_EQ(rows.front(), 0U);
  EXPECT_EQ(rows.back(), 100'002U);
  EXPECT_THAT(rows, Contains(54'321U));
  EXPECT_THAT(rows, Contains(77'777U));
  EXPECT_EQ(telling_rows(columns, 100'003).size(), 100'003U);
}

TEST_F(CurveFigures, VirialOfAKeplerOrbitFollowsVisViva) {
  simulate("a", kepler(""));
  // 2T/|U| = 2 − r/a, a = 1: from 1 + e to 1 − e.
  const auto exact = charts("a", "virial").front().curves.front();
  ASSERT_EQ(exact.time.size(), 65U);
  EXPECT_NEAR(exact.y.front(), 1.6, 1e-12);
  EXPECT_NEAR(exact.y[32], 0.4, 1e-9);
  // The same from forces on bodies: a common drift has no effect.
  simulate("b", kepler("[force]\nkind = \"inverse-power\"\nexponent = 2\n"));
  const auto forces = charts("b", "virial").front().curves.front();
  ASSERT_EQ(forces.time.size(), 65U);
  for (std::size_t i = 0; i < 65; ++i) EXPECT_NEAR(forces.y[i], exact.y[i], 1e-9) << i;
  write(folder_ / "drift.toml", kepler("").replace(10, 0, "velocity = [3.0, 1.0, 0.0]\nrecentre = false\n"));
  ASSERT_EQ(run(folder_, {"simulate", "drift.toml", "--quiet", "-o", "c"}).code, 0);
  EXPECT_NEAR(charts("c", "virial").front().curves.front().y[32], 0.4, 1e-9);
}

TEST_F(CurveFigures, ConservedQuantitiesAreRelativeToStatedScales) {
  simulate("a", kepler(""));
  std::vector<std::string> names;
  const auto conserved = charts("a", "conserved");
  for (const auto& curve : conserved.front().curves) {
    names.push_back(curve.name.substr(0, curve.name.find(" = 0")));
    for (const double change : curve.y) EXPECT_LT(change, 1e-13) << curve.name;
    EXPECT_THAT(curve.time, Not(Contains(0))) << "the change since then";
  }
  EXPECT_THAT(names, ElementsAre("|ΔE|/|E₀|", "|Δp|/Σm|v|", "|ΔL|/|L₀|", "|Δx|/r"));
  // In a halo momentum is not conserved, and angular momentum about its axes only; a change of these is no error.
  const auto names_in = [&](const char* name, const std::string& halo) {
    simulate(
        name,
        "[initial]\nkind = \"table\"\nbodies = [{ mass = 2.0, position = [2, 1, 0.5], velocity = [0, 0.3, 0.1] },\n"
        "{ mass = 1.0, position = [-2, 1, 0.5], velocity = [0, -0.3, 0.1] }]\n"
        "[[force]]\nkind = \"gravity\"\n[[force]]\n" +
            halo + "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 200\n[trajectory]\nframes = 11\n");
    std::vector<std::string> all_names;
    const auto in_halo = charts(name, "conserved");
    for (const auto& curve : in_halo.front().curves) {
      all_names.push_back(curve.name.substr(0, curve.name.find(" = 0")));
      for (const double change : curve.y) EXPECT_LT(change, 1e-3) << curve.name;
    }
    return all_names;
  };
  const std::string plummer = "kind = \"plummer-halo\"\nmass = 1.0\nscale_length = 1.0\n";
  EXPECT_THAT(names_in("h", plummer), ElementsAre("|ΔE|/|E₀|", "|ΔL|/|L₀|"));
  EXPECT_THAT(names_in("o", plummer + "center = [0, 0, 3]\n"), ElementsAre("|ΔE|/|E₀|", "|ΔLz|/|L₀z|"));
  EXPECT_THAT(names_in("f", plummer + "center = [1, 2, 3]\n"), ElementsAre("|ΔE|/|E₀|"));
}

TEST_F(CurveFigures, ConservedSaysWhatItDoesNotShow) {
  simulate("a", kepler(""));
  EXPECT_EQ(charts("a", "conserved").front().title, "");
  simulate("m",
           "[initial]\nkind = \"table\"\nbodies = [{ mass = 2.0, position = [2, 1, 0.5], velocity = [0, 0.3, 0.1] },\n"
           "{ mass = 0, position = [-2, 1, 0.5], velocity = [0, -0.3, 0.1] }]\n[integrator]\ndt = 0.01\nsteps = 5\n");
  EXPECT_EQ(charts("m", "conserved").front().title, "of the bodies with mass alone");
  simulate("b",
           "[initial]\nkind = \"lattice\"\nn = 27\n[domain]\nedges = [4.0, 4.0, 4.0]\nboundary = \"periodic\"\n"
           "[force]\nkind = \"wca\"\n[integrator]\nkind = \"langevin\"\ndt = 0.001\nsteps = 9\nfriction = 1.0\n"
           "temperature = 1.0\n");
  const auto bath = charts("b", "conserved").front();
  ASSERT_EQ(bath.curves.size(), 1U);
  EXPECT_EQ(bath.title, "the heat bath exchanges energy: ΔE is no error");
  EXPECT_THAT(charts("b", "energy-error").front().curves.front().remark, HasSubstr(bath.title));
}

TEST_F(CurveFigures, RadiiAndProfilesOfACluster) {
  simulate("p",
           "[initial]\nkind = \"plummer\"\nn = 257\n[force]\nsoftening = 0.05\n[integrator]\nkind = \"leapfrog\"\n"
           "dt = 0.01\nsteps = 20\n[trajectory]\nframes = 5\n");
  const auto radii = charts("p", "lagrangian-radii", "about = \"origin\"\n").front().curves;
  ASSERT_EQ(radii.size(), 7U);
  EXPECT_EQ(radii.front().name, "90 %");
  EXPECT_EQ(radii.back().name, "1 %");
  EXPECT_EQ(radii[0].time.size(), 5U);
  for (std::size_t k = 1; k < 7; ++k) EXPECT_LT(radii[k].y[2], radii[k - 1].y[2]);
  const double a = 3 * M_PI / 16, s = std::cbrt(0.5);
  EXPECT_NEAR(radii[2].y[0], a * s / std::sqrt(1 - s * s), 0.12) << "half of the mass";
  EXPECT_EQ(charts("p", "lagrangian-radii", "shares = [0.1, 20.0]\n").front().curves.size(), 2U);

  const auto still = charts("p", "radial-profile").front();
  ASSERT_EQ(still.curves.size(), 3U) << "the start, and the formula";
  EXPECT_EQ(still.curves.front().note, "closed form");
  EXPECT_EQ(charts("p", "radial-profile", "", true).size(), 5U);
  EXPECT_EQ(charts("p", "rotation-curve", "", true).back().moment,
            TrajectoryReader(folder_ / "p/run.h5").times().back());
  EXPECT_GT(charts("p", "virial").front().curves.front().y.back(), 0.7);
}

TEST_F(CurveFigures, MotionsAndMassesOfACluster) {
  simulate("p",
           "[[initial]]\nkind = \"plummer\"\nn = 257\nmass = 0.9\n[[initial]]\nkind = \"plummer\"\nn = 33\nmass = 0.3\n"
           "virial_radius = 0.5\nvirial_ratio = 3.0\n[force]\nsoftening = 0.05\n[integrator]\nkind = \"leapfrog\"\n"
           "dt = 0.01\nsteps = 20\n[trajectory]\nframes = 5\n");
  const auto spread = charts("p", "dispersion").front();
  ASSERT_EQ(spread.curves.size(), 4U);
  EXPECT_EQ(spread.curves[0].name, "radial, start");
  EXPECT_EQ(spread.curves[3].name, "tangential, end");
  EXPECT_EQ(spread.curves[0].x.size(), 8U);
  const auto beta = charts("p", "anisotropy", "bodies = [\"0:99\"]\n").front();
  ASSERT_EQ(beta.curves.size(), 2U);
  const double t = spread.curves[3].y[2] / spread.curves[2].y[2];
  EXPECT_EQ(charts("p", "anisotropy").front().curves[1].y[2], 1 - t * t);
  EXPECT_EQ(charts("p", "anisotropy", "", true).size(), 5U);
  const auto groups = charts("p", "mass-segregation", "about = \"origin\"\n").front().curves;
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].name, "0.0035 to 0.00909");
  EXPECT_LT(groups[0].y[0], groups[1].y[0]) << "the heavy ones were put into the middle";
  const auto few = charts("p", "mass-segregation", "bodies = [\"0:9\"]\n").front();
  EXPECT_TRUE(few.curves.empty());
  EXPECT_THAT(few.empty, HasSubstr("same mass"));
  const auto unbound = charts("p", "escapers").front().curves.front().y;
  ASSERT_EQ(unbound.size(), 5U);
  EXPECT_GT(unbound[0], 0) << "some of the hot ones";
  EXPECT_LT(unbound[0], 25);
}

TEST_F(CurveFigures, RatiosOfProfilesAreToTheFormulaOrToTheStart) {
  simulate("p",
           "[initial]\nkind = \"plummer\"\nn = 1003\n[force]\nsoftening = 0.05\n[integrator]\nkind = \"leapfrog\"\n"
           "dt = 0.01\nsteps = 2\n");
  const auto both = charts("p", "radial-profile", "ratio = true\n");
  ASSERT_EQ(both.size(), 2U);
  ASSERT_EQ(both[1].curves.size(), 3U) << "start, end and the guide";
  const double a = 3 * M_PI / 16;
  for (std::size_t k = 2; k < 9; ++k) {
    const double q = 1 + std::pow(both[1].curves[0].x[k] / a, 2),
                 formula = 3 / (4 * M_PI * a * a * a) / std::pow(q, 2.5);
    EXPECT_NEAR(both[1].curves[0].y[k], both[0].curves[1].y[k] / formula, 1e-3) << k;
  }
  simulate("c",
           "[initial]\nkind = \"random-cube\"\nn = 257\n[force]\nsoftening = 0.05\n[integrator]\nkind = \"leapfrog\"\n"
           "dt = 1e-9\nsteps = 2\n");
  const auto cube = charts("c", "radial-profile", "ratio = true\n");
  ASSERT_EQ(cube[1].curves.size(), 2U);
  EXPECT_NEAR(cube[1].curves[0].y[4], 1, 1e-6) << "the end over the start";
}

TEST_F(CurveFigures, RotationCurvesAreByComponent) {
  simulate("g",
           "[initial]\nkind = \"galaxy\"\nn = 2000\n[force]\nsoftening = 0.05\n[integrator]\nkind = \"leapfrog\"\n"
           "dt = 0.01\nsteps = 1\n");
  const auto both = charts("g", "rotation-curve");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].curves[0].name, "disk");
  EXPECT_EQ(both[1].curves[1].name, "bulge");
  const auto mean = [&](std::size_t chart, std::size_t curve) {
    const std::vector<double>& y = both[chart].curves[curve].y;
    return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  };
  EXPECT_GT(mean(0, 0), 0.3) << "the disk turns";
  EXPECT_LT(std::abs(mean(0, 1)), 0.15) << "the bulge does not";
  EXPECT_GT(mean(1, 1), mean(1, 0)) << "but is hot";
}

TEST_F(CurveFigures, HeavyStarDoesNotHideProfilesOfItsDisk) {
  std::string bodies = "{ name = \"Sun\", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }";
  for (int i = 0; i < 300; ++i) {
    const double r = std::sqrt(0.09 + 0.91 * (i + 0.5) / 300), a = 2.4 * i, v = 1 / std::sqrt(r);
    bodies += fmt::format(", {{ mass = 1e-9, position = [{}, {}, 0], velocity = [{}, {}, 0] }}", r * std::cos(a),
                          r * std::sin(a), -v * std::sin(a), v * std::cos(a));
  }
  simulate("d", "[initial]\nkind = \"table\"\nbodies = [" + bodies +
                    "]\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 2\n");
  const auto rings = charts("d", "rotation-curve").front().curves.front();
  EXPECT_NEAR(rings.y[0] * std::sqrt(rings.x[0]), 1, 0.1) << "the innermost ring";
  const auto profile = charts("d", "radial-profile").front();
  EXPECT_EQ(profile.title, "without Sun");
  for (const auto& curve : profile.curves) EXPECT_LT(std::ranges::max(curve.y), 1e-6);
  EXPECT_TRUE(charts("d", "lagrangian-radii").front().curves.empty()) << "all shares are the star's";
  const auto disk = charts("d", "lagrangian-radii", "bodies = [\"1\", \"2\", \"3\", \"4\"]\n").front().curves;
  ASSERT_EQ(disk.size(), 4U);
  EXPECT_NEAR(disk[3].y[0], 0.3, 0.02) << "a quarter, of the nearest";
  const auto bodies_in = [&](const char* kind, const char* keys) { return charts("d", kind, keys)[0].curves; };
  EXPECT_THAT(bodies_in("separation", "bodies = [\"7\", \"0\"]\n")[0].bodies, ElementsAre(7, 0));
  EXPECT_THAT(bodies_in("phase", "bodies = [\"7\", \"0\"]\n")[1].bodies, ElementsAre(0));
  EXPECT_THAT(bodies_in("elements", "bodies = [\"9\"]\n")[0].bodies, ElementsAre(9));
}

TEST_F(CurveFigures, UnusualRunsAreDrawn) {
  const std::string end = "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 4\n";
  const auto bodies = [&](std::initializer_list<double> masses) {
    std::string text = "[initial]\nkind = \"table\"\nbodies = [";
    int i = 0;
    for (const double m : masses) {
      text += fmt::format("{}{{ mass = {:.1f}, position = [{}, 0.5, 0], velocity = [0, {}, 0] }}", i > 0 ? ", " : "", m,
                          i + 1, 0.1 * i);
      ++i;
    }
    return text + "]\n" + end;
  };
  const auto drawn = [&](const std::string& text, std::string_view but = "") {
    std::string all = text;
    for (const std::string_view kind : new_kinds) {
      if (kind != but) all += fmt::format("[[figure]]\nkind = \"{0}\"\nfile = \"{0}.svg\"\nsize = [640, 480]\n", kind);
    }
    write(folder_ / "s.toml", all);
    Outcome outcome = run(folder_, {"run", "s.toml", "--quiet", "--force", "-o", "s"});
    EXPECT_EQ(outcome.code, 0) << text << outcome.errors;
    return outcome;
  };
  drawn(bodies({1}));
  EXPECT_THAT(read(folder_ / "s/radial-profile.svg"), HasSubstr("one body fills no volume"));
  EXPECT_THAT(read(folder_ / "s/virial.svg"), HasSubstr("no forces are felt"));
  drawn(bodies({0, 0}));
  drawn("units = \"astronomical\"\n" + bodies({1, 0, 2}));
  EXPECT_THAT(read(folder_ / "s/radial-profile.svg"), HasSubstr("density [M☉/au³]"));
  EXPECT_THAT(read(folder_ / "s/rotation-curve.svg"), HasSubstr("[au/d]"));
  drawn(bodies({1, 2}) + "[trajectory]\nframes = 1\n");
  drawn(bodies({1, 2, 1}) + "[trajectory]\nbodies = [\"0\", \"2\"]\n");
  EXPECT_THAT(read(folder_ / "s/conserved.svg"), HasSubstr("|Δp|")) << "not all bodies are known";
  const std::string still = bodies({1, 2}) + "[trajectory]\nvelocities = false\n";
  drawn(still, "rotation-curve");
  simulate("still", still);
  EXPECT_THAT(run(folder_, {"render", "still/run.h5", "--figure", "rotation-curve"}).errors,
              HasSubstr("velocities = true"));
  simulate("some-soft", with(bodies({1, 2, 1}), "[integrator]", "[force]\nsoftening = 0.1\n[integrator]") +
                            "[trajectory]\nbodies = [\"0\", \"2\"]\n");
  EXPECT_THAT(run(folder_, {"render", "some-soft/run.h5", "--figure", "virial"}).errors, HasSubstr("without `bodies`"));
}

TEST_F(CurveFigures, ClosestApproachBetweenFramesIsFound) {
  // a = 1, e = 0.6: closest 0.4 at 0, 1 and 2 periods; the second lies halfway between two frames, forward and backward.
  for (const std::string sign : {"", "-"}) {
    const std::string name = sign.empty() ? "forward" : "backward";
    const std::string text = with(kepler("", "[trajectory]\nframes = 60\n"), "1 period", "2 periods");
    simulate(name, with(with(text, "\"2 periods", "\"" + sign + "2 periods"), "1/64", sign + "1/590"));
    const auto pair = charts(name, "separation").front().curves.front();
    ASSERT_EQ(pair.time.size(), 61U) << "and one between";
    EXPECT_NEAR(std::abs(pair.time[30]), 2 * M_PI / std::sqrt(1.5), 1e-3);
    EXPECT_NEAR(pair.y[30], 0.4, 0.004) << "the hundredth that is promised";
    EXPECT_GT(pair.y[29], 0.41) << "which the frames miss";
  }
  // Five or six frames per orbit do not resolve the motion between them.
  simulate("c", with(kepler("", "[trajectory]\nframes = 12\n"), "1 period", "2 periods"));
  const auto seen = [&](const std::string& name) {
    const render::Chart chart = charts(name, "separation").front();
    EXPECT_THAT(chart.remark, HasSubstr(" frames are too few: what lies between is not seen"));
    return std::ranges::count_if(chart.curves.front().y, [](double d) { return std::isfinite(d); });
  };
  EXPECT_EQ(seen("c"), 12) << "though the second pericentre is halfway";
  simulate("d", kepler("", "[trajectory]\nframes = 33\nvelocities = false\n"));
  EXPECT_EQ(seen("d"), 33);
}

TEST_F(CurveFigures, RadialVelocityAtTheOriginIsOutward) {
  simulate("a",
           "[initial]\nkind = \"table\"\nrecentre = false\n"
           "bodies = [{ mass = 1.0, position = [0, 0, 0], velocity = [3, 4, 0] }]\n"
           "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 2\n");
  const auto phase = charts("a", "phase", "coordinate = \"r\"\n").front().curves.front();
  for (const double speed : phase.y) EXPECT_NEAR(speed, 5, 1e-12);
}

TEST_F(CurveFigures, AllCanBeFilmed) {
  std::string text =
      "[initial]\nkind = \"plummer\"\nn = 33\n[force]\nsoftening = 0.05\n[integrator]\nkind = \"leapfrog\"\n"
      "dt = 0.01\nsteps = 20\n[trajectory]\nframes = 5\n";
  for (const std::string_view kind : new_kinds)
    text += fmt::format("[[film]]\nkind = \"{0}\"\nfile = \"{0}.mp4\"\nsize = [320, 240]\nduration = 0.2\n", kind);
  write(folder_ / "f.toml", text);
  const Outcome outcome = run(folder_, {"run", "f.toml", "--quiet", "-o", "f"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const std::string_view kind : new_kinds)
    EXPECT_TRUE(std::filesystem::exists(folder_ / fmt::format("f/{}.mp4", kind))) << kind;
}

}  // namespace
}  // namespace orrery::pipeline::testing
