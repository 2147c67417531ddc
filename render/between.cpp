// SPDX-License-Identifier: MIT
#include "render/between.hpp"

#include <algorithm>
#include <cmath>

#include "render/statistics.hpp"

namespace orrery::render {
namespace {

Place difference(const Place& a, const Place& b) {
  return plus(a, -1, b);
}

/// Returns the second derivative at the end (or the start) of the interval from frame i to the next.
Place bend(const Way& way, std::size_t i, bool at_end) {
  const double h = way.time[i + 1] - way.time[i];
  const Place chord = difference(way.place[i + 1], way.place[i]);
  Place a{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double u = way.velocity[i][k], v = way.velocity[i + 1][k];
    a[k] = at_end ? (h * (2 * u + 4 * v) - 6 * chord[k]) / (h * h) : (6 * chord[k] - h * (4 * u + 2 * v)) / (h * h);
  }
  return a;
}

/// Returns whether a wall may have turned the body around along an axis within an interval of frame i.
bool may_bounce(const Way& way, const Bounds& bounds, std::size_t i, std::size_t axis) {
  if (!bounds.closed[axis] || bounds.periodic[axis]) return false;
  for (std::size_t at = i - 1; at <= i + 1; ++at) {
    const double h = std::max(std::abs(way.time[i] - way.time[i - 1]), std::abs(way.time[i + 1] - way.time[i]));
    const double far = way.velocity.empty() ? std::abs(way.place[i + 1][axis] - way.place[i - 1][axis])
                                            : h * std::abs(way.velocity[at][axis]);
    const double x = way.place[at][axis];
    if (x - far <= bounds.low[axis] || x + far >= bounds.high[axis]) return true;
  }
  return false;
}

/// Returns how much the second derivative changes at frame i, which has a neighbour on either side.
double jump(const Way& way, const Bounds& bounds, std::size_t i) {
  Place change{};
  if (way.velocity.empty()) {
    const double before = way.time[i] - way.time[i - 1], after = way.time[i + 1] - way.time[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const double to = (way.place[i + 1][k] - way.place[i][k]) / after,
                   from = (way.place[i][k] - way.place[i - 1][k]) / before;
      change[k] = 2 * (to - from) / (before + after);
    }
  } else {
    change = difference(bend(way, i, false), bend(way, i - 1, true));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (may_bounce(way, bounds, i, k)) change[k] = 0;
  }
  return length(change);
}

/// Returns the way of a body, with the same images as at the first frame.
Way way_of(const std::vector<Frame>& frames, std::size_t body, const Bounds& bounds) {
  Way way;
  Place laps{};
  const bool moving =
      std::ranges::all_of(frames, [&](const Frame& f) { return f.velocity.size() == f.position.size(); });
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Place p = place_of(frames[i].position, body);
    for (std::size_t k = 0; k < 3; ++k) {
      if (i > 0) laps[k] += images_crossed(bounds, frames[i - 1], frames[i], 3 * body + k);
      p[k] += laps[k] * bounds.period(k);
    }
    way.time.push_back(frames[i].time);
    way.place.push_back(p);
    if (moving) way.velocity.push_back(place_of(frames[i].velocity, body));
  }
  return way;
}

double angle(const Place& u, const Place& v) {
  const Place across{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double turn = std::atan2(length(across), dot(u, v));
  return std::isfinite(turn) ? turn : 0;
}

}  // namespace

std::vector<double> errors_between(const Way& way, const Bounds& bounds) {
  const std::size_t n = way.time.size();
  if (n < 2) return {};
  std::vector<double> errors(n - 1, 0.0);
  if (n == 2) {  // nothing to compare with except the chord
    if (way.velocity.empty()) return errors;
    const double h = way.time[1] - way.time[0];
    const Place mean = plus(way.velocity[0], 1, way.velocity[1]);
    const double miss = length(plus(difference(way.place[1], way.place[0]), -h / 2, mean));
    errors[0] = std::isfinite(miss) ? miss / 8 : 0;
    return errors;
  }
  std::vector<double> jumps(n, INFINITY);
  for (std::size_t i = 1; i + 1 < n; ++i) jumps[i] = jump(way, bounds, i);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = way.time[i + 1] - way.time[i], least = std::min(jumps[i], jumps[i + 1]);
    const double error = h * h * least / (way.velocity.empty() ? 8 : 32);
    errors[i] = std::isfinite(error) ? error : 0;  // a path has a gap at a position that is not finite
  }
  return errors;
}

