// SPDX-License-Identifier: MIT
// orrery resume --set integrator.time: a new file with the bits of a run of that length from the start.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ProgramLongerRun : public ::testing::Test {
 protected:
  /// NAME.toml: three bodies; `steps` ends the table [integrator], `rest` follows it.
  std::string scenario(const std::string& name, const std::string& steps, const std::string& rest = "") {
    write(folder_ / (name + ".toml"),
          "[initial]\nkind = \"random-cube\"\nn = 3\n[force]\nsoftening = 0.1\n[integrator]\n" + steps + "\n" + rest);
    return name + ".toml";
  }
  Outcome done(const std::vector<std::string>& arguments) {
    Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome;
  }
  std::vector<std::int64_t> frames(const std::string& file) { return TrajectoryReader(folder_ / file).steps(); }

  Folder folder_;
};

struct Case {
  std::string what, integrator, from, to;  ///< keys of [integrator]
  std::string set;                         ///< --set
  std::string before, after;               ///< tables that follow, of the short run and of the long one
};

TEST_F(ProgramLongerRun, HasTheBitsOfAnUninterruptedLongRun) {
  const Case cases[] = {
      {"even frames", "kind = \"leapfrog\"\ndt = 0.01", "time = 1.0", "time = 1.5", "integrator.time=1.5",
       "[trajectory]\nframes = 11", "[trajectory]\nframes = 16"},
      {"a step counted", "kind = \"hermite4\"\ndt = 0.01", "steps = 100", "steps = 170", "integrator.steps=170",
       "[trajectory]\nframes = 11\nstore = \"float32\"\nvelocities = false\n[observables]\nrows = 21",
       "[trajectory]\nframes = 18\nstore = \"float32\"\nvelocities = false\n[observables]\nrows = 35"},
      {"time instead of steps, backward", "kind = \"yoshida4\"\ndt = -0.01", "steps = 100", "time = 2.0",
       "integrator.time=2.0", "[trajectory]\nevery = 7\nbodies = [\"0\", \"2\"]\n[observables]\nevery = 3",
       "[trajectory]\nevery = 7\nbodies = [\"0\", \"2\"]\n[observables]\nevery = 3"},
      {"steps instead of time, frames that end between", "kind = \"rk4\"\ndt = 0.01", "time = 1", "steps = 123",
       "integrator.steps=123", "[trajectory]\nframes = 11", "[trajectory]\nevery = 10"},
      {"frames at no whole distance", "kind = \"leapfrog-dkd\"\ndt = 0.5", "steps = 100", "steps = 130",
       "integrator.steps=130", "[trajectory]\nframes = 8",
       "[trajectory]\ntimes = [0, 7, 14.5, 21.5, 28.5, 35.5, 43, 50, 57, 64.5]"},
      {"frames by the logarithm", "kind = \"leapfrog\"\ndt = 1.0", "steps = 64", "steps = 600", "integrator.steps=600",
       "[force]\nsoftening = 1e3\n[trajectory]\nframes = 8\nspacing = \"log\"",
       "[force]\nsoftening = 1e3\n[trajectory]\ntimes = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512]"},
      {"ias15", "kind = \"ias15\"\ndt = 0.01", "steps = 100", "steps = 170", "integrator.steps=170",
       "[trajectory]\nevery = 7", "[trajectory]\nevery = 7"},
      {"rk45", "kind = \"rk45\"\ndt = 0.01", "steps = 100", "steps = 170", "integrator.steps=170",
       "[trajectory]\nevery = 10", "[trajectory]\nevery = 10"},
      {"hermite4 with steps of its own", "kind = \"hermite4\"\neta = 0.02\ndt = 0.01", "steps = 100", "steps = 170",
       "integrator.steps=170", "[trajectory]\nevery = 10", "[trajectory]\nevery = 10"},
      {"many frames", "kind = \"leapfrog\"\ndt = 1e-6", "steps = 50000", "steps = 90000", "integrator.steps=90000",
       "[trajectory]\nevery = 4\n", "[trajectory]\nevery = 4\n"},
  };
  int k = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::string name = fmt::format("r{}", ++k), own = name + "/run.h5", made = name + "-2/run.h5";
    const bool forced = c.before.starts_with("[force]");
    const auto text = [&](const std::string& length, const std::string& rest) {
      std::string all = "[initial]\nkind = \"random-cube\"\nn = 3\n";
      if (!forced) all += "[force]\nsoftening = 0.1\n";
      return all + "[integrator]\n" + c.integrator + "\n" + length + "\n" + rest;
    };
    write(folder_ / (name + ".toml"), text(c.from, c.before));
    write(folder_ / (name + "w.toml"), text(c.to, c.after));
    done({"simulate", name + ".toml", "--quiet"});
    const std::string before = read(folder_ / own);
    const Outcome whole = done({"simulate", name + "w.toml", "--quiet"});
    const Outcome longer = done({"resume", own, "--set", c.set});
    const std::int64_t from = TrajectoryReader(folder_ / own).record().steps;
    const std::int64_t to = TrajectoryReader(folder_ / made).record().steps;
    EXPECT_THAT(longer.output,
                StartsWith(fmt::format("{}: goes on from step {} of {}, begins as {}, which stays as it is\n", made,
                                       from, to, own)));
    EXPECT_EQ(state_in(longer, to), state_in(whole, to));
    EXPECT_EQ(frames(made), frames(name + "w/run.h5"));
    expect_same_content(folder_ / made, folder_ / (name + "w/run.h5"));
    done({"diff", made, name + "w/run.h5"});
    EXPECT_TRUE(read(folder_ / own) == before) << "the shorter one was touched";
    done({"verify", made, "--quiet"});
    EXPECT_TRUE(TrajectoryReader(folder_ / made).finished());
    EXPECT_TRUE(std::filesystem::exists(folder_ / (name + "-2/summary.json")));
  }
}

