// SPDX-License-Identifier: MIT
// Figure "pair-correlation": g(r), the number of pairs at each distance relative to an ideal gas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/series.hpp"
#include "render/point_cloud/pair_counts.hpp"

namespace orrery::pipeline {
namespace {

double volume_of(const render::Bounds& box) {
  double volume = 1;
  for (int k = 0; k < box.dimensions; ++k)
    volume *= box.high[static_cast<std::size_t>(k)] - box.low[static_cast<std::size_t>(k)];
  return volume;
}

/// Area of a circle or volume of a sphere.
double ball(double r, int dimensions) {
  return dimensions == 2 ? std::numbers::pi * r * r : 4 * std::numbers::pi / 3 * r * r * r;
}

/// Key `r_max`; default: five times the mean spacing, but at most half of a periodic axis, beyond which images would count twice,
/// and a quarter of an axis with walls, so that half of the box can be centres.
double max_distance(const SeriesRequest& request, std::size_t count) {
  const render::Bounds& box = request.info.bounds;
  const bool given = request.keys->has("r_max");
  const double bodies = static_cast<double>(std::max<std::size_t>(count, 1));
  double reach = given ? request.keys->number("r_max") : 5 * std::pow(volume_of(box) / bodies, 1.0 / box.dimensions);
  for (std::size_t k = 0; k < static_cast<std::size_t>(box.dimensions); ++k) {
    const double length = box.high[k] - box.low[k];
    if (!given) reach = std::min(reach, length / (box.joined[k] ? 2 : 4));
    if (given && reach > length / 2 * (1 + 1e-12)) {
      request.keys.complain("r_max", fmt::format("{:.6g} is more than half of the box, which is {:.6g} long along {}",
                                                 reach, length, "xyz"[k]));
    }
  }
  return reach;
}

/// The frames between `from` and `to`; default: in a still the second half, in a film all.
std::vector<std::size_t> frames_of(const SeriesRequest& request, std::size_t most) {
  const std::vector<double> times = frame_times(request);
  const FrameRange part = request.part.value_or(FrameRange{0, times.size()});
  const bool given = request.keys->has("from") || request.keys->has("to");
  const double first = times[part.begin], last = times[part.last()], way = last < first ? -1 : 1;
  const double middle = first + (last - first) / 2, slack = 1e-9 * std::abs(last - first);
  const double from = request.keys->has("from") ? request.keys->number("from")
                      : given || request.moving ? first
                                                : middle;
  const double to = request.keys->has("to") ? request.keys->number("to") : last;
  std::vector<std::size_t> frames;
  for (std::size_t i = part.begin; i <= part.last(); i += std::max<std::size_t>(part.stride, 1)) {
    if (way * (times[i] - from) >= -slack && way * (to - times[i]) >= -slack) frames.push_back(i);
  }
  if (frames.empty()) {
    request.keys.complain(request.keys->has("from") ? "from" : "to",
                          fmt::format("no frame is between t = {:.6g} and {:.6g}: they are from {:.6g} to {:.6g}", from,
                                      to, first, last));
  }
  std::vector<std::size_t> some;
  for (const std::size_t k : sampled(frames.size(), most)) some.push_back(frames[k]);
  return some;
}

std::string caption(const SeriesRequest& request, const std::vector<std::size_t>& frames) {
  const auto& times = request.trajectory->times();
  const auto time = [&](std::size_t i) { return times[i] / request.info.time_unit_length; };
  const std::string unit = request.info.time_unit.empty() ? "" : " " + request.info.time_unit;
  if (frames.size() == 1) return fmt::format("t = {:.4g}{}", time(frames.front()), unit);
  return fmt::format("{} frames, t = {:.4g} to {:.4g}{}", frames.size(), time(frames.front()), time(frames.back()),
                     unit);
}

std::vector<render::Series> make(const SeriesRequest& request) {
  std::vector<render::Series> all = empty_series({""}, 0);
  const render::Bounds& box = request.info.bounds;
  if (!box.full()) return all;  // an unbounded domain has no mean density
  const std::vector<std::size_t> counted = selected_bodies(request, request.info.mass.size());
  const std::size_t bodies = counted.size();
  const double reach = max_distance(request, bodies), volume = volume_of(box);
  const auto shells = static_cast<std::size_t>(request.keys->integer("bins"));
  if (bodies < 2) return all;
  if (request.trajectory == nullptr) {
    if (request.keys->has("from") || request.keys->has("to")) (void)frames_of(request, 1);  // refuses empty intervals
    return all;
  }
  if (request.trajectory->size() == 0) return all;
  // Limits time to seconds; reading a frame takes as long as about 1e5 pairs. A film keeps the shells of each frame.
  const auto n = static_cast<double>(bodies);
  const double each = 1e5 + n * std::min(n, 1 + 4 * n * ball(reach, box.dimensions) / volume);
  const auto most = static_cast<std::size_t>(request.moving ? std::clamp(1e10 / each, 4.0, 1000.0)
                                                            : std::clamp(3e9 / each, 4.0, 1e6));
  const std::vector<std::size_t> frames = frames_of(request, most);
  all[0].about = request.moving ? "" : caption(request, frames);
  const double width = reach / static_cast<double>(shells), density = (n - 1) / volume;
  render::PairCounts sum{.others = std::vector<std::uint64_t>(shells, 0)};
  const auto row = [&](double time, const render::PairCounts& counts) {
    std::vector<double> values;
    for (std::size_t s = 0; s < shells; ++s) {
      const double low = width * static_cast<double>(s), high = low + width;
      const double gas = density * (ball(high, box.dimensions) - ball(low, box.dimensions));
      values.push_back((low + high) / 2);
      values.push_back(static_cast<double>(counts.others[s]) / (gas * static_cast<double>(counts.centers)));
    }
    add_row(all[0], time, values);
  };
  double time = 0;
  for (const std::size_t i : frames) {
    if (Interrupt::signal() != 0) return all;
    const sim::Snapshot at = request.trajectory->snapshot(i);
    const sim::Vectors p = Part(request, at, counted).position;
    const render::PairCounts counts = render::pair_counts({p.x, p.y, p.z}, box, reach, shells);
    time = at.time;
    if (request.moving) {
      row(time, counts);
      continue;
    }
    sum.centers += counts.centers;
    for (std::size_t s = 0; s < shells; ++s) sum.others[s] += counts.others[s];
  }
  if (!request.moving) row(time, sum);
  return all;
}

}  // namespace

extern const SeriesKind pair_series{"pair-correlation", make};

}  // namespace orrery::pipeline
