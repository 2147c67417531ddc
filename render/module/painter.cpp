// SPDX-License-Identifier: MIT
#include "render/module/painter.hpp"

#include <cairo-ft.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <vector>

#include "common/utf8.hpp"
#include "render/module/text.hpp"

namespace orrery::render::pictures_module {
namespace {

/// The pixels of a picture that are shown along one axis: `samples` of them for each device pixel.
struct Sampled {
  std::vector<int> pixels;
  int samples = 1;

  [[nodiscard]] int size() const { return static_cast<int>(pixels.size()) / samples; }
};

Sampled all(int count) {
  Sampled axis{std::vector<int>(static_cast<std::size_t>(count))};
  std::iota(axis.pixels.begin(), axis.pixels.end(), 0);
  return axis;
}

/// Whole device pixels [begin, end), onto which `count` pixels of a picture are stretched.
struct PixelSpan {
  int begin, end, count;

  /// Returns the nearest pixels of the picture for the device pixels from `first` to `last` - 1, two for each if the picture is
  /// finer.
  [[nodiscard]] Sampled nearest(int first, int last) const {
    Sampled axis{{}, count > end - begin ? 2 : 1};
    const auto steps = static_cast<std::int64_t>(end - begin) * axis.samples;
    first = std::max(first, begin) - begin;
    last = std::min(last, end) - begin;
    for (std::int64_t x = std::int64_t{first} * axis.samples; x < std::int64_t{last} * axis.samples; ++x)
      axis.pixels.push_back(static_cast<int>((2 * x + 1) * count / (2 * steps)));
    return axis;
  }
};

/// Returns a pixel of a picture in cairo's format: premultiplied, in native byte order.
std::uint32_t premultiplied(const std::uint8_t* rgba) {
  const std::uint32_t alpha = rgba[3];
  // channel · alpha / 255 to the nearest, without a division; red and blue are in one number.
  std::uint32_t red_blue = (std::uint32_t{rgba[0]} << 16U | rgba[2]) * alpha + 0x800080U,
                green = rgba[1] * alpha + 0x80U;
  red_blue = (red_blue + (red_blue >> 8U & 0xFF00FFU)) >> 8U & 0xFF00FFU;
  green = (green + (green >> 8U)) & 0xFF00U;
  return alpha << 24U | red_blue | green;
}

/// Returns the means of the samples in each pixel, in cairo's format: premultiplied, in native byte order.
cairo::Surface pixels_of(const Picture& picture, const Sampled& columns, const Sampled& rows) {
  cairo::Surface image(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns.size(), rows.size()));
  cairo::check(cairo_surface_status(image.get()));
  cairo_surface_flush(image.get());
  unsigned char* to = cairo_image_surface_get_data(image.get());
  const auto samples = static_cast<std::uint32_t>(columns.samples * rows.samples);
  for (auto row = rows.pixels.begin(); row != rows.pixels.end(); row += rows.samples) {
    unsigned char* pixel = to;
    if (samples == 1) {  // most pictures; faster
      const std::uint8_t* from =
          picture.rgba.data() + 4 * static_cast<std::size_t>(*row) * static_cast<std::size_t>(picture.size.width);
      const auto put = [&](std::ptrdiff_t x, std::ptrdiff_t column) {
        const std::uint32_t color = premultiplied(from + 4 * column);
        std::memcpy(pixel + 4 * x, &color, sizeof color);
      };
      const std::ptrdiff_t count = columns.size(), first = columns.pixels.front();
      const bool consecutive = columns.pixels.back() - first == count - 1;  // compiled to vectors
      for (std::ptrdiff_t x = 0; consecutive && x < count; ++x) put(x, first + x);
      for (std::ptrdiff_t x = 0; !consecutive && x < count; ++x) put(x, columns.pixels[static_cast<std::size_t>(x)]);
      to += cairo_image_surface_get_stride(image.get());
      continue;
    }
    for (auto column = columns.pixels.begin(); column != columns.pixels.end(); column += columns.samples, pixel += 4) {
      std::uint32_t red = 0, green = 0, blue = 0, alpha = 0;
      for (int k = 0; k < rows.samples; ++k) {
        for (int i = 0; i < columns.samples; ++i) {
          const auto at = static_cast<std::size_t>(row[k]) * static_cast<std::size_t>(picture.size.width) +
                          static_cast<std::size_t>(column[i]);
          const std::uint8_t* rgba = picture.rgba.data() + 4 * at;
          red += rgba[0] * std::uint32_t{rgba[3]};
          green += rgba[1] * std::uint32_t{rgba[3]};
          blue += rgba[2] * std::uint32_t{rgba[3]};
          alpha += rgba[3];
        }
      }
      const auto mean = [samples](std::uint32_t sum) { return (sum + 255 * samples / 2) / (255 * samples); };
      const std::uint32_t color =
          (alpha + samples / 2) / samples << 24U | mean(red) << 16U | mean(green) << 8U | mean(blue);
      std::memcpy(pixel, &color, sizeof color);
    }
    to += cairo_image_surface_get_stride(image.get());
  }
  cairo_surface_mark_dirty(image.get());
  return image;
}

/// Shared by all threads and never destroyed, since destroying one while another is made is a race in cairo 1.16.
cairo_font_face_t* font(bool bold) {
  static const auto make = [](bool is_bold) {
    return cairo_ft_font_face_create_for_ft_face(face_for_cairo(is_bold), FT_LOAD_NO_HINTING);
  };
  static cairo_font_face_t* const fonts[] = {make(false), make(true)};
  return fonts[bold];
}

/// Whether a line is the outline of a box.
bool is_outline(const Line& line) {
  const auto& p = line.points;
  if (p.size() < 5 || p.front().x != p.back().x || p.front().y != p.back().y) return false;
  for (std::size_t i = 1; i < p.size(); ++i) {
    if (p[i].x != p[i - 1].x && p[i].y != p[i - 1].y) return false;
  }
  return true;
}

}  // namespace

