// SPDX-License-Identifier: MIT
// A moving origin is subtracted from positions and velocities; a frame that turns has axes besides.
#include "render/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/parameter.hpp"
#include "render/paths.hpp"
#include "render/statistics.hpp"

namespace orrery::render {
namespace {

/// " (there are: Sun, Earth)", of a few.
std::string who_is(const Cast& cast) {
  std::string all;
  for (std::size_t i = 0; i < cast.mass.size(); ++i) {
    if (i >= 12) {
      all += ", …";
      break;
    }
    const bool named = i < cast.names.size() && !cast.names[i].empty();
    if (i > 0) all += ", ";
    all += named ? cast.names[i] : std::to_string(i);
  }
  return " (there are: " + all + ")";
}

std::size_t body_named(const std::string& name, const Cast& cast) {
  if (const auto body = find_body(name, cast)) return *body;
  throw ArgumentError("frame", "no body is called \"" + name + "\"" + who_is(cast));
}

/// The mean of [N][3], weighted; without weights or where they sum to zero, the plain mean.
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

void shift(std::vector<float>& xyz, const std::array<double, 3>& origin) {
  for (std::size_t i = 0; i < xyz.size(); ++i) {
    xyz[i] = static_cast<float>(static_cast<double>(xyz[i]) - origin[i % 3]);
  }
}

/// "A,B", where names may have commas of their own.
std::pair<std::size_t, std::size_t> pair_named(const std::string& names, const Cast& cast) {
  for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',', comma + 1)) {
    const auto one = find_body(names.substr(0, comma), cast), other = find_body(names.substr(comma + 1), cast);
    if (one && other && one != other) return {*one, *other};
  }
  const std::string given = "\"corotating:" + names + "\": ";
  const std::size_t comma = names.find(',');
  if (comma == std::string::npos)
    throw ArgumentError("frame", given + "one body does not turn: write \"corotating:NAME,NAME\"");
  for (const std::string& name : {names.substr(0, comma), names.substr(comma + 1)}) {
    if (!find_body(name, cast))
      throw ArgumentError("frame", given + "no body is called \"" + name + "\"" + who_is(cast));
  }
  throw ArgumentError("frame", given + "these are one body: name two");
}

std::pair<std::size_t, std::size_t> two_heaviest(const Cast& cast) {
  if (cast.mass.size() < 2) throw ArgumentError("frame", "\"corotating\" takes two bodies");
  std::vector<std::size_t> order(cast.mass.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return cast.mass[a] > cast.mass[b]; });
  return {order[0], order[1]};
}

using Vector = std::array<double, 3>;

Vector at(const std::vector<float>& xyz, std::size_t i) {
  return {static_cast<double>(xyz[3 * i]), static_cast<double>(xyz[3 * i + 1]), static_cast<double>(xyz[3 * i + 2])};
}

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// a + s b
Vector sum(const Vector& a, double s, const Vector& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}

Vector unit(const Vector& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// Axes that turn with the line along `r`, which changes at a rate `v`, and how fast they turn about the third.
struct Axes {
  std::array<Vector, 3> along;
  double rate;

  Axes(const Vector& r, const Vector& v) {
    const Vector h = cross(r, v);
    along[0] = unit(r);
    // Two bodies that fall straight towards each other have no plane: the third axis stays as near to z as it can.
    const bool straight = dot(h, h) <= 1e-14 * dot(r, r) * dot(v, v);
    const Vector z = std::abs(along[0][2]) < 0.9 ? Vector{0, 0, 1} : Vector{0, 1, 0};
    along[2] = unit(straight ? sum(z, -dot(z, along[0]), along[0]) : h);
    along[1] = cross(along[2], along[0]);
    rate = straight ? 0 : std::sqrt(dot(h, h)) / dot(r, r);
  }
  [[nodiscard]] Vector of(const Vector& a) const { return {dot(a, along[0]), dot(a, along[1]), dot(a, along[2])}; }
};

void put(std::vector<float>& xyz, std::size_t i, const Vector& a) {
  for (std::size_t k = 0; k < 3; ++k) xyz[3 * i + k] = static_cast<float>(a[k]);
}

}  // namespace

Reference::Reference(const std::string& words, const Cast& cast) : cast_(cast) {
  if (words == "barycentric") {
    center_ = Center::mass;
  } else if (words.starts_with("body:")) {
    center_ = Center::body;
    body_ = body_named(words.substr(5), cast);
  } else if (words == "corotating" || words.starts_with("corotating:")) {
    center_ = Center::pair;
    pair_ = words == "corotating" ? two_heaviest(cast) : pair_named(words.substr(11), cast);
    if (!cast.samples.empty() && cast.samples.front().velocity.empty()) {
      throw ArgumentError("frame",
                          "velocities are not kept, which say how the two turn: make the run again with "
                          "`velocities = true` in [trajectory]");
    }
  } else if (words != "inertial") {
    throw ArgumentError("frame", "\"" + words +
                                     "\" is none of inertial, barycentric, body:NAME, corotating, "
                                     "corotating:NAME,NAME");
  }
  if (cast.mass.size() > most_bodies_with_paths && !cast.samples.empty()) most_ = extent_of_most();
}

