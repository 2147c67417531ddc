// SPDX-License-Identifier: MIT
// The figure "energy-error": how far the total energy has drifted from its first value, over time.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/canvas.hpp"
#include "render/figure.hpp"
#include "render/furniture.hpp"
#include "render/panel.hpp"

namespace orrery::render {
namespace {

constexpr std::array<std::string_view, 3> scales{"both", "linear", "log"};

constexpr std::array parameters{
    Parameter{.name = "scale",
              .kind = Kind::text,
              .fallback = "\"both\"",
              .meaning = "of the error: both | linear | log",
              .choices = scales},
};

/// The error at each time; rows that are not numbers are left out.
struct Series {
  std::vector<double> time, error;
  bool relative = true;
};

Series errors_of(const History& history) {
  Series series;
  const auto& energy = history.total_energy;
  const std::size_t rows = std::min(energy.size(), history.time.size());
  if (rows == 0) return series;
  // ΔE/E₀ = (E − E₀)/|E₀|; where E₀ is nought only ΔE has a meaning.
  const double first = energy.front();
  series.relative = std::isfinite(first) && first != 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const double error = (energy[i] - first) / (series.relative ? std::abs(first) : 1);
    if (!std::isfinite(error) || !std::isfinite(history.time[i])) continue;
    series.time.push_back(history.time[i]);
    series.error.push_back(error);
  }
  return series;
}

Interval time_limits(const Series& series) {
  if (series.time.empty()) return {0, 1};
  const auto [low, high] = std::minmax(series.time.front(), series.time.back());  // times fall in a run backward
  return high > low ? Interval{low, high} : Interval{low - 0.5, low + 0.5};
}

Interval linear_limits(const Series& series) {
  double low = 0, high = 0;
  for (const double e : series.error) {
    low = std::min(low, e);
    high = std::max(high, e);
  }
  if (low == high) return {-1.25e-16, 1.25e-16};
  const double margin = 0.08 * (high - low);
  return {low - margin, high + margin};
}

/// Exponents of ten that hold every error that is not nought; nothing where all are.
std::optional<Interval> decade_limits(const Series& series) {
  double low = 0, high = 0;
  for (const double e : series.error) {
    if (e == 0) continue;
    low = low == 0 ? std::abs(e) : std::min(low, std::abs(e));
    high = std::max(high, std::abs(e));
  }
  if (high == 0) return std::nullopt;
  const Interval decades{std::floor(std::log10(low)), std::ceil(std::log10(high))};
  return decades.length() > 0 ? decades : Interval{decades.low, decades.low + 1};
}

/// A line through (time, value); where there are more rows than pixels, the least and the greatest of each half pixel.
Line curve(const Panel& panel, const std::vector<double>& time, const std::vector<double>& value) {
  Line line;
  const auto pixels = static_cast<double>(panel.box().width());
  const std::size_t rows = time.size(), bucket = std::max<std::size_t>(
                                            1, static_cast<std::size_t>(static_cast<double>(rows) / (4 * pixels)));
  for (std::size_t from = 0; from < rows; from += bucket) {
    const std::size_t to = std::min(rows, from + bucket);
    if (bucket < 3) {
      for (std::size_t i = from; i < to; ++i) line.points.push_back(panel.at(time[i], value[i]));
      continue;
    }
    const auto begin = value.begin();
    const auto [least, greatest] =
        std::minmax_element(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to));
    const auto a = static_cast<std::size_t>(std::min(least, greatest) - begin);
    const auto b = static_cast<std::size_t>(std::max(least, greatest) - begin);
    line.points.push_back(panel.at(time[a], value[a]));
    line.points.push_back(panel.at(time[b], value[b]));
  }
  return line;
}

