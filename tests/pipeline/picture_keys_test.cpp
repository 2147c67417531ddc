// SPDX-License-Identifier: MIT
// The keys of figures: which are accepted, which are refused and with which message, before anything runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures/pictures.hpp"
#include "tests/complaint.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

bool draws() {
  return draws_pictures();
}

/// The message with which a figure with these keys is refused; "" if it is accepted.
std::string refused(const std::string& keys, const std::string& before = "") {
  try {
    const Scenario scenario = parse_scenario(sound + before + "[[figure]]\nfile = \"a.png\"\n" + keys, "s.toml", {});
    const Setup setup = set_up(scenario);
    (void)Pictures(scenario, setup);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::request);
    return error.what();
  }
  return "";
}

TEST(PictureKeys, FileMustBeInTheOutputFolder) {
  if (!draws()) GTEST_SKIP();
  const std::string longest(300, 'x');
  for (const std::string& name :
       {std::string("../a"), std::string("/tmp/a"), std::string("b/a"), std::string("a\\u0000"),
        std::string("a\\u001b[31m"), std::string("a\\n"), longest, std::string("..")}) {
    for (const std::string table : {"figure", "film"}) {
      const std::string file = name + (name == ".." ? "" : table == "film" ? ".mp4" : ".png");
      const Scenario scenario =
          parse_scenario(sound + "[[" + table + "]]\nkind = \"projection\"\nfile = \"" + file + "\"\n", "s.toml", {});
      EXPECT_THAT(
          orrery::complaint([&] { (void)Pictures(scenario, set_up(scenario)); }, 2),
          AllOf(StartsWith("s.toml:13:8: "), AnyOf(HasSubstr("must be a name of at most"), HasSubstr("zero byte"))))
          << file;
    }
  }
}

TEST(PictureKeys, ColoringNeedsStoredData) {
  if (!draws()) GTEST_SKIP();
  for (const std::string kind : {"projection", "projections", "view3d"}) {
    for (const std::string by : {"body", "component", "speed", "mass", "density", "id"}) {
      EXPECT_EQ(refused("kind = \"" + kind + "\"\ncolor_by = \"" + by + "\"\n"), "") << kind << by;
    }
    EXPECT_THAT(refused("kind = \"" + kind + "\"\ncolor_by = \"sped\"\n"), HasSubstr("speed"));
  }
  EXPECT_THAT(refused("kind = \"energy-error\"\ncolor_by = \"body\"\n"), HasSubstr("color_by"));
}

TEST(PictureKeys, ColorMapsAreOfScales) {
  if (!draws()) GTEST_SKIP();
  for (const std::string map : {"viridis", "magma", "cividis", "turbo", "coolwarm"}) {
    const std::string key = "colormap = \"" + map + "\"\n";
    for (const std::string kind : {"density", "matrix"}) {
      EXPECT_EQ(refused("kind = \"" + kind + "\"\n" + key), "") << kind << map;
    }
    for (const std::string kind : {"projection", "projections", "view3d", "snapshots"}) {
      for (const std::string by : {"speed", "mass", "density", "id"})
        EXPECT_EQ(refused("kind = \"" + kind + "\"\ncolor_by = \"" + by + "\"\n" + key), "") << kind << by << map;
    }
  }
  for (const std::string kind : {"density", "matrix", "projection", "projections", "view3d", "snapshots"}) {
    EXPECT_THAT(refused("kind = \"" + kind + "\"\ncolormap = \"jet\"\n"),
                AllOf(StartsWith("s.toml:14:"),
                      HasSubstr("`colormap` = \"jet\" must be one of viridis, magma, cividis, turbo, coolwarm")));
  }
  EXPECT_THAT(
      refused("kind = \"projection\"\ncolormap = \"magma\"\n"),
      AllOf(StartsWith("s.toml:14:"), HasSubstr("the colours stand for bodies, not for a scale: set `color_by`")));
  EXPECT_THAT(refused("kind = \"panels\"\n[[figure.part]]\nkind = \"snapshots\"\ncolor_by = \"component\"\n"
                      "colormap = \"magma\"\n"),
              AllOf(StartsWith("s.toml:17:"), HasSubstr("the colours stand for components")));
  EXPECT_THAT(refused("kind = \"energy-error\"\ncolormap = \"magma\"\n"), HasSubstr("`colormap`"));
}

