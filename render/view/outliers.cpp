// SPDX-License-Identifier: MIT
// An orbit that comes back is never cut, however eccentric; one that does not come back takes no room.
#include "render/view/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "render/statistics.hpp"
#include "render/view/paths.hpp"
#include "render/view/place.hpp"

namespace orrery::render {
namespace {

constexpr double further = 1.5;    // than all others: less far out a body takes little room
constexpr double together = 0.25;  // of the distance from the centre of mass: bodies that are no further apart

void hold(Extent& box, const float* at) {
  if (!std::isfinite(at[0] + at[1] + at[2])) return;
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] = std::min(box.low[k], static_cast<double>(at[k]));
    box.high[k] = std::max(box.high[k], static_cast<double>(at[k]));
  }
}

/// Those that still count in frame k.
void hold(Extent& box, const Frame& frame, std::size_t k, const std::vector<std::size_t>& counts) {
  for (std::size_t i = 0; i < frame.size(); ++i) {
    if (k < counts[i]) hold(box, &frame.position[3 * i]);
  }
}

Extent nothing() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}

double length(const Place& a, const Place& b) {
  return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

using Closed = std::array<bool, 3>;

/// Bodies as seen from the centre of mass, at the moments at which all of them have a place: their own centre of mass.
class Way {
 public:
  Way(const std::vector<FrameSummary>& moments, const std::vector<std::size_t>& bodies, const std::vector<double>& mass,
      const Closed& closed) {
    double whole = 0;
    for (const std::size_t i : bodies) whole += weight(mass, i);
    // Those without mass go by their number.
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
      step.distance = length({}, step.at);
      step.speed = std::sqrt(v2);
      if (!std::isfinite(step.distance)) continue;
      steps_.push_back(step);
      reach_ = std::max(reach_, step.distance);
    }
    half_ = steps_within(reach_ / 2);
  }

  [[nodiscard]] double reach() const { return reach_; }

  /// How many frames there are up to the last in which it is within that distance; 0 where it never is.
  [[nodiscard]] std::size_t frames_within(double distance) const {
    const std::size_t n = steps_within(distance);
    return n == 0 ? 0 : steps_[n - 1].frame + 1;
  }

  /// Whether another is with it: near where it ends, and where it was half as far out for the last time.
  [[nodiscard]] bool is_with(const Way& other) const {
    const auto near = [&](const Step& step) {
      const auto found = std::ranges::lower_bound(other.steps_, step.frame, {}, &Step::frame);
      return found != other.steps_.end() && found->frame == step.frame &&
             length(step.at, found->at) < together * step.distance;
    };
    return half_ > 0 && near(steps_[half_ - 1]) && near(steps_.back());
  }

  /// It ends at its furthest, and would go on: under an inverse-square law v² = 2k/r + 2E, so that r v² grows with r
  /// where E > 0. From half as far out, or as near to that as there is a moment.
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
    double time = 0, distance = 0, speed = 0;  // not a number where velocities were not kept
    Place at{};
  };

  static double weight(const std::vector<double>& mass, std::size_t i) { return i < mass.size() ? mass[i] : 0; }
  [[nodiscard]] std::size_t steps_within(double distance) const {
    std::size_t n = steps_.size();
    while (n > 0 && steps_[n - 1].distance > distance) --n;
    return n;
  }
  /// On the way to that step.
  [[nodiscard]] double mean_speed(std::size_t to) const {
    const Step &a = steps_[to - 1], &b = steps_[to];
    return length(a.at, b.at) / std::abs(b.time - a.time);
  }

  std::vector<Step> steps_;
  double reach_ = 0;
  std::size_t half_ = 0;  // steps up to the last within half of that
};

