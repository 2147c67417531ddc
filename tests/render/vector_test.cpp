// SPDX-License-Identifier: MIT
// SVG and PDF, parsed: the text and curves of every figure are there in the right size; each defect that the parser
// should find is introduced once and found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/utf8.hpp"
#include "render/canvas/image.hpp"
#include "render/canvas/text.hpp"
#include "render/style/annotations.hpp"
#include "scene.hpp"
#include "vector_probe.hpp"

namespace orrery::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct VectorFormat {
  const char* name;
  std::string (*write)(const Drawing&, double, const Provenance&);
  VectorFile (*parse)(const std::string&);
};
constexpr VectorFormat vector_formats[] = {{"svg", svg_of, parsed_svg}, {"pdf", pdf_of, parsed_pdf}};

TestRun titled(std::size_t bodies) {
  TestRun run = circles(bodies, 150);
  run.info.title = "ΔE/E₀ < 10⁻¹² & \"so\"";
  return run;
}

/// A drawing with everything that the defects below need.
Drawing sample() {
  Drawing drawing{{640, 480}, {255, 255, 255}, 1, {}};
  Line curve{{}, {{0, 114, 178}}, 3};
  for (int i = 0; i < 100; ++i)
    curve.points.push_back({static_cast<float>(50 + 5 * i), 240 + 100 * std::sin(0.13F * static_cast<float>(i))});
  drawing.add(std::move(curve));
  drawing.add(Text{"ΔE/E₀ [10⁻¹²]", {100, 100}, 31, {0, 0, 0}});
  drawing.add(Text{"distance (1\\2)", {30, 400}, 31, {0, 0, 0}, Across::left, Along::top, true, true});
  return drawing;
}

TEST(Vector, EveryFigureHasItsTextsAndCurvesAtColumnWidth) {
  for (const FigureKind* kind : all_kinds()) {
    TestRun run = titled(3);
    for (const auto& [size, theme] :
         {std::pair{Size{1016, 762}, Theme::light}, {Size{2102, 1577}, Theme::light}, {Size{1016, 762}, Theme::dark}}) {
      Canvas canvas(size, theme, 300, Lettering::by_page);
      const auto figure = shown(*kind, canvas, run, defaults(*kind));
      for (const VectorFormat& format : vector_formats) {
        const Drawing drawing = canvas.drawing(scene_of(*figure), 2);
        const VectorFile file = format.parse(format.write(drawing, 300, {}));
        EXPECT_THAT(faults(drawing, file), IsEmpty()) << kind->name << " as " << format.name << ", " << size.width;
        EXPECT_NEAR(file.width, size.width / 300.0, 1e-3);
        EXPECT_NEAR(file.height, size.height / 300.0, 1e-3);
        EXPECT_THAT(file.words, HasSubstr("ΔE/E₀"));
        EXPECT_GE(file.paths.size(), 5U);
      }
    }
  }
}

TEST(Vector, DefectIsDetected) {
  for (const VectorFormat& format : vector_formats) {
    const Drawing whole = sample();
    // The drawing written to the file, and the correct one.
    const auto seen = [&](const Drawing& written, const Drawing& wanted) {
      return faults(wanted, format.parse(format.write(written, 300, {})));
    };
    EXPECT_THAT(seen(whole, whole), IsEmpty()) << format.name;

    Drawing curveless = whole;
    curveless.shapes.erase(curveless.shapes.begin());
    EXPECT_THAT(seen(curveless, whole), ElementsAre("no curve of 100 points"));

    Drawing half = whole;
    std::get<Line>(half.shapes[0]).points.resize(50);
    EXPECT_THAT(seen(half, whole), ElementsAre("no curve of 100 points"));

    Drawing dropped = whole;
    std::get<Text>(dropped.shapes[1]).words = "ΔE/E [10⁻¹²]";
    EXPECT_THAT(seen(dropped, whole), ElementsAre("not written: ΔE/E₀ [10⁻¹²]"));

    Drawing cut = whole;
    std::get<Text>(cut.shapes[1]).at.x = 500;
    EXPECT_THAT(seen(cut, cut), ElementsAre("cut: ΔE/E₀ [10⁻¹²]"));

    Drawing strange = whole;
    std::get<Text>(strange.shapes[1]).words = "ΔE/E\U000F0000";
    EXPECT_THAT(seen(strange, strange), testing::Contains("no letter in the font: ΔE/E\U000F0000"));
  }
}

TEST(Vector, MissingGlyphIsABoxInEveryFormat) {
  const std::string strange = "\U000F0000", box = "□";
  EXPECT_EQ(glyphs_of("太Δ", false).glyphs.front().index, glyphs_of(box, false).glyphs.front().index);
  EXPECT_NE(glyphs_of("太Δ", false).glyphs.back().index, glyphs_of(box, false).glyphs.front().index);
  EXPECT_EQ(outline_of(strange, 40, false), outline_of(box, 40, false));
  EXPECT_GT(extents_of(strange, 40).width, 20);
  EXPECT_EQ(extents_of(strange, 40).width, extents_of(box, 40).width);
  const auto scene = [&](Drawing& drawing) { drawing.add(Text{strange, {60, 60}, 40, {0, 0, 0}}); };
  EXPECT_GT(count(Canvas({200, 100}).capture(scene), {0, 0, 0}, 60), 40);
}

constexpr const char* unruly = "one\n\ttwo\r\n\x1b[31mthree\x7f\xc2\x9b \x9b\xff\\$four$ \xed\xa0\x80";
constexpr const char* ruly = "one  two □[31mthree□□ \\$four$ ";

