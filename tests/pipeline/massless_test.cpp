// SPDX-License-Identifier: MIT
// A run of massless bodies passes every command, with finite numbers throughout.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/massless_record.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(MasslessRun, IsAcceptedByEveryCommand) {
  const Folder folder;
  write(folder / "m.toml", R"([initial]
kind = "table"
bodies = [{ mass = 0, position = [1, 0, 0], velocity = [0, 1, 0] },
          { mass = 0, position = [0, 2, 0], velocity = [0, 0, 0.5] }]
[integrator]
dt = 0.01
steps = 100
[trajectory]
frames = 11
)" + std::string(!draws_pictures() ? "" : R"([[figure]]
kind = "projection"
frame = "barycentric"
color_by = "mass"
file = "orbit.png"
size = [160, 120]
[[figure]]
kind = "energy-error"
file = "energy.svg"
size = [160, 120]
)"));
  const std::vector<std::vector<std::string>> commands = {
      {"check", "m.toml"},
      {"check", "m.toml", "--json"},
      {"run", "m.toml"},
      {"info", "m/run.h5", "--json"},
      {"verify", "m/run.h5"},
      {"table", "."},
      {"export", "m/run.h5", "--format", "json"},
  };
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0]);
    const Outcome outcome = run(folder, command);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, Not(ContainsRegex("[^a-z]nan[^a-z]")));
    EXPECT_THAT(outcome.output, Not(ContainsRegex("[^a-z]inf[^a-z]")));
    EXPECT_EQ(outcome.errors, "");
  }
  EXPECT_THAT(read(folder / "m/summary.json"), HasSubstr("\"greatest_energy_error\": 0"));
}

/// A scenario of `bodies`, in the integrator and steps of `steps`.
std::string of_bodies(const std::string& bodies, const std::string& steps) {
  return "[initial]\nkind = \"table\"\nrecentre = false\nbodies = [" + bodies + "]\n[integrator]\n" + steps + "\n";
}

MasslessRecord measured(const std::filesystem::path& run) {
  return massless_record(TrajectoryReader(run)).value();
}

const std::string star = R"({ name = "star", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
  { name = "planet", mass = 0, position = [1, 0, 0], velocity = [0, 1, 0] })";

/// The planet is thrown out although the masses conserve their energy perfectly.
TEST(MasslessRun, PlanetThatIsThrownOutIsNotPerfect) {
  const Folder folder;
  write(folder / "s.toml", of_bodies(star, "kind = \"rk4\"\ndt = 1.0\nsteps = 200"));
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_EQ(outcome.code, 0);
  const MasslessRecord off = measured(folder / "s/run.h5");
  EXPECT_EQ(off.name, "Δε/|ε₀|");
  EXPECT_GT(off.greatest, 0.1);
  EXPECT_EQ(off.body, "planet");
  EXPECT_TRUE(off.is_off());
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("without mass Δε/|ε₀| at most " + fmt::format("{:.2e}", off.greatest)),
                                    HasSubstr("but its energy is not conserved")));
  EXPECT_THAT(outcome.errors, HasSubstr("without mass Δε/|ε₀| at most"));
  EXPECT_THAT(read(folder / "s/summary.json"), HasSubstr(fmt::format("\"massless_error\": {}", off.greatest)));
  EXPECT_THAT(run(folder, {"info", "s/run.h5"}).output, HasSubstr("Δε/|ε₀| at most"));
  EXPECT_THAT(run(folder, {"table", "."}).output, AllOf(HasSubstr("massless_error"), HasSubstr("Δε/|ε₀|")));

  write(folder / "fine.toml", of_bodies(star, "kind = \"rk4\"\ndt = 0.01\nsteps = 2000"));
  EXPECT_EQ(run(folder, {"simulate", "fine.toml", "--quiet"}).code, 0);
  const MasslessRecord good = measured(folder / "fine/run.h5");
  EXPECT_LT(good.greatest, 1e-8);
  EXPECT_GT(good.greatest, 0);
}

