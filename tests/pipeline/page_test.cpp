// SPDX-License-Identifier: MIT
// `orrery report`, `orrery view`, `render -o page.html`: what a page holds of a run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pipeline/page/engine_facts.hpp"
#include "pipeline/page/page.hpp"
#include "pipeline/page/stage_data.hpp"
#include "pipeline/page/ways.hpp"
#include "pipeline/run/run_record.hpp"
#include "render/between.hpp"
#include "tests/page/engine_names.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// The facts of the runs of a page.
nlohmann::json facts_in(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"facts\">";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from)).at("runs");
}

class PageOfRuns : public ::testing::Test {
 protected:
  /// Simulates a scenario and returns its trajectory.
  std::filesystem::path simulated(const std::string& scenario, const std::string& name = "a",
                                  const std::vector<std::string>& set = {}) {
    write(folder_ / (name + ".toml"), scenario);
    simulate(folder_, name + ".toml", name, set);
    return folder_ / name / "run.h5";
  }

  Folder folder_;
  Context context_;
};

const std::string hostile = R"(title = "</title><img src=x onerror=alert(1)>\u202Eevil"
units = "astronomical"
[initial]
kind = "table"
bodies = [{ name = "<b>Sun</b>", mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "Earth\u0007", mass = 3e-6, position = [1, 0, 0], velocity = [0, 0.0172, 0] }]
[integrator]
kind = "leapfrog"
dt = 1.0
steps = 100
[trajectory]
frames = 26
)";