TEST(PictureKeys, SpeedColoringNeedsVelocities) {
  if (!draws()) GTEST_SKIP();
  const std::string without = "[trajectory]\nvelocities = false\n";
  const std::string words = refused("kind = \"view3d\"\ncolor_by = \"speed\"\n", without);
  EXPECT_THAT(words, StartsWith("s.toml:16:"));
  EXPECT_THAT(words, HasSubstr("`velocities = true` in [trajectory]"));
  EXPECT_EQ(refused("kind = \"view3d\"\ncolor_by = \"mass\"\n", without), "");
}

TEST(PictureKeys, KeysOfDensity) {
  if (!draws()) GTEST_SKIP();
  EXPECT_EQ(refused("kind = \"density\"\nplane = \"xz\"\nframe = \"barycentric\"\nlimits = [-1, 1, -1, 1]\n"
                    "range = [-3, 1]\ncomponent = \"two-body\"\n"),
            "");
  EXPECT_THAT(refused("kind = \"density\"\nrange = [-3]\n"), HasSubstr("range"));
  EXPECT_THAT(refused("kind = \"density\"\nplane = \"zz\"\n"), HasSubstr("plane"));
  EXPECT_EQ(refused("kind = \"view3d\"\naxes = false\n"), "");
}

TEST(PictureKeys, InvalidSnapshotsAndCamerasAreRefused) {
  if (!draws()) GTEST_SKIP();
  EXPECT_EQ(refused("kind = \"snapshots\"\ncount = 4\ncolumns = 2\n"), "");
  EXPECT_THAT(refused("kind = \"snapshots\"\ntimes = [0, 1e9]\n"), HasSubstr("the run goes from 0"));
  EXPECT_THAT(refused("kind = \"snapshots\"\ntimes = [0.01, 0]\n"), HasSubstr("in the order of the run"));
  EXPECT_THAT(refused("kind = \"view3d\"\nfollow = \"Vulcan\"\n"), HasSubstr("\"center-of-mass\""));
  const auto keyed = [](const std::string& first, const std::string& second) {
    const std::string zoom = "\nzoom = 2\n[[figure.key]]\n";
    return refused("kind = \"view3d\"\n[[figure.key]]\n" + first + zoom + second + "\n");
  };
  EXPECT_EQ(keyed("at = 0.1", "time = 1.5\nelevation = 3"), "");
  EXPECT_THAT(keyed("at = 0.5", "at = 0.25\nzoom = 3"), HasSubstr("put them in the order of the film"));
  for (const std::string same : {"at = 0.5", "time = 1.0"}) {
    const std::string words = keyed("at = 0.5", same + "\nzoom = 3");
    EXPECT_THAT(words, HasSubstr("at the moment of the one before it"));
    EXPECT_THAT(words, StartsWith("s.toml:17:")) << "the second key";
  }
  EXPECT_THAT(keyed("at = 0.1", "at = 0.5"), StartsWith("s.toml:17:1: this key frame sets nothing"));
  EXPECT_THAT(keyed("at = 0.1", "time = 2.5\nzoom = 3"),
              AllOf(StartsWith("s.toml:17:1: the run goes from 0 to 2, and"), HasSubstr("2.5, is not")));
  EXPECT_THAT(keyed("time = -0.1", "at = 0.5\nzoom = 3"), StartsWith("s.toml:14:1: the run goes from"));
  EXPECT_THAT(refused("kind = \"view3d\"\n[[figure.key]]\nazimut = 1\n"), HasSubstr("did you mean `azimuth`"));
}

