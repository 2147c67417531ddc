// SPDX-License-Identifier: MIT
// Runs in a box from end to end: bodies that cross boundaries are stepped, stored, resumed, verified and exported.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "pipeline/report.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Disks on a lattice in the unit square with random velocities; `n` per side.
std::string disks(int n, const std::string& boundary, const std::string& rest) {
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      bodies += fmt::format(" {{ mass = 1, position = [{}, {}, 0], velocity = [{}, {}, 0] }},\n", (i + 0.5) / n,
                            (j + 0.5) / n, (i * 7 + j * 3) % 5 - 2, (i * 3 + j * 5) % 7 - 3);
  }
  return fmt::format(
      "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [\n{}]\n"
      "[force]\nkind = \"wca\"\nsigma = {}\n[domain]\ndimensions = 2\nboundary = {}\nedges = [1.0, 1.0]\n{}",
      bodies, 0.5 / n, boundary, rest);
}

class ProgramBox : public ::testing::Test {
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
  void expect_same(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr("yes, to the last bit"));
  }

  Folder folder_;
};

const std::string steps =
    "[integrator]\nkind = \"leapfrog\"\ndt = 2e-4\nsteps = 2000\n[trajectory]\nevery = 20\n[observables]\nevery = 7\n";

TEST_F(ProgramBox, IsStoredVerifiedAndComparedOnEveryBackend) {
  for (const char* boundary : {"\"periodic\"", "[\"periodic\", \"reflecting\"]", "\"reflecting\""}) {
    SCOPED_TRACE(boundary);
    const std::string text = disks(5, boundary, steps);
    const std::string file = simulate("a", text, {"--backend", "cpu"});
    expect_same(run(folder_, {"verify", file, "--backend", "reference"}));
    expect_same(run(folder_, {"verify", file, "--frames", "60:70", "--backend", "cpu"}));
    expect_same(run(folder_, {"diff", file, simulate("b", text, {"--backend", "reference"})}));
    const TrajectoryReader reader(folder_ / file);
    const History history = reader.history();
    ASSERT_EQ(history.pressure.size(), history.step.size());
    double greatest = 0;
    for (const double virial : history.virial) {
      EXPECT_GE(virial, 0);  // disks repel
      greatest = std::max(greatest, virial);
    }
    EXPECT_GT(greatest, 0);
    EXPECT_GT(history.temperature.back(), 0);
    if (std::string_view(boundary) == "\"reflecting\"") {
      EXPECT_EQ(reader.snapshot(0).image.size(), 0U);
    } else {
      EXPECT_GT(std::ranges::max(reader.snapshot(reader.size() - 1).image.x), 0);
    }
    std::filesystem::remove_all(folder_ / "a");
    std::filesystem::remove_all(folder_ / "b");
  }
}

/// Positions combined with images are continuous: no body jumps.
TEST_F(ProgramBox, ImagesGiveContinuousPaths) {
  const TrajectoryReader reader(folder_ / simulate("a", disks(4, "\"periodic\"", steps)));
  double furthest = 0;
  for (std::size_t i = 1; i < reader.size(); ++i) {
    const sim::Snapshot before = reader.snapshot(i - 1), now = reader.snapshot(i);
    for (std::size_t n = 0; n < now.size(); ++n) {
      EXPECT_TRUE(now.position.x[n] >= 0 && now.position.x[n] < 1);
      const double moved = now.position.x[n] + now.image.x[n] - before.position.x[n] - before.image.x[n];
      EXPECT_LT(std::abs(moved), 0.1);  // 20 steps at a speed of 20
      furthest = std::max(furthest, now.image.x[n]);
    }
  }
  EXPECT_GT(furthest, 0);
}

TEST_F(ProgramBox, DiffNamesDifferentImages) {
  const std::string text = disks(3, "\"periodic\"", steps);
  const Scenario scenario = parse_scenario(text, "s.toml");
  const std::string file = simulate("a", text);
  const TrajectoryReader reader(folder_ / file);
  {
    RunRecord record = reader.record();
    record.initial.emplace(0, reader.initial(0));
    TrajectoryWriter writer(folder_ / "forged.h5", set_up(scenario).model.bodies, record, reader.options());
    for (std::size_t i = 0; i < reader.size(); ++i) {
      sim::Snapshot frame = reader.snapshot(i);
      if (i == 7) frame.image.y[4] += 1;
      writer.append(frame, true);
    }
    writer.finish(*reader.restart());
  }
  const Outcome verified = run(folder_, {"verify", "forged.h5"});
  EXPECT_EQ(verified.code, 1);
  EXPECT_THAT(verified.output, ContainsRegex("first difference +frame 7 .*, body 4, image y: there"));
}