/// In the frame of a star that moves it is the same.
TEST(MasslessRun, StarMayMove) {
  const Folder folder;
  write(folder / "s.toml", of_bodies(R"({ mass = 1.0, position = [5, 1, 2], velocity = [3, -2, 0.5] },
    { mass = 0, position = [6, 1, 2], velocity = [3, -1, 0.5] })",
                                     "kind = \"rk4\"\ndt = 0.01\nsteps = 1000"));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--quiet"}).code, 0);
  EXPECT_LT(measured(folder / "s/run.h5").greatest, 1e-8);
}

/// Two masses on a circle: the Jacobi constant. Slightly off a circle: by repetition.
TEST(MasslessRun, TwoMassesOnACircleHaveAJacobiConstant) {
  const Folder folder;
  // G M = 1 + 1/8, at the distance 2
  const auto bodies = [](double speed) {
    return fmt::format(R"({{ mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }},
    {{ mass = 0.125, position = [2, 0, 0], velocity = [0, {}, 0] }},
    {{ name = "probe", mass = 0, position = [-0.9, 0.3, 0.1], velocity = [0.2, -1, 0.1] }})",
                       speed);
  };
  const std::string fine = "kind = \"leapfrog\"\ndt = 0.002\nsteps = 1000";
  write(folder / "circle.toml", of_bodies(bodies(0.75), fine));
  write(folder / "ellipse.toml", of_bodies(bodies(0.8), fine));
  write(folder / "own.toml", of_bodies(bodies(0.8), "kind = \"rk45\"\ntolerance = 1e-6\ndt = 0.1\nsteps = 20"));
  for (const char* name : {"circle", "ellipse", "own"})
    EXPECT_EQ(run(folder, {"simulate", std::string(name) + ".toml", "--quiet"}).code, 0) << name;
  const MasslessRecord circle = measured(folder / "circle/run.h5"), ellipse = measured(folder / "ellipse/run.h5"),
                       own = measured(folder / "own/run.h5");
  EXPECT_EQ(circle.name, "ΔC/|C₀|");
  EXPECT_LT(circle.greatest, 1e-3);
  EXPECT_GT(circle.greatest, 1e-9);
  EXPECT_EQ(ellipse.name, "Δε/(½v²+|φ|) of half the step");
  EXPECT_LT(ellipse.greatest, 1e-4);
  EXPECT_GT(ellipse.greatest, 1e-12);
  EXPECT_EQ(own.name, "Δε/(½v²+|φ|) of a hundredth of the tolerance");
  EXPECT_LT(own.greatest, 1e-3);
  EXPECT_GT(own.greatest, 0);
}

/// A planet, not on a circle, throws a probe out that comes too near for the steps.
TEST(MasslessRun, ProbeThatPassesTooNearIsFoundByRepetition) {
  const Folder folder;
  write(folder / "s.toml", of_bodies(R"({ name = "Sun", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
    { name = "Jupiter", mass = 9.5e-4, position = [5.2, 0, 0], velocity = [0, 0.45, 0] },
    { name = "probe", mass = 0, position = [4.7, 0.0001, 0], velocity = [0.6, 0.45, 0] })",
                                     "kind = \"leapfrog\"\ndt = 0.06\nsteps = 100"));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--quiet"}).code, 0);
  EXPECT_TRUE(measured(folder / "s/run.h5").is_off()) << measured(folder / "s/run.h5").greatest;
}

TEST(MasslessRun, SaysWhatIsNotMeasured) {
  const Folder folder;
  write(folder / "s.toml", of_bodies(star, "kind = \"rk4\"\ndt = 1.0\nsteps = 20\n[trajectory]\nvelocities = false"));
  const Outcome outcome = run(folder, {"simulate", "s.toml"});
  EXPECT_THAT(outcome.output, HasSubstr("without mass: not measured (frames keep no velocities)"));
  EXPECT_THAT(read(folder / "s/summary.json"), HasSubstr("\"massless_not_measured\": \"frames keep no velocities\""));
}

}  // namespace
}  // namespace orrery::pipeline::testing