std::unique_lock<std::mutex> lock_fonts() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

Painter::Painter(cairo_t* context, Output output) : context_(context), output_(output) {
  const cairo::FontOptions options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context_, options.get());
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
}

void Painter::set_color(Color c) {
  cairo_set_source_rgba(context_, c.red / 255.0, c.green / 255.0, c.blue / 255.0, c.alpha / 255.0);
}

void Painter::circle(Point center, float radius) {
  cairo_new_path(context_);
  cairo_arc(context_, center.x, center.y, radius, 0, 2 * std::numbers::pi);
  cairo_close_path(context_);
}

void Painter::paint(const Line& given) {
  if (output_ == Output::pixels && is_outline(given)) return paint_sharp(given);
  const Line line = with_gradual_colors(given);
  cairo_set_line_width(context_, line.width);
  for (const Stretch& part : stretches(line)) {
    cairo_set_line_cap(context_, part.round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_new_path(context_);
    for (std::size_t i = part.from; i <= part.to; ++i) cairo_line_to(context_, line.points[i].x, line.points[i].y);
    set_color(part.color);
    cairo_stroke(context_);
  }
}

void Painter::paint_sharp(const Line& line) {
  const long width = std::max(1L, std::lround(line.width));
  const float shift = width % 2 != 0 ? 0.5F : 0;  // around the middle of a pixel or the edge between two
  cairo_set_line_width(context_, static_cast<double>(width));
  const auto snapped = [shift](float x) { return std::round(x - shift) + shift; };
  cairo_new_path(context_);
  for (const Point p : line.points) cairo_line_to(context_, snapped(p.x), snapped(p.y));
  cairo_close_path(context_);
  set_color(line.colors.front());
  cairo_stroke(context_);
}

void Painter::paint(const Area& area) {
  cairo_new_path(context_);
  for (const Point p : area.points) cairo_line_to(context_, p.x, p.y);
  cairo_close_path(context_);
  set_color(area.color);
  cairo_fill(context_);
}

void Painter::paint(const Disc& disc) {
  circle(disc.center, disc.radius);
  if (disc.fill.alpha > 0) {
    set_color(disc.fill);
    cairo_fill_preserve(context_);
  }
  if (disc.rim.alpha > 0) {
    set_color(disc.rim);
    cairo_set_line_width(context_, disc.rim_width);
    cairo_stroke_preserve(context_);
  }
  cairo_new_path(context_);
}

void Painter::paint(const Ball& ball) {
  const Shades shades = shades_of(ball.color);
  const double x = ball.center.x + shades.x * ball.radius, y = ball.center.y + shades.y * ball.radius;
  const cairo::Pattern pattern(cairo_pattern_create_radial(x, y, 0, x, y, shades.radius * ball.radius));
  for (const auto& [offset, c] : shades.stops)
    cairo_pattern_add_color_stop_rgb(pattern.get(), offset, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
  cairo_set_source(context_, pattern.get());
  circle(ball.center, ball.radius);
  cairo_fill(context_);
}

void Painter::paint(const Text& text) {
  const auto letters = glyphs_of(text.words, text.bold).glyphs;
  if (letters.empty()) return;
  const Point from = baseline_offset(text);
  double x = text.at.x, y = text.at.y;
  if (output_ == Output::pixels) {
    // The baseline is at the edge of a row (or column) of device pixels, for sharp letters.
    double across = text.upwards ? x + from.y : x, along = text.upwards ? y : y + from.y;
    cairo_user_to_device(context_, &across, &along);
    (text.upwards ? across : along) = std::round(text.upwards ? across : along);
    cairo_device_to_user(context_, &across, &along);
    x = text.upwards ? across - from.y : across;
    y = text.upwards ? along : along - from.y;
  }
  std::string words;
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;  // letters per glyph, for search and copy
  for (const Glyph& letter : letters) {
    const std::size_t before = words.size();
    append_utf8(words, letter.letter);
    glyphs.push_back({letter.index, from.x + letter.at * static_cast<double>(text.size), from.y});
    clusters.push_back({static_cast<int>(words.size() - before), 1});
  }
  const auto count = static_cast<int>(glyphs.size());
  set_color(text.color);
  cairo_new_path(context_);
  auto lock = lock_fonts();
  cairo_save(context_);
  cairo_translate(context_, x, y);
  if (text.upwards) cairo_rotate(context_, -std::numbers::pi / 2);
  cairo_set_font_face(context_, font(text.bold));
  cairo_set_font_size(context_, text.size);
  if (output_ == Output::pages) {
    cairo_show_text_glyphs(context_, words.data(), static_cast<int>(words.size()), glyphs.data(), count,
                           clusters.data(), count, {});
  } else {  // as outlines, since glyph images would be moved to whole pixels
    cairo_glyph_path(context_, glyphs.data(), count);
  }
  cairo_restore(context_);  // without the font; the path stays
  lock.unlock();
  cairo_fill(context_);
}

void Painter::paint(const Picture& picture) {
  if (output_ == Output::pixels) return paint_pixels(picture);
  if (const std::vector<Patch> cells = patches(picture); !cells.empty()) {
    for (const Patch& patch : cells) {
      // Overlap slightly, since viewers that smooth edges would show gaps.
      constexpr float over = 0.1F;
      for (const Box& b : patch.boxes) cairo_rectangle(context_, b.left, b.top, b.width() + over, b.height() + over);
      set_color(patch.color);
      cairo_fill(context_);
    }
    return;
  }
  const cairo::Surface image = pixels_of(picture, all(picture.size.width), all(picture.size.height));
  cairo_save(context_);
  cairo_translate(context_, picture.box.left, picture.box.top);
  cairo_scale(context_, picture.box.width() / static_cast<float>(picture.size.width),
              picture.box.height() / static_cast<float>(picture.size.height));
  cairo_set_source_surface(context_, image.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
  cairo_paint(context_);
  cairo_restore(context_);
}

void Painter::paint_pixels(const Picture& picture) {
  const auto device = [this](double x, double y) {
    cairo_user_to_device(context_, &x, &y);
    return std::pair{static_cast<int>(std::ceil(x - 0.5)), static_cast<int>(std::ceil(y - 0.5))};
  };
  const auto [left, top] = device(picture.box.left, picture.box.top);
  const auto [right, bottom] = device(picture.box.right, picture.box.bottom);
  cairo_save(context_);
  cairo_identity_matrix(context_);
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  cairo_clip_extents(context_, &x0, &y0, &x1, &y1);
  const auto whole = [](double x) { return static_cast<int>(std::lround(x)); };
  const auto columns = PixelSpan{left, right, picture.size.width}.nearest(whole(x0), whole(x1));
  const auto rows = PixelSpan{top, bottom, picture.size.height}.nearest(whole(y0), whole(y1));
  if (columns.size() > 0 && rows.size() > 0) {
    const cairo::Surface image = pixels_of(picture, columns, rows);
    cairo_set_source_surface(context_, image.get(), std::max(left, whole(x0)), std::max(top, whole(y0)));
    cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
    cairo_paint(context_);
  }
  cairo_restore(context_);
}

void Painter::paint(const Clip& clip) {
  cairo_reset_clip(context_);
  if (!clip.box) return;
  double left = clip.box->left, top = clip.box->top, right = clip.box->right, bottom = clip.box->bottom;
  if (output_ == Output::pixels) {
    cairo_user_to_device(context_, &left, &top);
    cairo_user_to_device(context_, &right, &bottom);
    cairo_save(context_);
    cairo_identity_matrix(context_);
    left = std::round(left), top = std::round(top), right = std::round(right), bottom = std::round(bottom);
  }
  cairo_new_path(context_);
  cairo_rectangle(context_, left, top, std::max(0.0, right - left), std::max(0.0, bottom - top));
  if (output_ == Output::pixels) cairo_restore(context_);
  cairo_clip(context_);
}

void Painter::paint(const Space& space) {
  cairo_save(context_);
  cairo_translate(context_, space.at.x, space.at.y);
  for (const Shape& shape : space.scene->shapes()) std::visit([this](const auto& s) { paint(s); }, shape);
  cairo_restore(context_);
}

void Painter::paint(const Layered& layered) {
  for (const Shape& shape : shapes_of(layered)) std::visit([this](const auto& s) { paint(s); }, shape);
}

}  // namespace orrery::render::pictures_module