TEST_F(ProgramBox, BodiesAcrossAPeriodicEdgeAreNear) {
  const auto one = [](const char* speed) {
    return fmt::format(
        "[[initial]]\nkind = \"table\"\nrecentre = false\nbodies = [{{ mass = 1, position = [0.3, 0.2, 0], velocity = "
        "[{}, 0, 0] }}]\n"
        "[force]\nkind = \"wca\"\nsigma = 0.1\n[domain]\ndimensions = 2\nboundary = \"periodic\"\nedges = [1.0, 1.0]\n"
        "[integrator]\nkind = \"leapfrog\"\ndt = 1e-3\nsteps = 2000\n[trajectory]\nevery = 1\n",
        speed);
  };
  const std::string a = simulate("a", one("1.0")), b = simulate("b", one("1.001"));
  const Outcome outcome = run(folder_, {"diff", a, b});
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("= 0.002 at step 2000, t = 2")) << "not most of the box";
}

TEST_F(ProgramBox, KilledAndResumedToTheSameState) {
  const std::string rest =
      "[integrator]\nkind = \"leapfrog\"\ndt = 1e-5\nsteps = 60000\n[trajectory]\nframes = 41\ncommit = 0.02\n"
      "[observables]\nevery = 1000\n";
  for (const char* boundary : {"\"periodic\"", "[\"reflecting\", \"periodic\"]"}) {
    const std::string text = disks(7, boundary, rest);
    simulate("whole", text);
    write(folder_ / "r.toml", text);
    {
      Running running(folder_, {"simulate", "r.toml", "--quiet"});
      EXPECT_TRUE(wait_until([&] {
        try {
          return TrajectoryReader(folder_ / "r/run.h5").restart().value_or(sim::Snapshot{}).step > 1000;
        } catch (const Error&) {
          return false;  // not there yet
        }
      }));
      running.send(SIGKILL);
      (void)running.wait();
    }
    const Outcome on = run(folder_, {"resume", "r/run.h5"});
    EXPECT_EQ(on.code, 0) << on.errors;
    expect_same_content(folder_ / "r/run.h5", folder_ / "whole/run.h5");
    EXPECT_TRUE(TrajectoryReader(folder_ / "r/run.h5").restart()->image ==
                TrajectoryReader(folder_ / "whole/run.h5").restart()->image);
    std::filesystem::remove_all(folder_ / "r");
    std::filesystem::remove_all(folder_ / "whole");
  }
}

TEST_F(ProgramBox, ExtendedRunHasTheBitsOfALongRun) {
  const std::string text = disks(4, "\"periodic\"", steps);
  simulate("a", text);
  simulate("long", with(text, "steps = 2000", "steps = 3000"));
  const Outcome longer = run(folder_, {"resume", "a/run.h5", "--set", "integrator.steps=3000"});
  ASSERT_EQ(longer.code, 0) << longer.errors;
  expect_same_content(folder_ / "a-2/run.h5", folder_ / "long/run.h5");
}

TEST_F(ProgramBox, IsExported) {
  const std::string file = simulate("a", disks(4, "\"periodic\"", steps));
  const Outcome csv = run(folder_, {"export", file, "--format", "csv", "-o", "a.csv"});
  ASSERT_EQ(csv.code, 0) << csv.errors;
  const std::string table = read(folder_ / "a.csv");
  EXPECT_THAT(table.substr(0, 60),
              ::testing::StartsWith("frame,step,time,id,x,y,z,vx,vy,vz,ix,iy,iz,mass,component\n"));
  const sim::Snapshot last = TrajectoryReader(folder_ / file).snapshot(100);
  const std::string line =
      fmt::format("\n100,2000,0.4,5,{},{},0,{},{},0,{},{},0,1,table\n", last.position.x[5], last.position.y[5],
                  last.velocity.x[5], last.velocity.y[5], last.image.x[5], last.image.y[5]);
  EXPECT_NE(table.find(line), std::string::npos) << line;
  // Read back as a table of bodies: positions are inside the box.
  const std::string again = "[[initial]]\nkind = \"table\"\nfile = \"a.csv\"\nrecentre = false\n" + steps +
                            "[force]\nkind = \"wca\"\nsigma = 0.125\n[domain]\ndimensions = 2\nboundary = "
                            "\"periodic\"\nedges = [1, 1]\n";
  EXPECT_TRUE(TrajectoryReader(folder_ / simulate("again", again)).snapshot(0).position == last.position);

  const Outcome json = run(folder_, {"export", file, "--format", "json"});
  EXPECT_TRUE(is_json(json.output));
  for (const char* name : {"virial", "temperature", "pressure"})
    EXPECT_THAT(json.output, HasSubstr(fmt::format("    \"{}\": [", name)));
  for (const char* format : {"cs267", "xdmf"})
    EXPECT_EQ(run(folder_, {"export", file, "--format", format, "-o", fmt::format("out.{}", format)}).code, 0);
}

