// SPDX-License-Identifier: MIT
// Canvases: off-screen without environment variables, several at once, and output as PNG and SVG.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <thread>

#include "common/error.hpp"
#include "common/power_of_ten.hpp"
#include "render/canvas/image.hpp"
#include "render/canvas/text.hpp"
#include "render/module/module.hpp"
#include "render/module/painter.hpp"
#include "scene.hpp"
#include "small_disk.hpp"
#include "tests/complaint.hpp"

namespace orrery::render {
namespace {

using testing::HasSubstr;

/// A disc of a body's colour in the middle.
DrawnScene with_disc(Canvas canvas, std::size_t color) {
  return {canvas, [size = canvas.size(), color](Drawing& drawing) {
            const Point middle{static_cast<float>(size.width) / 2, static_cast<float>(size.height) / 2};
            drawing.add(Disc{middle, 20, body_color(Theme::light, color)});
          }};
}

TEST(Canvas, SeveralCanvasesAreIndependent) {
  const DrawnScene one = with_disc(Canvas({200, 160}), 0), other = with_disc(Canvas({321, 243}), 1);
  const Image first = one.capture(), second = other.capture();
  EXPECT_EQ(one.capture().rgb, first.rgb);
  EXPECT_EQ(other.capture().rgb, second.rgb);
  EXPECT_EQ(second.size, (Size{321, 243}));
  EXPECT_EQ(first.at(100, 80), body_color(Theme::light, 0));
  EXPECT_EQ(second.at(160, 121), body_color(Theme::light, 1));
  EXPECT_EQ(second.at(0, 0), one.canvas.style().background);
  EXPECT_EQ(second.at(320, 242), one.canvas.style().background);
}

TEST(Canvas, EdgesAreAntialiasedAndPositionsExact) {
  const Image image = Canvas({100, 80}).capture([](Drawing& drawing) {
    drawing.line({10.5F, 0}, {10.5F, 80}, {0, 0, 0}, 1);   // fills one column
    drawing.line({0, 20.5F}, {100, 20.5F}, {0, 0, 0}, 3);  // and three rows
    drawing.fill({40, 40, 60, 60}, {200, 0, 0});
    drawing.add(Disc{{80, 50}, 10, {0, 0, 200}});
  });
  EXPECT_LT(image.at(10, 5).red, 12);
  EXPECT_GT(image.at(9, 5).red, 243);
  EXPECT_GT(image.at(11, 5).red, 243);
  for (const int row : {19, 20, 21}) EXPECT_LT(image.at(50, row).red, 12) << row;
  for (const int row : {18, 22}) EXPECT_GT(image.at(50, row).red, 243) << row;
  EXPECT_EQ(count(image, {200, 0, 0}, 0), 400);
  EXPECT_EQ(image.at(40, 40), (Color{200, 0, 0}));
  EXPECT_EQ(image.at(59, 59), (Color{200, 0, 0}));
  double ink = 0;  // the disc's area, edges counted by their share
  for (int y = 35; y < 65; ++y) {
    for (int x = 65; x < 95; ++x) ink += (255 - image.at(x, y).red) / 255.0;
  }
  EXPECT_NEAR(ink, M_PI * 100, 3);
}

/// The share of channels that differ by more than `most`.
double share_apart(const Image& a, const Image& b, int most) {
  EXPECT_EQ(a.size, b.size);
  std::size_t apart = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) apart += std::abs(a.rgb[i] - b.rgb[i]) > most ? 1 : 0;
  return static_cast<double>(apart) / static_cast<double>(a.rgb.size());
}

TEST(Canvas, PixelsDoNotDependOnBands) {
  for (const std::string name : {"projection", "view3d", "density", "energy-error", "panels", "matrix"}) {
    for (const std::size_t bodies : {3, 5000}) {
      const FigureKind& kind = kind_named(name);
      TestRun run = bodies > 3 ? ball(bodies) : circles(bodies, 80);
      run.info.title = "ΔE/E₀ in bands";
      Canvas canvas({401, 303}, bodies > 3 ? Theme::dark : Theme::light);
      const auto figure = shown(kind, canvas, run, defaults(kind));
      for (const float scale : {1.F, 2.F}) {
        const Drawing drawing = canvas.drawing(scene_of(*figure), scale);
        const Image whole = rasterised(drawing, 303);
        for (const int rows : {7, 64, 302}) {
          const Image banded = rasterised(drawing, rows);
          EXPECT_LT(share_apart(banded, whole, 0), 1e-3) << name << bodies << rows;
          EXPECT_EQ(share_apart(banded, whole, 24), 0) << name << bodies << rows;
        }
      }
    }
  }
}

/// Cairo frees the font that no thread uses while another one finds it: "Assertion `! scaled_font->cache_frozen' failed".
TEST(Canvas, ThreadsDrawTextOfOneSize) {
  using namespace pictures_module;
  const auto draw = [] {
    const cairo::Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 64, 16));
    for (int i = 0; i < 4000; ++i) {
      const cairo::Context context(cairo_create(surface.get()));
      Painter(context.get(), Output::pixels).paint(Text{"12", {2, 12}, 10.0F + static_cast<float>(i % 3), {0, 0, 0}});
      ASSERT_EQ(cairo_status(context.get()), CAIRO_STATUS_SUCCESS);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned k = 0; k < std::max(7U, std::thread::hardware_concurrency()); ++k) threads.emplace_back(draw);
}

