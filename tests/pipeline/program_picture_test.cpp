// SPDX-License-Identifier: MIT
// A picture in place of a scenario: info, check and run read its run, and repeat it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "render/canvas/image.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* pictured = R"(title = "ΔE/E₀ & \"so\" <1>"
seed = 5
[[initial]]
kind = "random-cube"
n = 7
[[perturb]]
body = 3
position = [1e-3, 0, 0]
[integrator]
dt = 0.003
steps = 120
[[figure]]
kind = "energy-error"
file = "energy.png"
size = [320, 240]
[[figure]]
kind = "projection"
file = "plane.svg"
size = [320, 240]
[[figure]]
kind = "view3d"
file = "space.pdf"
width = "4 cm"
dpi = 150
[[film]]
kind = "projection"
file = "orbit.gif"
size = [96, 64]
duration = 0.2
[[film]]
kind = "projection"
file = "orbit.mp4"
size = [96, 64]
duration = 0.2
[[film]]
kind = "projection"
file = "orbit.webm"
size = [96, 64]
duration = 0.2
[[film]]
kind = "projection"
file = "orbit-##.png"
size = [96, 64]
duration = 0.2
)";

class PictureAsScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!draws_pictures()) GTEST_SKIP();
    write(folder_ / "s.toml", pictured);
  }
  /// The picture of a run of the scenario with these flags.
  std::string made(const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments{"run", "s.toml"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return state_in(run(folder_, arguments), 120);
  }
  void expect_refused(const std::string& file, const std::string& why) {
    try {
      (void)provenance_of_picture(folder_ / file);
      ADD_FAILURE() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::request);
      EXPECT_THAT(error.what(), AllOf(StartsWith((folder_ / file).string() + ": "), HasSubstr(why)));
    }
  }
  Folder folder_;
};

TEST_F(PictureAsScenario, GivesTheSameStateAndTheSamePictures) {
  const std::string state = made({"--set", "integrator.kind=\"yoshida4\"", "--set", "seed=9"});
  for (const std::string name : {"energy.png", "plane.svg", "space.pdf"}) {
    const std::string stem = name.substr(0, name.find('.'));
    EXPECT_EQ(state_in(run(folder_, {"run", "s/" + name}), 120), state) << name;
    for (const char* other : {"energy.png", "plane.svg", "space.pdf", "orbit.gif"})
      EXPECT_EQ(read(folder_ / stem / other), read(folder_ / "s" / other)) << name << " " << other;
    EXPECT_EQ(state_in(run(folder_, {"simulate", "s/" + name, "-o", "again-" + stem, "--quiet"}), 120), state);
  }
}

TEST_F(PictureAsScenario, FilmsAndTheirFramesHaveIt) {
  const std::string state = made();
  const render::Provenance still = provenance_of_picture(folder_ / "s" / "energy.png");
  for (const char* name : {"orbit.gif", "orbit.mp4", "orbit.webm", "orbit-03.png"}) {
    const render::Provenance film = provenance_of_picture(folder_ / "s" / name);
    EXPECT_EQ(film.state, state) << name;
    EXPECT_EQ(film.version, still.version) << name;
    EXPECT_EQ(film.scenario, still.scenario) << name;
  }
  EXPECT_EQ(state_in(run(folder_, {"simulate", "s/orbit.mp4"}), 120), state);
}

TEST_F(PictureAsScenario, InfoPrintsVersionStateAndScenario) {
  const std::string state = made();
  const std::string version = run(folder_, {"--version"}).output;
  for (const std::string name : {"s/energy.png", "s/plane.svg", "s/space.pdf"}) {
    const Outcome shown = run(folder_, {"info", name});
    EXPECT_EQ(shown.code, 0) << shown.errors;
    EXPECT_THAT(shown.output, AllOf(HasSubstr(version), HasSubstr(state), HasSubstr("\nn = 7\n")));
    // The text below the table is a complete scenario.
    const std::string text = shown.output.substr(shown.output.find("\n\n") + 2);
    EXPECT_EQ(parse_scenario(text, name).title, "ΔE/E₀ & \"so\" <1>");
    write(folder_ / "copy.toml", text);
    EXPECT_EQ(state_in(run(folder_, {"simulate", "copy.toml", "--force"}), 120), state);
    const Outcome json = run(folder_, {"info", "--json", name});
    EXPECT_TRUE(is_json(json.output)) << json.output;
    EXPECT_THAT(json.output, AllOf(HasSubstr("\"scenario\""), HasSubstr("\"" + state + "\"")));
  }
}

