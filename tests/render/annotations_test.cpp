// SPDX-License-Identifier: MIT
// Annotations of a picture: the time with enough digits to distinguish moments, and names beside bodies.
#include "render/style/annotations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "labels.hpp"
#include "render/between.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::Contains;
using testing::ElementsAre;

std::string stamp(double start, double end, double time, const std::string& unit = "") {
  RunInfo info;
  info.start = start;
  info.end = end;
  info.time_unit = unit;
  return time_stamp(info, time).words;
}

TEST(Annotations, TimesOfAnySizeAreReadable) {
  EXPECT_EQ(stamp(0, 20, 4), "t = 4.0");
  EXPECT_EQ(stamp(0, 1e5, 2e4, "d"), "t = 20000 d");
  EXPECT_EQ(stamp(0, 99964800, 59978880, "s"), "t = 0.600·10⁸ s") << "ends at 1.000, not at 10.00";
  EXPECT_EQ(stamp(0, 2e-15, 0.8e-15), "t = 0.80·10⁻¹⁵");
  EXPECT_EQ(stamp(0, -3e9, -1.5e9), "t = −1.50·10⁹");
  EXPECT_EQ(stamp(2e9, 2e9 + 5, 2e9 + 1.25, "s"), "t = 2000000001.25 s") << "all digits count";
  EXPECT_EQ(stamp(0, 0, 0), "t = 0.00");
}

TEST(Annotations, TimeIsInTheUnitOfThePicture) {
  RunInfo info;
  info.end = 10 * 86400;
  info.time_unit = "d";
  info.time_unit_length = 86400;
  EXPECT_EQ(time_stamp(info, 2.5 * 86400).words, "t = 2.5 d");
  EXPECT_EQ(time_stamp(info, 0).longest, "t = 10.0 d");
}

/// With an epoch the stamp is a date, to the day, the minute or the second.
TEST(Stamp, IsADateOfARunWithAnEpoch) {
  RunInfo info;
  info.time_unit = "d";
  info.dates = DateScale{parse_date("2027-12-31 23:59:40"), 86400};
  info.end = 2000;
  EXPECT_EQ(time_stamp(info, 0).words, "2028-01-01");
  EXPECT_EQ(time_stamp(info, 60).words, "2028-03-01");
  info.end = 30;
  EXPECT_EQ(time_stamp(info, 0.5).words, "2028-01-01 12:00");
  info.end = 0.1;
  EXPECT_EQ(time_stamp(info, 0).words, "2027-12-31 23:59:40");
  EXPECT_EQ(time_stamp(info, 20.0 / 86400).longest.size(), 19U);
}

/// The text within the frame of a projection.
std::vector<std::string> tags(const TestRun& run, Trails trails = whole, const char* names = "fit") {
  const FigureKind& kind = kind_named("projection");
  Canvas canvas({800, 600});
  Arguments arguments = defaults(kind);
  arguments.set("names", std::string(names));
  const auto figure = shown(kind, canvas, run, arguments, trails);
  const Drawing drawing = canvas.drawing(scene_of(*figure));
  if (std::string_view(names) != "always") {
    EXPECT_EQ(wrong_labels(drawing), "");
  }
  std::vector<std::string> words;
  std::size_t clip = 0, opened = 0;
  for (const Shape& shape : drawing.shapes) {
    if (std::holds_alternative<Clip>(shape)) clip = ++opened;
    const auto* text = std::get_if<Text>(&shape);
    if (text != nullptr && clip == 1) words.push_back(text->words);
  }
  return words;
}

TEST(NameTags, DoNotOverlapBodies) {
  TestRun run = circles(3, 50);
  EXPECT_THAT(tags(run), ElementsAre("body 0", "body 1", "body 2"));
  EXPECT_THAT(tags(run, Trails{0.3}), testing::IsEmpty()) << "in a film they would jump";
  run.info.names.edit()[1].clear();
  EXPECT_THAT(tags(run), ElementsAre("body 0", "body 2"));
  EXPECT_THAT(tags(run, whole, "never"), testing::IsEmpty());
  run.info.names = {};
  EXPECT_THAT(tags(run), testing::IsEmpty());
}

TEST(NameTags, OfManyBodiesAreShownWhereTheyFit) {
  const TestRun run = circles(20, 50, 0.1);
  EXPECT_GT(tags(run).size(), 3U);
  EXPECT_EQ(tags(run, whole, "always").size(), 20U);
}