TEST_F(PageOfRuns, HoldsTheRun) {
  simulated(hostile);
  const Outcome made = run(folder_, {"report", "a/run.h5"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(made.output, "a/page.html\n");
  const std::string page = read(folder_ / "a/page.html");
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, Not(HasSubstr("<b>Sun")));
  EXPECT_THAT(page, Not(HasSubstr("\xE2\x80\xAE")));  // U+202E
  const nlohmann::json facts = facts_in(page);
  ASSERT_EQ(facts.size(), 1u);
  const nlohmann::json& one = facts[0];
  EXPECT_EQ(one.at("bodies"), 2);
  EXPECT_EQ(one.at("times").size(), 26u);
  EXPECT_EQ(one.at("names"), (std::vector<std::string>{"<b>Sun</b>", "Earth�"}));
  EXPECT_EQ(one.at("units").at("length"), "au");
  EXPECT_EQ(one.at("times").at(0), 0);
  const nlohmann::json& engine = one.at("engine");
  EXPECT_EQ(engine.at("method"), 0);
  EXPECT_EQ(engine.at("steps"), 100);
  EXPECT_EQ(engine.at("frameSteps").at(25), 100);
  EXPECT_EQ(engine.at("hash"), state_hash(*TrajectoryReader(folder_ / "a/run.h5").restart()));
  EXPECT_TRUE(engine.at("checked"));
  for (const char* id : {"frames-0", "velocities-0", "state-0", "checksums-0", "engine", "engine-fused"})
    EXPECT_THAT(page, HasSubstr(std::string(" id=\"") + id + "\">"));
}

TEST_F(PageOfRuns, IsReplacedOnlyIfOrreryWroteIt) {
  simulated(sound);
  ASSERT_EQ(run(folder_, {"report", "a/run.h5", "-o", "p.html"}).code, 0);
  EXPECT_EQ(run(folder_, {"render", "a/run.h5", "-o", "p.html"}).code, 0);
  write(folder_ / "q.html", "<!DOCTYPE html><p>somebody's</p>");
  for (const char* command : {"report", "render"}) {
    const Outcome refused = run(folder_, {command, "a/run.h5", "-o", "q.html"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("q.html: exists and was not written by orrery; --force replaces it"));
  }
  EXPECT_EQ(read(folder_ / "q.html"), "<!DOCTYPE html><p>somebody's</p>");
  EXPECT_EQ(run(folder_, {"report", "a/run.h5", "-o", "q.html", "--force"}).code, 0);
  EXPECT_THAT(read(folder_ / "q.html"), HasSubstr("content=\"orrery\">"));
  EXPECT_EQ(run(folder_, {"render", "a/run.h5", "-o", "p.html", "--figure", "energy"}).code, 2);
  EXPECT_EQ(run(folder_, {"report", "none.h5"}).code, 2);
  EXPECT_THAT(drafts_in(folder_ / "."), IsEmpty());
}

TEST_F(PageOfRuns, FitsItsSize) {
  const auto file = simulated(R"([initial]
kind = "plummer"
n = 2301
[[force]]
kind = "gravity"
softening = 0.1
[integrator]
kind = "leapfrog"
dt = 0.01
steps = 200
[trajectory]
frames = 201
store = "float32"
)");
  const TrajectoryReader trajectory(file);
  const StageData all = stage_data(trajectory, 1e8, "", context_);
  EXPECT_EQ(all.thinned, "");
  EXPECT_EQ(all.facts.at("bodies"), 2301);
  EXPECT_EQ(all.facts.at("times").size(), 201u);
  EXPECT_TRUE(all.facts.at("light"));
  const double whole = 4.0 / 3 * static_cast<double>(all.frames.size()) + 20 * 2301;
  const StageData fewer_frames = stage_data(trajectory, 0.93 * whole, "", context_);
  EXPECT_LE(4.0 / 3 * static_cast<double>(fewer_frames.frames.size()), 0.93 * whole);
  EXPECT_EQ(fewer_frames.facts.at("bodies"), 2301);
  EXPECT_EQ(fewer_frames.facts.at("times").size(), 101u);
  const StageData fewer_bodies = stage_data(trajectory, 0.46 * whole, "", context_);
  EXPECT_LE(4.0 / 3 * static_cast<double>(fewer_bodies.frames.size()), 0.46 * whole);
  EXPECT_LT(fewer_bodies.facts.at("bodies"), 2301);
  EXPECT_THAT(fewer_bodies.thinned, AllOf(HasSubstr("This page holds"), HasSubstr("of 2301 bodies")));
  const StageData fewer_bits = stage_data(trajectory, 0.33 * whole, "", context_);
  EXPECT_LE(4.0 / 3 * static_cast<double>(fewer_bits.frames.size()), 0.33 * whole);
  EXPECT_THAT(fewer_bits.thinned, HasSubstr("bits across the view"));
  EXPECT_THROW((void)stage_data(trajectory, 1e3, "", context_), Error);
}

TEST_F(PageOfRuns, SaysWhyItCannotStep) {
  int count = 0;
  const auto why = [&](const std::string& change) {
    const auto file = simulated(sound + change, fmt::format("w{}", ++count));
    return engine_facts(TrajectoryReader(file), {0}, context_).why_not;
  };
  EXPECT_EQ(why(""), "");
  EXPECT_THAT(why("[backend]\nprecision = \"float32\"\n"), HasSubstr("its forces were computed in float32"));
  EXPECT_THAT(why("[[force]]\nkind = \"gravity\"\nmethod = \"tree\"\nsoftening = 0.01\n"),
              HasSubstr("the method \"tree\""));
  EXPECT_THAT(why("[domain]\nboundary = \"reflecting\"\nlow = [-9, -9, -9]\nedges = [18, 18, 18]\n"),
              HasSubstr("unbounded space"));
  const auto adaptive = simulated(with(sound, "kind = \"leapfrog\"", "kind = \"ias15\""), "adaptive");
  EXPECT_THAT(engine_facts(TrajectoryReader(adaptive), {0}, context_).why_not, HasSubstr("the integrator \"ias15\""));
}

TEST(PageEngine, KnowsWhatPagesSay) {
  using namespace page::testing;
  const EngineCapabilities& said = engine_capabilities();
  EXPECT_THAT(said.integrators, ::testing::ElementsAreArray(engine_methods));
  std::vector<std::string_view> forces = said.laws;
  forces.insert(forces.end(), said.fields.begin(), said.fields.end());
  EXPECT_THAT(forces, ::testing::ElementsAreArray(engine_laws));
}

TEST_F(PageOfRuns, HoldsOneBodyAndBoxes) {
  const auto one =
      simulated(with(sound, "[[initial]]\nkind = \"two-body\"\nmasses = [1.0, 0.5]\n",
                     "[[initial]]\nkind = \"table\"\nbodies = [{ mass = 2, position = [1, 2, 3], velocity = "
                     "[0, 0, 0] }]\n"),
                "one");
  const StageData still = stage_data(TrajectoryReader(one), 1e6, "", context_);
  EXPECT_GT(still.facts.at("view").at("radius"), 0);
  EXPECT_THAT(still.facts.at("view").at("note"), "");
  EXPECT_EQ(still.facts.at("mass"), (std::vector<double>{2}));
  const auto boxed = simulated(with(sound, "[integrator]", R"([domain]
boundary = ["reflecting", "reflecting", "open"]
low = [-9, -9, 0]
edges = [18, 18, 0]

[integrator])"),
                               "boxed");
  const StageData box = stage_data(TrajectoryReader(boxed), 1e6, "", context_);
  const nlohmann::json &closed = box.facts.at("axes").at(0), &open = box.facts.at("axes").at(2);
  EXPECT_EQ(closed.at("high").get<double>() - closed.at("low").get<double>(), 18);
  EXPECT_EQ(closed.at("period"), 0);
  EXPECT_EQ(open.at("high"), 1e30);
  EXPECT_EQ(box.facts.at("lines").at("walls").size(), 4u);  // a square, in the plane of the open axis
  EXPECT_THAT(box.facts.at("lines").at("ends"), IsEmpty());
  EXPECT_THAT(box.facts.at("lines").at("grid"), IsEmpty());
  EXPECT_EQ(box.facts.at("view").at("extremes").size(), 8u);
}

/// Moments of bodies on circles of radius 1, each with `turns` from frame to frame.
std::vector<render::Frame> circles(std::size_t frames, const std::vector<double>& turns) {
  std::vector<render::Frame> all;
  for (std::size_t k = 0; k < frames; ++k) {
    std::vector<float> at, moving;
    for (const double each : turns) {
      const double rate = 2 * sim::pi * each, angle = rate * static_cast<double>(k) + 0.3;
      for (const double x : {std::cos(angle), std::sin(angle), 0.0}) at.push_back(static_cast<float>(x));
      for (const double v : {-std::sin(angle), std::cos(angle), 0.0}) moving.push_back(static_cast<float>(rate * v));
    }
    all.push_back({.time = static_cast<double>(k), .position = at, .velocity = moving});
  }
  return all;
}

TEST(PageWays, AreKnownByTheRuleOfFigures) {
  const std::vector<render::Frame> frames = circles(33, {0.05, 0.31, 1.02});
  const Ways ways = ways_between(frames, {});
  const render::Between between(frames, {});
  EXPECT_EQ(ways.bodies, between.bodies());
  EXPECT_EQ(ways.bodies, (std::set<std::size_t>{1, 2}));
  ASSERT_EQ(ways.unknown.size(), 12u);  // 32 · 3 bits
  for (std::size_t i = 0; i < 96; ++i) {
    const auto from = static_cast<double>(i / 3);
    const bool unknown = (static_cast<unsigned char>(ways.unknown[i / 8]) >> (i % 8) & 1U) != 0;
    EXPECT_EQ(unknown, !between.known(i % 3, from, from + 1)) << "body " << i % 3 << ", frame " << i / 3;
  }
  EXPECT_NEAR(ways.share, 2.0 / 3, 1e-12);
  EXPECT_EQ(ways_between(circles(33, {0.05, 0.08}), {}).unknown, "");
  EXPECT_EQ(ways_between(circles(1, {1.02}), {}).unknown, "");
}

TEST(PageWays, AreNotKnownAcrossHalfAPeriod) {
  const auto moving = [](float step) {
    std::vector<render::Frame> frames;
    for (std::int32_t k = 0; k < 5; ++k) {
      const float x = step * static_cast<float>(k), laps = std::floor(x / 4);
      frames.push_back({.time = static_cast<double>(k),
                        .position = {x - 4 * laps, 1, 1},
                        .velocity = {step, 0, 0},
                        .image = {static_cast<std::int32_t>(laps), 0, 0}});
    }
    return frames;
  };
  const render::Bounds bounds{.high = {4, 4, 4}, .closed = {true, true, true}, .periodic = {true, true, true}};
  EXPECT_EQ(ways_between(moving(1.9F), bounds).unknown, "");
  EXPECT_EQ(ways_between(moving(2.1F), bounds).unknown, "\x0F");
}

TEST_F(PageOfRuns, SaysWhereFramesAreTooFarApart) {
  const auto far = simulated(sound, "far", {"integrator.steps=400", "trajectory.frames=5"});
  const StageData apart = stage_data(TrajectoryReader(far), 1e6, "", context_);
  EXPECT_THAT(apart.between, HasSubstr("to know how body 0 and body 1 moved between them"));
  EXPECT_EQ(apart.facts.at("unknown"), "/w==");  // 4 · 2 bits
  EXPECT_EQ(apart.facts.at("view").at("note"), "no path where frames are too far apart");
  const auto near = simulated(sound, "near", {"integrator.steps=100", "trajectory.frames=51"});
  const StageData close = stage_data(TrajectoryReader(near), 1e6, "", context_);
  EXPECT_EQ(close.between, "");
  EXPECT_FALSE(close.facts.contains("unknown"));
  EXPECT_EQ(close.facts.at("view").at("note"), "");
}

TEST_F(PageOfRuns, ComparesSeveral) {
  write(folder_ / "s.toml", sound + "[sweep]\nintegrator.dt = [0.1, 0.05, 0.025]\n[trajectory]\nframes = 5\n");
  ASSERT_EQ(run(folder_, {"run", "s.toml", "-o", "s"}).code, 0);
  const Outcome made = run(folder_, {"report", "s", "-o", "p.html"});
  ASSERT_EQ(made.code, 0) << made.errors;
  const std::string page = read(folder_ / "p.html");
  EXPECT_EQ(facts_in(page).size(), 3u);
  EXPECT_THAT(page, AllOf(HasSubstr("<h2>3 runs</h2>"), HasSubstr("<a href=\"#run-2\">"), HasSubstr("integrator.dt"),
                          HasSubstr("id=\"frames-2\"")));
}

TEST_F(PageOfRuns, IsShownOrItsNameIsSaid) {
  simulated(sound);
  const Outcome shown = run(folder_, {"view", "a/run.h5"}, {.launcher = {"/usr/bin/env", "PATH=/nowhere", "TMPDIR=."}});
  ASSERT_EQ(shown.code, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr(".html: no program opens it here; open it in a browser\n"));
  EXPECT_THAT(read(folder_ / shown.output.substr(0, shown.output.find(':'))), HasSubstr("content=\"orrery\">"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
