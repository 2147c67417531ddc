// SPDX-License-Identifier: MIT
// orrery render --figure: one figure of a run or of several; what is drawn, its file name, and refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* triple = R"(title = "Three"
[initial]
kind = "table"
bodies = [{ name = "Sun", mass = 1.0, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "Near", mass = 1e-3, position = [1, 0, 0], velocity = [0, 1, 0] },
          { name = "Far", mass = 1e-4, position = [0, 3, 0], velocity = [-0.6, 0, 0] }]
[integrator]
kind = "leapfrog"
dt = 0.01
steps = 300
)";

class RenderFigure : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
    write(folder_ / "t.toml", triple);
  }
  void simulate(const std::string& name, const std::vector<std::string>& keys = {}) {
    testing::simulate(folder_, "t.toml", name, keys);
  }
  Outcome render(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "render");
    return run(folder_, arguments);
  }
  Folder folder_;
};

TEST_F(RenderFigure, EveryKindIsDrawnWithoutFiguresInTheScenario) {
  simulate("a");
  simulate("b", {"integrator.dt=0.005", "integrator.steps=600"});
  for (const FigureDescription& kind : figure_descriptions()) {
    std::vector<std::string> arguments{"a/run.h5", "--figure", std::string(kind.name), "--set",
                                       "figure[0].size=[640, 480]"};
    if (kind.name == "divergence" || kind.name == "convergence" || kind.name == "work-precision")
      arguments.insert(arguments.begin() + 1, "b/run.h5");
    const Outcome drawn = render(arguments);
    EXPECT_EQ(drawn.code, 0) << drawn.errors;
    EXPECT_EQ(drawn.output, fmt::format("a/{}.png\n", kind.name));
    EXPECT_TRUE(std::filesystem::exists(folder_ / fmt::format("a/{}.png", kind.name)));
  }
}

TEST_F(RenderFigure, IsWrittenToTheGivenFile) {
  simulate("a");
  EXPECT_EQ(render({"a/run.h5", "--figure", "separation", "-o", "there"}).output, "there/separation.png\n");
  EXPECT_EQ(render({"a/run.h5", "--figure", "separation", "-o", "x/y.svg"}).output, "x/y.svg\n");
  EXPECT_THAT(read(folder_ / "x/y.svg"), HasSubstr("aria-label=\"Sun – Near\""));
  EXPECT_EQ(render({"a/run.h5", "--figure", "separation", "-o", "v1.2"}).output, "v1.2/separation.png\n");
  for (const char* other : {"y.eps", "y.jpg"})
    EXPECT_THAT(render({"a/run.h5", "--figure", "separation", "-o", other}).errors, HasSubstr(".png, .svg or .pdf"));
}

TEST_F(RenderFigure, OverlaysRunsOverTimeEvaluationsAndWallTime) {
  simulate("a");
  simulate("b", {"integrator.kind=\"rk4\""});
  simulate("c", {"integrator.kind=\"ias15\""});
  const auto words = [&](const std::string& against) {
    const Outcome drawn =
        render({"a/run.h5", "b/run.h5", "c/run.h5", "--figure", "energy-error", "--against", against, "-o", "e.svg"});
    EXPECT_EQ(drawn.code, 0) << drawn.errors;
    return read(folder_ / "e.svg");
  };
  const std::string time = words("time");
  for (const char* name : {"\"leapfrog\"", "\"rk4\"", "\"ias15\"", "\"t\"", "\"3.0\""}) {
    EXPECT_THAT(time, HasSubstr(fmt::format("aria-label={}", name)));
  }
  // 300 steps of four evaluations are 1200; the steps that ias15 chose are fewer than those of dt.
  EXPECT_THAT(words("evaluations"), HasSubstr("aria-label=\"1200\""));
  EXPECT_THAT(words("wall-time"), HasSubstr("spread evenly [s]"));
}

