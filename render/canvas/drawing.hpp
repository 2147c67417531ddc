// SPDX-License-Identifier: MIT
// A picture as a list of shapes in painting order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/export.hpp"

namespace orrery::render {

/// sRGB, 8 bits a channel; alpha 255 is opaque.
struct Color {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  friend bool operator==(const Color&, const Color&) = default;
};

/// Returns 0x00rrggbb, as pixels are stored while a picture is drawn.
constexpr std::uint32_t pixel_of(Color c) {
  return static_cast<std::uint32_t>(c.red << 16U | c.green << 8U | c.blue);
}

/// Returns whether two colours are hardly distinguishable: no channel differs by more than 8.
bool alike(Color a, Color b);

/// Returns `color` with its alpha multiplied by `opacity` (0 … 1).
Color faded(Color color, double opacity);

/// Interpolates from `a` to `b` at `t` (0 … 1), including alpha.
Color mixed(Color a, Color b, double t);

/// A position on the canvas in pixels: x to the right, y down, (0, 0) is the top left corner.
struct Point {
  float x = 0, y = 0;
};

/// A rectangle in pixels.
struct Box {
  float left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] float width() const { return right - left; }
  [[nodiscard]] float height() const { return bottom - top; }
  [[nodiscard]] float middle() const { return (left + right) / 2; }
};

struct Size {
  int width = 0, height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// A polyline with round ends, with one colour for all or one per point.
struct Line {
  std::vector<Point> points;
  std::vector<Color> colors;
  float width = 1;
};

/// A filled polygon: convex or, as a `strip`, with a second half of points that runs back along the first, in pairs.
struct Area {
  std::vector<Point> points;
  Color color;
  bool strip = false;
};

/// A disc with a rim, half of whose width is inside; a ring if the fill is transparent.
struct Disc {
  Point center;
  float radius = 1;
  Color fill;
  Color rim{0, 0, 0, 0};
  float rim_width = 0;
};

/// A sphere lit from the upper left.
struct Ball {
  Point center;
  float radius = 1;
  Color color;
};

enum class Across { left, center, right };  ///< the part of a text that is at its position
enum class Along { top, middle, baseline };

/// Returns `words` as one line of valid UTF-8: newlines and tabs become spaces, other control characters □; invalid bytes are
/// removed, and so is everything after 2000 letters.
ORRERY_EXPORT std::string in_one_line(std::string_view words);

/// One line of text.
struct Text {
  std::string words;
  Point at;
  float size = 12;  ///< of the font, in pixels
  Color color;
  Across across = Across::left;
  Along along = Along::baseline;
  bool bold = false;
  bool upwards = false;  ///< rotated by 90° counterclockwise; `across` and `along` refer to the text before rotation
};

/// Pixels with alpha, RGBA, top row first, stretched over a box.
struct Picture {
  Box box;
  Size size;
  std::vector<std::uint8_t> rgba;
  /// Up to `max_cells` pixels become areas in vector formats, which viewers do not blur.
  bool cells = false;
};
inline constexpr std::size_t max_cells = 1'000'000;

/// Cells of one colour; neighbours in a row are merged.
struct Patch {
  Color color;
  std::vector<Box> boxes;
};
/// Returns the patches of a picture of cells; none if it is drawn as pixels.
ORRERY_EXPORT std::vector<Patch> patches(const Picture& picture);

/// Clips subsequent shapes to a box; nullopt: to the canvas.
struct Clip {
  std::optional<Box> box;
};

class Scene3D;

/// A scene with perspective. Pixels show it with true depth, vector formats as shapes that are sorted by depth.
struct Space {
  std::shared_ptr<const Scene3D> scene;
  Point at{};  ///< of the top left corner of the scene's canvas
};

class Layer;

/// The shapes of a layer. Their pixels are kept from one picture of a film to the next.
struct Layered {
  std::shared_ptr<Layer> layer;
  Point at{};  ///< of the top left corner of the layer, the same in all pictures
};

using Shape = std::variant<Line, Area, Disc, Ball, Text, Picture, Clip, Space, Layered>;

class Scene3D {
 public:
  Scene3D() = default;
  Scene3D(const Scene3D&) = delete;
  Scene3D& operator=(const Scene3D&) = delete;
  virtual ~Scene3D() = default;