TEST(PictureKeys, TimesHaveTheUsualNotation) {
  if (!draws()) GTEST_SKIP();
  const auto drawn = [](const std::string& keys, const std::vector<std::string>& overrides = {}) {
    const Scenario scenario = parse_scenario(sound + "[[figure]]\nfile = \"a.png\"\n" + keys, "s.toml", overrides);
    return Pictures(scenario, set_up(scenario)).resolved();
  };
  const double period = setup_of(sound).facts.timescale;
  const std::string snapshots = "kind = \"snapshots\"\ntimes = [0.5, \"1/8 period\", \"1.75\"]\n";
  EXPECT_THAT(drawn(snapshots), HasSubstr(fmt::format("times = [0.5, {}, 1.75]", period / 8)));
  EXPECT_THAT(drawn("kind = \"panels\"\n[[figure.part]]\n" + snapshots), HasSubstr(fmt::format("{}", period / 8)));
  EXPECT_THAT(drawn("kind = \"view3d\"\n[[figure.key]]\ntime = \"1/8 period\"\nzoom = 2\n"),
              HasSubstr(fmt::format("time = {}, zoom = 2.0", period / 8)));
  const std::string wrong = refused("kind = \"snapshots\"\ntimes = [0.5, \"1 fortnight\"]\n");
  EXPECT_THAT(wrong, AllOf(StartsWith("s.toml:14:15: "), HasSubstr("\"1 fortnight\" is not a time")));
  EXPECT_THAT(refused("kind = \"snapshots\"\ntimes = [true]\n"), HasSubstr("must be a number"));
  EXPECT_THAT(refused("kind = \"snapshots\"\ntimes = [\"9 periods\"]\n"), HasSubstr("the run goes from 0"));
}

TEST(PictureKeys, PartsAreReadAsFigures) {
  if (!draws()) GTEST_SKIP();
  const std::string panels = "kind = \"panels\"\n";
  EXPECT_EQ(refused(panels), "") << "a view and a curve";
  const std::string parts = panels +
                            "columns = 2\n[[figure.part]]\nkind = \"projection\"\nplane = \"xz\"\n"
                            "[[figure.part]]\nkind = \"separation\"\n";
  EXPECT_EQ(refused(parts), "");
  EXPECT_THAT(refused(parts + "plane = \"xz\"\n"), HasSubstr("unknown key `plane`"));
  EXPECT_THAT(refused(panels + "[[figure.part]]\nkind = \"projecton\"\n"), HasSubstr("did you mean `projection`"));
  EXPECT_THAT(refused(panels + "[[figure.part]]\nkind = \"panels\"\n"),
              HasSubstr("s.toml:15:8: a part cannot be \"panels\""));
  EXPECT_THAT(refused(panels + "[[figure.part]]\nplane = \"xz\"\n"), HasSubstr("[[figure.part]] needs a `kind`"));
  EXPECT_EQ(refused(panels + "part = 3\n"), "s.toml:14:8: `part` must be a table: write [[figure.part]]");
  EXPECT_THAT(refused(parts + "[[figure.part]]\nkind = \"phase\"\nsize = 3\n"),
              HasSubstr("`size` is a key of the whole picture"));
  EXPECT_THAT(refused("kind = \"panels\"\nsize = [400, 64]\ncolumns = 1\n"),
              StartsWith("s.toml:14:8: leaves each of 2 parts "));
  EXPECT_EQ(refused("kind = \"panels\"\nsize = [160, 300]\ncolumns = 2\n"), "");
  const std::string words = refused(parts + "[[figure.part]]\nkind = \"view3d\"\nfollow = \"Vulcan\"\n");
  EXPECT_THAT(words, StartsWith("s.toml:22:")) << "the key of that part";
  // Keys are read back as they were written.
  const auto written_out = [](const std::string& pictures) {
    const Scenario scenario = parse_scenario(sound + pictures, "s.toml", {});
    return Pictures(scenario, set_up(scenario)).resolved();
  };
  const std::string once = written_out("[[figure]]\nfile = \"a.png\"\n" + parts);
  EXPECT_THAT(once, HasSubstr("kind = \"separation\""));
  EXPECT_EQ(written_out(once), once);
}

