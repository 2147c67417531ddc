// SPDX-License-Identifier: MIT
// The figure work-precision: errors of a sweep over what its runs cost.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/complaint.hpp"
#include "tests/pipeline/chart_support.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WorkPrecision : public ::testing::Test {
 protected:
  /// Runs of three steps with two integrators, the finest first.
  void simulate(const std::string& initial, const std::string& more = "") {
    write(folder_ / "t.toml",
          "[initial]\n" + initial + more + "[integrator]\nkind = \"rk4\"\ndt = 0.02\nsteps = 330\n");
    others_ = "others = [";
    for (const std::string kind : {"rk4", "leapfrog"}) {
      for (const int part : {4, 1, 2}) {
        const std::string name = fmt::format("{}-{}", kind, part);
        testing::simulate(folder_, "t.toml", name,
                          {"integrator.kind=" + kind, fmt::format("integrator.dt={}", 0.02 / part),
                           fmt::format("integrator.steps={}", 330 * part)});
        if (name != "rk4-4") others_ += fmt::format("\"../{}/run.h5\", ", name);
      }
    }
    others_ += "]\n";
  }
  render::Chart chart(const std::string& keys) {
    return charts_of_run(folder_ / "rk4-4/run.h5", "work-precision", others_ + keys).at(0);
  }
  Folder folder_;
  std::string others_;
};

const std::string kepler = "kind = \"two-body\"\nmasses = [1.0, 0.3]\neccentricity = 0.4\n";

TEST_F(WorkPrecision, CurvesAreIntegratorsInTheOrderOfTheirWork) {
  simulate(kepler);
  const render::Chart exact = chart("");
  EXPECT_EQ(exact.title, "from the exact orbit");
  ASSERT_EQ(exact.curves.size(), 2U);
  EXPECT_EQ(exact.curves[0].name, "rk4");
  EXPECT_EQ(exact.curves[1].name, "leapfrog");
  EXPECT_THAT(exact.curves[0].x, ElementsAre(4 * 330, 4 * 660, 4 * 1320)) << "four evaluations a step";
  EXPECT_THAT(exact.curves[1].x, ElementsAre(330, 660, 1320));
  const auto order = [](const render::Curve& curve) { return std::log2(curve.y[1] / curve.y[2]); };
  EXPECT_NEAR(order(exact.curves[0]), 4, 0.3);
  EXPECT_NEAR(order(exact.curves[1]), 2, 0.2);
  // ias15 is as good as the closed form here.
  const render::Chart computed = chart("reference = \"ias15\"\n");
  EXPECT_EQ(computed.title, "from ias15");
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(computed.curves[k].y[i] / exact.curves[k].y[i], 1, 1e-3);
  const render::Chart energy = chart("error = \"energy\"\nagainst = \"wall-time\"\n");
  EXPECT_EQ(energy.x.unit, "s");
  EXPECT_NEAR(order(energy.curves[1]), 2, 0.3);
  for (const double seconds : energy.curves[0].x) EXPECT_GT(seconds, 0);
}

TEST_F(WorkPrecision, OtherProblemsHaveTheirOwnReferences) {
  simulate("kind = \"pythagorean\"\n", "[force]\nsoftening = 0.5\n");
  testing::simulate(folder_, "t.toml", "soft", {"force.softening=0.7", "integrator.dt=0.005", "integrator.steps=1320"});
  others_.insert(others_.find(']'), "\"../soft/run.h5\"");
  const render::Chart all = chart("");
  EXPECT_EQ(all.title, "from ias15");
  ASSERT_EQ(all.curves.size(), 3U);
  EXPECT_THAT((std::vector{all.curves[0].name, all.curves[1].name, all.curves[2].name}),
              ElementsAre("rk4, softening = 0.5", "leapfrog, softening = 0.5", "rk4, softening = 0.7"));
  EXPECT_GT(std::log2(all.curves[0].y[1] / all.curves[0].y[2]), 3.5);
  EXPECT_LT(all.curves[2].y[0], 1e-6) << "from ias15 with the same softening";
  EXPECT_THAT(orrery::complaint([&] { (void)chart("reference = \"exact\"\n"); }, 2), HasSubstr("use \"ias15\""));
}

TEST_F(WorkPrecision, IsOfASweep) {
  write(folder_ / "w.toml",
        "[initial]\n" + kepler +
            "[integrator]\ndt = 0.02\ntime = 3.0\n[[figure]]\nkind = \"work-precision\"\nfile = \"w.csv\"\n"
            "[sweep]\nintegrator.kind = [\"leapfrog\", \"rk4\"]\nintegrator.dt = [0.02, 0.01]\n");
  const Outcome made = run(folder_, {"run", "w.toml", "--quiet"});
  EXPECT_EQ(made.code, 0) << made.errors;
  EXPECT_THAT(read(folder_ / "w/w.csv"), HasSubstr("1,2,rk4,line+marks,600,"));
  EXPECT_EQ(run(folder_, {"render", "w", "--figure", "work-precision", "--against", "wall-time", "-o", "t.csv"}).code,
            0);
  EXPECT_THAT(run(folder_, {"render", "w/000/run.h5", "--figure", "work-precision"}).errors,
              HasSubstr("compares several runs"));
  EXPECT_THAT(run(folder_, {"check", "w.toml", "--set", "figure[0].reference=finest"}).errors, HasSubstr("ias15"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