  /// Returns the part of the scene that is on a canvas of this size, with `samples` x `samples` samples per pixel. Throws
  /// Error if OpenGL is missing.
  [[nodiscard]] virtual Picture pixels(Size canvas, int samples) const = 0;

  /// Returns the scene from far to near.
  [[nodiscard]] virtual std::vector<Shape> shapes() const = 0;
};

struct Drawing {
  Size size;
  Color background;
  float scale = 1;  ///< of pictures that are drawn for it: pixels of theirs per pixel
  std::vector<Shape> shapes;

  /// Adds a shape on top; the words of a Text become one line.
  template <class T>
  void add(T&& shape) {
    shapes.emplace_back(std::forward<T>(shape));
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, Text>) {
      std::string& words = std::get<Text>(shapes.back()).words;
      words = in_one_line(words);
    }
  }
  void line(Point a, Point b, Color color, float width) { add(Line{{a, b}, {color}, width}); }
  void text(std::string words, Point at, float font_size, Color color, Across across, Along along, bool bold = false) {
    add(Text{std::move(words), at, font_size, color, across, along, bold});
  }
  void outline(const Box& box, Color color, float width);
  void fill(const Box& box, Color color);
  /// Adds another drawing, clipped to its size, with its top left corner at a position.
  void place(Drawing part, Point at);
};

/// Shapes of a film that stay once they are added, on an opaque background.
class Layer {
 public:
  explicit Layer(Drawing blank) : content_(std::move(blank)) {}

  /// What is added to it since the last update() must not rely on a clip from before.
  [[nodiscard]] Drawing& content() { return content_; }

  /// Calls paint(shapes, pixels, stride) with the shapes that were added since the last update, if there are any. The pixels
  /// have one more column and row than the layer, and begin as its background.
  template <class Paint>
  void update(const Paint& paint) {
    const auto width = static_cast<std::size_t>(content_.size.width) + 1,
               height = static_cast<std::size_t>(content_.size.height) + 1;
    stride_ = static_cast<std::ptrdiff_t>(width);
    if (pixels_.empty()) pixels_.assign(width * height, pixel_of(content_.background));
    const auto added = std::span<const Shape>(content_.shapes).subspan(painted_);
    if (added.empty()) return;
    painted_ = content_.shapes.size();
    paint(added, pixels_.data(), stride_);
  }
  /// Returns a row of pixels, each 0x00rrggbb, one more than the layer is wide.
  [[nodiscard]] const std::uint32_t* row(int y) const {
    return pixels_.data() + static_cast<std::ptrdiff_t>(y) * stride_;
  }

 private:
  Drawing content_;
  std::vector<std::uint32_t> pixels_{};
  std::ptrdiff_t stride_ = 0;
  std::size_t painted_ = 0;
};

/// Returns the shapes of a layer in their place, for formats without pixels.
ORRERY_EXPORT std::vector<Shape> shapes_of(const Layered& layered);

/// A lit sphere as a radial gradient; centre and radius of the gradient are in units of the radius of the sphere, from its
/// centre.
struct Shades {
  double x, y, radius;
  struct Stop {
    double offset;  ///< from the centre of the gradient (0) to the far edge of the sphere (1)
    Color color;
  };
  std::vector<Stop> stops;
};
/// Half-Lambert shading with a small Blinn highlight; one light from the upper left behind the viewer.
ORRERY_EXPORT Shades shades_of(Color color);

/// A part of a line with one colour; its last point is the first of the next part.
struct Stretch {
  std::size_t from, to;
  Color color;
  bool round;  ///< has round ends; flat ones if overlaps would show through
};
ORRERY_EXPORT std::vector<Stretch> stretches(const Line& line);

/// Returns the line with additional points, so that colours of neighbours are alike().
ORRERY_EXPORT Line with_gradual_colors(const Line& line);

/// Removes points that are within `tolerance` pixels of the line through their remaining neighbours, and colours that are
/// alike() the interpolated ones, to reduce paths with many points per pixel.
Line thinned(Line line, float tolerance = 0.1F);

}  // namespace orrery::render