TEST(PictureKeys, TrailsOnlyForFiguresOfBodies) {
  if (!draws()) GTEST_SKIP();
  for (const std::string section : {"figure", "film"}) {
    for (const FigureDescription& kind : figure_descriptions(section)) {
      const bool bodies = kind.name == "panels" || kind.name == "snapshots" || kind.name == "view3d" ||
                          kind.name.starts_with("projection");
      EXPECT_EQ(std::ranges::count(kind.parameters, "trails", &Parameter::name), bodies ? 1 : 0) << kind.name;
    }
  }
  EXPECT_EQ(refused("kind = \"energy-error\"\ntrails = 3.0\n"),
            "s.toml:14:1: energy-error draws no paths of bodies: remove `trails`");
  EXPECT_THAT(refused("kind = \"density\"\ntrails = \"1 period\"\n"), HasSubstr("density draws no paths of bodies"));
  EXPECT_EQ(refused("kind = \"panels\"\ntrails = 3.0\n"), "");
  EXPECT_THAT(refused("kind = \"panels\"\ntrails = 3.0\n[[figure.part]]\nkind = \"phase\"\n"),
              HasSubstr("each of these parts draws no paths of bodies"));
}

TEST(PictureKeys, BodiesAreSelectedTheSameWayEverywhere) {
  if (!draws()) GTEST_SKIP();
  int choosing = 0;
  for (const FigureDescription& kind : figure_descriptions()) {
    if (kind.name == "panels") continue;
    const std::string figure =
        fmt::format("kind = \"{}\"\n", kind.name) + (kind.name == "divergence" ? "other = \"other.h5\"\n" : "");
    const std::string place = kind.name == "divergence" ? "s.toml:15:" : "s.toml:14:";
    const bool chooses = std::ranges::count(kind.parameters, "bodies", &Parameter::name) > 0;
    if (!chooses) {
      EXPECT_EQ(refused(figure + "bodies = [\"0\"]\n"),
                fmt::format("{}1: {} shows a quantity of all bodies: remove `bodies`", place, kind.name));
      continue;
    }
    ++choosing;
    std::string why;
    if (kind.name == "angle") why = place + "10: an angle needs two bodies besides the one it is seen from";
    EXPECT_EQ(refused(figure + "bodies = [\"0\", \"1\"]\n"), why) << kind.name;
    EXPECT_THAT(refused(figure + "bodies = [\"1\", \"Vulcan\"]\n"),
                AllOf(StartsWith(place), HasSubstr("no body is named \"Vulcan\"; give a name, or an index from "
                                                   "\"0\" to \"1\"")))
        << kind.name;
    EXPECT_THAT(refused(figure + "bodies = []\n"), AllOf(StartsWith(place), HasSubstr("`bodies` is empty")))
        << kind.name;
  }
  EXPECT_EQ(choosing, 22);
  EXPECT_EQ(refused("kind = \"panels\"\nbodies = [\"0\"]\n"),
            "s.toml:14:1: `bodies` is a key of each part: write it in its [[figure.part]]");
  EXPECT_THAT(refused("kind = \"panels\"\n[[figure.part]]\nkind = \"view3d\"\nbodies = [\"7\"]\n"),
              StartsWith("s.toml:16:10: no body is named \"7\""));
  EXPECT_EQ(refused("kind = \"phase\"\nbody = \"1\"\nbodies = [\"0\"]\n"),
            "s.toml:14:8: `body` and `bodies` exclude each other: remove one");
}

TEST(PictureKeys, CurvesHaveLimitsAndSizes) {
  if (!draws()) GTEST_SKIP();
  for (const std::string section : {"figure", "film"}) {
    for (const FigureDescription& kind : figure_descriptions(section)) {
      const bool curves = std::ranges::count(kind.parameters, "x_limits", &Parameter::name) > 0;
      const bool bodies = kind.name == "density" || kind.name == "matrix" || kind.name == "snapshots" ||
                          kind.name == "view3d" || kind.name == "panels" || kind.name.starts_with("projection");
      EXPECT_NE(curves, bodies) << kind.name;
    }
  }
  const std::string sizes = "x_limits = [0, 1]\ny_limits = [1e-9, 1]\nline_width = 1.5\nmarker_size = 6\n";
  EXPECT_EQ(refused("kind = \"energy-error\"\n" + sizes), "");
  EXPECT_EQ(refused("kind = \"panels\"\n[[figure.part]]\nkind = \"conserved\"\n" + sizes), "");
  EXPECT_THAT(refused("kind = \"phase\"\nx_limits = [1, 0]\n"),
              AllOf(StartsWith("s.toml:14:12: "), HasSubstr("the lower limit must be below")));
  EXPECT_THAT(refused("kind = \"rotation-curve\"\nx_limits = [1, 1]\n"), HasSubstr("the lower limit must be below"));
  EXPECT_THAT(refused("kind = \"conserved\"\ny_limits = [0, 1]\n"), HasSubstr("begins above 0"));
  EXPECT_THAT(refused("kind = \"virial\"\nline_width = 0\n"), HasSubstr("line_width"));
}

