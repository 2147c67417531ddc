// SPDX-License-Identifier: MIT
// A picture as data: shapes in the order in which they are painted. Figures write it; the rasteriser and SVG read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace orrery::render {

/// sRGB, 8 bits a channel; alpha 255 is opaque.
struct Color {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  friend bool operator==(const Color&, const Color&) = default;
};

/// The eye can hardly tell one from the other.
bool alike(Color a, Color b);

/// `color` with its opacity multiplied by `opacity` (0 … 1).
Color faded(Color color, double opacity);

/// The colour a fraction `t` (0 … 1) of the way from `a` to `b`, alpha included.
Color mixed(Color a, Color b, double t);

/// A place on the canvas in pixels: x to the right, y down, (0, 0) the top left corner.
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

/// Joined segments with round ends; one colour for all of it, or one a point.
struct Line {
  std::vector<Point> points;
  std::vector<Color> colors;
  float width = 1;
};

/// A filled outline: a convex one or, as a `strip`, one whose second half of points runs back along the first, each beside
/// its partner there.
struct Area {
  std::vector<Point> points;
  Color color;
  bool strip = false;
};

/// A disc with a rim; a ring where the fill is transparent. The rim's width lies inside and outside evenly.
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

enum class Across { left, center, right };  ///< which part of the text is at the place given
enum class Along { top, middle, baseline };

/// `words` as one line of letters, which is how every format has them: a blank for each end of a line and each tab, □ for
/// other control characters; bytes that are no UTF-8 are left out, and so is what comes behind 2000 letters.
std::string in_one_line(std::string_view words);

/// One line of text.
struct Text {
  std::string words;
  Point at;
  float size = 12;  ///< of the font, in pixels
  Color color;
  Across across = Across::left;
  Along along = Along::baseline;
  bool bold = false;
  bool upwards = false;  ///< turned a quarter to the left; `across` then runs along the text still
};

/// Pixels with alpha, RGBA, top row first, stretched over a box.
struct Picture {
  Box box;
  Size size;
  std::vector<std::uint8_t> rgba;
  /// Each is a thing of its own, as of a matrix: areas in vectors, which no viewer blurs, where there are no more than `most_cells`.
  bool cells = false;
};
inline constexpr std::size_t most_cells = 1'000'000;

/// Cells of one colour, neighbours in a row as one box.
struct Patch {
  Color color;
  std::vector<Box> boxes;
};
/// Of a picture of cells; none of one that is drawn as pixels.
std::vector<Patch> patches(const Picture& picture);

/// What follows is cut to this box; nothing: to the canvas.
struct Clip {
  std::optional<Box> box;
};

using Shape = std::variant<Line, Area, Disc, Ball, Text, Picture, Clip>;

/// What is on the canvas at one moment.
struct Drawing {
  Size size;
  Color background;
  float scale = 1;  ///< device pixels a pixel: a Picture should carry so many
  std::vector<Shape> shapes;

  /// A shape goes on top of those before it; words in one line.
  template <class T>
  void add(T&& shape) {
    shapes.emplace_back(std::forward<T>(shape));
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, Text>) {
      std::string& words = std::get<Text>(shapes.back()).words;
      words = in_one_line(words);
    }
  }
  void line(Point a, Point b, Color color, float width) { add(Line{{a, b}, {color}, width}); }
  void outline(const Box& box, Color color, float width);
  void fill(const Box& box, Color color);
  /// All of another drawing, its top left corner there, and nothing of it outside its size.
  void place(Drawing part, Point at);
};

/// Points of a line that are drawn at once, in one colour; the last of them is the first of the next stretch.
struct Stretch {
  std::size_t from, to;
  Color color;
  bool round;  ///< its ends; flat where they would show through each other
};
std::vector<Stretch> stretches(const Line& line);

/// `points` without those that lie within `tolerance` pixels of the line through their neighbours that stay;
/// a path of many vertices a pixel becomes one that a printer can swallow. Colours are thinned with their points.
Line thinned(Line line, float tolerance = 0.1F);

}  // namespace orrery::render