/// The default frames of a longer run: as many as before in the same time.
TEST_F(ProgramLongerRun, ContinuesTheFrameSpacingOfTheFile) {
  scenario("s", "kind = \"leapfrog\"\ndt = 0.001\nsteps = 5000");
  done({"simulate", "s.toml", "--quiet"});
  done({"resume", "s/run.h5", "--set", "integrator.time=10", "-o", "long", "--quiet"});
  const auto before = frames("s/run.h5"), after = frames("long/run.h5");
  EXPECT_EQ(after.size(), 2 * before.size() - 1);
  EXPECT_EQ(std::vector(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(before.size())), before);
  EXPECT_EQ(after.back(), 10000);
}

TEST_F(ProgramLongerRun, PicturesAndSummaryAreOfTheNewFile) {
  scenario("s", "kind = \"leapfrog\"\ndt = 0.01\ntime = 1.0", "[[figure]]\nkind = \"projection\"\nfile = \"p.svg\"\n");
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  (void)done({"run", "s.toml", "--quiet"});
  const std::string picture = read(folder_ / "s/p.svg"), summary = read(folder_ / "s/summary.json");
  const Outcome longer = done({"resume", "s/run.h5", "--set", "integrator.time=2"});
  EXPECT_THAT(longer.output, HasSubstr("s-2/p.svg\n"));
  EXPECT_EQ(read(folder_ / "s/p.svg"), picture);
  EXPECT_EQ(read(folder_ / "s/summary.json"), summary);
  EXPECT_NE(read(folder_ / "s-2/p.svg"), picture);
  EXPECT_THAT(read(folder_ / "s-2/summary.json"), AllOf(HasSubstr("\"time\": 2"), HasSubstr("\"p.svg\"")));
  // Repeated, it is reused; another length gets the next number, from any current folder.
  EXPECT_THAT(done({"resume", "s/run.h5", "--set", "integrator.time=2"}).output,
              HasSubstr("s-2/run.h5: reused, the same physics\n"));
  EXPECT_THAT(done({"resume", "./s/run.h5", "--set", "integrator.steps=300"}).output,
              StartsWith("./s-3/run.h5: goes on from step 100"));
  EXPECT_THAT(done({"resume", "s-2/run.h5", "--set", "integrator.time=3"}).output,
              StartsWith("s-2-2/run.h5: goes on from step 200"));
  expect_same_content(folder_ / "s-3/run.h5", folder_ / "s-2-2/run.h5");
  const TrajectoryReader twice(folder_ / "s-2-2/run.h5");
  ASSERT_EQ(twice.record().parts.size(), 2U) << "who computed which part";
  EXPECT_EQ(twice.record().parts[0].step, 100);
  EXPECT_EQ(twice.record().parts[1].step, 200);
}

