// SPDX-License-Identifier: MIT
// orrery verify and orrery diff: identical bits are recognised, and a single differing bit is found and named.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "pipeline/compare/comparison.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/run/run_record.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string cube(int n, std::string_view more = "") {
  return fmt::format(
      "[initial]\nkind = \"random-cube\"\nn = {}\n[force]\nsoftening = 0.1\n[integrator]\nkind = \"yoshida4\"\n"
      "dt = 1e-3\nsteps = 40\n[observables]\nevery = 3\n[trajectory]\nevery = 4\n{}",
      n, more);
}

class ProgramVerify : public ::testing::Test {
 protected:
  /// Simulates `text` into NAME/run.h5.
  std::string simulate(const std::string& name, const std::string& text, const std::vector<std::string>& more = {}) {
    write(folder_ / (name + ".toml"), text);
    std::vector<std::string> arguments{"simulate", name + ".toml", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return name + "/run.h5";
  }

  /// The same file with one number of one frame slightly changed.
  void forge(const std::string& name, const std::string& text, std::int64_t step,
             const std::function<void(sim::Snapshot&)>& touch, bool finish = true,
             const std::function<void(RunRecord&)>& change = {}) {
    const Scenario scenario = parse_scenario(text, "s.toml");
    const auto setup = set_up(scenario);
    const ChosenBackend chosen = make_backend(setup, scenario.backend);
    sim::Simulation simulation(*chosen.backend, setup.model);
    RunRecord record = make_record(scenario, setup, chosen, "", "forged");
    if (change) change(record);
    TrajectoryWriter writer(folder_ / name, setup.model.bodies, record, setup.output.stored);
    for (std::int64_t at = 0; at <= setup.model.steps; at = setup.output.next_step(at, setup.model.steps)) {
      simulation.advance(at - simulation.step());
      sim::Snapshot now = simulation.observe();
      if (at == step) touch(now);
      writer.append(now, setup.output.frames.contains(at));
      if (at == setup.model.steps || (!finish && at > step)) break;
    }
    finish ? writer.finish(simulation.observe()) : writer.commit(simulation.observe());
  }

  Outcome verify(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"verify", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(folder_, arguments);
  }
  void expect_same(const Outcome& outcome, const std::string& frames, const std::string& rows) {
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("same             yes, to the last bit\n"),
                                      HasSubstr("frames compared  " + frames + ", " + frames + " of them"),
                                      HasSubstr("rows compared    " + rows + ", " + rows + " of them")));
    EXPECT_EQ(outcome.errors, "");
  }

  Folder folder_;
};

TEST_F(ProgramVerify, BitsDoNotDependOnTheBackend) {
  for (const int n : {1, 2, 257}) {
    SCOPED_TRACE(n);
    const std::string file = simulate(fmt::format("n{}", n), cube(n), {"--threads", "1"});
    // 11 frames; rows at every third and every fourth step.
    expect_same(verify(file, {"--backend", "cpu", "--threads", "3"}), "11", "21");
    const Outcome reference = verify(file, {"--backend", "reference"});
    expect_same(reference, "11", "21");
    EXPECT_THAT(reference.output,
                AllOf(HasSubstr("started from     step 0\n"), HasSubstr("backend (there cpu, here reference)")));
  }
}

TEST_F(ProgramVerify, AnyStoredColumnsAndPrecision) {
  for (const char* keys : {"store = \"float32\"\n", "velocities = false\n"}) {
    SCOPED_TRACE(keys);
    const std::string file = simulate("k", cube(3, keys), {"--force"});
    expect_same(verify(file), "11", "21");
    // Such frames do not have the full state, so verification begins at step 0.
    const Outcome part = verify(file, {"--frames", "5:7"});
    expect_same(part, "3", "5");
    EXPECT_THAT(part.output, HasSubstr("started from     step 0\n"));
  }
  const Outcome floats = verify(simulate("f", cube(3, "[backend]\nprecision = \"float32\"\n")));
  expect_same(floats, "11", "21");
  EXPECT_THAT(floats.output, HasSubstr("float32 gives the same bits on this device with this build only"));
}

TEST_F(ProgramVerify, PartsStartFromAFrame) {
  const std::string file = simulate("p", cube(33));
  const Outcome part = verify(file, {"--frames", "5:7"});
  expect_same(part, "3", "5");  // steps 20, 24 and 28, and also rows at 21 and 27
  EXPECT_THAT(part.output, HasSubstr("started from     frame 4 as it is stored\n"));
  expect_same(verify(file, {"--frames", ":0"}), "1", "1");
  expect_same(verify(file, {"--frames", "10:"}), "1", "1");
  expect_same(verify(file, {"--frames", "3"}), "1", "1");
  for (const char* wrong : {"5:11", "7:5", "a", "-1:3"}) EXPECT_EQ(verify(file, {"--frames", wrong}).code, 2) << wrong;
}

