// SPDX-License-Identifier: MIT
// The heat map of pairs, and its colour tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "render/style/colormap.hpp"
#include "tests/render/scene.hpp"

namespace orrery::render {
namespace {

const Picture& cells_in(const Drawing& drawing) {
  for (const Shape& shape : drawing.shapes) {
    if (const auto* picture = std::get_if<Picture>(&shape); picture != nullptr && picture->cells) return *picture;
  }
  throw std::logic_error("no cells");
}

TEST(Colormaps, AreThePublishedTables) {
  for (const std::string_view name : colormap_names) EXPECT_EQ(colormap_colors(name).size(), 256U);
  EXPECT_EQ(colormap_colors("viridis").front(), (Color{68, 1, 84, 255}));
  EXPECT_EQ(colormap_colors("viridis").back(), (Color{253, 231, 37, 255}));
  EXPECT_EQ(colormap_colors("magma")[128], (Color{183, 55, 121, 255}));
  EXPECT_EQ(colormap_colors("cividis").front(), (Color{0, 34, 78, 255}));
  EXPECT_EQ(colormap_colors("turbo")[128], (Color{164, 252, 60, 255}));
  EXPECT_EQ(colormap_colors("coolwarm").back(), (Color{180, 4, 38, 255}));
}

TEST(MatrixFigure, HasTheColorsOfDistances) {
  TestRun run;
  run.frames = {Frame{0, {0, 0, 0, 3, 0, 0, 0, 4, 0}, {}}};  // 3, 4 and 5 apart
  run = settled(run);
  const FigureKind& kind = kind_named("matrix");
  Canvas canvas({800, 600});
  const auto figure = shown(kind, canvas, run, defaults(kind));
  const Drawing drawing = canvas.drawing(scene_of(*figure));
  const Picture& cells = cells_in(drawing);
  ASSERT_EQ(cells.size, (Size{3, 3}));
  const auto colors = colormap_colors("viridis");
  const auto at = [&](std::size_t i, std::size_t j) {  // the first row is the lowest
    const std::uint8_t* p = &cells.rgba[4 * (3 * (2 - i) + j)];
    return Color{p[0], p[1], p[2], p[3]};
  };
  const auto of = [&](double r) { return colors[static_cast<std::size_t>(r / 5 * 255 + 0.5)]; };
  EXPECT_EQ(at(0, 0), of(0));
  EXPECT_EQ(at(0, 1), of(3));
  EXPECT_EQ(at(2, 0), of(4));
  EXPECT_EQ(at(1, 2), of(5));
}

TEST(MatrixFigure, ZeroIsInTheMiddleOfTheMapWhereValuesHaveBothSigns) {
  TestRun run;
  run.frames = {Frame{0, {0, 0, 0, 3, 0, 0, 0, 4, 0}, {0, 0, 0, 2, 0, 0, 0, -1, 0}}};  // dr/dt: 2, -1 and 0.4
  run = settled(run);
  const FigureKind& kind = kind_named("matrix");
  for (const std::string_view map : {"", "viridis", "magma", "cividis", "turbo", "coolwarm"}) {
    SCOPED_TRACE(std::string(map));
    Arguments arguments = defaults(kind);
    arguments.set("quantity", std::string("velocity"));
    if (!map.empty()) arguments.set("colormap", std::string(map));
    Canvas canvas({331, 257});
    const auto figure = shown(kind, canvas, run, arguments);
    const Drawing drawing = canvas.drawing(scene_of(*figure));
    const Picture& cells = cells_in(drawing);
    ASSERT_EQ(cells.size, (Size{3, 3}));
    const auto colors = colormap_colors(map.empty() ? "coolwarm" : map);
    const auto at = [&](std::size_t i, std::size_t j) {
      const std::uint8_t* p = &cells.rgba[4 * (3 * (2 - i) + j)];
      return Color{p[0], p[1], p[2], p[3]};
    };
    EXPECT_EQ(at(0, 0), colors[128]) << "0, on a scale from -2 to 2";
    EXPECT_EQ(at(0, 1), colors[255]);
    EXPECT_EQ(at(2, 0), colors[64]);
    const auto bar = std::ranges::find_if(drawing.shapes, [](const Shape& shape) {
      const auto* picture = std::get_if<Picture>(&shape);
      return picture != nullptr && picture->size == Size{2, 256};
    });
    ASSERT_NE(bar, drawing.shapes.end());
    const std::vector<std::uint8_t>& rgba = std::get<Picture>(*bar).rgba;
    for (std::size_t k = 0; k < 256; ++k) {
      const std::uint8_t* p = &rgba[8 * (255 - k)];
      ASSERT_EQ((Color{p[0], p[1], p[2], p[3]}), colors[k]) << k;
    }
  }
}

TEST(Cells, EqualNeighbouringCellsAreMergedInRows) {
  Picture picture{{10, 20, 40, 40}, {3, 2}, std::vector<std::uint8_t>(24, 255), true};
  picture.rgba[4] = 7;  // the middle one of the first row
  const auto all = patches(picture);
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].boxes.size(), 3U);
  EXPECT_FLOAT_EQ(all[0].boxes[2].right, 40);
  EXPECT_FLOAT_EQ(all[0].boxes[2].left, 10);
  EXPECT_FLOAT_EQ(all[1].boxes[0].left, 20);
  picture.cells = false;
  EXPECT_TRUE(patches(picture).empty());
}

}  // namespace
}  // namespace orrery::render
