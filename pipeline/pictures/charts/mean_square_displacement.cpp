// SPDX-License-Identifier: MIT
// Figure "mean-square-displacement", with unwrapped positions in a periodic box.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/power_law.hpp"
#include "common/power_of_ten.hpp"
#include "pipeline/pictures/charts.hpp"
#include "render/bands.hpp"
#include "render/chart/ticks.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array<std::string_view, 2> scales{"log", "linear"};

constexpr std::array parameters{
    render::bodies_parameter,
    Parameter{.name = "origins",
              .kind = Kind::integer,
              .fallback = "10",
              .meaning =
                  "number of start times to average over, evenly spaced in the first half of the run; 1: only the "
                  "start of the run, up to its end",
              .range = {.low = 1, .high = 1000}},
    render::choice_key("scale", "\"log\"", scales, "scale of both axes"),
};

/// Unwrapped positions: from image counters if they are stored, else assuming that no body moves more than half a period
/// between two frames.
class Unwrapped {
 public:
  Unwrapped(const render::Bounds& bounds, const std::vector<std::size_t>& bodies) : bounds_(bounds), bodies_(bodies) {}

  /// [3 × bodies], body after body. Must be called for consecutive frames.
  const std::vector<double>& at(const sim::Snapshot& snapshot) {
    const sim::Vectors &p = snapshot.position, &image = snapshot.image;
    const std::array places{&p.x, &p.y, &p.z}, images{&image.x, &image.y, &image.z};
    const bool first = places_.empty(), known = !image.x.empty();
    places_.resize(3 * bodies_.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double period = bounds_.period(axis);
      guessed_ = guessed_ || (period > 0 && !known);
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const double x = (*places[axis])[bodies_[i]];
        double& before = places_[3 * i + axis];
        if (period == 0 || (first && !known)) {
          before = x;
        } else {
          before = known ? x + (*images[axis])[bodies_[i]] * period : before + render::nearest(x - before, period);
        }
      }
    }
    return places_;
  }
  [[nodiscard]] bool guessed() const { return guessed_; }

 private:
  const render::Bounds& bounds_;
  const std::vector<std::size_t>& bodies_;
  std::vector<double> places_;
  bool guessed_ = false;
};

/// The mean square displacement. Sums of blocks make it independent of the number of threads.
double mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::size_t block = 4096;
  std::vector<double> sums((a.size() + block - 1) / block);
  render::parallel_for(sums.size(), a.size(), [&](std::size_t s) {
    for (std::size_t k = s * block; k < std::min(a.size(), (s + 1) * block); ++k)
      sums[s] += (b[k] - a[k]) * (b[k] - a[k]);
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  const std::size_t bodies = a.size() / 3;
  return sum / static_cast<double>(bodies);
}

/// The least-squares line through the second half of the points; empty for fewer than three of them.
struct Line {
  std::vector<double> time, square;
  double slope = 0;
  double power = 0;  ///< slope of the logarithms there: 1 for diffusion, 2 for free flight
};

Line line_through(const std::vector<double>& t, const std::vector<double>& y) {
  Line line;
  std::vector<double> known, positive_t, positive_y;
  for (std::size_t i = t.size() / 2; i < t.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    line.time.push_back(t[i]);
    known.push_back(y[i]);
    if (t[i] == 0 || !(y[i] > 0)) continue;
    positive_t.push_back(std::abs(t[i]));  // negative in a run backward in time
    positive_y.push_back(y[i]);
  }
  const std::size_t count = known.size();
  if (count < 3) return {};
  line.slope = slope(line.time, known);
  line.power = positive_t.size() > 2 ? power_law(positive_t, positive_y) : std::nan("");
  double mean_t = 0, mean_y = 0;
  for (std::size_t i = 0; i < count; ++i) {
    mean_t += line.time[i] / static_cast<double>(count);
    mean_y += known[i] / static_cast<double>(count);
  }
  for (const double time : line.time) line.square.push_back(mean_y + line.slope * (time - mean_t));
  return line;
}

/// Indices of `wanted` origins, spread over the first half of `count` frames, so that each lag has all origins.
std::vector<std::size_t> origins_of(std::size_t wanted, std::size_t count) {
  const std::size_t half = (count - 1) / 2, n = std::min(wanted, half + 1);
  std::vector<std::size_t> origins;
  for (std::size_t k = 0; k < n; ++k) origins.push_back(n == 1 ? 0 : k * half / (n - 1));
  return origins;
}

/// Returns "D = 0.0123 au²/yr".
std::string diffusion_text(double diffusion, const render::RunInfo& info) {
  const render::ShownUnit length = shown_length(info);
  const double value = diffusion * info.time_unit_length / (length.length * length.length);
  const std::string unit = length.name.empty() ? "" : " " + length.name + "²/" + info.time_unit;
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-3 && size < 1e4)) return fmt::format("D = {:.3g}{}", value, unit);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  return "D = " + render::number_text(value / std::pow(10.0, exponent), 2) + "·" + power_of_ten(exponent) + unit;
}