TEST(Canvas, InvalidSizesAreRefused) {
  for (const Size size : {Size{0, 0}, Size{63, 640}, Size{640, 20000}, Size{-5, 100}}) {
    EXPECT_THAT(complaint([&] { Canvas canvas(size); }, 2), HasSubstr("pixels"));
  }
  EXPECT_THAT(complaint([] { theme_named("sepia"); }, 2), HasSubstr("sepia"));
}

TEST(Canvas, FilesAreWrittenAtomically) {
  const Scratch scratch;
  const DrawnScene sheet = with_disc(Canvas({128, 64}), 0);
  EXPECT_THAT(complaint([&] { sheet.save(scratch / "a.bmp"); }, 2), HasSubstr("a.bmp"));
  EXPECT_THAT(complaint([&] { sheet.save(scratch / "no/such/folder/a.png"); }, 1), HasSubstr("a.png"));
  EXPECT_THAT(complaint([&] { sheet.save(scratch / "no/such/folder/a.svg"); }, 1), HasSubstr("No such file"));
  {
    const SmallDisk disk(100);
    EXPECT_THAT(complaint([&] { sheet.save(scratch / "full.png"); }, 1), HasSubstr("File too large"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

TEST(Canvas, PngHasSizeAndResolution) {
  const Scratch scratch;
  const Canvas canvas({130, 70}, Theme::dark, 254);
  canvas.save([](Drawing&) {}, scratch / "a.png");
  std::FILE* file = std::fopen((scratch / "a.png").c_str(), "rb");
  ASSERT_NE(file, nullptr);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  EXPECT_EQ(png_get_image_width(png, info), 130U);
  EXPECT_EQ(png_get_image_height(png, info), 70U);
  EXPECT_EQ(png_get_color_type(png, info), PNG_COLOR_TYPE_RGB);
  EXPECT_EQ(png_get_x_pixels_per_meter(png, info), 10000U);
  const Color ground{png_get_rows(png, info)[5][15], png_get_rows(png, info)[5][16], png_get_rows(png, info)[5][17]};
  EXPECT_EQ(ground, canvas.style().background);
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(file);
}

/// Whether tags are balanced and attributes quoted.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    at = end;
    if (tag.find('<') != std::string::npos || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.starts_with("?")) continue;
    const std::string name =
        tag.substr(tag.starts_with("/") ? 1 : 0, tag.find_first_of(" /", 1) - (tag.starts_with("/") ? 1 : 0));
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST(Svg, EveryFigureHasVectorCurvesAndText) {
  const Scratch scratch;
  TestRun run = circles(3, 100);
  run.info.title = "ΔE < 1 & \"so\"";
  for (const FigureKind* kind : all_kinds()) {
    Canvas canvas({800, 600});
    const auto figure = shown(*kind, canvas, run, defaults(*kind));
    canvas.save(scene_of(*figure), scratch / "a.svg", {}, Replacing::anything);
    const std::string svg = contents(scratch / "a.svg");
    EXPECT_TRUE(well_formed(svg)) << kind->name;
    EXPECT_THAT(svg, HasSubstr("aria-label=\"ΔE &lt; 1 &amp; &quot;so&quot;\""));
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 800 600\""));
    EXPECT_THAT(svg, HasSubstr("width=\"67.733mm\""));
    EXPECT_EQ(svg.find("<image") == std::string::npos, kind->name != "density") << kind->name;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    std::size_t longest = 0;  // a curve, not only a grid
    for (std::size_t at = svg.find("<path fill=\"none\""); at != std::string::npos;
         at = svg.find("<path fill=\"none\"", at + 1)) {
      longest = std::max(longest, svg.find("/>", at) - at);
    }
    constexpr std::string_view coarse[] = {"density",        "matrix",         "convergence",
                                           "radial-profile", "rotation-curve", "pair-correlation"};
    EXPECT_GT(longest, std::ranges::find(coarse, kind->name) != std::end(coarse) ? 100U : 400U) << kind->name;
  }
}

TEST(Svg, ManyBodiesAreOneEmbeddedPicture) {
  const TestRun run = ball(5000);
  Canvas canvas({400, 300});
  const auto figure = shown(kind_named("projection"), canvas, run, defaults(kind_named("projection")));
  const std::string svg = svg_of(canvas.drawing(scene_of(*figure)), 300);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_THAT(svg, HasSubstr("href=\"data:image/png;base64,iVBORw0KGgo"));
}

TEST(Text, EveryCharacterOfLabelsHasAGlyph) {
  for (const std::string letter : {"Δ", "₀", "⁻", "⁰", "¹", "²", "⁹", "−", "…", "[", "|"}) {
    EXPECT_GT(outline_of(letter, 20).size(), 30U) << letter;
    EXPECT_NE(outline_of(letter, 20), outline_of("\U000F0000", 20)) << letter << " is the box for what is missing";
    EXPECT_GT(extents_of(letter, 20).width, 3) << letter;
  }
  EXPECT_EQ(power_of_ten(-12), "10⁻¹²");
  EXPECT_EQ(power_of_ten(30), "10³⁰");
  // The outline is as long as the painted word.
  double right = 0;
  std::istringstream numbers(std::regex_replace(outline_of("Lagrange triangle", 40), std::regex("[MLQC]"), " "));
  for (double x = 0, y = 0; numbers >> x >> y;) right = std::max(right, x);
  EXPECT_NEAR(static_cast<double>(extents_of("Lagrange triangle", 40).width), right, 0.03 * right);
  EXPECT_EQ(outline_of("", 20), "");
  EXPECT_NO_THROW(outline_of("\xff\xc3", 20));
}

/// Runs in a separate process, because OpenGL reads its environment at the start.
void capture_or_say_why() {
  try {
    const FigureKind& kind = kind_named("view3d");
    Canvas canvas({300, 300});
    const TestRun run = circles(2, 9);
    const auto figure = shown(kind, canvas, run, defaults(kind));
    const Image image = canvas.capture(scene_of(*figure));
    std::fprintf(stderr, "captured %d", count(image, body_color(Theme::light, 0), 60) > 20 ? 1 : 0);
    std::_Exit(0);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s", error.what());
    std::_Exit(error.fault() == Fault::request ? 2 : 1);
  }
}

class CanvasDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CanvasDeathTest, WorksWithAnEmptyEnvironment) {
  EXPECT_EXIT((clearenv(), capture_or_say_why()), testing::ExitedWithCode(0), "captured 1");
}

TEST_F(CanvasDeathTest, MissingOpenGlErrorNamesThePackage) {
  EXPECT_EXIT((setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json", 1), unsetenv("DISPLAY"), capture_or_say_why()),
              testing::ExitedWithCode(1), "libegl1.*libgl1-mesa-dri");
}

TEST(Canvas, FailedRenameLeavesNoFile) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "a.png");
  std::ofstream(scratch / "a.png" / "in it") << "a file";  // or it could be replaced
  EXPECT_THROW(Canvas({96, 64}).save([](Drawing&) {}, scratch / "a.png"), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}), 1);
}