TEST_F(ProgramVerify, OneChangedBitIsNamed) {
  const std::string names =
      with(cube(2), "kind = \"random-cube\"\nn = 2\n",
           "kind = \"table\"\nbodies = [{ name = \"Ida\", mass = 1, position = [-1, 0, 0], velocity = [0, 0.5, 0] }, "
           "{ mass = 2, position = [1, 0.5, 0], velocity = [0, 0, 0.25] }]\n");
  const auto nudge = [](double& x) { x = std::nextafter(std::nextafter(x, 9), 9); };
  forge("x.h5", names, 12, [&](sim::Snapshot& s) { nudge(s.position.y[0]); });
  const Outcome x = verify("x.h5");
  EXPECT_EQ(x.code, 1);
  EXPECT_THAT(x.output, Not(HasSubstr("row difference")));
  EXPECT_THAT(x.output, ContainsRegex("frame 3 \\(step 12, t = 0.012\\), Ida, position y: there [-0-9.e]+, here "
                                      "[-0-9.e]+, 2 ulps\n"));
  EXPECT_THAT(x.output, HasSubstr("11, 10 of them the same bits"));

  forge("v.h5", names, 28, [&](sim::Snapshot& s) { nudge(s.velocity.z[1] = 0.25); });
  const Outcome v = verify("v.h5", {"--json"});
  EXPECT_EQ(v.code, 1);
  EXPECT_TRUE(is_json(v.output)) << v.output;
  for (const char* fact : {"\"body\": \"body 1\"", "\"component\": \"velocity z\"", "\"frame\": 7", "\"step\": 28",
                           "\"a\": 0.2500000000000001", "\"same\": false", "\"frames_same\": 10"}) {
    EXPECT_THAT(v.output, HasSubstr(fact));
  }

  forge("r.h5", names, 9, [&](sim::Snapshot& s) { nudge(s.observables.angular_momentum.z); });
  const Outcome r = verify("r.h5");
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.output, HasSubstr("row 5 (step 9, t = 0.009), angular momentum z: there "));
  EXPECT_THAT(r.output, HasSubstr("11, 11 of them the same bits"));

  // A part without that frame is correct; one that starts from the wrong frame differs at the next.
  EXPECT_EQ(verify("x.h5", {"--frames", ":2"}).code, 0);
  EXPECT_THAT(verify("x.h5", {"--frames", "3"}).output, HasSubstr("frame 3 (step 12"));
  EXPECT_THAT(verify("x.h5", {"--frames", "4:5"}).output, HasSubstr("frame 4 (step 16"));
  EXPECT_EQ(verify("x.h5", {"--frames", "5:"}).code, 0);
}

TEST_F(ProgramVerify, UnfinishedFilesUpToTheirLastFrame) {
  forge(
      "u.h5", cube(3), 17, [](sim::Snapshot&) {}, false);
  const Outcome outcome = verify("u.h5");
  expect_same(outcome, "5", "10");
}

TEST_F(ProgramVerify, InvalidRequestsAreRefused) {
  EXPECT_EQ(verify("nix.h5").code, 2);
  write(folder_ / "mine.h5", "mine");
  EXPECT_THAT(verify("mine.h5").errors, HasSubstr("mine.h5: not an HDF5 file"));
  const std::string file = simulate("s", sound);
  EXPECT_EQ(verify(file, {"--backend", "gpu"}).code, 2);
  const Outcome none = run(folder_, {"diff", file, "nix.h5"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.errors, "orrery: nix.h5: no such file\n");
  EXPECT_EQ(run(folder_, {"diff", file}).code, 2);
}

TEST_F(ProgramVerify, DamagedFramesAreNamed) {
  const std::string file = simulate("d", cube(33, "velocities = false\n"));
  flip(folder_ / file, place_of(folder_ / file, "/particles/all/position/value", 0, 3 * 33 * 24 + 100));
  const Outcome outcome = verify(file);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("frames compared  11, 10 of them the same bits\n"));
  EXPECT_THAT(outcome.output,
              HasSubstr("damaged          d/run.h5: frame 3 (step 12): it does not match its checksum\n"));
}

TEST_F(ProgramVerify, InterruptReportsProgress) {
  const std::string file =
      simulate("l", with(with(cube(33), "steps = 40", "steps = 100000"), "every = 4", "every = 50"));
  Running running(folder_, {"verify", file, "--backend", "reference"});
  ASSERT_TRUE(wait_until([&] { return running.heeds(SIGTERM); }));
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.code, 143);
  EXPECT_THAT(outcome.output, HasSubstr("stopped at step  "));
}