/// Of how many moments each body counts, from the first. In the order of the run. O(moments · bodies²).
std::vector<std::size_t> frames_shown(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                                      const Closed& closed) {
  const std::size_t bodies = moments.empty() ? 0 : moments.front().frame.size();
  std::vector<std::size_t> counts(bodies, moments.size());
  if (bodies < 3 || std::ranges::find(closed, false) == closed.end()) return counts;
  std::vector<Way> ways;
  for (std::size_t i = 0; i < bodies; ++i) ways.emplace_back(moments, std::vector{i}, mass, closed);

  // Who might escape comes last, and of those the furthest.
  std::vector<double> suspect;  // how far it gets, 0 where it comes back
  for (std::size_t i = 0; i < bodies; ++i) {
    // The stars of a close pair race round each other whether the pair comes back or not.
    std::vector<std::size_t> group{i};
    for (std::size_t j = 0; j < bodies; ++j) {
      if (j != i && ways[i].is_with(ways[j])) group.push_back(j);
    }
    const bool leaves = group.size() > 1 ? Way(moments, group, mass, closed).leaves() : ways[i].leaves();
    suspect.push_back(leaves ? ways[i].reach() : 0);
  }
  std::vector<std::size_t> order(bodies);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return suspect[i]; });
  double reach = 0;
  std::size_t shown = 0;
  for (; shown < bodies; ++shown) {
    const std::size_t i = order[shown];
    if (suspect[i] > further * reach && 2 * (bodies - shown) < bodies) break;
    reach = std::max(reach, ways[i].reach());
  }
  // Where it starts is shown, wherever that is.
  for (; shown < bodies; ++shown)
    counts[order[shown]] = std::max<std::size_t>(1, ways[order[shown]].frames_within(reach));
  return counts;
}

Extent extent_of_crowd(std::span<const FrameSummary> moments, const Closed& closed) {
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
    Interval most = most_of(all, std::max(0.01, 2 / bodies));
    if (all.empty()) continue;
    if (closed[k]) most = whole;
    const double margin = 0.1 * most.length();
    box.low[k] = std::max(most.low - margin, whole.low);
    box.high[k] = std::min(most.high + margin, whole.high);
  }
  return box;
}

}  // namespace

std::array<double, 3> mean(const std::vector<float>& xyz, const std::vector<double>& weights) {
  std::array<double, 3> sum{}, plain{};
  double total = 0;
  const std::size_t n = xyz.size() / 3;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = i < weights.size() ? weights[i] : 0;
    total += w;
    for (std::size_t k = 0; k < 3; ++k) {
      sum[k] += w * static_cast<double>(xyz[3 * i + k]);
      plain[k] += static_cast<double>(xyz[3 * i + k]);
    }
  }
  for (std::size_t k = 0; k < 3; ++k)
    sum[k] = total > 0 ? sum[k] / total : plain[k] / static_cast<double>(std::max<std::size_t>(n, 1));
  return sum;
}

std::array<double, 3> center_of_mass(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds) {
  Place center = mean(frame.position, mass);
  if (frame.image.empty()) return center;
  const Place laps = mean(std::vector<float>(frame.image.begin(), frame.image.end()), mass);
  for (std::size_t k = 0; k < 3; ++k) center[k] += laps[k] * bounds.period(k);
  return center;
}

Extent extent_of_all(const Frame& frame) {
  Extent box = nothing();
  for (std::size_t i = 0; i < frame.size(); ++i) hold(box, &frame.position[3 * i]);
  return box;
}

Extent extent_of_all(const std::vector<FrameSummary>& moments) {
  Extent box = nothing();
  for (const FrameSummary& at : moments) widen(box, at.box);
  return box;
}

Extent extent_of_most(const std::vector<FrameSummary>& moments, const std::vector<double>& mass, bool escapers,
                      const Closed& closed) {
  if (escapers) return extent_of_all(moments);
  if (mass.size() > most_bodies_with_paths) return extent_of_crowd(moments, closed);
  const auto counts = frames_shown(moments, mass, closed);
  Extent box = nothing();
  for (std::size_t k = 0; k < moments.size(); ++k) hold(box, moments[k].frame, k, counts);
  return box;
}

std::vector<Extent> extents_of_most(const std::vector<FrameSummary>& moments, const std::vector<double>& mass,
                                    bool escapers, const Closed& closed) {
  const bool crowd = mass.size() > most_bodies_with_paths;
  const auto counts = escapers || crowd ? std::vector<std::size_t>{} : frames_shown(moments, mass, closed);
  std::vector<Extent> boxes;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    if (escapers || crowd) {
      boxes.push_back(escapers ? moments[k].box : extent_of_crowd({&moments[k], 1}, closed));
      continue;
    }
    boxes.push_back(nothing());
    hold(boxes.back(), moments[k].frame, k, counts);
  }
  return boxes;
}

}  // namespace orrery::render
