// SPDX-License-Identifier: MIT
// Several runs in one chart or one picture of bodies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

#include "tests/complaint.hpp"
#include "tests/pipeline/chart_support.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* planets = R"(title = "Planets"
[initial]
kind = "table"
bodies = [{ name = "Sun", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "Near", mass = 1e-3, position = [1, 0, 0], velocity = [0, 1.1, 0] },
          { name = "Far", mass = 1e-4, position = [0, 3, 0], velocity = [-0.6, 0, 0.1] }]
[integrator]
kind = "leapfrog"
dt = 0.02
steps = 257
[trajectory]
frames = 66
)";

class OtherRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    write(folder_ / "t.toml", planets);
    simulate("a");
    simulate("b", {"integrator.dt=0.04"});
  }
  void simulate(const std::string& name, const std::vector<std::string>& keys = {}) {
    testing::simulate(folder_, "t.toml", name, keys);
  }
  std::vector<render::Chart> charts(std::string_view kind, const std::string& keys) {
    return charts_of_run(folder_ / "a/run.h5", kind, keys);
  }
  Outcome render(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "render");
    return run(folder_, arguments);
  }
  Folder folder_;
};

const std::string with_b = "others = [\"../b/run.h5\"]\n";

std::vector<std::string> names_of(const render::Chart& chart) {
  std::vector<std::string> names;
  for (const render::Curve& curve : chart.curves) names.push_back(curve.name);
  return names;
}

TEST_F(OtherRuns, OneCurveOfEachIsNamedByItsRun) {
  const auto both = charts("separation", "bodies = [\"Sun\", \"Far\"]\n" + with_b);
  ASSERT_EQ(both.size(), 1U);
  EXPECT_THAT(names_of(both[0]), ElementsAre("dt = 0.02", "dt = 0.04"));
  EXPECT_THAT(both[0].runs, IsEmpty());
  EXPECT_EQ(both[0].y.name, "distance Sun – Far");
  for (const std::size_t k : {0U, 1U}) {
    const auto alone =
        charts_of_run(folder_ / (k == 0 ? "a/run.h5" : "b/run.h5"), "separation", "bodies = [\"Sun\", \"Far\"]\n");
    EXPECT_EQ(both[0].curves[k].run, k);
    EXPECT_EQ(both[0].curves[k].x, alone[0].curves[0].x);
    EXPECT_EQ(both[0].curves[k].y, alone[0].curves[0].y);
  }
  EXPECT_NE(both[0].curves[0].x.back(), both[0].curves[1].x.back()) << "each has its own end";
}

TEST_F(OtherRuns, SeveralCurvesOfEachHaveTheDashesOfTheirRun) {
  const auto both = charts("elements", with_b + "labels = [\"mine\", \"theirs\"]\n");
  ASSERT_EQ(both.size(), 3U);
  for (const render::Chart& chart : both) {
    EXPECT_THAT(names_of(chart), ElementsAre("Near", "Far", "Near", "Far"));
    EXPECT_THAT(chart.runs, ElementsAre("mine", "theirs"));
    EXPECT_EQ(chart.curves[1].bodies, chart.curves[3].bodies) << "a body has one colour";
    EXPECT_EQ(chart.curves[0].run, 0U);
    EXPECT_EQ(chart.curves[3].run, 1U);
  }
  EXPECT_THAT(orrery::complaint([&] { (void)charts("elements", with_b + "labels = [\"Near\", \"Far\", \"c\"]\n"); }, 2),
              HasSubstr("are 3 for 2 runs: dt = 0.02, dt = 0.04"));
}