TEST(Canvas, LayerHasThePixelsOfItsShapes) {
  Drawing part{{83, 131}, {250, 250, 245}, 1, {}};
  const auto shape = [](int k) {
    return Line{{{3.3F * static_cast<float>(k), 2}, {70, 5.7F * static_cast<float>(k)}}, {{20, 90, 160}}, 2.5F};
  };
  for (const Point at : {Point{0, 0}, Point{30.4F, 17.7F}, Point{150, 20}}) {
    Drawing direct{{200, 190}, part.background, 1, {}}, layered = direct;
    const auto fresh = std::make_shared<Layer>(part);
    Drawing shapes = part;
    for (int k = 0; k < 20; ++k) {
      shapes.add(shape(k));
      fresh->content().add(shape(k));
      if (k % 7 == 0) pictures_module::update(*fresh, {at.x - std::floor(at.x), at.y - std::floor(at.y)});
    }
    direct.place(shapes, at);
    Drawing holder = part;
    holder.add(Layered{fresh});
    layered.place(holder, at);
    const Image a = rasterised(direct), b = rasterised(layered, 50);
    int difference = 0;  // coordinates are rounded after the shift or before
    for (std::size_t i = 0; i < a.rgb.size(); ++i) difference = std::max(difference, std::abs(a.rgb[i] - b.rgb[i]));
    EXPECT_LE(difference, at.x == 0 ? 0 : 3) << at.x;
  }
}

}  // namespace
}  // namespace orrery::render
