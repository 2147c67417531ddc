// SPDX-License-Identifier: MIT
#include "render/view/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "common/parameter.hpp"
#include "render/bands.hpp"
#include "render/view/outliers.hpp"
#include "render/view/place.hpp"

namespace orrery::render {
namespace {

std::size_t body_named(const std::string& name, const RunInfo& info) {
  if (const auto body = find_body(name, info)) return *body;
  throw ArgumentError("frame", "no body is named \"" + name + "\"" + known_bodies(info));
}

/// Parses "A,B"; names may contain commas.
std::pair<std::size_t, std::size_t> pair_named(const std::string& names, const RunInfo& info) {
  for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',', comma + 1)) {
    const auto one = find_body(names.substr(0, comma), info), other = find_body(names.substr(comma + 1), info);
    if (one && other && one != other) return {*one, *other};
  }
  const std::string given = "\"corotating:" + names + "\": ";
  const std::size_t comma = names.find(',');
  if (comma == std::string::npos)
    throw ArgumentError("frame", given + "two bodies are needed: write \"corotating:NAME,NAME\"");
  for (const std::string& name : {names.substr(0, comma), names.substr(comma + 1)}) {
    if (!find_body(name, info))
      throw ArgumentError("frame", given + "no body is named \"" + name + "\"" + known_bodies(info));
  }
  throw ArgumentError("frame", given + "these are one body: name two");
}

std::pair<std::size_t, std::size_t> two_heaviest(const RunInfo& info) {
  if (info.mass.size() < 2) throw ArgumentError("frame", "\"corotating\" takes two bodies");
  std::vector<std::size_t> order(info.mass.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return info.mass[a] > info.mass[b]; });
  return {order[0], order[1]};
}

using Vector = Place;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector unit(const Vector& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// Axes that rotate with the vector `r`, whose derivative is `v`, and their angular velocity about the third axis.
struct Axes {
  std::array<Vector, 3> along;
  double rate;

  Axes(const Vector& r, const Vector& v) {
    const Vector h = cross(r, v);
    along[0] = unit(r);
    // Two bodies on a radial orbit define no plane: choose the third axis close to z.
    const bool straight = dot(h, h) <= 1e-14 * dot(r, r) * dot(v, v);
    const Vector z = std::abs(along[0][2]) < 0.9 ? Vector{0, 0, 1} : Vector{0, 1, 0};
    along[2] = unit(straight ? plus(z, -dot(z, along[0]), along[0]) : h);
    along[1] = cross(along[2], along[0]);
    rate = straight ? 0 : std::sqrt(dot(h, h)) / dot(r, r);
  }
  [[nodiscard]] Vector of(const Vector& a) const { return {dot(a, along[0]), dot(a, along[1]), dot(a, along[2])}; }
};

/// Returns the box in a moving or rotating frame.
Bounds bounds_around(const Bounds& bounds, bool turning) {
  Bounds seen{.dimensions = bounds.dimensions};
  for (std::size_t k = 0; k < 3 && !turning; ++k) {
    seen.closed[k] = seen.periodic[k] = bounds.periodic[k];
    seen.high[k] = bounds.period(k) / 2;
    seen.low[k] = -seen.high[k];
  }
  return seen;
}

void put(std::vector<float>& xyz, std::size_t i, const Vector& a) {
  for (std::size_t k = 0; k < 3; ++k) xyz[3 * i + k] = static_cast<float>(a[k]);
}

}  // namespace

