// SPDX-License-Identifier: MIT
// Figure "mean-square-displacement", with unwrapped positions in a periodic box.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/power_law.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/series.hpp"
#include "render/bands.hpp"

namespace orrery::pipeline {
namespace {

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

/// The least-squares line through the second half of the points: its values, slope / (2 · dimensions), and the slope of the
/// logarithms there, which is 1 for diffusion and 2 for free flight. Empty for fewer than three points.
render::Series line_through(const render::Series& all, int dimensions) {
  render::Series line{.name = "fit", .values = {{}, {}}};
  const auto &t = all.time, &y = all.values[0];
  double mean_t = 0, mean_y = 0, tt = 0, ty = 0;
  std::vector<double> log_t, log_y;
  std::vector<std::size_t> points;
  for (std::size_t i = t.size() / 2; i < t.size(); ++i) {
    if (std::isfinite(y[i])) points.push_back(i);
  }
  if (points.size() < 3) return line;
  const auto n = static_cast<double>(points.size());
  for (const std::size_t i : points) mean_t += t[i] / n, mean_y += y[i] / n;
  for (const std::size_t i : points) {
    tt += (t[i] - mean_t) * (t[i] - mean_t);
    ty += (t[i] - mean_t) * (y[i] - mean_y);
  }
  for (const std::size_t i : points) {
    if (t[i] == 0 || !(y[i] > 0)) continue;
    log_t.push_back(std::log(std::abs(t[i])));  // negative in a run backward in time
    log_y.push_back(std::log(y[i]));
  }
  const double slope = ty / tt, power = log_t.size() > 2 ? orrery::slope(log_t, log_y) : std::nan("");
  for (const std::size_t i : points) {
    add_row(line, t[i], {mean_y + slope * (t[i] - mean_t), slope / (2 * dimensions), power});
  }
  return line;
}

/// Indices of `wanted` origins, spread over the first half of `count` frames, so that each lag has all origins.
std::vector<std::size_t> origins_of(std::size_t wanted, std::size_t count) {
  const std::size_t half = (count - 1) / 2, n = std::min(wanted, half + 1);
  std::vector<std::size_t> origins;
  for (std::size_t k = 0; k < n; ++k) origins.push_back(n == 1 ? 0 : k * half / (n - 1));
  return origins;
}

std::vector<render::Series> make(const SeriesRequest& request) {
  std::vector<render::Series> all = empty_series({"", "fit"}, 1);
  const std::vector<std::size_t> bodies = selected_bodies(request, request.info.mass.size());
  if (request.trajectory == nullptr || bodies.empty()) return all;
  const TrajectoryReader& run = *request.trajectory;
  const FrameRange part = request.part.value_or(FrameRange{0, run.size()});
  // Limits time to seconds, and memory.
  constexpr double most_numbers = 1e9, most_kept = 4e7;
  const double three = 3 * static_cast<double>(bodies.size());
  const auto wanted = std::min(static_cast<std::size_t>(request.keys->integer("origins")),
                               static_cast<std::size_t>(std::max(1.0, most_kept / three)));
  const auto most =
      static_cast<std::size_t>(std::clamp(most_numbers / three / static_cast<double>(wanted), 40.0, 2000.0));
  const std::size_t stride = std::max<std::size_t>(1, part.stride), stored = part.count();
  const std::size_t step = std::max<std::size_t>(1, (stored + most - 1) / most), count = (stored - 1) / step + 1;
  const std::vector<std::size_t> origins = origins_of(wanted, count);
  const std::size_t longest = count - 1 - origins.back();

  Unwrapped unwrapped(request.info.bounds, bodies);
  std::vector<std::vector<double>> places;  // at the origins
  std::vector<double> times, squares(longest + 1), lags(longest + 1);
  for (std::size_t k = 0; k < stored; ++k) {
    if (Interrupt::signal() != 0) return all;
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
  all[0].time = lags;
  all[0].values[0] = squares;
  all[0].about = origins.size() > 1 ? fmt::format("mean of {} origins", origins.size()) : "from the first moment";
  if (unwrapped.guessed()) all[0].about += ", nearest images";
  all[1] = line_through(all[0], request.info.bounds.dimensions);
  return all;
}

}  // namespace

extern const SeriesKind displacement_series{"mean-square-displacement", make};

}  // namespace orrery::pipeline
