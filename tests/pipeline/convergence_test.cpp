// SPDX-License-Identifier: MIT
// The figure convergence: the points of a fit, errors against closed forms and finer runs, and sweeps.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/power_fit.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Errors over x = 1, 2, 4, ….
std::vector<ErrorAt> errors(const std::vector<double>& list, double rounding = 0) {
  std::vector<ErrorAt> all;
  for (const double error : list) all.push_back({std::exp2(static_cast<double>(all.size())), error, rounding, 0.1});
  return all;
}

TEST(PowerFit, FitsAPowerLaw) {
  const auto fit = power_fit(errors({1e-6, 8e-6, 64e-6, 512e-6}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, 3, 1e-12);
  EXPECT_THAT(fit->points, ElementsAre(0, 1, 2, 3));
  EXPECT_NEAR(fit->errors[2], 64e-6, 1e-16);
  EXPECT_FALSE(power_fit(errors({1e-6, 8e-6})));
  EXPECT_FALSE(power_fit(errors({1e-6, 0, 8e-6})));
  EXPECT_FALSE(power_fit({}));
}

TEST(PowerFit, IgnoresRoundingAndTooCoarseRuns) {
  // A fluctuating floor, a first point above it that is still affected, and errors as large as the quantity itself.
  const auto fit = power_fit(errors({3e-14, 1e-13, 2e-14, 2e-13, 2e-12, 32e-12, 512e-12, 8192e-12, 0.3, 0.9, 0.8}));
  ASSERT_TRUE(fit);
  EXPECT_THAT(fit->points, ElementsAre(4, 5, 6, 7));
  EXPECT_NEAR(fit->slope, 4, 1e-9);
  // The known rounding, if nothing fluctuates.
  EXPECT_THAT(power_fit(errors({1e-12, 4e-12, 16e-12, 64e-12, 256e-12}, 1e-13))->points, ElementsAre(2, 3, 4));
  EXPECT_FALSE(power_fit(errors({1e-12, 4e-12, 16e-12, 64e-12}, 1e-12)));
  // All points are on the floor.
  EXPECT_FALSE(power_fit(errors({3e-14, 2e-14, 4e-14, 3e-14, 5e-14})));
  // Only the five finest, and fewer if coarse ones follow another power.
  EXPECT_THAT(power_fit(errors({1e-9, 4e-9, 16e-9, 64e-9, 256e-9, 1024e-9}))->points, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(power_fit(errors({1e-9, 4e-9, 16e-9, 200e-9, 3e-6}))->points, ElementsAre(0, 1, 2));
  EXPECT_FALSE(power_fit(errors({1e-9, 4e-9, 64e-9}))) << "no power law at all";
}

TEST(PowerFit, LeavesOutTheFinestPointsIfTheyAreRounding) {
  // The last step is rounding, above what the law gives, but far above its estimate, and still falls.
  const auto fit = power_fit(errors({5e-12, 3.9e-11, 6.24e-10, 9.984e-9, 1.597e-7}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, 4, 0.01);
  EXPECT_THAT(fit->points, ElementsAre(1, 2, 3, 4));
  // A floor of 1e-11 that is known: the point at 8e-11 counts less and may miss the line by more.
  const auto weighted = power_fit(errors({1e-11, 1.1e-11, 8e-11, 1.024e-9, 1.638e-8, 2.621e-7}));
  ASSERT_TRUE(weighted);
  EXPECT_THAT(weighted->points, ElementsAre(2, 3, 4, 5));
  EXPECT_NEAR(weighted->slope, 4, 0.05);
  EXPECT_FALSE(power_fit(errors({1e-13, 3.9e-11, 6.24e-10, 9.984e-9}))) << "below the line: that is no rounding";
}

TEST(PowerFit, HasTheUncertaintyOfItsSlope) {
  EXPECT_LT(power_fit(errors({1e-6, 8e-6, 64e-6, 512e-6}))->uncertainty, 1e-9);
  // Logarithms of the errors are off the line by +0.05, -0.05, -0.05 and +0.05, which does not change the slope:
  // √(4 · 0.05² / 2 / (ln² 2 · 5)).
  const double up = std::exp(0.05);
  const auto fit = power_fit(errors({1e-6 * up, 8e-6 / up, 64e-6 / up, 512e-6 * up}));
  EXPECT_NEAR(fit->slope, 3, 1e-9);
  EXPECT_NEAR(fit->uncertainty, std::sqrt(0.005 / 5) / std::log(2.0), 1e-6);
}

TEST(PowerFit, LargerValueMayBeFiner) {
  const auto fit = power_fit(errors({512e-6, 64e-6, 8e-6, 1e-6, 1e-9, 1e-9}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, -3, 1e-12);
  EXPECT_THAT(fit->points, ElementsAre(0, 1, 2, 3));
}

/// C (h² − h_f²) has a steeper line than h².
TEST(PowerFit, AccountsForTheErrorOfTheReference) {
  std::vector<ErrorAt> all;
  for (const double h : {2.0, 4.0, 8.0}) all.push_back({h, 1e-6 * (h * h - 1), 0, 0.1});
  EXPECT_NEAR(power_fit(all, 1.0)->slope, 2, 1e-6);
  EXPECT_GT(power_fit(all)->slope, 2.05);
  all.pop_back();
  EXPECT_NEAR(power_fit(all, 1.0)->slope, 2, 1e-6);
  for (ErrorAt& at : all) at.x = 1 / at.x;
  EXPECT_NEAR(power_fit({all[1], all[0]}, 1.0)->slope, -2, 1e-6);
}

class Convergence : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
  }
  Outcome orrery(const std::vector<std::string>& arguments) { return run(folder_, arguments); }
  void simulate(const std::string& text, const char* command = "simulate") {
    write(folder_ / "s.toml", text);
    const Outcome outcome = orrery({command, "s.toml", "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
  }
  /// The text of the figure of the sweep s, with the given keys.
  std::string drawn(const std::vector<std::string>& keys = {}) {
    std::vector<std::string> arguments{"render", "s", "--figure", "convergence", "-o", "c.svg"};
    for (const std::string& key : keys) arguments.insert(arguments.end(), {"--set", "figure[0]." + key});
    last_ = orrery(arguments);
    return last_.code == 0 ? read(folder_ / "c.svg") : "";
  }
  std::string refused(const std::vector<std::string>& keys) {
    drawn(keys);
    EXPECT_EQ(last_.code, 2);
    return last_.errors;
  }
  /// The number after "NAME, slope "; NaN if there is none.
  static double slope(const std::string& svg, const std::string& name) {
    const std::regex label("aria-label=\"" + name + ", slope (−|)([0-9.]+)( ± [0-9.]+|)\"");
    std::smatch found;
    if (!std::regex_search(svg, found, label)) return std::nan("");
    return (found.length(1) > 0 ? -1 : 1) * std::stod(found.str(2));
  }
  Folder folder_;
  Outcome last_;
};

std::string two(const std::string& sweep, const std::string& more = "") {
  return "title = \"Two\"\n[initial]\nkind = \"two-body\"\nmasses = [1.0, 0.5]\n" + more +
         "[integrator]\ntime = \"1.37 periods\"\n[trajectory]\nframes = 2\n[observables]\nevery = 1\n[sweep]\n" + sweep;
}

const std::string orders =
    "integrator.kind = [\"leapfrog\", \"yoshida4\", \"rk4\"]\n"
    "integrator.dt = [\"1.37/200 period\", \"1.37/400 period\", \"1.37/800 period\", \"1.37/1600 period\"]\n";

TEST_F(Convergence, SlopesAreTheOrders) {
  simulate(two(orders));
  const std::string energy = drawn();
  EXPECT_NEAR(slope(energy, "leapfrog"), 2, 0.03) << last_.errors;
  EXPECT_NEAR(slope(energy, "yoshida4"), 4, 0.2);
  EXPECT_THAT(energy, AllOf(HasSubstr("aria-label=\"Two\""), HasSubstr("aria-label=\"dt\""),
                            HasSubstr("aria-label=\"greatest |ΔE|/|E₀|\"")));
  for (const char* reference : {"exact", "finest"}) {
    const std::string state = drawn({"error=\"state\"", fmt::format("reference=\"{}\"", reference)});
    EXPECT_NEAR(slope(state, "leapfrog"), 2, 0.03) << last_.errors;
    EXPECT_NEAR(slope(state, "yoshida4"), 4, 0.2);
    EXPECT_NEAR(slope(state, "rk4"), 4, 0.2);
    EXPECT_THAT(state, HasSubstr("root mean square |Δr|"));
  }
  EXPECT_EQ(slope(drawn({"error=\"state\""}), "rk4"), slope(drawn({"error=\"state\"", "reference=\"exact\""}), "rk4"));
  EXPECT_NEAR(slope(drawn({"error=\"state\"", "against=\"integrator.steps\""}), "rk4"), -4, 0.2);
}

/// One curve for each of the other values.
TEST_F(Convergence, CurvesAreNamedByOtherKeys) {
  simulate("units = \"astronomical\"\n" +
           two("initial.eccentricity = [0.1, 0.5]\nintegrator.dt = [\"1.37/200 period\", \"1.37/400 period\", "
               "\"1.37/800 period\"]\n"));
  const std::string svg = drawn();
  EXPECT_NEAR(slope(svg, "eccentricity = 0.1"), 2, 0.03) << last_.errors;
  EXPECT_NEAR(slope(svg, "eccentricity = 0.5"), 2, 0.03);
  EXPECT_THAT(svg, HasSubstr("aria-label=\"dt [d]\""));
  const std::string over = drawn({"against=\"initial.eccentricity\""});
  EXPECT_THAT(over, HasSubstr("aria-label=\"eccentricity\"")) << last_.errors;
  EXPECT_TRUE(std::isnan(slope(over, "dt = .*"))) << "two points";
}

/// Values of keys are in the units of the runs, whatever time unit other figures use.
TEST_F(Convergence, AxisUnitsAreThoseOfTheRuns) {
  simulate("units = \"si\"\n" + two("integrator.dt = [\"1.37/200 period\", \"1.37/400 period\"]\n"));
  EXPECT_THAT(drawn(), HasSubstr("aria-label=\"dt [s]\"")) << last_.errors;
}

TEST_F(Convergence, DifferentSweepsAreSeparateCurves) {
  const std::string steps = "integrator.dt = [\"1.37/200 period\", \"1.37/400 period\", \"1.37/800 period\"]\n";
  simulate(two(steps, "eccentricity = 0.1\n"));
  write(folder_ / "t.toml", two(steps, "eccentricity = 0.5\n"));
  ASSERT_EQ(orrery({"simulate", "t.toml", "--quiet"}).code, 0);
  const auto both = [&](const std::string& key) {
    last_ = orrery({"render", "s", "t", "--figure", "convergence", "-o", "c.svg", "--set", "figure[0]." + key});
    return read(folder_ / "c.svg");
  };
  const std::string svg = both("error=\"energy\"");
  EXPECT_NEAR(slope(svg, "eccentricity = 0.1"), 2, 0.03) << last_.errors;
  EXPECT_NEAR(slope(svg, "eccentricity = 0.5"), 2, 0.03);
  last_ = orrery({"render", "s", "t", "--figure", "convergence", "-o", "d.svg", "--set", "figure[0].error=\"state\"",
                  "--set", "figure[0].reference=\"finest\"", "--set", "figure[0].against=\"initial.eccentricity\""});
  EXPECT_EQ(last_.code, 2);
  EXPECT_THAT(last_.errors, HasSubstr("accuracy: sweep integrator.dt"));
}

/// Keys of the stored output do not name curves.
TEST_F(Convergence, OutputKeysDoNotMakeCurves) {
  simulate(
      two("combine = \"zip\"\nintegrator.dt = [\"1.37/200 period\", \"1.37/400 period\", \"1.37/800 period\"]\n"
          "observables.every = [1, 2, 4]\n"));
  EXPECT_NEAR(slope(drawn(), "leapfrog"), 2, 0.05) << last_.errors;
}

TEST_F(Convergence, SeedsAreABand) {
  simulate(
      "[initial]\nkind = \"plummer\"\nn = 16\n[force]\nsoftening = 0.2\n[integrator]\ntime = 0.5\n[observables]\n"
      "every = 1\n[sweep]\nseed = [1, 2, 3, 4, 5]\nintegrator.dt = [0.05, 0.025, 0.0125, 0.00625]\n");
  const std::string svg = drawn();
  EXPECT_NEAR(slope(svg, "leapfrog"), 2, 0.15) << last_.errors;
  EXPECT_THAT(svg, Not(HasSubstr("aria-label=\"leapfrog, seed")));
  EXPECT_NEAR(slope(drawn({"error=\"state\""}), "leapfrog"), 2, 0.05) << "each seed against its own finest run";
}

TEST_F(Convergence, IsDrawnOnceAfterAllMembers) {
  const std::string figure = "[[figure]]\nkind = \"convergence\"\nfile = \"c.svg\"\n";
  write(folder_ / "s.toml", two(orders) + figure);
  EXPECT_THAT(orrery({"check", "s.toml"}).output,
              HasSubstr("figure c.svg: convergence, 1600 × 1200 pixels, of all members together\n"));
  EXPECT_EQ(orrery({"run", "s.toml", "--task", "0"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/c.svg"));
  write(folder_ / "s/c.svg", "mine");
  const Outcome foreign = orrery({"run", "s.toml"});
  EXPECT_EQ(foreign.code, 2);
  EXPECT_THAT(foreign.errors, HasSubstr("s/c.svg: "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/001"));
  std::filesystem::remove(folder_ / "s/c.svg");
  const Outcome all = orrery({"run", "s.toml"});
  EXPECT_EQ(all.code, 0) << all.errors;
  EXPECT_EQ(last_line(all.output), "s/c.svg");
  EXPECT_NEAR(slope(read(folder_ / "s/c.svg"), "leapfrog"), 2, 0.03);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/000/c.svg"));
  EXPECT_EQ(orrery({"run", "s.toml", "--quiet"}).code, 0) << "it replaces its own";
  write(folder_ / "one.toml", sound + figure);
  const Outcome one = orrery({"run", "one.toml"});
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.errors,
              StartsWith("orrery: one.toml:12:8: \"convergence\" is drawn once for all members of a [sweep]"));
}

TEST_F(Convergence, UnfinishedMembersAreNamed) {
  simulate(
      two("integrator.dt = [\"1.37/100 period\", \"1.37/200 period\", \"1.37/400 period\", \"1.37/800 period\"]\n"));
  std::filesystem::remove_all(folder_ / "s/002");
  EXPECT_NEAR(slope(drawn(), "leapfrog"), 2, 0.03);
  EXPECT_EQ(last_.errors, "orrery: s: left out 002, not finished; the command that runs the sweep goes on\n");
  const Outcome several =
      orrery({"render", "s/000/run.h5", "s/001/run.h5", "--figure", "convergence", "-o", "two.svg"});
  EXPECT_EQ(several.code, 0) << several.errors;
  EXPECT_THAT(read(folder_ / "two.svg"), Not(HasSubstr("slope")));
  EXPECT_EQ(orrery({"render", "s", "--figure", "energy-error"}).output, "s/energy-error.png\n");
}

TEST_F(Convergence, ReportsWhatCannotBeDrawn) {
  simulate(
      "[initial]\nkind = \"two-body\"\n[integrator]\ndt = 0.01\nsteps = 20\n[sweep]\n"
      "initial.eccentricity = [0.1, 0.5]\nintegrator.kind = [\"leapfrog\", \"rk4\"]\n");
  EXPECT_THAT(refused({"against=\"integrator.kind\""}),
              HasSubstr("`integrator.kind` is not a positive number in every run"));
  EXPECT_THAT(refused({"against=\"initial.eccentricty\""}), HasSubstr("did you mean `initial.eccentricity`?"));
  EXPECT_THAT(orrery({"render", "s/000/run.h5", "--figure", "convergence"}).errors, HasSubstr("compares several runs"));
  EXPECT_THAT(orrery({"render", "s"}).errors, HasSubstr("s: is a folder: choose a figure of its runs"));
  EXPECT_THAT(orrery({"render", "s", "--figure", "radial-profile"}).errors, HasSubstr("shows one run"));
  std::filesystem::remove_all(folder_ / "s");
  simulate("[initial]\nkind = \"figure-eight\"\n[integrator]\ndt = 0.01\n[sweep]\nintegrator.steps = [10, 20, 40]\n");
  EXPECT_THAT(refused({"error=\"state\"", "reference=\"exact\""}), HasSubstr("an exact solution is known only for"));
  EXPECT_THAT(refused({"error=\"state\""}), AllOf(HasSubstr("ends at t = 0.1, "), HasSubstr("at one time")));
}

}  // namespace
}  // namespace orrery::pipeline::testing