Reference::Reference(const std::string& words, const RunInfo& info, bool keep_outliers) : info_(info) {
  if (words == "barycentric") {
    center_ = Center::mass;
    if (info.bounds.any_periodic() && !info.samples.empty() && info.samples[0].image.empty())
      throw ArgumentError("frame",
                          "the centre of mass in a periodic box needs images, which the trajectory does not have");
  } else if (words.starts_with("body:")) {
    center_ = Center::body;
    body_ = body_named(words.substr(5), info);
  } else if (words == "corotating" || words.starts_with("corotating:")) {
    center_ = Center::pair;
    pair_ = words == "corotating" ? two_heaviest(info) : pair_named(words.substr(11), info);
    if (!info.samples.empty() && info.samples[0].velocity.empty()) {
      throw ArgumentError(
          "frame",
          "a rotating frame needs velocities, which the trajectory does not have: make the run again with "
          "`velocities = true` in [trajectory]");
    }
  } else if (words != "inertial") {
    throw ArgumentError("frame", "\"" + words +
                                     "\" is none of inertial, barycentric, body:NAME, corotating, "
                                     "corotating:NAME,NAME");
  }
  bounds_ = center_ == Center::origin ? info.bounds : bounds_around(info.bounds, center_ == Center::pair);
  extent_ = info.samples.empty() ? info.extent : measured(keep_outliers);
}

struct Reference::Transform {
  bool identity = true;
  Vector origin{}, drift{};
  std::optional<Axes> axes{};
  Vector periods{};
  Vector image{};  ///< number of periods that `origin` was wrapped down by

  [[nodiscard]] Vector place(const Vector& p) const {
    Vector from = plus(p, -1, origin);
    for (std::size_t k = 0; k < 3; ++k) from[k] = nearest(from[k], periods[k]);
    return axes ? axes->of(from) : from;
  }
  /// Transforms the velocity of a body whose transformed position is p.
  [[nodiscard]] Vector velocity(const Vector& v, const Vector& p) const {
    const Vector from = plus(v, -1, drift);
    if (!axes) return from;
    const Vector w = axes->of(from);
    return {w[0] + axes->rate * p[1], w[1] - axes->rate * p[0], w[2]};
  }
  [[nodiscard]] Frame seen(const Frame& frame) const {
    if (identity) return frame;
    Frame moved{.time = frame.time, .position = {}, .velocity = {}, .density = frame.density, .image = frame.image};
    std::vector<std::int32_t>* images = frame.image.empty() ? nullptr : &moved.image.edit();
    std::vector<float>& position = moved.position.overwrite(frame.position.size());
    std::vector<float>& velocities = moved.velocity.overwrite(frame.velocity.size());
    parallel_parts(frame.size(), 4 * frame.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t k = 3 * first; k < 3 * last && images != nullptr; ++k) {
        const double from = static_cast<double>(frame.position[k]) - origin[k % 3];
        if (periods[k % 3] > 0 && std::isfinite(from))
          (*images)[k] += static_cast<std::int32_t>(std::round(from / periods[k % 3]) - image[k % 3]);
      }
      for (std::size_t i = first; i < last; ++i) {
        const Vector p = place(place_of(frame.position, i));
        put(position, i, p);
        if (!velocities.empty()) put(velocities, i, velocity(place_of(frame.velocity, i), p));
      }
    });
    return moved;
  }
  /// Returns the bounding box of the transformed corners.
  [[nodiscard]] Extent seen(const Extent& box) const {
    if (identity || !(box.low[0] <= box.high[0])) return box;
    Vector low = plus(box.low, -1, origin), high = plus(box.high, -1, origin);
    for (std::size_t k = 0; k < 3; ++k) {
      if (periods[k] > 0) low[k] = -(high[k] = periods[k] / 2);
    }
    const auto turned = [this](const Vector& p) { return axes ? axes->of(p) : p; };
    Extent moved{turned(low), turned(low)};
    for (unsigned corner = 1; corner < 8; ++corner) {
      Vector p = low;
      for (unsigned k = 0; k < 3; ++k) {
        if ((corner >> k & 1U) != 0) p[k] = high[k];
      }
      widen(moved, {turned(p), turned(p)});
    }
    return moved;
  }
};