double tolerated_error(const Way& way) {
  double side = 0, far = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> all;
    for (const Place& p : way.place) {
      if (std::isfinite(p[k])) all.push_back(p[k]);
    }
    if (all.empty()) continue;
    side = std::max(side, percentile(all, 0.95) - percentile(all, 0.05));
    for (const double x : all) far = std::max(far, std::abs(x));
  }
  constexpr double rounding = 1e-6;  // of positions in single precision
  return std::max((way.velocity.empty() ? 0.02 : 0.005) * side, rounding * far);
}

Between::Between(const std::vector<Frame>& frames, const Bounds& bounds) {
  if (frames.size() < 2) return;
  count_ = frames.front().size();
  const std::size_t intervals = frames.size() - 1;
  for (const Frame& frame : frames) time_.push_back(frame.time);
  std::vector<Way> ways;
  std::vector<double> tolerated;
  const double box = std::max({bounds.period(0), bounds.period(1), bounds.period(2)});
  for (std::size_t body = 0; body < count_; ++body) {
    ways.push_back(way_of(frames, body, bounds));
    tolerated.push_back(tolerated_error(ways.back()));
    if (box > 0) tolerated.back() = std::min(tolerated.back(), 0.005 * box);
  }
  // A heavy body that hardly moves is no more than a dot.
  std::vector<double> sizes = tolerated;
  const double least = sizes.empty() ? 0 : 0.2 * percentile(sizes, 0.5);
  std::vector<bool> unknown(intervals * count_);
  bool any = false;
  for (std::size_t body = 0; body < count_; ++body) {
    const Way& way = ways[body];
    const std::vector<double> errors = errors_between(way, bounds);
    double turned = 0;
    for (std::size_t i = 0; i < intervals; ++i) {
      const bool lost = errors[i] > std::max(tolerated[body], least);
      unknown[i * count_ + body] = lost;
      any = any || lost;
      if (!way.velocity.empty()) turned += std::max(lost ? M_PI : 0.0, angle(way.velocity[i], way.velocity[i + 1]));
    }
    turned_ = std::max(turned_, turned);
  }
  if (any) unknown_ = std::move(unknown);
}

bool Between::known(std::size_t body, double from, double to) const {
  if (unknown_.empty() || body >= count_) return true;
  const double middle = from + (to - from) / 2;
  const bool falls = time_.back() < time_.front();
  const auto after = std::ranges::partition_point(time_, [&](double t) { return falls ? t > middle : t < middle; });
  if (after == time_.begin() || after == time_.end()) return true;
  return !unknown_[static_cast<std::size_t>(after - time_.begin() - 1) * count_ + body];
}

std::set<std::size_t> Between::bodies() const {
  std::set<std::size_t> all;
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    if (unknown_[i]) all.insert(i % count_);
  }
  return all;
}

void Between::hold(const Frame& a, const Frame& b, Frame& now) const {
  const Frame& nearer = std::abs(now.time - a.time) <= std::abs(b.time - now.time) ? a : b;
  const auto copy = [&](auto& to, const auto& from, std::size_t body) {
    for (std::size_t k = 3 * body; k < 3 * body + 3 && k < to.size() && k < from.size(); ++k) to.edit()[k] = from[k];
  };
  for (std::size_t body = 0; body < std::min(count_, now.size()); ++body) {
    if (known(body, a.time, b.time)) continue;
    copy(now.position, nearer.position, body);
    copy(now.velocity, nearer.velocity, body);
    copy(now.image, nearer.image, body);
  }
}

std::string words_for(const Between& between, int pictures, bool paths) {
  std::string words;
  if (!between.all_known()) words = paths ? no_path : "bodies jump where frames are too far apart";
  if (pictures > 1 && between.turned() >= M_PI * (pictures - 1))
    words += std::string(words.empty() ? "" : "; ") + "more than half a turn from picture to picture";
  return words;
}

}  // namespace orrery::render
