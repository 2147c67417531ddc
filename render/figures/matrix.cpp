// SPDX-License-Identifier: MIT
// The figure "matrix": a quantity of every pair of bodies as the colour of a cell.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "render/bands.hpp"
#include "render/bounds.hpp"
#include "render/canvas/canvas.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/statistics.hpp"
#include "render/style/annotations.hpp"
#include "render/style/color_bar.hpp"
#include "render/style/colormap.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> quantities{"distance", "inverse-power", "velocity"};
constexpr std::array<std::string_view, 2> orders{"index", "component"};
constexpr std::array<std::string_view, 2> scales{"linear", "log"};

constexpr std::array parameters{
    bodies_parameter,
    Parameter{
        .name = "quantity",
        .kind = Kind::text,
        .fallback = "\"distance\"",
        .meaning = "of two bodies: their distance, a power of it, or its rate of change, below 0 where they approach",
        .choices = quantities},
    Parameter{.name = "exponent",
              .fallback = "1.0",
              .meaning = "a of inverse-power, r^-a",
              .range = {.low = 0, .high = 16, .low_open = true}},
    Parameter{.name = "colormap",
              .kind = Kind::text,
              .meaning = "of 256 colours; left out, viridis, and coolwarm of a velocity",
              .choices = colormap_names,
              .optional = true},
    Parameter{.name = "order",
              .kind = Kind::text,
              .fallback = "\"index\"",
              .meaning = "of rows and columns: as bodies are numbered, or those of a component together",
              .choices = orders},
    Parameter{.name = "scale",
              .kind = Kind::text,
              .meaning = "of the colours; left out, linear, and log of inverse-power",
              .choices = scales,
              .optional = true},
    Parameter{.name = "range",
              .kind = Kind::numbers,
              .example = "[0.0, 2.0]",
              .meaning = "of the colours: [from, to], powers of ten of a log scale; left out, what is shown",
              .count = 2,
              .optional = true},
};

/// Along each side of a cell that stands for several bodies so many of them count.
constexpr std::size_t most_counted = 6;