class EnergyError final : public Figure {
 public:
  EnergyError(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : cast_(cast),
        look_(canvas.look()),
        scale_(arguments.text("scale")),
        series_(errors_of(cast.history)),
        still_(std::isinf(trails.time)) {
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { now_ = frame.time; }

 private:
  void draw(Drawing& drawing) const {
    std::vector<Axis> vertical;
    const std::string name = series_.relative ? "ΔE/E₀" : "ΔE";
    const auto decades = decade_limits(series_);
    if (scale_ != "log") {
      Axis& axis = vertical.emplace_back();
      axis.limits = linear_limits(series_);
      axis.name = name;
    }
    if (scale_ != "linear") {
      Axis& axis = vertical.emplace_back();
      axis.limits = decades.value_or(Interval{-17, -15});
      axis.name = "|" + name + "|";
      axis.logarithmic = true;
    }

    const std::vector<Panel> panels = layout(drawing.size, vertical);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      panels[i].open(drawing);
      if (!vertical[i].logarithmic && vertical[i].limits.low < 0) {
        drawing.line(panels[i].at(time_limits(series_).low, 0), panels[i].at(time_limits(series_).high, 0),
                     look_.soft_ink, look_.grid_line);
      }
      draw_curve(drawing, panels[i], vertical[i].logarithmic);
      panels[i].close(drawing);
      if ((vertical[i].logarithmic && !decades) || series_.error.empty()) {
        const Box& box = panels[i].box();
        drawing.add(Text{series_.error.empty() ? "no observables were kept" : "exactly zero throughout",
                         {box.middle(), (box.top + box.bottom) / 2},
                         look_.label_text,
                         look_.soft_ink,
                         Across::center,
                         Along::middle});
      }
    }
    const bool timed = !still_ && now_;
    heading(drawing, look_, panels.front().box(), cast_.title, timed ? time_stamp(cast_, *now_) : Stamp{});
  }

  void draw_curve(Drawing& drawing, const Panel& panel, bool logarithmic) const {
    std::vector<double> time, value;
    for (std::size_t i = 0; i < series_.time.size(); ++i) {
      if (!still_ && now_ && std::abs(series_.time[i]) > (1 + 1e-9) * std::abs(*now_)) break;
      if (logarithmic && series_.error[i] == 0) continue;
      time.push_back(series_.time[i]);
      value.push_back(logarithmic ? std::log10(std::abs(series_.error[i])) : series_.error[i]);
    }
    if (time.empty()) return;
    const Color color = body_color(look_.theme, logarithmic ? 1 : 0);
    Line line = curve(panel, time, value);
    line.colors = {color};
    // A curve that fills its box is drawn finer.
    line.width = look_.curve_line * (static_cast<float>(time.size()) > 0.7F * panel.box().width() ? 0.75F : 1.F);
    drawing.add(thinned(std::move(line)));
    if (time.size() == 1 || !still_) {
      drawing.add(Disc{panel.at(time.back(), value.back()), 7 * look_.unit, color, look_.background, look_.frame_line});
    }
  }

  /// Panels one above another, with one time axis.
  [[nodiscard]] std::vector<Panel> layout(Size size, const std::vector<Axis>& vertical) const {
    const float edge = 0.7F * look_.tick_text, gap = 1.3F * look_.tick_text;
    Margins around{5 * look_.tick_text, 0, edge, 3.5F * look_.tick_text};
    const auto count = static_cast<float>(vertical.size());
    float numbers = 0;
    for (int pass = 0;; ++pass) {
      const Box room{edge + around.left, edge + heading_height(look_),
                     static_cast<float>(size.width) - edge - around.right,
                     static_cast<float>(size.height) - edge - around.bottom};
      const float height = (room.height() - gap * (count - 1)) / count;
      std::vector<Panel> panels;
      around = {};
      for (std::size_t i = 0; i < vertical.size(); ++i) {
        const float top = room.top + static_cast<float>(i) * (height + gap);
        Axis time;
        time.limits = time_limits(series_);
        time.name = "t";
        time.unit = cast_.time_unit;
        time.written = i + 1 == vertical.size();
        Axis error = vertical[i];
        error.room = numbers;
        panels.emplace_back(look_, Box{room.left, top, room.right, top + height}, time, error);
        const Margins m = panels.back().margins();
        around = {std::max(around.left, m.left), 0, std::max(around.right, m.right), m.bottom};
      }
      if (pass == 2) return panels;
      for (const Panel& panel : panels) numbers = std::max(numbers, panel.numbers());
    }
  }

  const Cast& cast_;
  Look look_;
  std::string scale_;
  Series series_;
  bool still_;
  std::optional<double> now_;
};

}  // namespace

extern const FigureKind energy_error{.name = "energy-error",
                                     .meaning = "the relative error of the total energy over time",
                                     .parameters = parameters,
                                     .needs_frames = false,
                                     .make = make<EnergyError>};

}  // namespace orrery::render