TEST_F(RenderFigure, DivergenceFromTheSameRunIsZero) {
  simulate("a");
  simulate("b");
  simulate("c", {"integrator.steps=299"});
  EXPECT_EQ(render({"a/run.h5", "b/run.h5", "--figure", "divergence", "-o", "d.svg"}).code, 0);
  EXPECT_THAT(read(folder_ / "d.svg"), HasSubstr("the same to the last bit"));
  write(folder_ / "t.toml",
        std::string(triple) + "[[figure]]\nkind = \"divergence\"\nfile = \"d.png\"\n" + "other = \"../a/run.h5\"\n");
  EXPECT_EQ(run(folder_, {"run", "t.toml", "-o", "f", "--quiet", "--set", "integrator.dt=0.02"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "f/d.png"));
}

TEST_F(RenderFigure, MissingOtherRunIsReportedBeforeStepping) {
  const std::string figure = "[[figure]]\nkind = \"divergence\"\nfile = \"d.png\"\nother = \"../a/run.h5\"\n";
  const std::string panels = "[[figure]]\nkind = \"panels\"\nfile = \"d.png\"\n[[figure.part]]\n" +
                             std::string("kind = \"energy-error\"\nothers = [\"../a/run.h5\"]\n");
  for (const std::string& picture : {figure, panels}) {
    write(folder_ / "f.toml", triple + picture);
    const std::string place = picture == figure ? "f.toml:14:9: " : "f.toml:16:10: ";
    for (const std::string command : {"check", "run"}) {
      const Outcome outcome = run(folder_, {command, "f.toml"});
      EXPECT_EQ(outcome.code, 2);
      EXPECT_THAT(outcome.errors, HasSubstr(place + "a/run.h5: no such file; `other"));
      EXPECT_THAT(outcome.errors, HasSubstr("is relative to the folder of this run, f, and"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "f")) << "no step was made";
  }
  EXPECT_EQ(run(folder_, {"simulate", "f.toml", "--quiet"}).code, 0) << "which draws nothing";
  simulate("a");
  EXPECT_EQ(run(folder_, {"check", "f.toml"}).code, 0);
  EXPECT_EQ(run(folder_, {"run", "f.toml", "--quiet"}).code, 0);
}

TEST_F(RenderFigure, SweepMemberIsComparedWithAnEarlierOne) {
  const auto sweep = [&](const std::string& other) {
    write(folder_ / "w.toml", triple +
                                  std::string("[[figure]]\nkind = \"divergence\"\nfile = \"d.png\"\nother = \"../") +
                                  other + "/run.h5\"\n[sweep]\nintegrator.dt = [0.01, 0.02]\n");
  };
  sweep("000");
  EXPECT_EQ(run(folder_, {"check", "w.toml"}).code, 0);
  EXPECT_EQ(run(folder_, {"run", "w.toml", "--quiet"}).code, 0);
  sweep("001");
  EXPECT_EQ(run(folder_, {"check", "w.toml"}).code, 0) << "it is there by now";
  std::filesystem::remove_all(folder_ / "w");
  const Outcome outcome = run(folder_, {"check", "w.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("w/001/run.h5: no such file"));
}

TEST_F(RenderFigure, ReportsWhatCannotBeDrawn) {
  simulate("a");
  simulate("b", {"integrator.dt=0.005"});
  simulate("n", {"trajectory.velocities=false"});
  write(folder_ / "u.toml",
        "[initial]\nkind = \"random-cube\"\nn = 20\n[force]\nsoftening = 0.1\n[integrator]\n"
        "dt = 0.01\nsteps = 10\n");
  EXPECT_EQ(run(folder_, {"simulate", "u.toml", "--quiet", "-o", "u"}).code, 0);
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = render(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.errors;
    return outcome.errors;
  };
  EXPECT_THAT(refused({"a/run.h5", "--figure", "separatoin"}), HasSubstr("did you mean `separation`?"));
  EXPECT_THAT(refused({"a/run.h5", "b/run.h5"}), HasSubstr("--figure energy-error"));
  EXPECT_THAT(refused({"a/run.h5", "--against", "time"}), HasSubstr("--figure energy-error"));
  EXPECT_THAT(refused({"a/run.h5", "b/run.h5", "--figure", "radial-profile"}), HasSubstr("shows one run"));
  EXPECT_THAT(refused({"a/run.h5", "a/run.h5", "--figure", "energy-error"}), HasSubstr("is given twice"));
  EXPECT_THAT(refused({"a/run.h5", "--figure", "divergence"}), HasSubstr("compares two runs"));
  EXPECT_THAT(refused({"a/run.h5", "u/run.h5", "--figure", "divergence"}), HasSubstr("has other bodies"));
  EXPECT_THAT(refused({"a/run.h5", "--figure", "phase", "--against", "time"}), HasSubstr("not phase"));
  EXPECT_THAT(refused({"a/run.h5", "--figure", "energy-error", "--against", "tim"}), HasSubstr("did you mean `time`?"));
  EXPECT_THAT(refused({"a/run.h5", "nothing.h5", "--figure", "energy-error"}), HasSubstr("nothing.h5"));
  EXPECT_THAT(refused({"u/run.h5", "--figure", "separation"}), HasSubstr("at most 5, bodies = [\"0\", \"1\"]"));
  EXPECT_EQ(render({"u/run.h5", "--figure", "separation", "--set", "figure[0].bodies=[\"0\", \"1\"]"}).code, 0);
  EXPECT_THAT(refused({"u/run.h5", "--figure", "elements"}), HasSubstr("at most"));
  EXPECT_THAT(refused({"n/run.h5", "--figure", "elements"}), HasSubstr("velocities = true"));
  EXPECT_THAT(refused({"n/run.h5", "--figure", "phase"}), HasSubstr("velocities = true"));
  EXPECT_THAT(refused({"n/run.h5", "--figure", "projection", "--set", "figure[0].frame=\"corotating\""}),
              HasSubstr("velocities = true"));
  EXPECT_THAT(refused({"a/run.h5", "--figure", "separation", "--set", "figure[0].bodies=[\"Sun\", \"Nea\"]"}),
              HasSubstr("did you mean `Near`?"));
  EXPECT_THAT(refused({"a/run.h5", "--figure", "Phase"}), HasSubstr("did you mean `phase`?"));
  EXPECT_THAT(refused({"a/run.h5", "--figure", "projection", "--set", "figure[0].frame=\"corotating:Sun,Mars\""}),
              HasSubstr("no body is named \"Mars\" (there are: Sun, Near, Far)"));
}

TEST_F(RenderFigure, OverlaysHaveTheTitleOfAllRunsOrNone) {
  simulate("a");
  simulate("b", {"integrator.dt=0.005"});
  simulate("c", {"title=\"Other\""});
  const auto drawn = [&](const std::vector<std::string>& runs, const std::string& kind) {
    std::vector<std::string> arguments = runs;
    arguments.insert(arguments.end(), {"--figure", kind, "-o", "o.svg"});
    EXPECT_EQ(render(arguments).code, 0);
    return read(folder_ / "o.svg");
  };
  EXPECT_THAT(drawn({"a/run.h5", "b/run.h5"}, "energy-error"), HasSubstr("aria-label=\"Three\""));
  for (const std::string kind : {"energy-error", "divergence"}) {
    const std::string picture = drawn({"a/run.h5", "c/run.h5"}, kind);
    EXPECT_THAT(picture, Not(HasSubstr("aria-label=\"Three\"")));
    EXPECT_THAT(picture, Not(HasSubstr("aria-label=\"Other\"")));
  }
}

TEST_F(RenderFigure, MasslessCentreIsRefused) {
  write(folder_ / "t.toml", std::string(triple).replace(std::string(triple).find("1e-4"), 4, "0.00"));
  simulate("a");
  const Outcome outcome = render({"a/run.h5", "--figure", "elements", "--set", "figure[0].around=\"Far\""});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("Far has no mass"));
  EXPECT_EQ(render({"a/run.h5", "--figure", "elements", "--set", "figure[0].around=\"Sun\""}).code, 0);
}

TEST_F(RenderFigure, ElementsNeedACentre) {
  write(folder_ / "p.toml",
        "[initial]\nkind = \"pythagorean\"\n[integrator]\nkind = \"ias15\"\ndt = 0.01\nsteps = 30\n"
        "[[figure]]\nkind = \"elements\"\nfile = \"e.svg\"\n");
  const Outcome outcome = run(folder_, {"check", "p.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("p.toml:7:1: no body has as much mass as all others together"));
  EXPECT_THAT(outcome.errors, HasSubstr("centre of the orbits, around = \""));
  EXPECT_EQ(run(folder_, {"run", "p.toml", "--quiet", "--set", "figure[0].around=\"2\""}).code, 0);
  EXPECT_THAT(read(folder_ / "p/e.svg"), HasSubstr("orbits about "));
}

TEST_F(RenderFigure, BlocksThatAreListedCanBePasted) {
  simulate("a");
  std::string all = triple + run(folder_, {"list", "section", "perturb"}).output;
  for (const FigureDescription& kind : figure_descriptions()) {
    const std::string block = run(folder_, {"list", "figure", std::string(kind.name)}).output;
    EXPECT_THAT(block, Not(HasSubstr("[\"…\"]"))) << kind.name;
    EXPECT_THAT(block, Not(HasSubstr("columns = 1000"))) << "at most six";
    if (kind.name == "convergence" || kind.name == "work-precision") continue;  // of the runs of a sweep
    all += with(with(block, "name.png", fmt::format("{}.png", kind.name)), "# size = [1600, 1200]",
                "size = [400.0, 300.0]");
  }
  write(folder_ / "p.toml", all);
  const Outcome outcome = run(folder_, {"run", "p.toml", "--quiet", "-o", "p"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
}

TEST_F(RenderFigure, BlocksThatAreListedCanBePastedWithoutTheirSigns) {
  const std::string scenario =
      with(sound, "kind = \"two-body\"", "kind = \"two-body\"\ncomponent = \"disk\"") + "[sweep]\nseed = [1, 2]\n";
  const auto complaint = [&](const std::string& block) -> std::string {
    try {
      const Scenario parsed = parse_scenario(scenario + block, "s.toml", {});
      const auto setup = set_up(parsed);
      (void)Pictures(parsed, setup);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::regex sign("(^|\\n)# ([a-z_]+ = )");
  for (const std::string section : {"figure", "film"}) {
    for (const FigureDescription& kind : figure_descriptions(section)) {
      const std::string block = run(folder_, {"list", section, std::string(kind.name)}).output;
      std::string whole = std::regex_replace(block, sign, "$1$2");
      for (const Parameter& p : kind.parameters) EXPECT_THAT(whole, HasSubstr(fmt::format("\n{} = ", p.name)));
      EXPECT_THAT(whole, Not(HasSubstr("[…]")));
      const bool sweeps_film = section == "film" && (kind.name == "convergence" ||
                                                     kind.name == "work-precision");  // a sweep has a figure alone
      if (kind.name == "angle") {
        EXPECT_THAT(complaint(block), HasSubstr("an angle needs two bodies besides the one it is seen from"));
        continue;  // these are two
      }
      EXPECT_TRUE(sweeps_film || complaint(block).empty()) << complaint(block) << block;
      // max_file_size is of a GIF alone, there is one label for each curve, and these bodies have no units.
      whole = std::regex_replace(whole, std::regex("\n(max_file_size|labels|length_unit|mass_unit)[^\n]*"), "");
      // Other runs exclude other keys of these.
      if (kind.name == "projection" || kind.name == "divergence")
        whole = std::regex_replace(whole, std::regex("\nothers[^\n]*"), "");
      EXPECT_EQ(complaint(whole), "") << whole;
    }
  }
}

TEST_F(RenderFigure, RunsAreLabelledByDifferingKeys) {
  simulate("a");
  simulate("b", {"integrator.dt=0.005"});
  simulate("c", {"integrator.kind=\"rk4\""});
  simulate("d", {"integrator.kind=\"ias15\"", "integrator.dt=0.1"});
  simulate("e", {"integrator.steps=20"});
  simulate("g");
  const auto labels = [&](const std::vector<std::string>& names) {
    std::vector<TrajectoryReader> readers;
    std::vector<const TrajectoryReader*> runs;
    for (const std::string& name : names) readers.emplace_back(folder_ / (name + "/run.h5"));
    for (const TrajectoryReader& reader : readers) runs.push_back(&reader);
    return run_labels(runs);
  };
  EXPECT_THAT(labels({"a", "b"}), ElementsAre("dt = 0.01", "dt = 0.005"));
  EXPECT_THAT(labels({"a", "c"}), ElementsAre("leapfrog", "rk4"));
  EXPECT_THAT(labels({"a", "b", "c"}), ElementsAre("leapfrog, dt = 0.01", "leapfrog, dt = 0.005", "rk4, dt = 0.01"));
  EXPECT_THAT(labels({"a", "d"}), ElementsAre("leapfrog, dt = 0.01", "ias15"));
  EXPECT_THAT(labels({"a", "e"}), ElementsAre("steps = 300", "steps = 20"));
  EXPECT_THAT(labels({"a", "g"}), ElementsAre("a", "g")) << "nothing differs but the folder";
  const auto perturbed = [&](const std::string& name, const std::string& keys) {
    write(folder_ / "t.toml", std::string(triple) + keys);
    simulate(name);
  };
  perturbed("p", "[[perturb]]\nbody = \"Near\"\nposition = [1e-6, 0, 0]\n");
  perturbed("q", "[[perturb]]\nbody = 2\nvelocity = [0, -1e-6, 2e-6]\nmass = 0.5\n");
  perturbed("r", "[[perturb]]\nbody = \"Near\"\nvelocity = [0, 0, 1e-7]\n[[perturb]]\nbody = 0\nmass = 0.1\n");
  EXPECT_THAT(labels({"a", "p"}), ElementsAre("unperturbed", "Near Δx = 10⁻⁶"));
  EXPECT_THAT(labels({"p", "q"}), ElementsAre("Near Δx = 10⁻⁶", "body 2 Δv = [0, −10⁻⁶, 2·10⁻⁶] Δm = 0.5"));
  EXPECT_THAT(labels({"r", "c"}), ElementsAre("leapfrog, Near Δvz = 10⁻⁷; body 0 Δm = 0.1", "rk4, unperturbed"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