TEST(Annotations, LongNamesAreDividedIntoLines) {
  const std::string words = "leapfrog, dt = 0.001, softening = 0.05";
  EXPECT_THAT(wrapped(words, 20, 1e4F), ElementsAre(words));
  for (const float room : {300.F, 180.F, 90.F, 25.F}) {
    std::string all;
    for (const std::string& line : wrapped(words, 20, room)) {
      EXPECT_LE(extents_of(line, 20).width, room) << line;
      all += line;
    }
    if (room > 60) {
      std::string letters = words;
      std::erase(letters, ' ');
      std::erase(all, ' ');
      EXPECT_EQ(all, letters) << "nothing is lost";
    }
  }
  EXPECT_THAT(wrapped("", 20, 100), ElementsAre(""));
}

TEST(NameTags, AreInTheLegendIfTheyWouldHideBodies) {
  // The moon's path fills a ring around the planet: the planet's name would hide it at any position.
  TestRun run;
  for (int f = 0; f <= 3000; ++f) {
    Frame frame;
    frame.time = f / 3000.0;
    for (const auto& [r, turns] : {std::pair{0.0, 0.0}, std::pair{0.2, 97.3}, std::pair{1.0, 1.1}}) {
      const double a = 2 * M_PI * turns * frame.time, far = r + (r == 0.2 ? 0.15 * std::cos(0.63 * a) : 0);
      for (const double q : {far * std::cos(a), far * std::sin(a), 0.0})
        frame.position.edit().push_back(static_cast<float>(q));
    }
    run.frames.push_back(frame);
  }
  run.info.names = {"planet", "moon", "comet"};
  run = settled(run);
  EXPECT_THAT(tags(run), testing::Not(Contains("planet")));
  EXPECT_THAT(tags(run), Contains("comet"));
}

TEST(Legend, UnnamedBodiesAreNumbered) {
  TestRun run = circles(3, 20);
  run.info.names = {"Sun", "", "Earth"};
  const Reference reference("inertial", run.info);
  EXPECT_THAT(Coloring("body", Theme::light, run.info, reference).names(), ElementsAre("Sun", "body 1", "Earth"));
  run.info.names = {"", "", ""};
  EXPECT_THAT(Coloring("body", Theme::light, run.info, reference).names(), ElementsAre("body 0", "body 1", "body 2"));
}

TEST(Annotations, TextInFilmsIsReadableOrOmitted) {
  TestRun run = circles(6, 30);
  run.info.length_unit = "km";
  run.info.time_unit = "Myr";
  run.info.title = "A title that is too long for the smallest of them";
  for (const FigureKind* kind : all_kinds()) {
    for (const Size size : {Size{64, 64}, Size{200, 200}, Size{320, 180}, Size{480, 270}, Size{1920, 1080}}) {
      Canvas canvas(size, Theme::dark, 96, Lettering::of_film);
      std::unique_ptr<Figure> figure;
      try {
        figure = shown(*kind, canvas, run, defaults(*kind));
      } catch (const ArgumentError&) {
        EXPECT_EQ(kind->name, "panels") << "which has too little room for its parts";
        continue;
      }
      int words = 0;
      for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr || text->color.alpha == 0) continue;
        EXPECT_GE(text->size, 12) << kind->name << " " << size.width << " " << text->words;
        if (const std::size_t cut = text->words.rfind("…"); cut != std::string::npos) {
          EXPECT_THAT(run.info.title, testing::HasSubstr(text->words.substr(0, cut))) << kind->name << text->words;
        }
        words += text->words == "…" ? 0 : 1;
      }
      EXPECT_TRUE(words > 0 || size.width < 200) << kind->name << " " << size.width;
      EXPECT_TRUE(words == 0 || size.width > 64) << kind->name;
    }
  }
}

/// All text of a drawing, in its order.
std::string all_text(const Drawing& drawing) {
  std::string all;
  for (const Shape& shape : drawing.shapes) {
    if (const auto* text = std::get_if<Text>(&shape)) all += text->words + " ";
  }
  return all;
}

TEST(Annotations, LongTextIsWholeInPrint) {
  TestRun run = circles(3, 23, 40);  // nearly two turns from frame to frame
  run.info.between = std::make_shared<const Between>(run.frames, Bounds{});
  run.info.title = "Moons of a distant giant planet after a close encounter";
  run.info.names = {"Kepler-1625 b, the giant planet of this system", "a-name-without-any-space-in-it", "Moon"};
  for (const FigureKind* kind : all_kinds()) {
    if (kind->name == "panels") continue;  // its parts are these
    for (const Size size : {Size{1016, 762}, Size{1016, 520}, Size{1600, 1200}}) {
      SCOPED_TRACE(testing::Message() << kind->name << " " << size.width << " x " << size.height);
      Canvas canvas(size, Theme::light, 300, Lettering::by_page);
      Arguments arguments = defaults(*kind);
      if (std::ranges::any_of(kind->parameters, [](const Parameter& key) { return key.name == "names"; }))
        arguments.set("names", std::string("never"));
      const auto figure = shown(*kind, canvas, run, arguments);
      const Drawing drawing = canvas.drawing(scene_of(*figure));
      const std::string all = all_text(drawing);
      EXPECT_THAT(all, testing::Not(testing::HasSubstr("…")));
      EXPECT_THAT(all, testing::HasSubstr("close encounter"));
      if (kind->name != "view3d") {  // where numbers fade before they touch
        EXPECT_EQ(wrong_labels(drawing), "");
      }
      if (!kind->has_paths) continue;
      EXPECT_THAT(all, testing::HasSubstr("no path where frames are too far apart"));
      EXPECT_THAT(all, testing::HasSubstr("system"));
    }
  }
}

