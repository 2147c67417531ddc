// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "common/power_of_ten.hpp"
#include "render/bands.hpp"
#include "render/bounds.hpp"
#include "render/canvas/canvas.hpp"
#include "render/chart/chart_keys.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/figures/shared.hpp"
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
    choice_key("quantity", "\"distance\"", quantities,
               "distance r of a pair, r^-exponent, or dr/dt (negative for approaching bodies)"),
    Parameter{.name = "exponent",
              .fallback = "1.0",
              .meaning = "exponent of inverse-power",
              .range = {.low = 0, .high = 16, .low_open = true}},
    colormap_key("colour map; default: coolwarm for velocity, otherwise viridis"),
    choice_key("order", "\"index\"", orders, "order of rows and columns: by body number, or grouped by component"),
    choice_key("scale", "", scales, "colour scale; default: log for inverse-power, otherwise linear"),
    interval_key("range", "[0.0, 2.0]",
                 "[from, to] of the colour scale, as powers of ten if it is log; default: the range of the values"),
};

/// A cell that stands for several bodies is a mean over at most this many along each side.
constexpr std::size_t max_per_side = 6;

class Matrix final : public Figure {
 public:
  Matrix(const Canvas& canvas, const RunInfo& info, const Arguments& arguments, Trails trails)
      : info_(info),
        style_(canvas.style()),
        still_(trails.still),
        quantity_(arguments.text("quantity")),
        exponent_(arguments.number("exponent")),
        log_(arguments.has("scale") ? arguments.text("scale") == "log" : quantity_ == "inverse-power"),
        given_(arguments.has("range")) {
    if (is_signed() && log_)
      throw ArgumentError("scale", "velocities can be negative, which a logarithmic scale cannot show");
    palette_ = colormap_colors(arguments.has("colormap") ? arguments.text("colormap")
                               : is_signed()             ? "coolwarm"
                                                         : "viridis");
    if (given_) range_ = *interval_of(arguments, "range");
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
      // In a film the range of the first picture holds for all.
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
      drawing.add(bar().cells(box, cells_.side, cells_.values));
      for (const std::size_t k : borders_) {
        const double at = static_cast<double>(k) - 0.5;
        const Point corner = frame.at(at, at);
        drawing.line({corner.x, box.top}, {corner.x, box.bottom}, style_.background, style_.frame_line);
        drawing.line({box.left, corner.y}, {box.right, corner.y}, style_.background, style_.frame_line);
      }
    }
    frame.close(drawing);
    if (style_.legended) bar().draw(drawing, {box.right + frame.margins().right + gap, box.top}, box.height());
    heading(drawing.size).draw(drawing, box, stamp());
  }

 private:
  struct Cells {
    std::size_t side = 0;
    std::vector<float> values;  // [side × side], the first body at the bottom left; NaN: no value
  };

  [[nodiscard]] bool is_signed() const { return quantity_ == "velocity"; }

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
      if (is_signed() && frame.velocity.size() == frame.position.size()) along += d[axis] * at(frame.velocity);
    }
    const double r = std::sqrt(r2);
    if (quantity_ == "distance") return static_cast<float>(r);
    if (is_signed()) return r > 0 ? static_cast<float>(along / r) : 0;
    return r > 0 ? static_cast<float>(exponent_ == 1 ? 1 / r : std::pow(r, -exponent_)) : std::nanf("");
  }

  /// Returns a cell per pair, or means over the pairs of a cell if there are fewer pixels than bodies.
  [[nodiscard]] Cells cells_of(const Frame& frame, std::size_t pixels) const {
    const std::size_t n = order_.size();
    Cells cells{std::min(n, std::max<std::size_t>(pixels, 1)), {}};
    cells.values.assign(cells.side * cells.side, 0);
    std::vector<std::vector<std::size_t>> counted(cells.side);
    for (std::size_t k = 0; k < cells.side; ++k) {
      const std::size_t first = k * n / cells.side, end = (k + 1) * n / cells.side;
      const std::size_t some = std::min(end - first, max_per_side);
      for (std::size_t s = 0; s < some; ++s) counted[k].push_back(order_[first + s * (end - first) / some]);
    }
    parallel_for(cells.side, cells.values.size() * 8, [&](std::size_t row) {
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
    });
    return cells;
  }

  /// Returns the range of all values, without the lowest 0.1 % on a logarithmic scale, and symmetric about 0 for signed values.
  [[nodiscard]] Interval range_of(const Cells& cells) const {
    std::vector<double> values;
    const std::size_t stride = std::max<std::size_t>(1, cells.values.size() / 400'000);
    for (std::size_t k = 0; k < cells.values.size(); k += stride) {
      if (std::isfinite(cells.values[k])) values.push_back(static_cast<double>(cells.values[k]));
    }
    if (values.empty()) return {0, 1};
    const auto [least, most] = std::ranges::minmax(values);
    if (is_signed()) {
      const double far = std::max(-least, most);
      return far > 0 ? Interval{-far, far} : Interval{-1, 1};
    }
    const double low = log_ ? percentile(values, 0.001) : least;
    return most > low ? Interval{low, most} : Interval{low, low + 1};
  }

  [[nodiscard]] ColorBar bar() const {
    Axis axis;
    axis.limits = range_;
    axis.name = quantity_ == "distance" ? "r" : is_signed() ? "dr/dt" : exponent_ == 1 ? "1/r" : power_name();
    const ShownUnit length = shown_length(info_);
    axis.unit = quantity_ == "distance"                  ? length.name
                : is_signed()                            ? info_.speed_unit
                : exponent_ == 1 && !length.name.empty() ? "1/" + length.name
                                                         : "";
    const double unit = quantity_ == "distance"          ? length.length
                        : !is_signed() && exponent_ == 1 ? 1 / length.length
                                                         : 1;
    if (log_) {
      for (double* end : {&axis.limits.low, &axis.limits.high}) *end -= std::log10(unit);
    } else {
      axis.unit_length = unit;
    }
    if (log_) axis.name = "log₁₀ " + axis.name;
    return {style_, axis, palette_};
  }

  /// Returns "r⁻²", "r⁻¹·⁵".
  [[nodiscard]] std::string power_name() const {
    const auto tenths = static_cast<int>(std::lround(10 * exponent_));
    const auto raised = [](int n) { return power_of_ten(n).substr(2); };
    std::string name = "r⁻" + raised(tenths / 10);
    if (tenths % 10 != 0) name += "·" + raised(tenths % 10);
    return name;
  }

  [[nodiscard]] Stamp stamp() const { return now_ ? time_stamp(info_, now_->time, still_) : Stamp{}; }
  [[nodiscard]] Heading heading(Size canvas) const { return {style_, canvas, info_.title, "", stamp().longest}; }

  [[nodiscard]] Panel panel(Size canvas, float beside) const {
    Axis axis;
    axis.limits = {-0.5, static_cast<double>(std::max<std::size_t>(order_.size(), 1)) - 0.5};
    axis.name = by_component_ ? "body, by component" : "body";
    axis.step = 1;
    axis.whole = true;
    Margins around = first_margins(style_);
    for (int pass = 0;; ++pass) {
      const Box room = room_for_panels(style_, canvas, around, beside, heading(canvas).height());
      Box box = fitted_box(room, 1);
      const float down = (room.height() - box.height()) / 2;
      box.top = std::floor(box.top + down), box.bottom = std::floor(box.bottom + down);
      box.left = std::floor(box.left), box.right = std::floor(box.right);
      Panel panel(style_, box, axis, axis);
      if (pass == 2) return panel;
      around = panel.margins();
      axis.step = std::max(axis.step, panel.step());
    }
  }

  const RunInfo& info_;
  Style style_;
  bool still_;
  std::string quantity_;
  double exponent_;
  bool log_, by_component_ = false;
  bool given_, measured_ = false;  // the range
  Interval range_{0, 1};           // of the colour scale; fixed by the first picture of a film
  std::vector<Color> palette_;
  std::vector<std::size_t> order_;    // bodies, row by row
  std::vector<std::size_t> borders_;  // rows at which another component begins
  std::optional<Frame> now_;
  Cells cells_;
  std::optional<Panel> panel_;
};

}  // namespace

extern const FigureKind matrix{.name = "matrix",
                               .meaning = "a quantity of every pair of bodies as a matrix of coloured cells",
                               .parameters = parameters,
                               .needs_frames = true,
                               .make = make<Matrix>,
                               .velocity_key = [](const Arguments& arguments) -> std::string_view {
                                 return arguments.text("quantity") == "velocity" ? "quantity" : "";
                               }};

}  // namespace orrery::render
