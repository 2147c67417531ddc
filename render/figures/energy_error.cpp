// SPDX-License-Identifier: MIT
// The figure "energy-error": how far the total energy has drifted from its first value, over time.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/canvas.hpp"
#include "render/chart.hpp"
#include "render/figure.hpp"
#include "render/furniture.hpp"

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

/// The logarithm leaves out what is nought, and joins what is left.
Curve magnitude_of(const Series& series) {
  Curve curve;
  for (std::size_t i = 0; i < series.time.size(); ++i) {
    if (series.error[i] == 0) continue;
    curve.x.push_back(series.time[i]);
    curve.y.push_back(std::abs(series.error[i]));
  }
  return curve;
}

class EnergyError final : public Figure {
 public:
  EnergyError(Canvas& canvas, const Cast& cast, const Arguments& arguments, Trails trails)
      : cast_(cast), look_(canvas.look()), still_(std::isinf(trails.time)) {
    const std::string& scale = arguments.text("scale");
    const Series series = errors_of(cast.history);
    const std::string name = series.relative ? "ΔE/E₀" : "ΔE";
    const bool zero = std::ranges::all_of(series.error, [](double e) { return e == 0; });
    if (scale != "log") {
      Chart& chart = charts_.emplace_back();
      chart.y.name = name;
      if (zero) chart.y.limits = Interval{-1.25e-16, 1.25e-16};
      chart.curves.push_back({.name = "", .x = series.time, .y = series.error});
    }
    if (scale != "linear") {
      Chart& chart = charts_.emplace_back();
      chart.y = {.name = "|" + name + "|", .unit = "", .logarithmic = true};
      if (zero) chart.y.limits = Interval{1e-17, 1e-15};
      chart.curves.push_back(magnitude_of(series));
    }
    for (Chart& chart : charts_) {
      chart.x = {.name = "t", .unit = cast.time_unit};
      if (!series.time.empty()) {  // rows without an error count too
        const auto [first, last] = std::ranges::minmax(series.time);
        chart.x.limits = Interval{first, last};
      }
      chart.empty = series.error.empty() ? "no observables were kept" : "exactly zero throughout";
    }
    charts_.front().title = cast.title;
    canvas.add([this](Drawing& drawing) { draw(drawing); });
  }

  void show(const Frame& frame) override { now_ = frame.time; }

 private:
  void draw(Drawing& drawing) {
    const bool timed = !still_ && now_;
    for (Chart& chart : charts_) {
      for (Curve& curve : chart.curves) {
        if (timed) curve.shown = grown_to(curve.x, *now_);
      }
    }
    draw_charts(drawing, look_, charts_, 1, timed ? time_stamp(cast_, *now_) : Stamp{});
  }

  const Cast& cast_;
  Look look_;
  std::vector<Chart> charts_;
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
