// SPDX-License-Identifier: MIT
// --set: any key by its dotted name, its value TOML or words; --unset; and what follows for other keys.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string two_bodies = sound + R"([[initial]]
kind = "random-cube"
n = 8
offset = [10, 0, 0]
)";

TEST(ScenarioOverride, SetsExistingAndNewKeys) {
  EXPECT_EQ(setup_of(sound, {"integrator.dt=0.25"}).model.dt, 0.25);
  EXPECT_EQ(setup_of(sound, {"integrator.dt = 0.25 # a quarter"}).model.dt, 0.25);
  EXPECT_EQ(setup_of(sound, {"integrator[0].dt=0.25"}).model.dt, 0.25);
  EXPECT_EQ(setup_of(sound, {"integrator.dt=0.25", "integrator.dt=0.5"}).model.dt, 0.5);
  EXPECT_EQ(
      setup_of(sound, {"integrator.steps=\"auto\"", "integrator.time=\"1 period\"", "integrator.dt=\"1/50 period\""})
          .model.steps,
      50);
  EXPECT_EQ(setup_of(sound, {"trajectory.every=5"}).output.frames.size(), 5);
  EXPECT_EQ(setup_of(sound, {"force.G=4"}).model.G, 4);
  EXPECT_EQ(setup_of(sound, {"initial.masses=[3, 2]"}).model.bodies.mass, (std::vector<double>{3, 2}));
  EXPECT_EQ(setup_of(sound, {"initial.masses[1]=2"}).model.bodies.mass, (std::vector<double>{1, 2}));
  EXPECT_EQ(setup_of(two_bodies, {"initial[1].n=5"}).model.bodies.size(), 7U);
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title='it is \"so\"'"}).title, "it is \"so\"");
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title=\"a = b\""}).title, "a = b");
}

TEST(ScenarioOverride, WordsNeedNoQuotes) {
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"integrator.kind=rk4"}).model.integrator->name, "rk4");
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title=yin-yang-1a"}).title, "yin-yang-1a");
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"trajectory.file=b.h5"}).file, "b.h5");
  EXPECT_FALSE(setup_of(sound, {"trajectory.velocities=false"}).output.stored.velocities);
  EXPECT_THAT(resolved(parse_scenario(sound, "s.toml", {"integrator.kind=rk4"})), HasSubstr("kind = \"rk4\"\n"));
}

TEST(ScenarioOverride, IsStored) {
  const Scenario scenario = parse_scenario(sound, "s.toml", {"integrator.dt=0.25"});
  EXPECT_EQ(scenario.overrides, std::vector<std::string>{"integrator.dt=0.25"});
  EXPECT_EQ(scenario.text, sound);
  EXPECT_THAT(resolved(scenario), HasSubstr("dt = 0.25\n"));
}

TEST(ScenarioOverride, Refusals) {
  struct Case {
    std::string override, words;
  };
  const Case cases[] = {
      {"integrator.dtt=3", "unknown key `dtt`; did you mean `dt`?"},
      {"integrtor.dt=3", "unknown key `integrtor`; did you mean `integrator`?"},
      {"a.b.c.d=1", "unknown key `a`"},
      {"perturb.boddy=1", "unknown key `boddy`; did you mean `body`?"},
      {"initial[0].spin=[1,2,3]", "unknown key `spin`"},
      {"integrator.dt=", "is not a TOML value"},
      {"=3", "write it as section.key=value"},
      {"integrator.=3", "write it as section.key=value"},
      {".dt=3", "write it as section.key=value"},
      {"integrator.dt=fast", "\"fast\" is not a time"},
      {"integrator.steps=many", "`steps` must be a number"},
      {"integrator.kind=leapfrgo", "did you mean `leapfrog`?"},
      {"integrator.kind=", "is not a TOML value"},
      {"integrator.kind=4rk", "there is no integrator \"4rk\"; did you mean `rk4`? (there are: symplectic-euler, "},
      {"title=two, words", "a text needs quotes: --set 'title=\"two, words\"'"},
      {"title=[two words", "is not a TOML value"},
      {"initial[1].offset=[1,two,3]", "is not a TOML value"},
      {"integrator.dt=1/100 perio", "\"1/100 perio\" is not a time"},
      {"integrator.dt=\"fast\"", "\"fast\" is not a time"},
      {"integrator.dt=true", "`dt` must be a number or a text in quotes"},
      {"integrator.dt=nan", "`dt` must be finite"},
      {"integrator.steps=1e18", "must be in [0, 1e15]"},
      {"integrator=3", "`integrator` must be a table"},
      {"integrator.kind=\"leapfrgo\"", "did you mean `leapfrog`?"},
      {"initial[2].n=9", "`initial` has only 2 entries"},
      {"initial.offset=[1,2,3]", "there are 2 [[initial]]: write initial[0], or another"},
      {"initial[x].n=9", "write an index as name[0]"},
      {"initial[-1].n=9", "write an index as name[0]"},
      {"initial[0.n=9", "write an index as name[0]"},
      {"initial[].n=9", "write an index as name[0]"},
      {"initial[99999999999999999999].n=9", "write an index as name[0]"},
      {"initial[1].offset[3]=9", "`offset` has only 3 entries"},
      {"initial[1].n[0]=9", "`n` is not an array"},
      {"initial[1].n.m=9", "`n` is not a table"},
      {"integrator[1].dt=1", "there is no integrator[1]"},
      {"force[1].G=1", "there is no force[1]"},
  };
  for (const Case& c : cases) {
    const std::string message = refusal(two_bodies, {c.override});
    EXPECT_THAT(message, StartsWith("--set " + c.override + ": "));
    EXPECT_THAT(message, HasSubstr(c.words));
  }
}

