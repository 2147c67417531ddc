// SPDX-License-Identifier: MIT
// Figure "pair-correlation": g(r), the number of pairs at each distance relative to an ideal gas.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "pipeline/pictures/charts.hpp"
#include "render/point_cloud/pair_counts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::array parameters{
    render::bodies_key(
        "bodies that are counted, and are the centres, by name, number from 0 or range, \"0:9\"; default: all"),
    render::optional_key("from", Kind::number_or_text, "\"1/2 period\"",
                         "start of the averaging; default: the middle of the run, or its start if `to` is given",
                         "time"),
    render::optional_key("to", Kind::number_or_text, "10.0", "end of the averaging; default: the end of the run",
                         "time"),
    Parameter{.name = "r_max",
              .example = "3.0",
              .meaning =
                  "maximum distance, at most half of the box; default: five times the mean spacing of the bodies, "
                  "at most a quarter of a box with walls",
              .unit = "length",
              .range = positive,
              .optional = true},
    Parameter{.name = "bins",
              .kind = Kind::integer,
              .fallback = "200",
              .meaning = "number of shells, all of the same thickness",
              .range = {.low = 1, .high = 10'000}},
};

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
double max_distance(const ChartRequest& request, std::size_t count) {
  const render::Bounds& box = request.info.bounds;
  const bool given = request.keys->has("r_max");
  const double bodies = static_cast<double>(std::max<std::size_t>(count, 1));
  double reach = given ? request.keys->number("r_max") : 5 * std::pow(volume_of(box) / bodies, 1.0 / box.dimensions);
  for (std::size_t k = 0; k < static_cast<std::size_t>(box.dimensions); ++k) {
    const double length = box.high[k] - box.low[k];
    if (!given) reach = std::min(reach, length / (box.periodic[k] ? 2 : 4));
    if (given && reach > length / 2 * (1 + 1e-12)) {
      request.keys.complain("r_max", fmt::format("{:.6g} is more than half of the box, which is {:.6g} long along {}",
                                                 reach, length, "xyz"[k]));
    }
  }
  return reach;
}

/// The frames between `from` and `to`; default: in a still the second half, in a film all.
std::vector<std::size_t> frames_of(const ChartRequest& request, std::size_t most) {
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

std::string caption(const ChartRequest& request, const std::vector<std::size_t>& frames) {
  const auto& times = request.trajectory->times();
  const auto time = [&](std::size_t i) { return times[i] / request.info.time_unit_length; };
  const std::string unit = request.info.time_unit.empty() ? "" : " " + request.info.time_unit;
  if (frames.size() == 1) return fmt::format("t = {:.4g}{}", time(frames.front()), unit);
  return fmt::format("{} frames, t = {:.4g} to {:.4g}{}", frames.size(), time(frames.front()), time(frames.back()),
                     unit);
}

/// g in each shell at a moment.
struct Moment {
  double time;
  std::vector<double> g;
};

/// g(r) of these frames: of each in a film, of all together at the last one in a still.
std::vector<Moment> moments_of(const ChartRequest& request, const std::vector<std::size_t>& frames,
                               const std::vector<std::size_t>& counted, double reach, std::size_t shells) {
  const render::Bounds& box = request.info.bounds;
  const double width = reach / static_cast<double>(shells);
  const double density = (static_cast<double>(counted.size()) - 1) / volume_of(box);
  const auto moment = [&](double time, const render::PairCounts& counts) {
    Moment all{time, {}};
    for (std::size_t s = 0; s < shells; ++s) {
      const double low = width * static_cast<double>(s), high = low + width;
      const double gas = density * (ball(high, box.dimensions) - ball(low, box.dimensions));
      all.g.push_back(static_cast<double>(counts.others[s]) / (gas * static_cast<double>(counts.centers)));
    }
    return all;
  };
  std::vector<Moment> moments;
  render::PairCounts sum{.others = std::vector<std::uint64_t>(shells, 0)};
  double time = 0;
  for (const std::size_t i : frames) {
    if (request.stopped()) return moments;
    const sim::Snapshot at = request.trajectory->snapshot(i);
    const sim::Vectors p = SomeBodies(request, at, counted).position;
    const render::PairCounts counts = render::pair_counts({p.x, p.y, p.z}, box, reach, shells);
    time = at.time;
    if (request.moving) {
      moments.push_back(moment(time, counts));
      continue;
    }
    sum.centers += counts.centers;
    for (std::size_t s = 0; s < shells; ++s) sum.others[s] += counts.others[s];
  }
  if (!request.moving) moments.push_back(moment(time, sum));
  return moments;
}

std::vector<Chart> make(const ChartRequest& request) {
  const render::Bounds& box = request.info.bounds;
  const render::ShownUnit length = shown_length(request.info);
  Chart chart{.x = {.name = "r", .unit = length.name, .unit_length = length.length}, .y = {.name = "g(r)"}};
  chart.empty = "no box, and so no density: [domain] has an open axis";
  if (!box.full()) return {chart};
  const std::vector<std::size_t> counted = selected_bodies(request, request.info.mass.size());
  const double reach = max_distance(request, counted.size());
  const auto shells = static_cast<std::size_t>(request.keys->integer("bins"));
  chart.empty = request.info.mass.size() < 2 ? "one body has no others around it" : "no body is as far from every wall";
  if (counted.size() < 2) return {chart};
  if (request.trajectory == nullptr) {
    if (request.keys->has("from") || request.keys->has("to")) (void)frames_of(request, 1);  // refuses empty intervals
    return {chart};
  }
  if (request.trajectory->size() == 0) return {chart};
  // Limits time to seconds; reading a frame takes as long as about 1e5 pairs. A film keeps the shells of each frame.
  const auto n = static_cast<double>(counted.size());
  const double each = 1e5 + n * std::min(n, 1 + 4 * n * ball(reach, box.dimensions) / volume_of(box));
  const auto most = static_cast<std::size_t>(request.moving ? std::clamp(1e10 / each, 4.0, 1000.0)
                                                            : std::clamp(3e9 / each, 4.0, 1e6));
  const std::vector<std::size_t> frames = frames_of(request, most);
  const std::vector<Moment> moments = moments_of(request, frames, counted, reach, shells);
  if (moments.empty()) return {chart};
  if (!request.moving) chart.title = caption(request, frames);
  const double width = reach / static_cast<double>(shells);
  std::vector<double> radii;
  for (std::size_t s = 0; s < shells; ++s) {
    const double low = width * static_cast<double>(s), high = low + width;
    radii.push_back((low + high) / 2);
  }
  double high = 1;
  for (const Moment& moment : moments) {
    for (const double g : moment.g) high = std::isfinite(g) ? std::max(high, g) : high;
  }
  chart.x.limits = Interval{0, radii.back() + (shells > 1 ? radii.front() : 0)};
  chart.y.limits = Interval{0, 1.08 * high};
  const Curve chance{.x = {chart.x.limits->low, chart.x.limits->high}, .y = {1, 1}, .stroke = Curve::Stroke::dashed};
  return charts_at(request, moments, [&](const Moment& moment) {
    Chart now = chart;
    now.curves = {{.x = radii, .y = moment.g}, chance};
    return std::vector{now};
  });
}

}  // namespace

extern const ChartKind pair_correlation_chart{
    .figure = render::chart_figure("pair-correlation",
                                   "radial distribution function g(r) of a box, relative to an ideal gas", parameters),
    .make = make};

}  // namespace orrery::pipeline
