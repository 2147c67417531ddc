// SPDX-License-Identifier: MIT
#include "render/view/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "render/bands.hpp"
#include "render/statistics.hpp"
#include "render/view/paths.hpp"
#include "render/view/place.hpp"

namespace orrery::render {
namespace {

constexpr double min_excess = 1.5;  // of the distance of an escaping body over those of all others
constexpr double together = 0.25;   // maximum separation in a group, in distances from the centre of mass

void hold(Extent& box, const float* at) {
  if (!std::isfinite(at[0] + at[1] + at[2])) return;
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] = std::min(box.low[k], static_cast<double>(at[k]));
    box.high[k] = std::max(box.high[k], static_cast<double>(at[k]));
  }
}

/// Adds the bodies that are shown in frame k.
void hold(Extent& box, const Frame& frame, std::size_t k, const std::vector<std::size_t>& counts) {
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (k < counts[i]) hold(box, &frame.position[3 * i]);
  }
}

Extent nothing() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}

using Closed = std::array<bool, 3>;

/// The path of the centre of a group of bodies relative to the centre of mass, at the moments at which all are finite.
class GroupPath {
 public:
  GroupPath(const std::vector<FrameSummary>& moments, const std::vector<std::size_t>& bodies,
            const std::vector<double>& mass, const Closed& closed) {
    double whole = 0;
    for (const std::size_t i : bodies) whole += weight(mass, i);
    // Massless bodies have equal weights.
    const auto share = [&](std::size_t i) {
      return whole > 0 ? weight(mass, i) / whole : 1 / static_cast<double>(bodies.size());
    };
    for (std::size_t k = 0; k < moments.size(); ++k) {
      const auto& [frame, box, center, drift] = moments[k];
      Step step{.frame = k, .time = frame.time};
      double v2 = frame.velocity.empty() ? NAN : 0;
      for (std::size_t c = 0; c < 3; ++c) {
        if (closed[c]) continue;
        double v = -drift[c];
        step.at[c] = -center[c];
        for (const std::size_t i : bodies) {
          step.at[c] += share(i) * static_cast<double>(frame.position[3 * i + c]);
          if (!frame.velocity.empty()) v += share(i) * static_cast<double>(frame.velocity[3 * i + c]);
        }
        v2 += v * v;
      }
      step.distance = length(step.at);
      step.speed = std::sqrt(v2);
      if (!std::isfinite(step.distance)) continue;
      steps_.push_back(step);
      reach_ = std::max(reach_, step.distance);
    }
    half_ = steps_within(reach_ / 2);
  }

  [[nodiscard]] double reach() const { return reach_; }

  /// Returns the number of frames up to the last one within that distance; 0 if there is none.
  [[nodiscard]] std::size_t frames_within(double distance) const {
    const std::size_t n = steps_within(distance);
    return n == 0 ? 0 : steps_[n - 1].frame + 1;
  }

  /// Returns whether another is close both at the end and when this was last at half of its maximum distance.
  [[nodiscard]] bool is_with(const GroupPath& other) const {
    const auto near = [&](const Step& step) {
      const auto found = std::ranges::lower_bound(other.steps_, step.frame, {}, &Step::frame);
      return found != other.steps_.end() && found->frame == step.frame &&
             length(plus(found->at, -1, step.at)) < together * step.distance;
    };
    return half_ > 0 && near(steps_[half_ - 1]) && near(steps_.back());
  }

  /// Returns whether it ends at its maximum distance and is unbound: under an inverse-square law v² = 2k/r + 2E, so that r v²
  /// grows from half of the distance on if E > 0.
  [[nodiscard]] bool leaves() const {
    const std::size_t n = steps_.size();
    if (half_ == 0 || half_ + 1 >= n || steps_.back().distance < reach_) return false;
    const Step &then = steps_[half_], &now = steps_[n - 1];
    if (std::isfinite(then.speed) && std::isfinite(now.speed))
      return now.distance * now.speed * now.speed > then.distance * then.speed * then.speed;
    const double before = mean_speed(half_), after = mean_speed(n - 1);
    return 2 * after * after > before * before;
  }

 private:
  struct Step {
    std::size_t frame = 0;
    double time = 0, distance = 0, speed = 0;  // speed: NaN without velocities
    Place at{};
  };

  static double weight(const std::vector<double>& mass, std::size_t i) { return i < mass.size() ? mass[i] : 0; }
  [[nodiscard]] std::size_t steps_within(double distance) const {
    std::size_t n = steps_.size();
    while (n > 0 && steps_[n - 1].distance > distance) --n;
    return n;
  }
  /// Returns the mean speed since the previous step.
  [[nodiscard]] double mean_speed(std::size_t to) const {
    const Step &a = steps_[to - 1], &b = steps_[to];
    return length(plus(b.at, -1, a.at)) / std::abs(b.time - a.time);
  }

  std::vector<Step> steps_;
  double reach_ = 0;
  std::size_t half_ = 0;  // number of steps up to the last one within half of that
};