TEST(ScenarioOverride, WordsWithBlanksAndDurationsNeedNoQuotes) {
  EXPECT_EQ(parse_scenario(sound, "s.toml", {"title=two  Wörter"}).title, "two  Wörter");
  const auto setup = setup_of(sound, {"integrator.dt=1/50 period", "integrator.time= 2 periods "});
  EXPECT_EQ(setup.model.steps, 100);
  EXPECT_EQ(setup_of("units = \"astronomical\"\n" + sound, {"integrator.dt=0.5 h"}).model.dt, 1.0 / 48);
  EXPECT_EQ(setup_of(sound, {"integrator.dt=1/20"}).model.dt, 0.05);
}

/// An override of one of several keys that exclude each other replaces the others of the file.
TEST(ScenarioOverride, ReplacesKeysThatItExcludes) {
  EXPECT_EQ(setup_of(sound, {"integrator.time=0.5"}).model.steps, 5);
  EXPECT_EQ(setup_of(timed("0.1", "2.0"), {"integrator.steps=7"}).model.steps, 7);
  const std::string tables[] = {"frames", "every", "times"};
  const std::string values[] = {"3", "4", "[0.5, 1.0, 1.5, 2.0]"};
  const std::int64_t sizes[] = {3, 6, 4};
  for (std::size_t there = 0; there < 3; ++there) {
    for (std::size_t set = 0; set < 3; ++set) {
      for (const std::string table : {"trajectory", "observables"}) {
        const auto key = [&](std::size_t k) { return table == "observables" && k == 0 ? "rows" : tables[k]; };
        const std::string text = and_then("[" + table + "]\n" + key(there) + " = " + values[there]);
        const auto setup = setup_of(text, {table + "." + key(set) + "=" + values[set]});
        EXPECT_EQ((table == "trajectory" ? setup.output.frames : setup.output.rows).size(), sizes[set])
            << key(there) << set;
        EXPECT_TRUE(setup.notes.empty());
      }
    }
  }
  // What only went with the replaced key falls away with a line.
  const std::string log = and_then("[trajectory]\nframes = 5\nspacing = \"log\"\nfirst = 0.4");
  const Scenario scenario = parse_scenario(log, "s.toml", {"trajectory.times=[0, 2]"});
  EXPECT_EQ(set_up(scenario).output.frames.size(), 2);
  EXPECT_EQ(scenario.document.notes(),
            (std::vector<std::string>{"s.toml:13:1: `spacing` falls away with --set trajectory.times=[0, 2]",
                                      "s.toml:14:1: `first` falls away with --set trajectory.times=[0, 2]"}));
  EXPECT_EQ(setup_of(log, {"trajectory.every=3"}).output.frames.from(1), 4) << "`first` goes with `every`, too";

  const std::string gpus = and_then("[backend]\ndevices = \"0,1\"");
  EXPECT_TRUE(parse_scenario(gpus, "s.toml", {"backend.device=1"}).backend.devices.empty());
  EXPECT_EQ(parse_scenario(gpus, "s.toml", {"backend.device=1"}).backend.device, 1);
  const std::string list = "[{ mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] }]";
  const std::string file =
      with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"table\"\nfile = \"x.csv\"");
  EXPECT_EQ(setup_of(file, {"initial.bodies=" + list}).model.bodies.size(), 1U);
  const std::string two = and_then("[[initial]]\nkind = \"lattice\"\nn = 9\nlattice = \"square\"");
  EXPECT_EQ(setup_of(two, {"initial[1].radius=1.5"}).model.bodies.size(), 2U + 9U);
  EXPECT_EQ(setup_of(and_then("[force]\nG = 3"), {"units=astronomical"}).model.G,
            parse_scenario("units = \"astronomical\"\n" + sound, "s").model.G);

  const std::string figure = and_then(
      "[[figure]]\nkind = \"projection\"\nfile = \"a.png\"\nlimits = [-1, 1, -1, 1]\n[[film]]\n"
      "kind = \"projection\"\nfile = \"a.mp4\"\nframe_limits = \"follow\"");
  const Scenario limited = parse_scenario(figure, "s.toml", {"figure.frame_limits=follow", "film.limits=[0, 1, 0, 1]"});
  EXPECT_FALSE(limited.document.where("figure", 0, "limits"));
  EXPECT_FALSE(limited.document.where("film", 0, "frame_limits"));
  EXPECT_TRUE(parse_scenario(figure, "s.toml", {"figure.frame_limits=fixed"}).document.where("figure", 0, "limits"));

  // Two that are given together still contradict each other, and "auto" sets nothing.
  EXPECT_THAT(refusal(sound, {"integrator.time=2.0", "integrator.steps=3"}), HasSubstr("give `time` or `steps`"));
  EXPECT_THAT(refusal(sound, {"trajectory.every=2", "trajectory.frames=3"}), HasSubstr("give only one of"));
  EXPECT_EQ(setup_of(sound, {"integrator.time=\"auto\""}).model.steps, 20);
}