TEST_F(ProgramVerify, DiffOfTheSameRun) {
  const std::string a = simulate("a", cube(33), {"--threads", "1"});
  const std::string b = simulate("b", "title = \"other\"\n" + cube(33), {"--backend", "reference"});
  const Outcome outcome = run(folder_, {"diff", a, b});
  expect_same(outcome, "11", "21");
  EXPECT_THAT(outcome.output, HasSubstr("backend (a/run.h5 cpu, b/run.h5 reference)"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("physics")));
}

TEST_F(ProgramVerify, DiffNamesWhatDiffers) {
  const std::string a = simulate("a", cube(3)), b = simulate("b", with(cube(3), "dt = 1e-3", "dt = 5e-4"));
  const Outcome outcome = run(folder_, {"diff", a, b});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("integrator.dt (a/run.h5 0.001, b/run.h5 0.0005)"));
  // Frames that both runs have: t = 0, 0.004, …, 0.02, which are frames 0 … 5 of one and every second of the other.
  EXPECT_THAT(outcome.output, HasSubstr("6, 1 of them the same bits"));
  EXPECT_THAT(outcome.output, ContainsRegex("frame 1 \\(step 4, t = 0.004\\), body 0, position x: a/run.h5 "));
  EXPECT_THAT(outcome.output, ContainsRegex("\\|Δx\\| = [0-9.e-]+ at step [0-9]+, t = 0.0[0-9]+\n"));
  EXPECT_THAT(outcome.output, HasSubstr("5 of a/run.h5, the first at t = 0.024\n"));
  EXPECT_THAT(outcome.output, HasSubstr("5 of b/run.h5, the first at t = 0.002\n"));
  EXPECT_TRUE(is_json(run(folder_, {"diff", a, b, "--json"}).output));

  const std::string more = simulate("m", cube(4));
  const Outcome bodies = run(folder_, {"diff", a, more});
  EXPECT_EQ(bodies.code, 1);
  EXPECT_THAT(bodies.output, HasSubstr("bodies (a/run.h5 3, m/run.h5 4)"));
}

/// A run whose plug-in no longer exists is compared by the values in its file.
TEST_F(ProgramVerify, DiffOfRunsThatThisVersionCannotRead) {
  const auto without_plugin = [](RunRecord& record) {
    record.resolved.replace(record.resolved.find("yoshida4"), 8, "bouncing");
  };
  const auto untouched = [](sim::Snapshot&) {};
  forge("new.h5", cube(3), 0, untouched);
  forge("old.h5", cube(3), 0, untouched, true, without_plugin);
  forge("other.h5", "seed = 2\n" + cube(3), 0, untouched, true, without_plugin);
  EXPECT_EQ(run(folder_, {"diff", "old.h5", "old.h5"}).code, 0);
  EXPECT_THAT(run(folder_, {"diff", "old.h5", "other.h5"}).output, HasSubstr(" seed (old.h5 1, other.h5 2)\n"));
  EXPECT_THAT(run(folder_, {"diff", "old.h5", "new.h5"}).output,
              HasSubstr(" integrator.kind (old.h5 \"bouncing\", new.h5 \"yoshida4\")\n"));
}

TEST(Comparison, CountsUnitsInTheLastPlace) {
  const auto ulps = [](double x, double y, bool floats) {
    Comparison comparison(floats);
    sim::Snapshot a{.step = 7,
                    .time = 0.5,
                    .position = sim::Vectors(1),
                    .velocity = {},
                    .columns = {},
                    .clock = {},
                    .observables = {}};
    sim::Snapshot b = a;
    a.position.z[0] = x;
    b.position.z[0] = y;
    comparison.add_frame(2, a, b, {{5}, {}});
    Report report;
    comparison.report(report, "A", "B");
    const std::string text = report.table(), mark = "frame 2 (step 7, t = 0.5), body 5, position z: A ";
    EXPECT_EQ(comparison.same(), text.find(mark) == std::string::npos);
    const auto at = text.find(" ulps");
    return at == std::string::npos ? 0 : std::stoull(text.substr(text.rfind(' ', at - 1)));
  };
  EXPECT_EQ(ulps(1.5, 1.5, false), 0U);
  EXPECT_EQ(ulps(1, std::nextafter(1, 2), false), 1U);
  EXPECT_EQ(ulps(1, std::nextafter(1, 0), false), 1U);
  EXPECT_EQ(ulps(-5e-324, 5e-324, false), 2U);
  EXPECT_EQ(ulps(1, 2, false), 1ULL << 52);
  EXPECT_EQ(ulps(1, 2, true), 1ULL << 23);
  EXPECT_EQ(ulps(-1.7e308, 1.7e308, false), 18436757907005404908ULL) << "no overflow";
}

}  // namespace
}  // namespace orrery::pipeline::testing
