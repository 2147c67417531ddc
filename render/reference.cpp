// SPDX-License-Identifier: MIT
// A moving origin is subtracted from positions and velocities.
#include "render/reference.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/parameter.hpp"
#include "render/paths.hpp"
#include "render/statistics.hpp"

namespace orrery::render {
namespace {

std::size_t body_named(const std::string& name, const Cast& cast) {
  const auto found = std::find(cast.names.begin(), cast.names.end(), name);
  if (found != cast.names.end()) return static_cast<std::size_t>(found - cast.names.begin());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc{} && end == name.data() + name.size() && number < cast.mass.size()) return number;
  throw ArgumentError("frame", "no body is called \"" + name + "\"");
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

}  // namespace

Reference::Reference(const std::string& words, const Cast& cast) : cast_(cast) {
  if (words == "barycentric") {
    center_ = Center::mass;
  } else if (words.starts_with("body:")) {
    center_ = Center::body;
    body_ = body_named(words.substr(5), cast);
  } else if (words != "inertial") {
    throw ArgumentError("frame", "\"" + words + "\" is none of inertial, barycentric, body:NAME");
  }
  if (cast.mass.size() > most_bodies_with_paths && !cast.samples.empty()) most_ = extent_of_most();
}

Frame Reference::seen(const Frame& frame) const {
  Frame shifted = frame;
  if (center_ == Center::origin || frame.size() == 0) return shifted;
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