class Matrix final : public Figure {
 public:
  Matrix(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : info_(info),
        style_(canvas.style()),
        still_(trails.still),
        quantity_(arguments.text("quantity")),
        exponent_(arguments.number("exponent")),
        log_(arguments.has("scale") ? arguments.text("scale") == "log" : quantity_ == "inverse-power") {
    if (signs() && log_) throw ArgumentError("scale", "a velocity has signs, of which there is no logarithm");
    const std::string map = arguments.has("colormap") ? arguments.text("colormap") : signs() ? "coolwarm" : "viridis";
    palette_ = std::ranges::find(colormaps(), map, &Colormap::name)->colors();
    if (arguments.has("range")) {
      const auto& range = arguments.numbers("range");
      if (!(range[0] < range[1])) throw ArgumentError("range", "the lower end must be below the upper one");
      range_ = {range[0], range[1]};
      given_ = true;
    }
    order_ = chosen_bodies(arguments, info);
    if (order_.empty()) {
      order_.resize(info.mass.size());
      std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    by_component_ = arguments.text("order") == "component";
    if (by_component_) {
      const auto species = [&](std::size_t i) { return i < info.species.size() ? info.species[i] : 0; };
      std::ranges::stable_sort(order_, {}, species);
      for (std::size_t k = 1; k < order_.size(); ++k) {
        if (species(order_[k]) != species(order_[k - 1])) borders_.push_back(k);
      }
    }
  }

  void show(const Frame& frame) override { now_ = frame; }

  void prepare(const Drawing& blank) override {
    const float gap = style_.tick_text;
    const auto panel_beside = [&] {
      return panel(blank.size, style_.legended ? bar().width(static_cast<float>(blank.size.height)) + gap : 0);
    };
    if (now_) {
      const auto pixels = static_cast<std::size_t>(panel_beside().box().height() * blank.scale);
      cells_ = cells_of(*now_, pixels);
      // Colours of a film mean the same in all of it from the first picture on, where they are not those of a still.
      if (!given_ && (still_ || !measured_)) range_ = range_of(cells_);
      measured_ = true;
    }
    panel_ = panel_beside();
  }

  void draw(Drawing& drawing) const override {
    const float gap = style_.tick_text;
    const Panel& frame = *panel_;
    const Box& box = frame.box();
    frame.open(drawing);
    if (cells_.side > 0) {
      drawing.add(colored(box));
      for (const std::size_t k : borders_) {
        const double at = static_cast<double>(k) - 0.5;
        const Point corner = frame.at(at, at);
        drawing.line({corner.x, box.top}, {corner.x, box.bottom}, style_.background, style_.frame_line);
        drawing.line({box.left, corner.y}, {box.right, corner.y}, style_.background, style_.frame_line);
      }
    }
    frame.close(drawing);
    if (style_.legended) bar().draw(drawing, {box.right + frame.margins().right + gap, box.top}, box.height());
    Stamp stamp = now_ ? time_stamp(info_, now_->time) : Stamp{};
    if (still_) stamp.longest = stamp.words;
    heading(drawing, style_, box, info_.title, stamp);
  }

 private:
  /// What colours tell, cell by cell, the first body at the bottom left.
  struct Cells {
    std::size_t side = 0;
    std::vector<float> values;  // no number where there is none
  };

  [[nodiscard]] bool signs() const { return quantity_ == "velocity"; }

  [[nodiscard]] float value_of(const Frame& frame, std::size_t i, std::size_t j) const {
    if (std::max(i, j) >= frame.size()) return std::nanf("");
    if (i == j) return quantity_ == "inverse-power" ? std::nanf("") : 0;
    double d[3], r2 = 0, along = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto at = [&](const std::vector<float>& from) {
        return static_cast<double>(from[3 * j + axis]) - static_cast<double>(from[3 * i + axis]);
      };
      d[axis] = nearest(at(frame.position), info_.bounds.period(axis));
      r2 += d[axis] * d[axis];
      if (signs() && frame.velocity.size() == frame.position.size()) along += d[axis] * at(frame.velocity);
    }
    const double r = std::sqrt(r2);
    if (quantity_ == "distance") return static_cast<float>(r);
    if (signs()) return r > 0 ? static_cast<float>(along / r) : 0;
    return r > 0 ? static_cast<float>(exponent_ == 1 ? 1 / r : std::pow(r, -exponent_)) : std::nanf("");
  }

  /// Means over the bodies of a cell, or over some of them where they are many.
  [[nodiscard]] Cells cells_of(const Frame& frame, std::size_t pixels) const {
    const std::size_t n = order_.size();
    Cells cells{std::min(n, std::max<std::size_t>(pixels, 1)), {}};
    cells.values.assign(cells.side * cells.side, 0);
    std::vector<std::vector<std::size_t>> counted(cells.side);
    for (std::size_t k = 0; k < cells.side; ++k) {
      const std::size_t first = k * n / cells.side, end = (k + 1) * n / cells.side;
      const std::size_t some = std::min(end - first, most_counted);
      for (std::size_t s = 0; s < some; ++s) counted[k].push_back(order_[first + s * (end - first) / some]);
    }
    in_shares(cells.side, cells.values.size() * 8, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row) {
        for (std::size_t column = 0; column < cells.side; ++column) {
          double sum = 0;
          int there = 0;
          for (const std::size_t i : counted[row]) {
            for (const std::size_t j : counted[column]) {
              const auto value = static_cast<double>(value_of(frame, i, j));
              if (std::isfinite(value)) sum += value, ++there;
            }
          }
          const double mean = there > 0 ? sum / there : std::nan("");
          cells.values[row * cells.side + column] = static_cast<float>(log_ ? std::log10(mean) : mean);
        }
      }
    });
    return cells;
  }

  /// All values, but of a logarithm's the thousandth part that is lowest; about 0 where there are signs.
  [[nodiscard]] Interval range_of(const Cells& cells) const {
    std::vector<double> met;
    const std::size_t stride = std::max<std::size_t>(1, cells.values.size() / 400'000);
    for (std::size_t k = 0; k < cells.values.size(); k += stride) {
      if (std::isfinite(cells.values[k])) met.push_back(static_cast<double>(cells.values[k]));
    }
    if (met.empty()) return {0, 1};
    const auto [least, most] = std::ranges::minmax(met);
    if (signs()) {
      const double far = std::max(-least, most);
      return far > 0 ? Interval{-far, far} : Interval{-1, 1};
    }
    const double low = log_ ? percentile(met, 0.001) : least;
    return most > low ? Interval{low, most} : Interval{low, low + 1};
  }

  [[nodiscard]] ColorBar bar() const {
    Axis axis;
    axis.limits = range_;
    axis.name = quantity_ == "distance" ? "r" : signs() ? "dr/dt" : exponent_ == 1 ? "1/r" : power_name();
    axis.unit = quantity_ == "distance"                        ? info_.length_unit
                : signs()                                      ? info_.speed_unit
                : exponent_ == 1 && !info_.length_unit.empty() ? "1/" + info_.length_unit
                                                               : "";
    if (log_) axis.name = "log₁₀ " + axis.name;
    return {style_, axis, palette_};
  }

  /// "r⁻²", "r⁻¹·⁵".
  [[nodiscard]] std::string power_name() const {
    constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string name = "r⁻";
    const auto tenths = static_cast<int>(std::lround(10 * exponent_));
    for (const char c : std::to_string(tenths / 10)) name += raised[static_cast<std::size_t>(c - '0')];
    if (tenths % 10 != 0) name += "·" + std::string(raised[static_cast<std::size_t>(tenths % 10)]);
    return name;
  }

  [[nodiscard]] Panel panel(Size canvas, float beside) const {
    const float edge = 0.7F * style_.tick_text;
    Axis axis;
    axis.limits = {-0.5, static_cast<double>(std::max<std::size_t>(order_.size(), 1)) - 0.5};
    axis.step = 1;
    axis.whole = true;
    Margins around{4.5F * style_.tick_text, 0, edge, 3.5F * style_.tick_text};
    for (int pass = 0;; ++pass) {
      const Box room{edge + around.left, edge + heading_height(style_),
                     static_cast<float>(canvas.width) - edge - around.right - beside,
                     static_cast<float>(canvas.height) - edge - around.bottom};
      Box box = fitted_box(room, 1);
      const float down = (room.height() - box.height()) / 2;
      box.top = std::floor(box.top + down), box.bottom = std::floor(box.bottom + down);
      box.left = std::floor(box.left), box.right = std::floor(box.right);
      Axis across = axis, up = axis;
      across.name = by_component_ ? "body, by component" : "body";
      up.name = across.name;
      const Panel panel(style_, box, across, up);
      if (pass == 2) return panel;
      around = panel.margins();
      axis.step = std::max(axis.step, panel.step());
    }
  }

  [[nodiscard]] Picture colored(const Box& box) const {
    const auto& [cells, range] = std::tie(cells_, range_);
    const auto side = static_cast<int>(cells.side);
    Picture picture{box, {side, side}, std::vector<std::uint8_t>(4 * cells.values.size()), true};
    for (std::size_t row = 0; row < cells.side; ++row) {
      for (std::size_t column = 0; column < cells.side; ++column) {
        const auto value = static_cast<double>(cells.values[row * cells.side + column]);
        std::uint8_t* to = &picture.rgba[4 * ((cells.side - 1 - row) * cells.side + column)];
        Color color{0, 0, 0, 0};
        if (!std::isnan(value)) {
          const double t = std::clamp((value - range.low) / range.length(), 0.0, 1.0);
          color = palette_[static_cast<std::size_t>(t * static_cast<double>(palette_.size() - 1) + 0.5)];
        }
        to[0] = color.red, to[1] = color.green, to[2] = color.blue, to[3] = color.alpha;
      }
    }
    return picture;
  }

  const RunInfo& info_;
  Style style_;
  bool still_;
  std::string quantity_;
  double exponent_;
  bool log_, by_component_ = false;
  std::vector<Color> palette_;
  Interval range_{0, 1};  // of colours; of a film, from its first picture on
  bool given_ = false, measured_ = false;
  std::vector<std::size_t> order_;    // bodies, row by row
  std::vector<std::size_t> borders_;  // rows at which another component begins
  std::optional<Frame> now_;
  Cells cells_;
  std::optional<Panel> panel_;
};

}  // namespace

extern const FigureKind matrix{.name = "matrix",
                               .meaning = "a quantity of every pair of bodies, as the colour of a cell",
                               .parameters = parameters,
                               .needs_frames = true,
                               .make = make<Matrix>,
                               .velocity_key = [](const Arguments& arguments) -> std::string_view {
                                 return arguments.text("quantity") == "velocity" ? "quantity" : "";
                               }};

}  // namespace orrery::render
