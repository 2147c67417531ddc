// SPDX-License-Identifier: MIT
// What pictures need is asked before the first step: `check` and `run` refuse in the same words, and nothing is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

struct EarlyRefusal {
  const char *name, *scenario, *complaint;
};

constexpr const char* few_bodies =
    "[initial]\nkind = \"plummer\"\nn = 9\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 7\n";

class RefusedBefore : public ::testing::TestWithParam<EarlyRefusal> {};

TEST_P(RefusedBefore, ByCheckAndByRun) {
  const Folder folder;
  write(folder / "s.toml", few_bodies + std::string(GetParam().scenario));
  const Outcome check = run(folder, {"check", "s.toml"}), made = run(folder, {"run", "s.toml"});
  EXPECT_EQ(check.code, 2);
  EXPECT_EQ(made.code, 2);
  EXPECT_THAT(made.errors, HasSubstr(GetParam().complaint));
  EXPECT_EQ(made.errors, check.errors);
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
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
        EarlyRefusal{"film_area",
                     "[[film]]\nkind = \"projection\"\nfile = \"a.gif\"\nsize = [16384, 16384]\nmax_file_size = 0\n",
                     "FFmpeg's films have at most 16128 rows of 16384 pixels"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(RefusedBeforeStepping, WallTimeOfNoSteps) {
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

TEST(RefusedBeforeStepping, FramesThatNoMomentHas) {
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

TEST(RefusedBeforeStepping, AnotherRunThatDoesNotFit) {
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

TEST(RefusedBeforeStepping, MoreThreadsThanCanBeStarted) {
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