TEST_F(ProgramBox, PrintsTemperatureAndPressure) {
  const std::string file = simulate("a", disks(4, "\"reflecting\"", steps));
  const History history = TrajectoryReader(folder_ / file).history();
  EXPECT_THAT(run(folder_, {"info", file}).output,
              AllOf(HasSubstr(fmt::format("{:.6g} at the end\n", history.temperature.back())),
                    HasSubstr(fmt::format("{:.6g} at the end\n", history.pressure.back()))));
  for (const std::string& text : {run(folder_, {"info", file, "--json"}).output, read(folder_ / "a/summary.json")})
    EXPECT_THAT(text, AllOf(HasSubstr("\"temperature\": " + to_json(history.temperature.back())),
                            HasSubstr("\"pressure\": " + to_json(history.pressure.back()))));
  // The advice for an energy error suits a law with a cutoff.
  const std::string few =
      "[integrator]\nkind = \"leapfrog\"\ndt = 2e-2\nsteps = 6\n";  // later, bodies are too fast for a box
  const std::string coarse = simulate("c", disks(4, "\"reflecting\"", few));
  EXPECT_THAT(run(folder_, {"info", coarse}).errors, ::testing::EndsWith("; take a smaller dt\n"));
  simulate("g", with(sound, "steps = 20", "steps = 3"));
  EXPECT_THAT(run(folder_, {"info", "g/run.h5"}).output, Not(HasSubstr("temperature")));
}

TEST_F(ProgramBox, IsRepaired) {
  const std::string file = simulate("a", disks(3, "\"periodic\"", steps));
  EXPECT_THAT(run(folder_, {"repair", file}).output, HasSubstr("nothing to do"));
  const Outcome copied = run(folder_, {"repair", file, "-o", "copy.h5"});
  EXPECT_EQ(copied.code, 0) << copied.errors;
  expect_same(run(folder_, {"diff", file, "copy.h5"}));
  expect_same(run(folder_, {"verify", "copy.h5"}));
}

/// No softening is advised if the law has none; a step is compared with pairs within the cutoff, also across an edge.
TEST_F(ProgramBox, CheckReportsTheCutoff) {
  write(folder_ / "a.toml", disks(4, "\"periodic\"", steps));
  const Outcome apart = run(folder_, {"check", "a.toml"});
  EXPECT_EQ(apart.code, 0) << apart.errors;
  EXPECT_THAT(apart.output + apart.errors,
              AllOf(Not(HasSubstr("softening")), Not(HasSubstr("not bound")), Not(HasSubstr("shortest timescale"))));
  const std::string near = with(with(disks(2, "\"periodic\"", steps), "[0.25, 0.25, 0]", "[0.01, 0.25, 0]"),
                                "[0.75, 0.25, 0]", "[0.99, 0.25, 0]");
  write(folder_ / "b.toml", near);
  EXPECT_THAT(run(folder_, {"check", "b.toml"}).output, HasSubstr("shortest timescale"));
}

/// The size reported by `check` is that of the file.
TEST_F(ProgramBox, FileSizeIsAsPredicted) {
  const std::string text = disks(12, "\"periodic\"", steps);
  const std::string file = simulate("a", text);
  const std::string plan = run(folder_, {"check", "a.toml", "--json"}).output, key = "\"file_size\": ";
  const double told = std::stod(plan.substr(plan.find(key) + key.size()));
  const auto real = static_cast<double>(std::filesystem::file_size(folder_ / file));
  EXPECT_NEAR(told, real, 0.1 * real);
}

}  // namespace
}  // namespace orrery::pipeline::testing