/// A stopped run can be made longer too, and making it longer can itself be stopped.
TEST_F(ProgramLongerRun, InterruptedBeforeAndDuringExtension) {
  const std::string steps = "kind = \"leapfrog\"\ndt = 1e-6\n", rest = "[trajectory]\nevery = 5000\ncommit = 0.02\n";
  scenario("s", steps + "steps = 1000000000", rest);
  const auto reached = [&](const std::string& file) {
    try {
      return TrajectoryReader(folder_ / file).restart().value_or(sim::Snapshot{}).step;
    } catch (const Error&) {
      return std::int64_t{0};
    }
  };
  const auto stopped = [&](const std::vector<std::string>& arguments, const std::string& file, std::int64_t step) {
    Running running(folder_, arguments);
    EXPECT_TRUE(wait_until([&] { return reached(file) > step; }));
    running.send(SIGINT);
    return running.wait();
  };
  EXPECT_EQ(stopped({"simulate", "s.toml", "--quiet"}, "s/run.h5", 0).code, 130);
  const std::int64_t first = reached("s/run.h5");
  const std::string before = read(folder_ / "s/run.h5");
  const Outcome halfway =
      stopped({"resume", "s/run.h5", "--set", "integrator.steps=2000000000", "--quiet"}, "s-2/run.h5", first);
  EXPECT_EQ(halfway.code, 130);
  EXPECT_THAT(halfway.errors, HasSubstr("of 2000000000; `orrery resume s-2/run.h5` goes on from there\n"));
  const std::int64_t second = reached("s-2/run.h5");
  EXPECT_EQ(
      stopped({"resume", "s/run.h5", "--set", "integrator.steps=2000000000", "--quiet"}, "s-2/run.h5", second).code,
      130)
      << "the same command goes on with what it has made";
  const std::int64_t third = reached("s-2/run.h5");
  EXPECT_EQ(stopped({"resume", "s-2/run.h5", "--quiet"}, "s-2/run.h5", third).code, 130);
  EXPECT_TRUE(read(folder_ / "s/run.h5") == before);
  const std::int64_t fourth = reached("s-2/run.h5");
  scenario("w", steps + fmt::format("steps = {}", fourth), rest);
  done({"simulate", "w.toml", "--quiet"});
  done({"verify", "s-2/run.h5", "--quiet"});
  const auto state = TrajectoryReader(folder_ / "s-2/run.h5").restart().value();
  EXPECT_EQ(state.position, TrajectoryReader(folder_ / "w/run.h5").restart().value().position);
}

TEST_F(ProgramLongerRun, RefusesOtherChanges) {
  scenario("s", "kind = \"leapfrog\"\ndt = 0.01\ntime = 1.0", "[trajectory]\nframes = 11\n");
  done({"simulate", "s.toml", "--quiet"});
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"resume", "s/run.h5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    return outcome.errors;
  };
  EXPECT_EQ(refused({"--set", "integrator.time=0.5"}),
            "orrery: s/run.h5: goes to t = 1 in 100 steps, and a run can only be made longer: 50 steps are fewer\n");
  EXPECT_THAT(refused({"--set", "integrator.time=2", "--set", "integrator.dt=0.02"}),
              HasSubstr("holds another run: integrator.dt (there 0.01, here 0.02); --set can only make it longer"));
  EXPECT_THAT(refused({"--set", "integrator.time=2", "--set", "trajectory.frames=50"}),
              HasSubstr("trajectory.frames (there 11, here 50)"));
  EXPECT_THAT(refused({"--set", "integrator.time=2", "--set", "integrator.steps=200"}),
              HasSubstr("give `time` or `steps`, not both"));
  EXPECT_THAT(refused({"--set", "integrator.time=2", "-o", "s"}), HasSubstr("stays as it is"));
  EXPECT_THAT(refused({"--set", "integrator.time=0.986"}), HasSubstr("99 steps are fewer"));
  EXPECT_THAT(refused({"--set", "seed=7"}), AllOf(HasSubstr("seed (there 1, here 7)"), HasSubstr("integrator.time")));
  EXPECT_THAT(refused({"-o", "other"}), HasSubstr("-o is for a longer run, --set integrator.time"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s-2"));
  EXPECT_THAT(done({"resume", "s/run.h5", "--set", "integrator.time=1"}).output, HasSubstr("finished already"));
  // An existing file in place of the new folder is not touched.
  std::filesystem::create_directories(folder_ / "s-2");
  write(folder_ / "s-2/mine", "mine");
  EXPECT_THAT(done({"resume", "s/run.h5", "--set", "integrator.time=2"}).output, StartsWith("s-3/run.h5: goes on"));
}

/// Damaged data is never copied as if it were intact.
TEST_F(ProgramLongerRun, DamagedFrameIsNamed) {
  scenario("s", "kind = \"leapfrog\"\ndt = 0.01\ntime = 1.0", "[trajectory]\nframes = 11\n");
  done({"simulate", "s.toml", "--quiet"});
  std::string bytes = read(folder_ / "s/run.h5");
  bytes[place_of(folder_ / "s/run.h5", "/particles/all/position/value", 0, 5 * 72 + 8)] ^= 1;
  write(folder_ / "s/run.h5", bytes);
  const Outcome outcome = run(folder_, {"resume", "s/run.h5", "--set", "integrator.time=2"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: s/run.h5: frame 5: "), HasSubstr("`orrery repair s/run.h5`")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s-2/run.h5"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