/// Returns the number of moments, from the first, at which each body is shown. O(moments · bodies²).
std::vector<std::size_t> frames_shown(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                                      const Closed& closed) {
  const std::size_t bodies = moments.empty() ? 0 : moments.front().frame.size();
  std::vector<std::size_t> counts(bodies, moments.size());
  if (bodies < 3 || std::ranges::find(closed, false) == closed.end()) return counts;
  std::vector<GroupPath> paths;
  for (std::size_t i = 0; i < bodies; ++i) paths.emplace_back(moments, std::vector{i}, mass, closed);

  // Bodies that may escape come last, in order of distance.
  std::vector<double> suspect;  // maximum distance, 0 for bound bodies
  for (std::size_t i = 0; i < bodies; ++i) {
    // The speeds of close binary components say nothing about the escape of the pair.
    std::vector<std::size_t> group{i};
    for (std::size_t j = 0; j < bodies; ++j) {
      if (j != i && paths[i].is_with(paths[j])) group.push_back(j);
    }
    const bool leaves = group.size() > 1 ? GroupPath(moments, group, mass, closed).leaves() : paths[i].leaves();
    suspect.push_back(leaves ? paths[i].reach() : 0);
  }
  std::vector<std::size_t> order(bodies);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return suspect[i]; });
  double reach = 0;
  std::size_t shown = 0;
  for (; shown < bodies; ++shown) {
    const std::size_t i = order[shown];
    if (suspect[i] > min_excess * reach && 2 * (bodies - shown) < bodies) break;
    reach = std::max(reach, paths[i].reach());
  }
  // The start of a path is always shown.
  for (; shown < bodies; ++shown)
    counts[order[shown]] = std::max<std::size_t>(1, paths[order[shown]].frames_within(reach));
  return counts;
}

Extent extent_without_outermost(std::span<const FrameSummary> moments, const Closed& closed) {
  Extent box = nothing();
  const double bodies =
      moments.empty() ? 1 : static_cast<double>(std::max<std::size_t>(1, moments.front().frame.size()));
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> all;
    Interval whole{box.low[k], box.high[k]};
    for (const FrameSummary& at : moments) {
      for (std::size_t i = k; i < at.frame.position.size(); i += 3)
        all.push_back(static_cast<double>(at.frame.position[i]));
      whole = {std::min(whole.low, at.box.low[k]), std::max(whole.high, at.box.high[k])};
    }
    Interval most = robust_range(all, std::max(0.01, 2 / bodies));
    if (all.empty()) continue;
    if (closed[k]) most = whole;
    const double margin = 0.1 * most.length();
    box.low[k] = std::max(most.low - margin, whole.low);
    box.high[k] = std::min(most.high + margin, whole.high);
  }
  return box;
}

/// Parts are summed on all threads, and their sums are added in order.
template <class Number>
Place mean_of(const std::vector<Number>& xyz, const std::vector<double>& weights) {
  struct Sums {
    double weight = 0;
    Place weighted{}, plain{};
  };
  const std::size_t n = xyz.size() / 3;
  const auto parts = by_parts(n, [&](std::size_t first, std::size_t last) {
    Sums sums;
    for (std::size_t i = first; i < last; ++i) {
      const double w = i < weights.size() ? weights[i] : 0;
      sums.weight += w;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto x = static_cast<double>(static_cast<float>(xyz[3 * i + k]));
        sums.weighted[k] += w * x;
        sums.plain[k] += x;
      }
    }
    return sums;
  });
  Sums all;
  for (const Sums& part : parts) {
    all.weight += part.weight;
    for (std::size_t k = 0; k < 3; ++k) all.weighted[k] += part.weighted[k], all.plain[k] += part.plain[k];
  }
  Place mean;
  for (std::size_t k = 0; k < 3; ++k)
    mean[k] =
        all.weight > 0 ? all.weighted[k] / all.weight : all.plain[k] / static_cast<double>(std::max<std::size_t>(n, 1));
  return mean;
}

}  // namespace

std::vector<Escape> escapes(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                            const Closed& closed) {
  std::vector<Escape> all;
  if (mass.size() > max_bodies_with_paths) return all;
  const std::vector<std::size_t> counts = frames_shown(moments, mass, closed);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < moments.size()) all.push_back({.body = i, .last = counts[i] - 1});
  }
  return all;
}

std::array<double, 3> mean(const std::vector<float>& xyz, const std::vector<double>& weights) {
  return mean_of(xyz, weights);
}

std::array<double, 3> center_of_mass(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds) {
  Place center = mean(frame.position, mass);
  if (frame.image.empty()) return center;
  const Place laps = mean_of<std::int32_t>(frame.image, mass);
  for (std::size_t k = 0; k < 3; ++k) center[k] += laps[k] * bounds.period(k);
  return center;
}

Extent extent_of_all(const Frame& frame) {
  Extent box = nothing();
  for (const Extent& part : by_parts(frame.size(), [&](std::size_t first, std::size_t last) {
         Extent of_part = nothing();
         for (std::size_t i = first; i < last; ++i) hold(of_part, &frame.position[3 * i]);
         return of_part;
       }))
    widen(box, part);
  return box;
}

Extent extent_without_outliers(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                               bool keep_outliers, const Closed& closed) {
  if (!keep_outliers && mass.size() > max_bodies_with_paths) return extent_without_outermost(moments, closed);
  Extent box = nothing();
  for (const Extent& now : extents_without_outliers(moments, mass, keep_outliers, closed)) widen(box, now);
  return box;
}

std::vector<Extent> extents_without_outliers(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                                             bool keep_outliers, const Closed& closed) {
  const bool is_point_cloud = mass.size() > max_bodies_with_paths;
  std::vector<std::size_t> counts;
  if (!keep_outliers && !is_point_cloud) counts = frames_shown(moments, mass, closed);
  std::vector<Extent> boxes;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    boxes.push_back(keep_outliers    ? moments[k].box
                    : is_point_cloud ? extent_without_outermost({&moments[k], 1}, closed)
                                     : nothing());
    if (!counts.empty()) hold(boxes.back(), moments[k].frame, k, counts);
  }
  return boxes;
}

}  // namespace orrery::render
