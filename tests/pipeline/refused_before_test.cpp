// SPDX-License-Identifier: MIT
// What pictures need is asked before the first step: `check` and `run` refuse in the same words, and nothing is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

struct EarlyRefusal {
  const char *name, *scenario, *complaint;
};

constexpr const char* few_bodies =
    "[initial]\nkind = \"plummer\"\nn = 9\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 7\n";

void need_pictures() {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
}

class RefusedBefore : public ::testing::TestWithParam<EarlyRefusal> {
 protected:
  void SetUp() override { need_pictures(); }
};
class RefusedBeforeStepping : public ::testing::Test {
 protected:
  void SetUp() override { need_pictures(); }
};

/// `check` and `run` refuse a scenario in the same words, and nothing is written.
void expect_refused(const std::string& scenario, const char* complaint) {
  const Folder folder;
  write(folder / "s.toml", scenario);
  const Outcome check = run(folder, {"check", "s.toml"}), made = run(folder, {"run", "s.toml"});
  EXPECT_EQ(check.code, 2);
  EXPECT_EQ(made.code, 2);
  EXPECT_THAT(made.errors, HasSubstr(complaint));
  EXPECT_EQ(made.errors, check.errors);
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

TEST_P(RefusedBefore, ByCheckAndByRun) {
  expect_refused(few_bodies + std::string(GetParam().scenario), GetParam().complaint);
}

constexpr const char* needs_velocities = "needs a run with `velocities = true`";

INSTANTIATE_TEST_SUITE_P(
    Pictures, RefusedBefore,
    ::testing::Values(
        EarlyRefusal{"phase", "[trajectory]\nvelocities = false\n[[figure]]\nkind = \"phase\"\nfile = \"a.png\"\n",
                     needs_velocities},
        EarlyRefusal{"elements",
                     "[trajectory]\nvelocities = false\n[[figure]]\nkind = \"elements\"\nfile = \"a.png\"\n",
                     needs_velocities},
        EarlyRefusal{"curve",
                     "[trajectory]\nvelocities = false\n[[figure]]\nkind = \"rotation-curve\"\nfile = \"a.svg\"\n",
                     needs_velocities},
        EarlyRefusal{"film",
                     "[trajectory]\nvelocities = false\n[[film]]\nkind = \"rotation-curve\"\nfile = \"a.gif\"\n",
                     needs_velocities},
        EarlyRefusal{"part",
                     "[trajectory]\nvelocities = false\n[[figure]]\nkind = \"panels\"\nfile = \"a.png\"\n"
                     "[[figure.part]]\nkind = \"projection\"\n[[figure.part]]\nkind = \"phase\"\n",
                     needs_velocities},
        EarlyRefusal{"virial",
                     "[force]\nkind = \"inverse-power\"\n[trajectory]\nbodies = [\"1:3\"]\n"
                     "[[figure]]\nkind = \"virial\"\nfile = \"a.png\"\n",
                     "the forces need all bodies"},
        EarlyRefusal{"labels_of_conserved",
                     "[[figure]]\nkind = \"conserved\"\nfile = \"a.svg\"\nlabels = [\"E\", \"p\", \"L\"]\n",
                     "s.toml:11:10: are 3 for 4 curves: |ΔE|, |Δp|, |ΔL|, |Δx|"},
        EarlyRefusal{"labels_of_a_part",
                     "[[figure]]\nkind = \"panels\"\nfile = \"a.svg\"\n[[figure.part]]\n"
                     "kind = \"energy-error\"\nlabels = [\"a\", \"b\"]\n",
                     "s.toml:13:10: are 2 for one curve"},
        EarlyRefusal{"labels_of_a_profile",
                     "[[figure]]\nkind = \"radial-profile\"\nfile = \"a.svg\"\nlabels = [\"a\"]\n",
                     "s.toml:11:10: are 1 for 2 curves: start, end"},
        EarlyRefusal{"labels_of_displacements",
                     "[[figure]]\nkind = \"mean-square-displacement\"\nfile = \"a.svg\"\nlabels = [\"a\", \"b\"]\n",
                     "are 2 for one curve"},
        EarlyRefusal{"labels_of_other_runs",
                     "[[figure]]\nkind = \"energy-error\"\nfile = \"a.svg\"\nothers = [\"run.h5\"]\n"
                     "labels = [\"a\", \"b\"]\n",
                     "s.toml:12:10: are 2 for 1 curves: s/run.h5"},
        EarlyRefusal{"film_area",
                     "[[film]]\nkind = \"projection\"\nfile = \"a.gif\"\nsize = [16384, 16384]\nmax_file_size = 0\n",
                     "FFmpeg's films have at most 16128 rows of 16384 pixels"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(RefusedBeforeStepping, WallTimeOfNoSteps) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"plummer\"\nn = 9\n[integrator]\ndt = 0.01\nsteps = 0\n"
        "[[figure]]\nkind = \"energy-error\"\nfile = \"a.png\"\nagainst = \"wall-time\"\n");
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = run(folder, {command, "s.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr("s.toml:10:11: the run has no steps"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

TEST_F(RefusedBeforeStepping, FramesThatNoMomentHas) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"lattice\"\nn = 8\n[domain]\nedges = [4.0, 4.0, 4.0]\nboundary = \"periodic\"\n"
        "[force]\nkind = \"wca\"\n[integrator]\ndt = 0.001\nsteps = 9\n"
        "[[figure]]\nkind = \"pair-correlation\"\nfile = \"a.png\"\nfrom = 0.0021\nto = 0.0029\n");
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = run(folder, {command, "s.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr("no frame is between t = 0.0021 and 0.0029: they are from 0 to 0.009"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

TEST_F(RefusedBeforeStepping, AnotherRunThatDoesNotFit) {
  const Folder folder;
  const std::string text = few_bodies;
  write(folder / "a.toml", text);
  ASSERT_EQ(run(folder, {"simulate", "a.toml"}).code, 0);
  write(folder / "b.toml", text + "[[figure]]\nkind = \"divergence\"\nfile = \"d.png\"\nother = \"../a/run.h5\"\n");
  const Outcome bodies = run(folder, {"run", "b.toml", "--set", "initial.n=8"});
  EXPECT_EQ(bodies.code, 2);
  EXPECT_THAT(bodies.errors, HasSubstr("a/run.h5 has other bodies than this run"));
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
  const Outcome units = run(folder, {"run", "b.toml", "--set", "units=galactic", "--set", "figure[0].kind=energy-error",
                                     "--set", "figure[0].others=[\"../a/run.h5\"]"});
  EXPECT_EQ(units.code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
}

/// As many labels as there will be curves are accepted before the run, and drawn after it.
TEST_F(RefusedBeforeStepping, LabelsThatFitAreDrawn) {
  if (!draws_pictures()) GTEST_SKIP();
  const Folder folder;
  const auto drawn = [&](const std::string& name, const std::string& scenario, const std::string& kind,
                         const std::string& labels) {
    write(folder / (name + ".toml"),
          scenario + "[[figure]]\nkind = \"" + kind + "\"\nfile = \"a.svg\"\nlabels = " + labels + "\n");
    const Outcome check = run(folder, {"check", name + ".toml"}), made = run(folder, {"run", name + ".toml"});
    EXPECT_EQ(check.code, 0) << name << ": " << check.errors;
    EXPECT_EQ(made.code, 0) << name << ": " << made.errors;
    return made.code == 0 ? read(folder / name / "a.svg") : "";
  };
  const std::string cluster = few_bodies;
  EXPECT_THAT(drawn("four", cluster, "conserved", R"(["E4", "p4", "L4", "x4"])"), HasSubstr("x4"));
  EXPECT_THAT(drawn("profile", cluster, "radial-profile", R"(["then", "later"])"), HasSubstr("later"));
  EXPECT_THAT(drawn("curve", cluster, "rotation-curve", R"(["round"])"), HasSubstr("round"));
  EXPECT_THAT(drawn("way", cluster, "mean-square-displacement", R"(["far"])"), HasSubstr("far"));

  const auto bodies = [](const std::string& masses, const std::string& keys = "") {
    return "[initial]\nkind = \"table\"\nrecentre = false\nbodies = [" + masses +
           "{ mass = 0, position = [1, 0, 0], velocity = [0, 1, 0] }]\n[integrator]\ndt = 0.01\nsteps = 9\n" + keys;
  };
  const std::string star = "{ mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] }, ",
                    moving = "{ mass = 1.0, position = [0, 0, 0], velocity = [0, 0.3, 0] }, ",
                    planet = "{ mass = 0.1, position = [3, 0, 0], velocity = [0, 0.5, 0] }, ";
  // A star at rest has no energy, and so no error of it.
  EXPECT_THAT(drawn("rest", bodies(star), "energy-error", R"(["probe"])"), HasSubstr("probe"));
  EXPECT_THAT(drawn("moving", bodies(moving), "energy-error", R"(["heavy", "probe"])"), HasSubstr("probe"));
  EXPECT_THAT(drawn("two", bodies(star + planet), "energy-error", R"(["heavy", "probe"])"), HasSubstr("heavy"));
  EXPECT_THAT(drawn("dark", bodies(star + planet, "[trajectory]\nvelocities = false\n"), "energy-error",
                    R"(["heavy", "probe"])"),
              HasSubstr("probe: not measured"));
  const std::string others = R"(["a", "b", "c"])"
                             "\nothers = [\"../two/run.h5\"]";
  EXPECT_NE(drawn("beside", bodies(star), "energy-error", others), "");
  EXPECT_EQ(run(folder, {"check", "beside.toml", "--set", R"(figure[0].labels=["a", "b"])"}).code, 2);
}

struct SweepRefusal {
  const char *name, *scenario, *complaint;
};

class SweepRefusedBefore : public ::testing::TestWithParam<SweepRefusal> {
 protected:
  void SetUp() override { need_pictures(); }
};

/// A figure of all members is asked for before the first of them is run.
TEST_P(SweepRefusedBefore, ByCheckAndByRun) {
  expect_refused(
      "[initial]\nkind = \"two-body\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 8\n[[figure]]\n"
      "kind = \"convergence\"\nfile = \"c.svg\"\n" +
          std::string(GetParam().scenario),
      GetParam().complaint);
}

INSTANTIATE_TEST_SUITE_P(
    Convergence, SweepRefusedBefore,
    ::testing::Values(
        SweepRefusal{"words", "[sweep]\nseed = [3, 4]\nintegrator.kind = [\"leapfrog\", \"rk4\"]\n",
                     "s.toml:8:8: there is no positive number as abscissa"},
        SweepRefusal{"against", "against = \"force.theta\"\n[sweep]\nintegrator.dt = [0.01, 0.005]\n",
                     "s.toml:10:11: `force.theta` is not a positive number in every run"},
        SweepRefusal{"state", "error = \"state\"\nreference = \"finest\"\n[sweep]\ninitial.eccentricity = [0.1, 0.2]\n",
                     "initial.eccentricity changes the problem, not the accuracy"},
        SweepRefusal{"ends", "error = \"state\"\nreference = \"finest\"\n[sweep]\nintegrator.steps = [4, 8]\n",
                     "ends at t = 0.04, s/001/run.h5 at 0.08"},
        SweepRefusal{"exact", "error = \"state\"\nreference = \"exact\"\n[sweep]\nforce.softening = [0.1, 0.2]\n",
                     "an exact solution is known only for `two-body`"},
        SweepRefusal{"twins", "[sweep]\nintegrator.dt = [0.01, 0.02, 0.01]\n",
                     "two of the runs have integrator.dt = 0.01 and the same seeds"},
        SweepRefusal{"labels",
                     "labels = [\"a\"]\n[sweep]\nintegrator.dt = [0.01, 0.005]\nintegrator.kind = [\"rk4\", "
                     "\"leapfrog\"]\n",
                     "s.toml:10:10: are 1 for 2 curves: rk4, leapfrog"}),
    [](const auto& test) { return std::string(test.param.name); });

/// Bodies at rest, too far from each other to act, have no energy of which there could be an error.
TEST_F(RefusedBeforeStepping, ErrorsOfNoEnergy) {
  if (!draws_pictures()) GTEST_SKIP();
  const auto scenario = [](const std::string& apart) {
    return "[initial]\nkind = \"table\"\nrecentre = false\nbodies = [{ mass = 1.5, position = [0.3, 0, 0], velocity = "
           "[0, 0, 0] }, { mass = "
           "2, position = [" +
           apart +
           ", 0, 0], velocity = [0, 0, 0] }]\n[force]\nkind = \"repulsive\"\n[integrator]\ndt = 1e-4\nsteps = 6\n"
           "[[figure]]\nkind = \"convergence\"\nfile = \"c.svg\"\n[sweep]\nintegrator.dt = [1e-4, 2e-4]\n";
  };
  expect_refused(scenario("1.7"), "its energy is 0 at the start, so that there is no relative error");
  const Folder folder;
  write(folder / "near.toml", scenario("0.304"));
  EXPECT_EQ(run(folder, {"check", "near.toml"}).code, 0);
  EXPECT_EQ(run(folder, {"run", "near.toml"}).code, 0);
}

TEST_F(RefusedBeforeStepping, MembersWhosePicturesNeedOtherRuns) {
  if (!draws_pictures()) GTEST_SKIP();
  const Folder folder;
  const std::string text = std::string(few_bodies) +
                           "[[figure]]\nkind = \"divergence\"\nfile = \"a.svg\"\nother = \"../000/run.h5\"\n[sweep]\n";
  write(folder / "other.toml", text + "initial.n = [9, 10]\n");
  write(folder / "absent.toml", text + "figure.other = [\"../000/run.h5\", \"../absent.h5\"]\n");
  write(folder / "fine.toml", text + "integrator.dt = [0.01, 0.005]\n");
  for (const char* command : {"check", "run"}) {
    for (const std::string name : {"absent", "other"}) {
      EXPECT_EQ(run(folder, {command, name + ".toml"}).code, 2) << name;
      EXPECT_FALSE(std::filesystem::exists(folder / name));
    }
    EXPECT_EQ(run(folder, {command, "fine.toml"}).code, 0);
  }
}

TEST_F(RefusedBeforeStepping, MoreThreadsThanCanBeStarted) {
  const Folder folder;
  write(folder / "s.toml", few_bodies + std::string("[[figure]]\nkind = \"projection\"\nfile = \"a.png\"\n"));
  // Address space for some hundred stacks.
  const Outcome made =
      run(folder, {"run", "s.toml"},
          {.launcher = {"/bin/sh", "-c", "ulimit -v 6000000; OMP_NUM_THREADS=4097 exec \"$0\" \"$@\""}});
  if (made.code == 0) GTEST_SKIP() << "a quota of processors limits the threads";
  EXPECT_THAT(made.errors, HasSubstr("threads cannot be started"));
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
