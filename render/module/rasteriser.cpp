// SPDX-License-Identifier: MIT
// Each band of rows is an image of its own, so that threads draw independently and memory does not depend on the size.
#include "render/canvas/image.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "common/thread_pool.hpp"
#include "render/module/module.hpp"
#include "render/module/painter.hpp"
#include "render/module/text.hpp"

namespace orrery::render::pictures_module {
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

/// Rows of pixels, each 0x00rrggbb, that one thread paints.
struct Band {
  int width = 0, top = 0, rows = 0;
  std::uint32_t* pixels = nullptr;
  std::ptrdiff_t stride = 0;  // in pixels

  /// Copies the part of a layer that is in the band.
  void copy(const Layered& layered) const {
    const Size size = layered.layer->content().size;
    const auto whole = [](float x) { return static_cast<int>(std::lround(x)); };
    const int left = whole(layered.at.x), first = whole(layered.at.y);
    const int from = std::max(left, 0), to = std::min(whole(layered.at.x + static_cast<float>(size.width)), width);
    const int last = whole(layered.at.y + static_cast<float>(size.height));
    const auto x = from - static_cast<int>(std::floor(layered.at.x)), y0 = static_cast<int>(std::floor(layered.at.y));
    for (int y = std::max(first, top); from < to && y < std::min(last, top + rows); ++y)
      std::copy_n(layered.layer->row(y - y0) + x, to - from, pixels + (y - top) * stride + from);
  }
};

/// Paints the shapes that touch a band, `shift` pixels further right and down.
void paint(const Band& band, std::span<const Shape> shapes, std::span<const Reach> reaches, Point shift,
           std::span<const Picture> scenes) {
  const cairo::Surface surface(cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(band.pixels),
                                                                   CAIRO_FORMAT_RGB24, band.width, band.rows,
                                                                   static_cast<int>(4 * band.stride)));
  cairo::check(cairo_surface_status(surface.get()));
  const cairo::Context context(cairo_create(surface.get()));
  cairo_translate(context.get(), static_cast<double>(shift.x), static_cast<double>(shift.y) - band.top);
  Painter painter(context.get(), Output::pixels);
  const auto first = static_cast<float>(band.top) - shift.y, last = first + static_cast<float>(band.rows);
  auto scene = scenes.begin();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (std::holds_alternative<Space>(shapes[i])) {
      painter.paint(*scene++);
    } else if (const auto* layered = std::get_if<Layered>(&shapes[i])) {
      cairo_surface_flush(surface.get());
      band.copy(*layered);
      cairo_surface_mark_dirty(surface.get());
    } else if (reaches[i].bottom >= first && reaches[i].top <= last) {
      std::visit([&](const auto& s) { painter.paint(s); }, shapes[i]);
    }
  }
  cairo::check(cairo_status(context.get()));
  cairo_surface_flush(surface.get());
}

std::vector<Reach> reaches_of(std::span<const Shape> shapes) {
  std::vector<Reach> reaches;
  reaches.reserve(shapes.size());
  for (const Shape& shape : shapes) reaches.push_back(reach_of(shape));
  return reaches;
}

/// Calls use(top, rows) for each band of a picture, on all threads.
template <class Use>
void for_bands(int height, int rows, const Use& use) {
  thread_pool()->for_each(0, static_cast<std::size_t>((height + rows - 1) / rows), [&](std::size_t k) {
    const int top = static_cast<int>(k) * rows;
    use(top, std::min(rows, height - top));
  });
}

}  // namespace

void update(Layer& layer, Point at) {
  const int width = layer.content().size.width + 1, height = layer.content().size.height + 1;
  layer.update([&](std::span<const Shape> added, std::uint32_t* pixels, std::ptrdiff_t stride) {
    const std::vector<Reach> reaches = reaches_of(added);
    for_bands(height, band_rows, [&](int top, int rows) {
      paint({width, top, rows, pixels + top * stride, stride}, added, reaches, at, {});
    });
  });
}

Image rasterised(const Drawing& drawing, int rows) {
  const int width = drawing.size.width;
  Image image{drawing.size, {}};
  const std::size_t stride = 3 * static_cast<std::size_t>(width);
  image.rgb.resize(stride * static_cast<std::size_t>(image.size.height));
  const std::vector<Picture> scenes = pictures_of_scenes(drawing);
  for (const Shape& shape : drawing.shapes) {
    if (const auto* layered = std::get_if<Layered>(&shape))
      update(*layered->layer, {layered->at.x - std::floor(layered->at.x), layered->at.y - std::floor(layered->at.y)});
  }
  const std::vector<Reach> reaches = reaches_of(drawing.shapes);
  for_bands(image.size.height, rows, [&](int top, int count) {
    std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(count),
                                      pixel_of(drawing.background));
    paint({width, top, count, pixels.data(), width}, drawing.shapes, reaches, {}, scenes);
    std::uint8_t* rgb = image.rgb.data() + stride * static_cast<std::size_t>(top);
    for (const std::uint32_t pixel : pixels) {
      *rgb++ = static_cast<std::uint8_t>(pixel >> 16U);
      *rgb++ = static_cast<std::uint8_t>(pixel >> 8U);
      *rgb++ = static_cast<std::uint8_t>(pixel);
    }
  });
  return image;
}

}  // namespace orrery::render::pictures_module
