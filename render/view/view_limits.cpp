// SPDX-License-Identifier: MIT
// Moving limits are averages of those of the bodies in an interval around each moment: they include all bodies and change smoothly.
#include "render/view/view_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "render/bands.hpp"
#include "render/chosen.hpp"
#include "render/point_cloud/knn_density.hpp"
#include "render/view/outliers.hpp"
#include "render/view/plane.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t nodes = 241;     // over the run
constexpr std::ptrdiff_t memory = 12;  // nodes on either side in an average: a twentieth of the run

/// Returns the minimum (maximum if not `low`) over 2·memory nodes on either side, averaged twice over memory nodes: smooth,
/// and never above (below) the values.
std::vector<double> smoothed(const std::vector<double>& values, bool low) {
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  const auto around = [n](std::ptrdiff_t i, std::ptrdiff_t reach) {
    return std::pair(std::max<std::ptrdiff_t>(0, i - reach), std::min(n - 1, i + reach));
  };
  std::vector<double> now(values.size());
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const auto [from, to] = around(i, 2 * memory);
    const auto first = values.begin() + from, last = values.begin() + to + 1;
    now[static_cast<std::size_t>(i)] = low ? *std::min_element(first, last) : *std::max_element(first, last);
  }
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<double> before = now;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      // The same reach on both sides, so that the picture is at rest at the ends of the run.
      const std::ptrdiff_t reach = std::min({memory, i, n - 1 - i});
      double sum = 0;
      for (std::ptrdiff_t j = i - reach; j <= i + reach; ++j) sum += before[static_cast<std::size_t>(j)];
      now[static_cast<std::size_t>(i)] = sum / static_cast<double>(2 * reach + 1);
    }
  }
  return now;
}

/// Returns the position of a time among the nodes, 0 … nodes − 1.
double node_of(const RunInfo& info, double time) {
  const double span = info.end - info.start;
  return span == 0 ? 0 : std::clamp((time - info.start) / span, 0.0, 1.0) * static_cast<double>(nodes - 1);
}

}  // namespace

ViewLimits::ViewLimits(const RunInfo& info, const Reference& reference, const Arguments& arguments,
                       const std::vector<std::size_t>& coordinates, double share)
    : info_(info),
      reference_(reference),
      keep_outliers_(arguments.text("outliers") == "show"),
      limited_(arguments.has("limits")),
      zoom_(arguments.number("zoom")),
      chosen_(chosen_bodies(arguments, info)),
      mass_(chosen_.empty() ? info.mass : picked(info.mass, chosen_)) {
  const bool some = !chosen_.empty() && !info.samples.empty();
  Extent kept_extent =
      some ? extent_without_outliers(seen_moments(), mass_, keep_outliers_, reference.closed()) : reference.extent();
  const Bounds& bounds = reference.bounds();
  for (std::size_t k = 0; k < 3; ++k) {
    if (bounds.closed[k]) kept_extent.low[k] = bounds.low[k], kept_extent.high[k] = bounds.high[k];
  }
  for (std::size_t k = 0; k < 3; ++k)
    limits_[k] = bounds.closed[k] ? Interval{bounds.low[k], bounds.high[k]} : padded(kept_extent, k, share);
  if (arguments.has("follow")) {
    const std::string& name = arguments.text("follow");
    const auto body = find_body(name, info);
    if (!body && name != "center-of-mass" && name != "densest") {
      throw ArgumentError("follow", "no body is named \"" + name + "\"" + known_bodies(info) +
                                        "; \"center-of-mass\" and \"densest\" can be followed too");
    }
    followed_ = body ? Followed::body : name == "densest" ? Followed::densest : Followed::mass;
    body_ = body.value_or(0);
    if (followed_ == Followed::densest) find_densest();
    widen_about_center(share);
  }
  if (limited_) {
    const auto& given = arguments.numbers("limits");
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const Interval asked{given[2 * i], given[2 * i + 1]};
      if (!(asked.low < asked.high)) throw ArgumentError("limits", "each lower limit must be below its upper one");
      limits_[coordinates[i]] = asked;
    }
  }
  if (arguments.has("frame_limits") && arguments.text("frame_limits") == "follow") {
    if (limited_) throw ArgumentError("frame_limits", "either `limits` are given, or they follow the bodies");
    smooth();
  }
}

Place ViewLimits::center(const Frame& seen) const {
  if (seen.size() == 0 || !follows()) return {};
  if (followed_ == Followed::mass) return mean(seen.position, info_.mass);
  if (followed_ == Followed::densest) return density_center(seen, info_.mass, reference_.bounds());
  return place_of(seen.position, std::min(body_, seen.size() - 1));
}

Place ViewLimits::center(const FrameSummary& seen, std::size_t moment) const {
  if (seen.frame.size() == 0 || !follows()) return {};
  if (followed_ == Followed::mass) return seen.center;
  if (followed_ == Followed::densest) return densest_[moment];
  return place_of(seen.frame.position, std::min(index_in_summary(body_, info_), seen.frame.size() - 1));
}

/// Computes the density centre at all moments, for the limits; if there are many bodies, from those in the summaries.
void ViewLimits::find_densest() {
  const std::vector<FrameSummary> moments = reference_.moments();
  const std::vector<double> mass = info_.summaries ? picked(info_.mass, info_.summaries->bodies) : info_.mass;
  densest_.resize(moments.size());
  parallel_for(moments.size(), 4 * mass.size() * moments.size(),
               [&](std::size_t i) { densest_[i] = density_center(moments[i].frame, mass, reference_.bounds()); });
}