TEST_F(OtherRuns, EveryChartOverTimeShowsThem) {
  std::set<std::string_view> kinds;
  for (const FigureDescription& kind : figure_descriptions()) {
    const bool others = std::ranges::find(kind.parameters, "others", &Parameter::name) != kind.parameters.end();
    if (others) kinds.insert(kind.name);
    if (!others || kind.name == "convergence" || kind.name == "work-precision" || kind.name == "projection") continue;
    std::string keys = with_b;
    if (kind.name == "lagrangian-radii") keys += "shares = [99.92, 99.995]\n";  // above that of the Sun
    if (kind.name == "divergence") keys += "from = \"exact\"\n";
    if (kind.name == "divergence") {
      EXPECT_THAT(orrery::complaint([&] { (void)charts(kind.name, keys); }, 2), HasSubstr("only of two bodies"));
      continue;
    }
    const auto alone = charts_of_run(folder_ / "a/run.h5", kind.name, keys.substr(with_b.size()));
    const auto both = charts(kind.name, keys);
    ASSERT_EQ(both.size(), alone.size()) << kind.name;
    std::size_t one = 0, two = 0;
    for (const render::Chart& chart : alone)
      one += static_cast<std::size_t>(
          std::ranges::count_if(chart.curves, [](const auto& c) { return c.stroke != render::Curve::Stroke::dashed; }));
    for (const render::Chart& chart : both)
      two += static_cast<std::size_t>(
          std::ranges::count_if(chart.curves, [](const auto& c) { return c.stroke != render::Curve::Stroke::dashed; }));
    EXPECT_EQ(two, 2 * one) << kind.name;
  }
  for (const char* kind : {"energy", "energy-error", "separation", "phase", "elements", "radial-velocity", "angle",
                           "sky", "transit", "conserved", "virial", "lagrangian-radii", "mass-segregation", "escapers",
                           "thermodynamics", "divergence", "convergence", "projection"})
    EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST_F(OtherRuns, AGuideIsAsLongAsTheLongestRun) {
  const auto both = charts("virial", with_b);
  const render::Curve& guide =
      *std::ranges::find(both[0].curves, render::Curve::Stroke::dashed, &render::Curve::stroke);
  EXPECT_THAT(guide.x, ElementsAre(0.0, 0.04 * 257));
  EXPECT_EQ(std::ranges::count(both[0].curves, render::Curve::Stroke::dashed, &render::Curve::stroke), 1);
  EXPECT_THAT(names_of(both[0]), ElementsAre("dt = 0.02", "", "dt = 0.04"));
}

TEST_F(OtherRuns, NumbersAreInTheUnitsOfTheFirst) {
  const std::string orbit =
      "[initial]\nkind = \"table\"\nrecentre = false\nbodies = [{ mass = \"1 Msun\", position = [0, 0, 0], "
      "velocity = [0, 0, 0] }, { mass = 0, position = [\"1 au\", 0, 0], velocity = [0, \"29.8 km/s\", 0] }]\n"
      "[integrator]\nkind = \"leapfrog\"\ndt = \"3 d\"\nsteps = 122\n";
  write(folder_ / "astro.toml", "units = \"astronomical\"\n" + orbit);
  write(folder_ / "si.toml", "units = \"si\"\n" + orbit);
  testing::simulate(folder_, "astro.toml", "astro");
  testing::simulate(folder_, "si.toml", "si");
  const auto both = charts_of_run(folder_ / "astro/run.h5", "separation", "others = [\"../si/run.h5\"]\n");
  const auto& [own, other] = std::pair{both[0].curves[0], both[0].curves[1]};
  ASSERT_EQ(own.y.size(), other.y.size());
  for (std::size_t i = 0; i < own.y.size(); ++i) {
    EXPECT_NEAR(other.x[i], own.x[i], 1e-8 * 366);
    EXPECT_NEAR(other.y[i], own.y[i], 1e-8);
  }
  EXPECT_THAT(orrery::complaint([&] { (void)charts_of_run(folder_ / "astro/run.h5", "separation", with_b); }, 2),
              AllOf(HasSubstr("f.toml:4:10: "), HasSubstr("b/run.h5 has no units, this run counts time in d")));
}

TEST_F(OtherRuns, BodiesAreTheSameByNameOrNumber) {
  const std::string nameless = std::regex_replace(planets, std::regex("name = \"[A-Z][a-z]+\", "), "");
  write(folder_ / "n.toml", nameless);
  testing::simulate(folder_, "n.toml", "n");
  EXPECT_THAT(names_of(charts("elements", "others = [\"../n/run.h5\"]\n")[0]),
              ElementsAre("Near", "Far", "Near", "Far"));
  const std::string swapped = std::regex_replace(planets, std::regex("Near"), "Mars");
  write(folder_ / "m.toml", swapped);
  testing::simulate(folder_, "m.toml", "m");
  const auto both = charts("elements", "others = [\"../m/run.h5\"]\n");
  EXPECT_THAT(names_of(both[0]), ElementsAre("Near", "Far", "Mars", "Far"));
  EXPECT_NE(both[0].curves[0].bodies, both[0].curves[2].bodies) << "Mars is another body";
  EXPECT_EQ(both[0].curves[1].bodies, both[0].curves[3].bodies);
}

TEST_F(OtherRuns, WhatDoesNotFitIsRefusedInOneLine) {
  write(folder_ / "two.toml", "[initial]\nkind = \"two-body\"\n[integrator]\ndt = 0.02\nsteps = 33\n");
  testing::simulate(folder_, "two.toml", "two");
  const auto refused = [&](const std::string& kind, const std::string& keys) {
    return orrery::complaint([&] { (void)charts(kind, keys); }, 2);
  };
  EXPECT_THAT(refused("separation", "others = [\"../two/run.h5\"]\n"), HasSubstr("different numbers of curves"));
  EXPECT_THAT(refused("separation", "bodies = [\"Sun\", \"Far\"]\nothers = [\"../two/run.h5\"]\n"),
              AllOf(HasSubstr("two/run.h5: "), HasSubstr("no body")));
  simulate("n", {"trajectory.velocities=false"});
  EXPECT_THAT(refused("elements", "others = [\"../n/run.h5\"]\n"), HasSubstr("n/run.h5: stores no velocities"));
  std::string eight = "others = [";
  for (int k = 0; k < 7; ++k) eight += "\"../b/run.h5\", ";
  EXPECT_THAT(refused("energy", eight + "]\n"), HasSubstr("8 runs of several curves cannot be distinguished"));
  EXPECT_EQ(charts("escapers", eight + "]\n")[0].curves.size(), 8U);
  EXPECT_THAT(refused("energy", "others = [\"../none/run.h5\"]\n"), HasSubstr("no such file"));
}

TEST_F(OtherRuns, ProgramNamesThem) {
  if (!draws_pictures()) GTEST_SKIP();
  const Outcome drawn =
      render({"a/run.h5", "b/run.h5", "--figure", "elements", "--labels", "mine,theirs", "-o", "e.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  for (const char* name : {"Near", "Far", "mine", "theirs"})
    EXPECT_THAT(read(folder_ / "e.svg"), HasSubstr(fmt::format("aria-label=\"{}\"", name)));
  EXPECT_EQ(render({"a/run.h5", "b/run.h5", "--figure", "energy", "--labels", "mine,theirs", "-o", "e.csv"}).code, 0);
  EXPECT_THAT(read(folder_ / "e.csv"), AllOf(HasSubstr(",mine: total,"), HasSubstr(",theirs: kinetic,")));
  EXPECT_THAT(render({"a/run.h5", "b/run.h5", "--labels", "c,d"}).errors, HasSubstr("--figure"));
  EXPECT_THAT(render({"a/run.h5", "--figure", "density", "--labels", "c"}).errors, HasSubstr("density has no legend"));
  EXPECT_THAT(render({"a/run.h5", "b/run.h5", "--figure", "radial-profile"}).errors,
              AllOf(HasSubstr("shows one run; several are shown by projection, energy, "), HasSubstr("by divergence")));
}

TEST_F(OtherRuns, PathsOfSeveralRunsAreInOnePicture) {
  if (!draws_pictures()) GTEST_SKIP();
  simulate("c", {"integrator.kind=\"rk4\"", "initial.bodies[1].position=[8, 0, 0]"});
  const Outcome drawn =
      render({"a/run.h5", "b/run.h5", "--figure", "projection", "--labels", "mine,theirs", "-o", "p.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  const std::string picture = read(folder_ / "p.svg");
  EXPECT_THAT(picture, AllOf(HasSubstr("aria-label=\"mine\""), HasSubstr("aria-label=\"theirs\"")));
  EXPECT_THAT(render({"a/run.h5", "b/run.h5", "--figure", "projection", "-o", "p.mp4"}).errors,
              HasSubstr("a film shows the bodies of one run"));
  EXPECT_THAT(render({"a/run.h5", "b/run.h5", "--figure", "projection", "--labels", "x"}).errors,
              HasSubstr("are 1 for 2 runs: this run, ../b/run.h5"));
  EXPECT_THAT(render({"a/run.h5", "b/run.h5", "--figure", "projection", "--set", "figure[0].color_by=\"mass\""}).errors,
              HasSubstr("colours stand for the runs"));
  // The picture can be drawn again from itself.
  EXPECT_EQ(run(folder_, {"run", "p.svg", "--quiet"}).code, 0);
  EXPECT_EQ(read(folder_ / "p/p.svg"), picture);
}

TEST_F(OtherRuns, ExactOrbitIsThatOfTheClosedForm) {
  const std::string steps =
      "[integrator]\nkind = \"rk4\"\ndt = \"1/300 period\"\ntime = \"3.3 periods\"\n[trajectory]\nframes = 33\n";
  write(folder_ / "k.toml", "[initial]\nkind = \"two-body\"\nmasses = [1.0, 0.4]\neccentricity = 0.6\n" + steps);
  testing::simulate(folder_, "k.toml", "k");
  testing::simulate(folder_, "k.toml", "k2", {"integrator.dt=\"1/600 period\""});
  const auto both = charts_of_run(folder_ / "k/run.h5", "divergence",
                                  "from = \"exact\"\nbodies = [\"1\"]\nothers = [\"../k2/run.h5\"]\n");
  const auto &coarse = both[0].curves[0].y, &fine = both[0].curves[1].y;
  EXPECT_EQ(coarse.front(), 0);
  EXPECT_NEAR(std::log2(coarse.back() / fine.back()), 4, 0.35) << "the order of rk4";
  // The same orbit as a table, turned and drifting, whose closed form follows from its first frame.
  const TrajectoryReader trajectory(folder_ / "k/run.h5");
  const sim::Snapshot start = trajectory.snapshot(0);
  std::string table = "[initial]\nkind = \"table\"\nrecentre = false\nrotate = [20, 30, 40]\nbodies = [";
  for (const std::size_t i : {0U, 1U}) {
    table += fmt::format("{{ mass = {}, position = [{}, {}, {}], velocity = [{}, {}, {}] }}, ", i == 0 ? 1.0 : 0.4,
                         start.position.x[i], start.position.y[i], start.position.z[i], start.velocity.x[i] + 0.1,
                         start.velocity.y[i], start.velocity.z[i] - 0.2);
  }
  write(folder_ / "r.toml",
        table + "]\n" +
            fmt::format("[integrator]\nkind = \"rk4\"\ndt = {}\nsteps = {}\n[trajectory]\nframes = 33\n",
                        trajectory.record().dt, trajectory.record().steps));
  testing::simulate(folder_, "r.toml", "r");
  const auto turned = charts_of_run(folder_ / "r/run.h5", "divergence", "from = \"exact\"\nbodies = [\"1\"]\n");
  ASSERT_EQ(turned[0].curves[0].y.size(), coarse.size());
  for (std::size_t i = 1; i < coarse.size(); ++i) EXPECT_NEAR(turned[0].curves[0].y[i] / coarse[i], 1, 1e-3) << i;
}

TEST_F(OtherRuns, ExactOrbitNeedsOne) {
  const auto refused = [&](const std::string& keys) {
    return orrery::complaint([&] { (void)charts("divergence", keys); }, 2);
  };
  EXPECT_THAT(refused("from = \"exact\"\n"), HasSubstr("an exact orbit is known only of two bodies"));
  EXPECT_THAT(refused("from = \"exact\"\nother = \"../b/run.h5\"\n"), HasSubstr("remove `other`"));
  EXPECT_THAT(refused("other = \"../b/run.h5\"\n" + with_b), HasSubstr("add from = \"exact\""));
  EXPECT_THAT(refused(""), HasSubstr("from = \"exact\" for the distance from the exact orbit"));
  if (!draws_pictures()) return;
  write(folder_ / "k.toml",
        "[initial]\nkind = \"two-body\"\n[force]\nsoftening = 0.1\n[integrator]\ndt = 0.02\nsteps = 33\n");
  testing::simulate(folder_, "k.toml", "k");
  EXPECT_THAT(render({"k/run.h5", "--figure", "divergence", "--from", "exact"}).errors, HasSubstr("without softening"));
  EXPECT_THAT(render({"k/run.h5", "--figure", "energy", "--from", "exact"}).errors,
              HasSubstr("--from is for --figure"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
