// SPDX-License-Identifier: MIT
// Numbers of files beside the curves of a run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/complaint.hpp"
#include "tests/pipeline/chart_support.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DataCurves : public ::testing::Test {
 protected:
  void SetUp() override {
    write(folder_ / "t.toml",
          "units = \"astronomical\"\n[initial]\nkind = \"table\"\nbodies = [{ name = \"Sun\", mass = 1, position = [0, "
          "0, 0], "
          "velocity = [0, 0, 0] }, { name = \"Earth\", mass = 3e-6, position = [1, 0, 0], velocity = [0, 0.017, 0] }]\n"
          "[integrator]\nkind = \"leapfrog\"\ndt = 2\nsteps = 257\n");
    testing::simulate(folder_, "t.toml", "a");
  }
  std::vector<render::Chart> charts(std::string_view kind, const std::string& keys) {
    return charts_of_run(folder_ / "a/run.h5", kind, keys);
  }
  /// The message about energy.csv of this text.
  std::string refused(const std::string& text, const std::string& keys = "") {
    write(folder_ / "energy.csv", text);
    return orrery::complaint([&] { (void)charts("energy-error", "data = [\"../energy.csv\"]\n" + keys); }, 2);
  }
  Folder folder_;
};

TEST_F(DataCurves, JoinThePanelsOfTheirQuantity) {
  write(folder_ / "energy.csv", "# mine\nE, t, dE\n-1, 0, 0\n-1.1, 10, -1e-5\n\n-1.2, 33.5, 2e-5\n");
  const auto both = charts("energy-error", "data = [\"../energy.csv\"]\ncolumns = [\"t,dE\"]\n");
  ASSERT_EQ(both.size(), 2U);
  for (const render::Chart& chart : both) {
    const render::Curve& own = chart.curves.back();
    EXPECT_EQ(chart.curves.front().name, "a");
    EXPECT_EQ(own.name, "energy");
    EXPECT_TRUE(own.of_file);
    EXPECT_THAT(own.x, ElementsAre(0.0, 10.0, 33.5));
    const double sign = chart.y.logarithmic ? 1 : -1;
    EXPECT_THAT(own.y, ElementsAre(0.0, sign * 1e-5, 2e-5));
  }
  write(folder_ / "e.txt", "0 0.1\n100 0.2\n");
  const auto elements = charts("elements",
                               "data = [\"../e.txt\", \"../energy.csv\"]\ncolumns = [\"1,2\", \"t,E\"]\n"
                               "labels = [\"run\", \"theirs\", \"E\"]\n");
  EXPECT_EQ(elements[0].curves.size(), 3U) << "no panel is named E";
  EXPECT_EQ(elements[1].curves.size(), 1U);
  write(folder_ / "e.txt", "t;e\n0,5;0,1\n100;0,2\n");
  const auto named = charts("elements", "data = [\"../e.txt\"]\n");
  EXPECT_EQ(named[0].curves.size(), 1U);
  EXPECT_THAT(named[1].curves.at(1).x, ElementsAre(0.5, 100.0)) << "with decimal commas";
}

TEST_F(DataCurves, ColumnsMayHaveUnits) {
  write(folder_ / "d.csv", "t [yr],r [km],q [K]\n1,149597870.7,3\n2,74798935.35,4\n");
  const auto both = charts("separation", "data = [\"../d.csv\"]\n");
  EXPECT_NEAR(both[0].curves[1].x[0], 365.25, 1e-9);
  EXPECT_NEAR(both[0].curves[1].y[1], 0.5, 1e-12);
  EXPECT_THAT(orrery::complaint([&] { (void)charts("separation", "data = [\"../d.csv\"]\ncolumns = [\"t,q\"]\n"); }, 2),
              HasSubstr("d.csv: column `q` is in K, which is not a unit of this axis (it is in au)"));
}