TEST(Vector, TextsAreEscapedToOneLineInEveryFormat) {
  EXPECT_EQ(in_one_line(unruly), ruly);
  EXPECT_EQ(in_one_line("ΔE/E₀ é 太 🚀"), "ΔE/E₀ é 太 🚀");
  EXPECT_EQ(code_points(in_one_line(std::string(1'000'000, 'i'))).size(), 2000U);
  for (const FigureKind* kind : all_kinds()) {
    const auto drawn = [&](const std::string& words) {
      TestRun run = circles(3, 50);
      run.info.title = words;
      run.info.names = {words + "A", "", words + "C"};
      run.info.length_unit = run.info.time_unit = words;
      Canvas sheet({800, 600});
      const auto figure = shown(*kind, sheet, run, defaults(*kind));
      return std::tuple(sheet.capture(scene_of(*figure)).rgb, svg_of(sheet.drawing(scene_of(*figure), 2), 300),
                        pdf_of(sheet.drawing(scene_of(*figure), 2), 300));
    };
    EXPECT_EQ(drawn(unruly), drawn(ruly)) << kind->name;
  }
}

TEST(Vector, EscapedDollarIsLiteral) {
  EXPECT_GT(extents_of("a\\$b", 40).width, extents_of("a$b", 40).width + 5);
  EXPECT_NEAR(extents_of("a\\$b", 40).width, extents_of("a/$b", 40).width, 2);
  const auto ink = [](const std::string& words) {
    const auto scene = [&](Drawing& drawing) { drawing.add(Text{words, {60, 60}, 40, {0, 0, 0}}); };
    return count(Canvas({200, 100}).capture(scene), {0, 0, 0}, 60);
  };
  EXPECT_GT(ink("\\$"), ink("$") + 30);
}

TEST(Annotations, LongTextIsTruncatedQuickly) {
  const std::string longest(1'000'000, 'm');
  const std::string cut = fitted(longest, 20, false, 400);
  EXPECT_LT(cut.size(), 60U);
  EXPECT_EQ(fitted(std::string(60, 'm'), 20, false, 400), cut);
}

TEST(Pdf, EqualDrawingsGiveEqualBytesAndNoDate) {
  const std::string once = pdf_of(sample(), 300, {"v", "s", "x = 1\n"});
  (void)svg_of(sample(), 300);  // shares the font
  EXPECT_EQ(pdf_of(sample(), 300, {"v", "s", "x = 1\n"}), once);
  EXPECT_THAT(once, Not(HasSubstr("Date")));
  const std::string outlines = svg_of(sample(), 300);
  (void)pdf_of(sample(), 300);
  EXPECT_EQ(svg_of(sample(), 300), outlines);
}

TEST(Pdf, FontsAreEmbeddedAndPicturesKeepTheirPixels) {
  Drawing drawing = sample();
  Picture picture{{10, 10, 60, 40}, {333, 211}, std::vector<std::uint8_t>(333 * 211 * 4, 255)};
  for (std::size_t i = 0; i < picture.rgba.size(); ++i) picture.rgba[i] = static_cast<std::uint8_t>(i * 7 % 251);
  drawing.add(std::move(picture));
  const std::string bytes = pdf_of(drawing, 300);
  EXPECT_THAT(parsed_pdf(bytes).pictures, testing::Each(Size{333, 211}));
  EXPECT_FALSE(parsed_pdf(bytes).pictures.empty());
  EXPECT_THAT(bytes, HasSubstr("+DejaVuSans\n"));
  EXPECT_THAT(bytes, HasSubstr("+DejaVuSans-Bold\n"));
  EXPECT_THAT(bytes, HasSubstr("/FontFile2"));
}

TEST(Pdf, SupportsEveryShape) {
  Drawing drawing{{100, 80}, {13, 15, 22}, 1, {}};
  drawing.add(Clip{Box{10, 10, 90, 70}});
  drawing.add(Disc{{50, 40}, 9, {0, 0, 0, 0}, {200, 0, 0}, 2});
  drawing.add(Ball{{30, 40}, 8, {0, 158, 115}});
  drawing.add(Ball{{60, 40}, 0, {0, 158, 115}});
  drawing.add(Line{{}, {{1, 2, 3}}, 1});
  drawing.add(Line{{{1, 1}}, {{1, 2, 3}}, 1});
  drawing.add(Area{{}, {1, 2, 3, 40}});
  drawing.add(Clip{});
  drawing.add(Text{"", {10, 10}, 12, {}});
  drawing.add(Text{"\xff\xc3 cut \xe2\x82", {10, 30}, 12, {}});
  drawing.add(Picture{{0, 0, 5, 5}, {1, 1}, {1, 2, 3, 4}});
  const VectorFile file = parsed_pdf(pdf_of(drawing, 72));
  EXPECT_NEAR(file.width, 100 / 72.0, 1e-3);
  EXPECT_EQ(file.words, " cut ");
}

TEST(Style, PrintSizesFollowJournals) {
  for (const double dpi : {150.0, 300.0, 600.0}) {
    for (const double inches : {86 / 25.4, 178 / 25.4}) {
      const int width = static_cast<int>(inches * dpi);
      const Style style = Canvas({width, width * 3 / 4}, Theme::light, dpi, Lettering::by_page).style();
      const auto points = [&](float pixels) { return static_cast<double>(pixels) / dpi * 72; };
      for (const float text : {style.tick_text, style.label_text, style.title_text}) {
        EXPECT_GE(points(text), 7) << dpi;
        EXPECT_LE(points(text), 10.5) << dpi;
      }
      for (const float line : {style.frame_line, style.path_line, style.curve_line}) {
        EXPECT_GE(points(line), 0.5) << dpi;
        EXPECT_LE(points(line), 1) << dpi;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::render