TEST_F(PictureAsScenario, FigureOfRenderHasIt) {
  const std::string state = made();
  ASSERT_EQ(run(folder_, {"render", "s/run.h5", "--figure", "density", "-o", "d.png"}).code, 0);
  EXPECT_EQ(state_in(run(folder_, {"run", "d.png"}), 120), state);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "d" / "d.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "d" / "energy.png"));
}

TEST_F(PictureAsScenario, CheckAndFlagsWorkAsWithAScenario) {
  (void)made();
  const Outcome plan = run(folder_, {"check", "s/energy.png"});
  EXPECT_EQ(plan.code, 0) << plan.errors;
  EXPECT_THAT(plan.output, HasSubstr("figure space.pdf: view3d, 236 × 177 pixels"));
  const Outcome other = run(folder_, {"run", "s/energy.png", "-o", "x", "--set", "integrator.steps=60", "--quiet"});
  EXPECT_NE(state_in(other, 60), "");
  const Outcome wrong = run(folder_, {"run", "s/energy.png", "--set", "integrator.stepz=60"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("did you mean `steps`"));
}

TEST_F(PictureAsScenario, ErrorsNameThePicture) {
  const render::Image image{{1, 1}, {1, 2, 3}};
  render::write_png(image, folder_ / "bad.png", 300, {"v", "s", "[initial]\nkind = \"two-body\"\nmases = [1, 1]\n"});
  const Outcome outcome = run(folder_, {"run", "bad.png"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("bad.png:3:1: "), HasSubstr("did you mean `masses`")));
}

TEST_F(PictureAsScenario, OtherPicturesAreRefusedInOneLine) {
  const render::Image image{{2, 1}, {1, 2, 3, 4, 5, 6}};
  render::write_png(image, folder_ / "other.png", 300);
  expect_refused("other.png", "has no metadata of a run");
  for (const char* command : {"info", "check", "run"}) {
    const Outcome outcome = run(folder_, {command, "other.png"});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.errors, StartsWith("orrery: other.png: has no metadata of a run")) << command;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }
  write(folder_ / "other.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>");
  expect_refused("other.svg", "has no metadata of a run");
  write(folder_ / "notes.png", pictured);
  expect_refused("notes.png", "is not a PNG file");
  write(folder_ / "notes.svg", pictured);
  expect_refused("notes.svg", "is not an SVG file");
  write(folder_ / "notes.pdf", pictured);
  expect_refused("notes.pdf", "is not a PDF file");
  expect_refused("none.png", "no such file");
  expect_refused("none.mp4", "no such file");
  (void)made();
  const std::string whole = read(folder_ / "s" / "energy.png");
  write(folder_ / "half.png", whole.substr(0, 300));
  expect_refused("half.png", "cut short");
  write(folder_ / "pixels.png", whole.substr(0, whole.size() / 2));  // but what it says is whole
  EXPECT_EQ(run(folder_, {"info", "pixels.png"}).code, 0);
}

TEST_F(PictureAsScenario, TruncatedFilmIsReadOrReported) {
  (void)made();
  for (const std::string ending : {".gif", ".mp4", ".webm"}) {
    const std::string whole = read(folder_ / ("s/orbit" + ending)), half = "half" + ending;
    const std::string scenario_of_it = provenance_of_picture(folder_ / ("s/orbit" + ending)).scenario;
    write(folder_ / half, "");
    expect_refused(half, "is empty: take a whole copy of the picture");
    std::size_t cut = 0;
    for (std::size_t bytes = 40; bytes < whole.size(); bytes += 1 + whole.size() / 71) {
      write(folder_ / half, whole.substr(0, bytes));
      try {
        EXPECT_EQ(provenance_of_picture(folder_ / half).scenario, scenario_of_it) << ending << " " << bytes;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(half + ": is cut short: take a whole copy of the picture")) << bytes;
        ++cut;
      }
    }
    EXPECT_GT(cut, 0U) << ending;
  }
}

TEST_F(PictureAsScenario, ChartsWithoutARunHaveNoScenario) {
  render::Chart chart;
  chart.curves.push_back({.name = "a", .x = {0, 1, 2}, .y = {0, 1, 4}});
  for (const std::string name : {"c.png", "c.svg", "c.pdf"}) {
    EXPECT_TRUE(write_chart(folder_ / name, {320, 240}, render::Theme::light, chart));
    expect_refused(name, "has no metadata of a run");
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