TEST_F(DataCurves, EmptyFieldsAreGapsAndThereMayBeManyRows) {
  std::string text = "\xEF\xBB\xBFt,e\n0,\n1,nan\n";
  for (int k = 2; k < 30'000; ++k) text += fmt::format("{},{}\n", k, k == 777 ? 5.0 : 0.1);
  write(folder_ / "long.csv", text);
  const render::Curve curve = charts("elements", "data = [\"../long.csv\"]\n")[1].curves.at(1);
  EXPECT_LE(curve.x.size(), 20'010U);
  EXPECT_TRUE(std::isnan(curve.y[0]));
  EXPECT_NE(std::ranges::find(curve.y, 5.0), curve.y.end()) << "what stands out is kept";
}

TEST_F(DataCurves, WhatIsNoSeriesIsRefusedWithItsPlace) {
  EXPECT_THAT(refused(""), HasSubstr("energy.csv: is empty"));
  EXPECT_THAT(refused("# only a comment\n\n"), HasSubstr("energy.csv: is empty"));
  EXPECT_THAT(refused("t,dE\n"), HasSubstr("energy.csv:1:1: has no numbers after its first line"));
  EXPECT_THAT(refused("t,dE\n0,0\n1,é2x\n"), HasSubstr("energy.csv:3:3: `é2x` is not a number"));
  EXPECT_THAT(refused("t,dE\n\"é\",0\n"), HasSubstr("energy.csv:2:1: `é` is not a number"));
  EXPECT_THAT(refused("t\n0\n"), HasSubstr("energy.csv:1:1: has one column"));
  EXPECT_THAT(refused("t,dE\n0,0\n1\n"), HasSubstr("energy.csv:3:1: has 1 columns, and column 2 is shown"));
  EXPECT_THAT(refused("time,dE\n0,0\n", "columns = [\"tiem,dE\"]\n"),
              AllOf(HasSubstr("energy.csv:1:1: has no column `tiem`"), HasSubstr("did you mean `time`?")));
  EXPECT_THAT(refused("0,0\n", "columns = [\"1,3\"]\n"), HasSubstr("its 2 columns have no names; give numbers"));
  EXPECT_THAT(refused("t,dE\n0,\xff\n"), HasSubstr("energy.csv:2:3: is not UTF-8"));
  EXPECT_THAT(refused("t,dE\n0,\"1\n"), HasSubstr("energy.csv:2:1: has a quote that is not closed"));
  EXPECT_THAT(refused("t,dE\n0,1\n", "columns = [\"t\"]\n"), HasSubstr("must name two columns"));
  EXPECT_THAT(refused("t,dE\n0,1\n", "columns = [\"1,2\", \"1,2\"]\n"), HasSubstr("are 2 for 1 files"));
  EXPECT_THAT(refused(std::string(100'000, '7')), HasSubstr("energy.csv"));
  EXPECT_THAT(orrery::complaint([&] { (void)charts("energy", "data = [\"../a\"]\n"); }, 2), HasSubstr("a"));
  EXPECT_THAT(orrery::complaint([&] { (void)charts("energy", "columns = [\"1,2\"]\n"); }, 2), HasSubstr("give `data`"));
}

TEST_F(DataCurves, ProgramTakesSeveralFiles) {
  write(folder_ / "x.csv", "t,dE\n0,0\n100,1e-6\n");
  write(folder_ / "y.csv", "t,dE\n0,0\n100,1e-7\n");
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"render", "a/run.h5", "--figure", "energy-error", "-o", "e.csv"});
    return run(folder_, more);
  };
  EXPECT_EQ(render({"--data", "x.csv", "--data", "y.csv", "--columns", "t,dE", "--labels", "run,x,y"}).code, 0);
  EXPECT_THAT(read(folder_ / "e.csv"), AllOf(HasSubstr(",run,"), HasSubstr(",x,line"), HasSubstr(",y,line")));
  EXPECT_THAT(render({"--columns", "t,dE"}).errors, HasSubstr("give --data FILE"));
  EXPECT_THAT(render({"--data", "z.csv"}).errors, HasSubstr("z.csv"));
  const std::string figure = "[[figure]]\nkind = \"energy\"\nfile = \"e.svg\"\ndata = [\"../z.csv\"]\n";
  write(folder_ / "f.toml", read(folder_ / "t.toml") + figure);
  const Outcome outcome = run(folder_, {"check", "f.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("z.csv"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