TEST(Annotations, PartsWithoutATitleSayWhatTheirTitleWould) {
  const TestRun run = circles(3, 23);
  std::vector<Chart> charts = charts_for("separation", run.info);
  charts.front().title = "201 frames";
  charts.front().remark = "23 frames are too few";
  for (const bool titled : {true, false}) {
    Style its_style = Canvas({800, 600}).style();
    its_style.titled = titled;
    Canvas part({800, 600}, its_style);
    const auto figure = made(charts, part, run.info);
    EXPECT_EQ(figure->remark(), "23 frames are too few");
    const std::string all = all_text(part.drawing(scene_of(*figure)));
    EXPECT_THAT(all, testing::HasSubstr("23 frames are too few"));
    EXPECT_THAT(all, testing::HasSubstr("201 frames"));
    EXPECT_EQ(all.find("Circles") != std::string::npos, titled);
  }
}

TEST(Annotations, RemarksHideNothing) {
  TestRun run = circles(3, 23, 40);
  run.info.between = std::make_shared<const Between>(run.frames, Bounds{});
  for (const char* name : {"projection", "projections", "snapshots"}) {
    for (const Size size : {Size{1016, 762}, Size{1600, 1200}}) {
      Canvas canvas(size, Theme::light, 300, Lettering::by_page);
      const auto figure = shown(kind_named(name), canvas, run, defaults(kind_named(name)));
      const Drawing drawing = canvas.drawing(scene_of(*figure));
      float top = 1e9F, remark = -1;
      for (const Shape& shape : drawing.shapes) {
        if (const auto* clip = std::get_if<Clip>(&shape); clip != nullptr && clip->box)
          top = std::min(top, clip->box->top);
        const auto* text = std::get_if<Text>(&shape);
        if (text != nullptr && text->words.starts_with("no path")) remark = room_of(*text).bottom;
      }
      EXPECT_GT(remark, 0) << name;
      EXPECT_LE(remark, top) << name;
    }
  }
}

TEST(Annotations, TextInSmallPicturesIsNeitherCutNorOverlapping) {
  TestRun run = circles(6, 30);
  run.info.length_unit = "km";
  for (const FigureKind* kind : all_kinds()) {
    if (kind->name == "panels" || kind->name == "view3d") continue;  // numbers in space fade before they touch
    for (const auto& [size, lettering] :
         {std::pair(Size{64, 64}, Lettering::by_canvas), std::pair(Size{128, 96}, Lettering::by_canvas),
          std::pair(Size{64, 64}, Lettering::of_film), std::pair(Size{200, 200}, Lettering::of_film),
          std::pair(Size{320, 180}, Lettering::of_film), std::pair(Size{480, 270}, Lettering::of_film),
          std::pair(Size{236, 177}, Lettering::by_page), std::pair(Size{354, 266}, Lettering::by_page)}) {
      Canvas canvas(size, Theme::light, 300, lettering);
      const auto figure = shown(*kind, canvas, run, defaults(*kind));
      std::vector<std::pair<std::string, Box>> words;
      for (const Shape& shape : canvas.drawing(scene_of(*figure)).shapes) {
        if (const auto* text = std::get_if<Text>(&shape)) words.emplace_back(text->words, room_of(*text));
      }
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& [word, a] = words[i];
        EXPECT_TRUE(a.left >= -1 && a.top >= -1 && a.right <= static_cast<float>(size.width) + 1 &&
                    a.bottom <= static_cast<float>(size.height) + 1)
            << kind->name << " " << size.width << " " << word;
        for (std::size_t j = 0; j < i; ++j) {
          const Box& b = words[j].second;
          EXPECT_TRUE(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1)
              << kind->name << " " << size.width << " " << word << " and " << words[j].first;
        }
      }
    }
  }
}

}  // namespace
}  // namespace orrery::render