std::vector<FrameSummary> ViewLimits::seen_moments() const {
  std::vector<FrameSummary> moments = reference_.moments();
  for (std::size_t moment = 0; moment < moments.size(); ++moment) {
    FrameSummary& now = moments[moment];
    const Place middle = center(now, moment);
    std::vector<float>& xyz = now.frame.position.edit();
    for (std::size_t i = 0; i < xyz.size() && follows(); ++i)
      xyz[i] = static_cast<float>(static_cast<double>(xyz[i]) - middle[i % 3]);
    for (std::size_t k = 0; k < 3; ++k) {
      now.box.low[k] -= middle[k];
      now.box.high[k] -= middle[k];
      now.center[k] -= middle[k];
    }
    if (chosen_.empty()) continue;
    std::vector<std::size_t> places;
    for (const std::size_t body : chosen_) places.push_back(index_in_summary(body, info_));
    now.frame = picked(now.frame, places);
    now.box = extent_of_all(now.frame);
  }
  return moments;
}

/// Makes limits symmetric about what is followed, and includes all bodies of the run.
void ViewLimits::widen_about_center(double share) {
  if (info_.samples.empty()) return;
  Extent kept_extent = extent_without_outliers(seen_moments(), mass_, keep_outliers_, reference_.closed());
  for (std::size_t k = 0; k < 3; ++k) {
    kept_extent.high[k] = std::max(std::abs(kept_extent.low[k]), std::abs(kept_extent.high[k]));
    kept_extent.low[k] = -kept_extent.high[k];
  }
  for (std::size_t k = 0; k < 3; ++k) limits_[k] = padded(kept_extent, k, share);
}

/// Computes moving limits. They are always cubes, since a changing shape would move the frame of the picture.
void ViewLimits::smooth() {
  if (info_.samples.empty()) return;
  const std::vector<FrameSummary> moments = seen_moments();
  const std::vector<Extent> boxes = extents_without_outliers(moments, mass_, keep_outliers_, reference_.closed());
  std::array<std::vector<double>, 3> low, high;
  double least = 0;  // half of the minimum side
  for (std::size_t k = 0; k < 3; ++k) {
    least = std::max(least, 1e-3 * limits_[k].length());
    constexpr double none = std::numeric_limits<double>::infinity();
    low[k].assign(nodes, none);
    high[k].assign(nodes, -none);
    const auto hold = [&](double node, std::size_t box) {
      const auto i = static_cast<std::size_t>(node);
      low[k][i] = std::min(low[k][i], boxes[box].low[k]);
      high[k][i] = std::max(high[k][i], boxes[box].high[k]);
    };
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      if (!(boxes[b].low[k] <= boxes[b].high[k])) continue;
      // The nodes on both sides, and those up to the next sample.
      const double from = node_of(info_, moments[b].frame.time);
      const double to = b + 1 < boxes.size() ? node_of(info_, moments[b + 1].frame.time) : from;
      for (double i = std::floor(from); i <= std::ceil(to); ++i) hold(i, b);
      for (double i = std::floor(from); b + 1 < boxes.size() && i <= std::ceil(to); ++i) {
        if (boxes[b + 1].low[k] <= boxes[b + 1].high[k]) hold(i, b + 1);
      }
    }
    if (std::ranges::find(low[k], none) != low[k].end()) return;  // no finite positions
    low[k] = smoothed(low[k], true);
    high[k] = smoothed(high[k], false);
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    LimitsAtTime moment{{}, least};
    for (std::size_t k = 0; k < 3; ++k) {
      const Interval side{low[k][i], high[k][i]};
      moment.middle[k] = follows() ? 0 : side.middle();
      const double half = follows() ? std::max(std::abs(side.low), std::abs(side.high)) : side.length() / 2;
      moment.half = std::max(moment.half, 1.12 * half);
    }
    moments_.push_back(moment);
  }
}

Volume ViewLimits::at(const Frame* seen) const {
  return seen == nullptr ? at(std::nullopt, {}) : at(seen->time, center(*seen));
}

Volume ViewLimits::at(std::optional<double> time, const Place& from) const {
  Volume volume{limits_};
  if (time && !moments_.empty()) {
    const double node = node_of(info_, *time);
    const auto i = std::min(static_cast<std::size_t>(node), nodes - 2);
    const double s = node - static_cast<double>(i);
    const LimitsAtTime &a = moments_[i], &b = moments_[i + 1];
    const double half = a.half + s * (b.half - a.half);
    for (std::size_t k = 0; k < 3; ++k) {
      const double middle = a.middle[k] + s * (b.middle[k] - a.middle[k]);
      volume.limits[k] = {middle - half, middle + half};
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    Interval& side = volume.limits[k];
    const double half = side.length() / 2 / zoom_, middle = side.middle() + (std::isfinite(from[k]) ? from[k] : 0);
    side = {middle - half, middle + half};
  }
  return volume;
}

float ViewLimits::widest(const std::function<float(const Volume& volume)>& width) const {
  if (!moves()) return 0;
  const std::vector<FrameSummary> moments = reference_.moments();
  const std::size_t stride = std::max<std::size_t>(1, moments.size() / 24);
  float widest = 0;
  for (std::size_t i = 0; i < moments.size(); i += stride)
    widest = std::max(widest, width(at(moments[i].frame.time, center(moments[i], i))));
  return widest;
}

}  // namespace orrery::render