Reference::Transform Reference::transform(const Frame& frame, const FrameSummary* summary) const {
  if (center_ == Center::origin || frame.size() == 0) return {};
  const bool moving = !frame.velocity.empty();
  const Vector periods{info_.bounds.period(0), info_.bounds.period(1), info_.bounds.period(2)};
  const auto index = [&](std::size_t body) { return summary != nullptr ? index_in_summary(body, info_) : body; };
  const auto image_of = [&](std::size_t body) {
    Vector image{};
    for (std::size_t k = 0; k < 3 && !frame.image.empty(); ++k) image[k] = frame.image[3 * body + k];
    return image;
  };
  if (center_ == Center::mass) {
    if (summary != nullptr) return {false, summary->center, summary->drift, {}, periods, {}};
    return {false,
            center_of_mass(frame, info_.mass, info_.bounds),
            moving ? mean(frame.velocity, info_.mass) : Vector{},
            {},
            periods,
            {}};
  }
  if (center_ == Center::body) {
    const std::size_t i = std::min(index(body_), frame.size() - 1);
    return {false,      place_of(frame.position, i), moving ? place_of(frame.velocity, i) : Vector{}, {}, periods,
            image_of(i)};
  }
  const std::size_t a = index(pair_.first), b = index(pair_.second);
  if (std::max(a, b) >= frame.size() || !moving) return {};
  const double ma = info_.mass[pair_.first], mb = info_.mass[pair_.second], share = ma + mb > 0 ? mb / (ma + mb) : 0.5;
  const Vector ra = place_of(frame.position, a), va = place_of(frame.velocity, a);
  Vector r = plus(place_of(frame.position, b), -1, ra);
  for (std::size_t k = 0; k < 3; ++k) r[k] = nearest(r[k], periods[k]);
  const Vector v = plus(place_of(frame.velocity, b), -1, va);
  if (dot(r, r) == 0) return {};
  return {false, plus(ra, share, r), plus(va, share, v), Axes(r, v), periods, image_of(a)};
}

Frame Reference::seen(const Frame& frame) const {
  return transform(frame, nullptr).seen(frame);
}

std::vector<FrameSummary> Reference::moments() const {
  std::vector<FrameSummary> all;
  if (info_.summaries == nullptr) {
    for (const Frame& sample : info_.samples) {
      FrameSummary& now = all.emplace_back(FrameSummary{.frame = seen(sample), .box = {}});
      now.box = extent_of_all(now.frame);
      now.center = mean(now.frame.position, info_.mass);
      if (!now.frame.velocity.empty()) now.drift = mean(now.frame.velocity, info_.mass);
    }
    return all;
  }
  for (const FrameSummary& summary : info_.summaries->moments) {
    const Transform from = transform(summary.frame, &summary);
    FrameSummary& now =
        all.emplace_back(FrameSummary{from.seen(summary.frame), from.seen(summary.box), summary.center, summary.drift});
    if (from.identity) continue;
    now.center = from.place(summary.center);
    now.drift = from.velocity(summary.drift, now.center);
  }
  return all;
}

std::array<bool, 3> Reference::closed() const {
  const std::array<bool, 3>& all = info_.bounds.closed;
  if (center_ != Center::pair) return all;
  const bool full = info_.bounds.full();
  return {full, full, full};
}

std::vector<std::size_t> Reference::bodies() const {
  if (center_ == Center::body) return {body_};
  if (center_ == Center::pair) return {pair_.first, pair_.second};
  return {};
}

Extent Reference::measured(bool keep_outliers) const {
  const std::vector<FrameSummary> seen = moments();
  const Extent all = extent_without_outliers(seen, info_.mass, true);
  if (!(all.low[0] <= all.high[0])) return info_.extent;
  const Extent kept_extent = extent_without_outliers(seen, info_.mass, keep_outliers, closed());
  // The extent of the run is that of all frames, not only of the samples.
  const auto finite = [](double x) { return std::isfinite(x); };
  const bool whole = kept_extent.low == all.low && kept_extent.high == all.high && center_ == Center::origin &&
                     std::ranges::all_of(info_.extent.low, finite) && std::ranges::all_of(info_.extent.high, finite);
  return whole ? info_.extent : kept_extent;
}

}  // namespace orrery::render
