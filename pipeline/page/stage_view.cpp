// SPDX-License-Identifier: MIT
#include "pipeline/page/stage_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/page/phrases.hpp"
#include "render/figure.hpp"
#include "render/statistics.hpp"
#include "render/view/reference.hpp"

namespace orrery::pipeline {
namespace {

using Place = std::array<double, 3>;

/// The box that the figures show: that of bodies which do not escape, along closed axes the whole domain.
render::Extent shown_box(const render::RunInfo& info) {
  render::Extent box = render::Reference("inertial", info).extent();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (info.bounds.closed[axis]) box.low[axis] = info.bounds.low[axis], box.high[axis] = info.bounds.high[axis];
    if (!(box.low[axis] <= box.high[axis])) box.low[axis] = box.high[axis] = 0;
  }
  return box;
}

/// The farthest places in the directions of the faces, edges and corners of a cube.
std::vector<Place> farthest(const std::vector<Place>& places) {
  std::vector<Place> all;
  for (int k = 0; k < 27 && !places.empty(); ++k) {
    const Place direction{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
    const auto along = [&](const Place& p) { return p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2]; };
    if (k != 13) all.push_back(*std::ranges::max_element(places, {}, along));
  }
  return all;
}

std::vector<Place> corners(const Place& half) {
  std::vector<Place> all;
  for (unsigned k = 0; k < 8; ++k)
    all.push_back({k & 1U ? half[0] : -half[0], k & 2U ? half[1] : -half[1], k & 4U ? half[2] : -half[2]});
  return all;
}

/// 1, 2 or 5 times a power of ten, at most `most`.
double round_step(double most) {
  const double power = std::pow(10, std::floor(std::log10(most)));
  return 5 * power <= most ? 5 * power : 2 * power <= most ? 2 * power : power;
}

std::vector<StageView::Line> grid_of(double radius) {
  std::vector<StageView::Line> lines;
  const double step = round_step(radius / 2.5), count = std::ceil(radius / step), end = count * step;
  for (double k = -count; k <= count; ++k) {
    lines.push_back({k * step, -end, 0, k * step, end, 0});
    lines.push_back({-end, k * step, 0, end, k * step, 0});
  }
  return lines;
}

/// The edges of the box along closed axes, each once; along open ones they lie in the plane through the centre.
void add_edges(StageView& view, const Place& half, const render::Bounds& bounds) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!bounds.closed[k]) continue;
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const auto is_wall = [&](std::size_t axis) { return bounds.closed[axis] && !bounds.periodic[axis]; };
    for (unsigned corner = 0; corner < 4; ++corner) {
      const bool above = (corner & 1U) != 0, beyond = (corner & 2U) != 0;
      if ((above && !bounds.closed[i]) || (beyond && !bounds.closed[j])) continue;
      StageView::Line line{};
      line[k] = -half[k], line[3 + k] = half[k];
      if (bounds.closed[i]) line[i] = line[3 + i] = above ? half[i] : -half[i];
      if (bounds.closed[j]) line[j] = line[3 + j] = beyond ? half[j] : -half[j];
      (is_wall(i) || is_wall(j) ? view.walls : view.ends).push_back(line);
    }
  }
}

}  // namespace

StageView stage_view(std::span<const float> positions, std::size_t bodies, const render::RunInfo& info) {
  const bool many = bodies > render::max_bodies_with_paths;
  const render::Extent box = shown_box(info);
  StageView view;
  Place half{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    view.centre[axis] = 0.5 * (box.low[axis] + box.high[axis]);
    half[axis] = 0.5 * (box.high[axis] - box.low[axis]);
  }
  std::vector<Place> inside;
  std::vector<double> away, depths;
  std::vector<bool> left(bodies);
  for (std::size_t i = 0; 3 * i < positions.size(); ++i) {
    Place at{};
    bool in = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis] = positions[3 * i + axis] - view.centre[axis];
      in = in && std::abs(at[axis]) <= (1 + 1e-6) * half[axis] + 1e-30;
    }
    const double distance = std::hypot(at[0], at[1], at[2]);
    // Of many bodies the box leaves out the outermost, which have not left.
    if (!in && !(many && distance < 3 * std::hypot(half[0], half[1], half[2]))) left[i % bodies] = true;
    if (!in) continue;
    inside.push_back(at);
    away.push_back(distance);
    depths.push_back(std::abs(at[2]));
  }
  const double share = many ? 0.985 : 1;
  if (!inside.empty()) {
    view.radius = 1.05 * render::percentile(away, share);
    view.flat = render::percentile(depths, share) < 1e-3 * view.radius;
  }
  if (!(view.radius > 0)) view.radius = 1;
  const auto gone = std::ranges::count(left, true);
  if (gone > 0)
    view.note = fmt::format("{} {} this view", counted(gone, "body", "bodies"), gone == 1 ? "leaves" : "leave");
  const auto& closed = info.bounds.closed;
  if (closed[0] || closed[1] || closed[2]) {
    view.extremes = corners(half);
    add_edges(view, half, info.bounds);
  } else {
    std::erase_if(inside, [&](const Place& at) { return std::hypot(at[0], at[1], at[2]) > view.radius; });
    view.extremes = farthest(inside);
    view.grid = grid_of(view.radius);
  }
  return view;
}

}  // namespace orrery::pipeline
