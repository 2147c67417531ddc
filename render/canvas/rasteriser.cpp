// SPDX-License-Identifier: MIT
// Each band of rows is an image of its own, so that threads draw independently and memory does not depend on the size.
#include "render/canvas/rasteriser.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "common/thread_pool.hpp"
#include "common/usable_threads.hpp"
#include "render/canvas/painter.hpp"
#include "render/canvas/text.hpp"

namespace orrery::render {
namespace {

/// The vertical range that a shape may touch, in pixels of the drawing.
struct Reach {
  float top = std::numeric_limits<float>::infinity(), bottom = -top;

  void include(float y, float around) {
    top = std::min(top, y - around);
    bottom = std::max(bottom, y + around);
  }
};

Reach reach_of(const Shape& shape) {
  Reach reach;
  const auto include = [&]<class T>(const T& s) {
    if constexpr (std::is_same_v<T, Line>) {
      for (const Point p : s.points) reach.include(p.y, s.width / 2 + 1);
    } else if constexpr (std::is_same_v<T, Area>) {
      for (const Point p : s.points) reach.include(p.y, 1);
    } else if constexpr (std::is_same_v<T, Disc>) {
      reach.include(s.center.y, s.radius + s.rim_width / 2 + 1);
    } else if constexpr (std::is_same_v<T, Ball>) {
      reach.include(s.center.y, s.radius + 1);
    } else if constexpr (std::is_same_v<T, Text>) {
      const Box room = room_of(s);  // accents are higher
      reach.include(room.top, s.size);
      reach.include(room.bottom, s.size);
    } else if constexpr (std::is_same_v<T, Picture>) {
      reach.include(s.box.top, 1);
      reach.include(s.box.bottom, 1);
    } else {
      reach = {-reach.top, reach.top};  // everything
    }
  };
  std::visit(include, shape);
  return reach;
}

/// Returns the pictures of all scenes with perspective, in order.
std::vector<Picture> pictures_of_scenes(const Drawing& drawing) {
  std::vector<Picture> pictures;
  for (const Shape& shape : drawing.shapes) {
    const auto* space = std::get_if<Space>(&shape);
    if (space == nullptr) continue;
    pictures.push_back(space->scene->pixels(drawing.size, drawing.scale > 1 ? 4 : 2));
    Box& box = pictures.back().box;
    const Point at{std::round(space->at.x), std::round(space->at.y)};
    box = {box.left + at.x, box.top + at.y, box.right + at.x, box.bottom + at.y};
  }
  return pictures;
}

/// Draws the rows from `top` to `top` + `rows` - 1 and writes their pixels to `rgb`.
void draw_band(const Drawing& drawing, const std::vector<Reach>& reaches, const std::vector<Picture>& scenes, int top,
               int rows, std::uint8_t* rgb) {
  const int width = drawing.size.width;
  const cairo::Surface band(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, rows));
  cairo::check(cairo_surface_status(band.get()));
  const cairo::Context context(cairo_create(band.get()));
  cairo_set_source_rgb(context.get(), drawing.background.red / 255.0, drawing.background.green / 255.0,
                       drawing.background.blue / 255.0);
  cairo_paint(context.get());
  cairo_translate(context.get(), 0, -top);
  Painter painter(context.get(), Output::pixels);
  const auto first = static_cast<float>(top), last = static_cast<float>(top + rows);
  auto scene = scenes.begin();
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    if (std::holds_alternative<Space>(drawing.shapes[i])) {
      painter.paint(*scene++);
      continue;
    }
    if (reaches[i].bottom < first || reaches[i].top > last) continue;
    std::visit([&](const auto& s) { painter.paint(s); }, drawing.shapes[i]);
  }
  cairo::check(cairo_status(context.get()));
  cairo_surface_flush(band.get());
  const unsigned char* row = cairo_image_surface_get_data(band.get());
  for (int y = 0; y < rows; ++y, row += cairo_image_surface_get_stride(band.get())) {
    for (int x = 0; x < width; ++x, rgb += 3) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, row + 4 * static_cast<std::ptrdiff_t>(x), 4);
      rgb[0] = static_cast<std::uint8_t>(pixel >> 16U);
      rgb[1] = static_cast<std::uint8_t>(pixel >> 8U);
      rgb[2] = static_cast<std::uint8_t>(pixel);
    }
  }
}

}  // namespace

Image rasterised(const Drawing& drawing, int rows) {
  Image image{drawing.size, {}};
  const std::size_t stride = 3 * static_cast<std::size_t>(image.size.width);
  image.rgb.resize(stride * static_cast<std::size_t>(image.size.height));
  const std::vector<Picture> scenes = pictures_of_scenes(drawing);
  std::vector<Reach> reaches;
  for (const Shape& shape : drawing.shapes) reaches.push_back(reach_of(shape));
  const int bands = (image.size.height + rows - 1) / rows;
  process_pool(usable_threads())->for_each(0, static_cast<std::size_t>(bands), [&](std::size_t k) {
    const int top = static_cast<int>(k) * rows;
    draw_band(drawing, reaches, scenes, top, std::min(rows, image.size.height - top),
              image.rgb.data() + stride * static_cast<std::size_t>(top));
  });
  return image;
}

}  // namespace orrery::render