TEST(PictureKeys, PartHasNoFile) {
  if (!draws()) GTEST_SKIP();
  const std::string part = "kind = \"panels\"\n[[figure.part]]\nkind = \"phase\"\n";
  EXPECT_EQ(refused(part + "file = \"b.png\"\n"),
            "s.toml:16:1: `file` is a key of the whole picture: write it before the first [[figure.part]]");
  for (const std::string key : {"dpi = 96", "theme = \"dark\"", "trails = 3"})
    EXPECT_THAT(refused(part + key + "\n"), HasSubstr("is a key of the whole picture")) << key;
  EXPECT_THAT(refused(part + "titel = \"x\"\n"), HasSubstr("did you mean `title`?"));
}

TEST(PictureKeys, FigureIsOnePicture) {
  if (!draws()) GTEST_SKIP();
  const auto called = [](const std::string& table, const std::string& name) {
    const Scenario scenario =
        parse_scenario(sound + "[[" + table + "]]\nkind = \"view3d\"\nfile = \"" + name + "\"\n", "s.toml", {});
    try {
      (void)Pictures(scenario, set_up(scenario));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(called("figure", "frames-####.png"), StartsWith("s.toml:13:8: `frames-####.png` numbers frames"));
  EXPECT_EQ(called("figure", "plan #2.png"), "");
  EXPECT_EQ(called("film", "frames-####.png"), "");
}

TEST(PictureKeys, PartsInAColumnAreStacked) {
  if (!draws()) GTEST_SKIP();
  const auto said = [](const std::string& keys) {
    const Scenario scenario =
        parse_scenario(sound + "[[figure]]\nfile = \"a.png\"\nkind = \"panels\"\n" + keys, "s.toml", {});
    return Pictures(scenario, set_up(scenario)).plan().front();
  };
  EXPECT_THAT(said("width = \"8.6 cm\"\n"), HasSubstr("1016 × 1260"));
  EXPECT_THAT(said("width = \"8.6 cm\"\ncolumns = 2\n"), HasSubstr("1016 × 762"));
  EXPECT_THAT(said("width = \"8.6 cm\"\nsize = [1600, 1000]\n"), HasSubstr("1016 × 635"));
  EXPECT_THAT(said("width = \"17.8 cm\"\n"), HasSubstr("2102 × 1577"));
  EXPECT_THAT(refused("kind = \"phase\"\nwidth = \"1 cm\"\n"), HasSubstr("at least 1.2 cm"));
}

TEST(PictureKeys, PreviewHasTheNameOfThePicture) {
  if (!draws()) GTEST_SKIP();
  const auto previews = [](const std::string& name) {
    const Scenario scenario = parse_scenario(
        sound + "[[figure]]\nkind = \"view3d\"\nfile = \"a.png\"\n[[film]]\nkind = \"view3d\"\nfile = \"" + name +
            "\"\n",
        "s.toml", {});
    Pictures pictures(scenario, set_up(scenario));
    pictures.make_previews();
    return pictures.files();
  };
  EXPECT_THAT(previews("a-preview.gif"), ::testing::ElementsAre("a-preview.png", "a-preview-preview.gif"));
  const Scenario scenario = parse_scenario(sound + "[[figure]]\nkind = \"view3d\"\nfile = \"a.png\"\n" +
                                               "[[figure]]\nkind = \"phase\"\nfile = \"a-preview.png\"\n",
                                           "s.toml", {});
  Pictures pictures(scenario, set_up(scenario));
  try {
    pictures.make_previews();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::request);
    EXPECT_THAT(error.what(), StartsWith("s.toml:13:8: the preview of a.png would be a-preview.png"));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