/// Frames and rows of the file that a shorter run has no room for.
TEST(ScenarioOverride, FitsFramesToAChangedLength) {
  const std::string text =
      with(sound, "20", "1000") + "[trajectory]\nframes = 501\n[observables]\ntimes = [0, 3.0, 70]\n";
  const std::vector<std::string> shorter{"integrator.steps=40"};
  const Scenario scenario = parse_scenario(text, "s.toml", shorter);
  const auto setup = set_up(scenario);
  EXPECT_EQ(setup.output.frames.size(), 41);
  EXPECT_EQ(setup.output.rows.size(), 2);
  EXPECT_EQ(setup.notes,
            (std::vector<std::string>{"s.toml:12:10: 501 frames became 41, which is all that 40 steps have room for",
                                      "s.toml:14:9: 1 of `times` is after the new end of the run, and left out"}));
  // The stored scenario has the fitted numbers.
  const Scenario again = parse_scenario(resolved(scenario, setup.adjusted), "again");
  EXPECT_EQ(physics_texts(again, set_up(again)), physics_texts(scenario, setup));
  EXPECT_TRUE(set_up(again).notes.empty());
  const std::string log = with(sound, "20", "1000") + "[trajectory]\nframes = 30\nspacing = \"log\"\n";
  EXPECT_EQ(setup_of(log, {"integrator.steps=7"}).output.frames.size(), 8);
  // What is asked for together, or in one file, still has to fit.
  EXPECT_THAT(refusal(text, {"integrator.steps=40", "trajectory.frames=50"}), HasSubstr("at most 41"));
  EXPECT_THAT(refusal(with(text, "1000", "40")), HasSubstr("at most 41"));
  EXPECT_THAT(refusal(with(text, "1000", "40"), {"seed=3"}), HasSubstr("at most 41"));
}