Frame Reference::seen(const Frame& frame) const {
  if (center_ == Center::origin || frame.size() == 0) return frame;
  if (center_ == Center::pair) return turned_with_pair(frame);
  Frame shifted = frame;
  const auto center = [&](const std::vector<float>& xyz) {
    if (center_ == Center::mass) return mean(xyz, cast_.mass);
    const std::size_t i = 3 * std::min(body_, xyz.size() / 3 - 1);
    return std::array<double, 3>{xyz[i], xyz[i + 1], xyz[i + 2]};
  };
  shift(shifted.position, center(frame.position));
  if (!frame.velocity.empty()) shift(shifted.velocity, center(frame.velocity));
  return shifted;
}

Extent Reference::extent() const {
  if (most_) return *most_;
  Extent box = cast_.extent;
  if (center_ == Center::origin) return box;
  if (center_ == Center::pair) return extent_of_samples();
  // The path of the centre of mass is known; a body may be anywhere in the box.
  Extent centers = cast_.extent;
  if (center_ == Center::mass && !cast_.history.center_of_mass.empty()) {
    centers = {cast_.history.center_of_mass.front(), cast_.history.center_of_mass.front()};
    for (const auto& c : cast_.history.center_of_mass) {
      for (std::size_t k = 0; k < 3; ++k) {
        centers.low[k] = std::min(centers.low[k], c[k]);
        centers.high[k] = std::max(centers.high[k], c[k]);
      }
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] -= centers.high[k];
    box.high[k] -= centers.low[k];
    if (center_ == Center::body) {  // nobody is further away than the box is long
      const double reach = cast_.extent.high[k] - cast_.extent.low[k];
      box.low[k] = -reach;
      box.high[k] = reach;
    }
  }
  return box;
}

Frame Reference::turned_with_pair(const Frame& frame) const {
  const auto [a, b] = pair_;
  if (std::max(a, b) >= frame.size() || frame.velocity.empty()) return frame;
  const double sum_of_both = cast_.mass[a] + cast_.mass[b], share = sum_of_both > 0 ? cast_.mass[b] / sum_of_both : 0.5;
  const Vector ra = at(frame.position, a), va = at(frame.velocity, a);
  const Vector r = sum(at(frame.position, b), -1, ra), v = sum(at(frame.velocity, b), -1, va);
  if (dot(r, r) == 0) return frame;
  const Axes axes(r, v);
  const Vector center = sum(ra, share, r), drift = sum(va, share, v);
  Frame turned = frame;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vector p = axes.of(sum(at(frame.position, i), -1, center));
    const Vector w = axes.of(sum(at(frame.velocity, i), -1, drift));
    put(turned.position, i, p);
    put(turned.velocity, i, {w[0] + axes.rate * p[1], w[1] - axes.rate * p[0], w[2]});
  }
  return turned;
}

Extent Reference::extent_of_samples() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Extent box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Frame& sample : cast_.samples) {
    const Frame frame = seen(sample);
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      const auto x = static_cast<double>(frame.position[i]);
      if (!std::isfinite(x)) continue;
      box.low[i % 3] = std::min(box.low[i % 3], x);
      box.high[i % 3] = std::max(box.high[i % 3], x);
    }
  }
  if (!(box.low[0] <= box.high[0])) return cast_.extent;
  for (std::size_t k = 0; k < 3; ++k) {  // bodies come a little further between the moments that were looked at
    const double margin = 0.04 * (box.high[k] - box.low[k]);
    box.low[k] -= margin;
    box.high[k] += margin;
  }
  return box;
}

Extent Reference::extent_of_most() const {
  std::vector<Frame> frames;
  frames.reserve(cast_.samples.size());
  for (const Frame& sample : cast_.samples) frames.push_back(seen(sample));
  Extent box;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> all;
    for (const Frame& frame : frames) {
      for (std::size_t i = 0; i < frame.size(); ++i) all.push_back(static_cast<double>(frame.position[3 * i + k]));
    }
    const Interval most = most_of(all);
    if (all.empty()) continue;
    const double margin = 0.1 * most.length();
    box.low[k] = std::max(most.low - margin, *std::ranges::min_element(all));
    box.high[k] = std::min(most.high + margin, *std::ranges::max_element(all));
  }
  return box;
}

}  // namespace orrery::render