/// Mean square displacements over time, and where they start.
struct Displacements {
  std::vector<double> time, square;
  std::string origins{};
};

Displacements displacements_of(const ChartRequest& request, const std::vector<std::size_t>& bodies) {
  const TrajectoryReader& run = *request.trajectory;
  const FrameRange part = request.part.value_or(FrameRange{0, run.size()});
  // Limits time to seconds, and memory.
  constexpr double max_numbers = 1e9, max_kept = 4e7;
  const double three = 3 * static_cast<double>(bodies.size());
  const auto wanted = std::min(static_cast<std::size_t>(request.keys->integer("origins")),
                               static_cast<std::size_t>(std::max(1.0, max_kept / three)));
  const auto most =
      static_cast<std::size_t>(std::clamp(max_numbers / three / static_cast<double>(wanted), 40.0, 2000.0));
  const std::size_t stride = std::max<std::size_t>(1, part.stride), stored = part.count();
  const std::size_t step = std::max<std::size_t>(1, (stored + most - 1) / most), count = (stored - 1) / step + 1;
  const std::vector<std::size_t> origins = origins_of(wanted, count);
  const std::size_t longest = count - 1 - origins.back();

  Unwrapped unwrapped(request.info.bounds, bodies);
  std::vector<std::vector<double>> places;  // at the origins
  std::vector<double> times, squares(longest + 1), lags(longest + 1);
  for (std::size_t k = 0; k < stored; ++k) {
    if (request.stopped()) return {};
    const sim::Snapshot at = run.snapshot(part.begin + k * stride);
    if (k % step != 0 && !at.image.x.empty()) continue;
    const std::vector<double>& now = unwrapped.at(at);
    if (k % step != 0) continue;
    const std::size_t moment = k / step;
    if (places.size() < origins.size() && origins[places.size()] == moment) {
      places.push_back(now);
      times.push_back(at.time);
    }
    for (std::size_t o = 0; o < places.size(); ++o) {
      const std::size_t lag = moment - origins[o];
      if (lag > longest) continue;
      squares[lag] += mean_square(places[o], now) / static_cast<double>(origins.size());
      lags[lag] += (at.time - times[o]) / static_cast<double>(origins.size());
    }
  }
  std::string words = origins.size() > 1 ? fmt::format("mean of {} origins", origins.size()) : "from the first moment";
  if (unwrapped.guessed()) words += ", nearest images";
  return {std::move(lags), std::move(squares), std::move(words)};
}

std::vector<Chart> make(const ChartRequest& request) {
  const render::RunInfo& info = request.info;
  const std::vector<std::size_t> bodies = selected_bodies(request, info.mass.size());
  const Displacements all = request.trajectory != nullptr ? displacements_of(request, bodies) : Displacements{};
  const bool logarithmic = request.keys->text("scale") == "log";
  const auto curve_of = [&](const std::vector<double>& time, const std::vector<double>& square) {
    Curve curve{.x = time, .y = square, .time = time};
    for (double& t : curve.time) t += info.start;
    for (double& t : curve.x) t = std::abs(t);  // in a run backward in time it is negative
    return curve;
  };
  const render::ShownUnit length = shown_length(info);
  Chart chart{.x = duration_axis(info),
              .y = {.name = "⟨Δr²⟩",
                    .unit = length.name.empty() ? "" : length.name + "²",
                    .logarithmic = logarithmic,
                    .unit_length = length.length * length.length},
              .curves = {curve_of(all.time, all.square)},
              .empty = "no displacements"};
  chart.x.name = "Δt";
  chart.x.logarithmic = logarithmic;
  chart.curves.front().name = all.origins;
  const double most = all.square.empty() ? 0 : std::ranges::max(all.square);
  if (!logarithmic && most > 0) chart.y.limits = Interval{0, 1.08 * most};
  const Line line = line_through(all.time, all.square);
  if (line.time.empty()) return {chart};
  // Free flight, confinement and the way from one to another have no diffusion coefficient.
  constexpr double diffusive = 0.1;
  if (!(std::abs(line.power - 1) <= diffusive)) {
    if (std::isfinite(line.power))
      chart.curves.front().remark = ", no diffusion: slope " + render::number_text(line.power, 2);
    return {chart};
  }
  Curve fit = curve_of(line.time, line.square);
  // A result: `labels` name curves.
  fit.remark = diffusion_text(std::abs(line.slope / (2 * info.bounds.dimensions)), info);
  fit.stroke = Curve::Stroke::dashed;
  chart.curves.push_back(std::move(fit));
  return {chart};
}

}  // namespace

extern const ChartKind displacement_chart{
    .figure = render::chart_figure("mean-square-displacement",
                                   "⟨|r(t + Δt) − r(t)|²⟩ over Δt, with a fitted diffusion coefficient", parameters),
    .make = make};

}  // namespace orrery::pipeline