/// Keys that only another kind or method has fall away with it.
TEST(ScenarioOverride, OfAKindDropsKeysOfOthers) {
  const auto expect = [](const std::string& text, const std::vector<std::string>& overrides,
                         const std::vector<std::string>& notes) {
    EXPECT_EQ(refusal(text, overrides), "") << overrides.front();
    EXPECT_EQ(parse_scenario(text, "s.toml", overrides).document.notes(), notes);
  };
  const std::string tree = and_then("[force]\nmethod = \"tree\"\naccuracy = 1e-2\nleaf = 16");
  expect(tree, {"force.method=direct"},
         {"s.toml:13:1: `accuracy` falls away with --set force.method=direct",
          "s.toml:14:1: `leaf` falls away with --set force.method=direct"});
  expect(tree, {"force.method"},
         {"s.toml:13:1: `accuracy` falls away with --unset force.method",
          "s.toml:14:1: `leaf` falls away with --unset force.method"});
  expect(with(with(sound, "leapfrog", "rk45"), "dt", "tolerance = 1e-8\ndt"), {"integrator.kind=rk4"},
         {"s.toml:7:1: `tolerance` falls away with --set integrator.kind=rk4"});
  expect(sound, {"initial.kind=random-cube"}, {"s.toml:3:1: `masses` falls away with --set initial.kind=random-cube"});
  expect(and_then("[force]\nsoftening = 0.1"), {"force.kind=wca", "initial.kind=random-cube", "initial.n=1"},
         {"s.toml:12:1: `softening` falls away with --set force.kind=wca",
          "s.toml:3:1: `masses` falls away with --set initial.kind=random-cube"});
  expect(and_then("[backend]\nkernel = \"tiled\""), {"backend.kind=\"cpu\""},
         {"s.toml:12:1: `kernel` falls away with --set backend.kind=\"cpu\""});
  const std::string film = and_then(
      "[[film]]\nkind = \"projection\"\nfile = \"a.webm\"\ncodec = \"vp9\"\npixel_format = \"yuv444p\"\nfps = 60");
  const auto falls = [](int line, const std::string& key, const std::string& file) {
    return fmt::format("s.toml:{}:1: `{}` falls away with --set film.file={}", line, key, file);
  };
  if (draws_pictures()) {
    expect(film, {"film.file=a.gif"},
           {falls(14, "codec", "a.gif"), falls(15, "pixel_format", "a.gif"), falls(16, "fps", "a.gif")});
    expect(film, {"film.file=a.mp4"}, {falls(14, "codec", "a.mp4")});
    expect(film, {"film.file=\"a-##.png\""},
           {falls(14, "codec", "\"a-##.png\""), falls(15, "pixel_format", "\"a-##.png\"")});
    expect(with(film, "a.webm\"\ncodec = \"vp9\"\npixel_format = \"yuv444p\"\nfps = 60", "a.gif\"\nmax_file_size = 3"),
           {"film.file=a.mp4"}, {falls(14, "max_file_size", "a.mp4")});
    expect(film, {"film.file=b.webm"}, {});
  }
  EXPECT_EQ(parse_scenario(and_then("[backend]\nkernel = \"pair-once\""), "s", {"backend.kind=\"cpu\""}).backend.kernel,
            "pair-once");
  // Not those that no kind has, nor those that are set too.
  EXPECT_THAT(refusal(and_then("[force]\nsoftning = 0.1"), {"force.kind=wca"}), HasSubstr("unknown key `softning`"));
  EXPECT_THAT(refusal(sound, {"force.accuracy=1e-2", "force.method=direct"}), HasSubstr("is for method = \"tree\""));
}

TEST(ScenarioOverride, UnsetRemovesKeysAndTables) {
  EXPECT_EQ(parse_scenario("title = \"x\"\n" + sound, "s.toml", {"title"}).title, "");
  EXPECT_EQ(setup_of(two_bodies, {"initial[0]"}).model.bodies.size(), 8U);
  EXPECT_EQ(setup_of(two_bodies, {"initial[1].n"}).model.bodies.size(), 2U + 6U);
  EXPECT_EQ(setup_of(and_then("[force]\nG = 4"), {"force"}).model.G, 1);
  EXPECT_EQ(setup_of(sound, {"integrator.steps", "integrator.time=1.0"}).model.steps, 10);
  EXPECT_EQ(setup_of(sound, {"initial.masses[1]", "initial.masses=[1, 1]"}).model.bodies.size(), 2U);
  const Scenario scenario = parse_scenario(and_then("[force]\nG = 4"), "s.toml", {"force.G"});
  EXPECT_EQ(scenario.overrides, std::vector<std::string>{"force.G"});
  EXPECT_THAT(resolved(scenario), HasSubstr("\nG = 1.0\n"));
  const std::pair<std::string, std::string> refused[] = {
      {"integrator.stepps", "the scenario has no `stepps` there; did you mean `steps`?"},
      {"force.G", "the scenario has no `force` there"},
      {"initial[2]", "`initial` has only 2 entries"},
      {"initial[1].n.m", "`n` is not a table"},
      {"initial.n", "there are 2 [[initial]]: write initial[0], or another"},
      {"integrator.", "write it as section.key"},
  };
  for (const auto& [key, words] : refused) {
    EXPECT_THAT(refusal(two_bodies, {key}), StartsWith("--unset " + key + ": "));
    EXPECT_THAT(refusal(two_bodies, {key}), HasSubstr(words));
  }
  EXPECT_THAT(refusal(sound, {"integrator.steps"}), HasSubstr("needs `time` or `steps`"));
}

TEST(ScenarioOverride, SetsOneKeyOnly) {
  EXPECT_THROW(parse_scenario(sound, "s.toml", {"integrator.dt=0.1\nsteps=7"}), Error);
}

TEST(ScenarioOverride, LineNumbersOfOtherKeysAreKept) {
  EXPECT_THAT(refusal(with(sound, "20", "-20"), {"integrator.dt=0.25"}), StartsWith("s.toml:8:9: "));
}

}  // namespace
}  // namespace orrery::pipeline::testing
