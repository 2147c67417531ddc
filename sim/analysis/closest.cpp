// SPDX-License-Identifier: MIT
// Closest pairs by a tree of boxes, each halved across its widest axis: O(N log N) unless bodies lie on spheres or
// rings about others.
#include "sim/analysis/closest.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "sim/domain.hpp"

namespace orrery::sim {
namespace {

double squared_distance(const Vectors& x, std::size_t i, std::size_t j, const Periods& periods) {
  const double dx = nearest_image(x.x[j] - x.x[i], periods[0]), dy = nearest_image(x.y[j] - x.y[i], periods[1]),
               dz = nearest_image(x.z[j] - x.z[i], periods[2]);
  return dx * dx + dy * dy + dz * dz;
}

constexpr std::size_t leaf = 8;  ///< maximum number of bodies that are compared directly

class Tree {
 public:
  Tree(const Vectors& position, const StopRequest& stop, const Periods& periods)
      : position_(position), stop_(stop), periods_(periods) {
    for (std::size_t i = 0; i < position.size(); ++i) {
      if (std::isfinite(position.x[i]) && std::isfinite(position.y[i]) && std::isfinite(position.z[i]))
        order_.push_back(i);
    }
    axis_.resize(order_.size());
    for (std::size_t q = 0; q < 3 && !order_.empty(); ++q) {
      const auto& along = position.*axes[q];
      const auto [low, high] = std::ranges::minmax(order_, {}, [&](std::size_t i) { return along[i]; });
      low_[q] = along[low], high_[q] = along[high];
    }
    halve(0, order_.size());
  }

  PairOfBodies closest() {
    std::vector<std::size_t> bodies = order_;
    std::ranges::sort(bodies);
    for (const std::size_t i : bodies) {
      if (stopped() || found_.r2 == 0) break;  // no later pair can be closer
      compare_images(i, 0, {position_.x[i], position_.y[i], position_.z[i]});
    }
    found_.was_stopped = stopped_;
    return found_;
  }

 private:
  using Axis = std::vector<double> Vectors::*;
  using Place = std::array<double, 3>;
  static constexpr Axis axes[] = {&Vectors::x, &Vectors::y, &Vectors::z};

  /// Builds the tree of bodies begin … end − 1 of the order; the middle one splits them along an axis.
  void halve(std::size_t begin, std::size_t end) {
    if (end - begin <= leaf || stopped()) return;
    const auto bodies = std::span(order_).subspan(begin, end - begin);
    double widest = -1;
    std::size_t across = 0;
    for (std::size_t q = 0; q < 3; ++q) {
      const auto& along = position_.*axes[q];
      const auto [low, high] = std::ranges::minmax(bodies, {}, [&](std::size_t i) { return along[i]; });
      const double extent = along[high] / 2 - along[low] / 2;
      if (extent > widest) widest = extent, across = q;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    std::ranges::nth_element(bodies, bodies.begin() + static_cast<std::ptrdiff_t>(middle - begin), {},
                             [&](std::size_t i) { return (position_.*axes[across])[i]; });
    axis_[middle] = across;
    halve(begin, middle);
    halve(middle + 1, end);
  }

  /// Compares body i, and its images along the periodic axes from q on, unless too far from all bodies.
  void compare_images(std::size_t i, std::size_t q, Place at) {
    if (q == 3) return compare(i, at, 0, order_.size());
    const double x = at[q];
    for (const double side : {0.0, -1.0, 1.0}) {
      if (side != 0 && periods_[q] == 0) break;
      at[q] = x + side * periods_[q];
      const double apart = std::max({low_[q] - at[q], at[q] - high_[q], 0.0});
      if (apart * apart <= found_.r2) compare_images(i, q + 1, at);
    }
  }

  /// Compares body i, or its image at this place, with bodies begin … end − 1 of the order.
  void compare(std::size_t i, const Place& at, std::size_t begin, std::size_t end) {
    if (end - begin <= leaf) {
      for (std::size_t k = begin; k < end; ++k) compare(i, order_[k]);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const double apart = at[axis_[middle]] - (position_.*axes[axis_[middle]])[order_[middle]];
    compare(i, order_[middle]);
    if (apart < 0) {
      compare(i, at, begin, middle);
      if (apart * apart <= found_.r2) compare(i, at, middle + 1, end);  // rounding keeps the order of distances
    } else {
      compare(i, at, middle + 1, end);
      if (apart * apart <= found_.r2) compare(i, at, begin, middle);
    }
  }

  void compare(std::size_t i, std::size_t j) {
    if (j <= i) return;
    const double r2 = squared_distance(position_, i, j, periods_);
    if (r2 < found_.r2 || (r2 == found_.r2 && std::pair(i, j) < std::pair(found_.i, found_.j))) found_ = {i, j, r2};
  }

  bool stopped() {
    if (!stopped_ && stop_ && ++comparisons_ % 1024 == 0) stopped_ = stop_();
    return stopped_;
  }

  const Vectors& position_;
  const StopRequest& stop_;
  std::vector<std::size_t> order_;
  Periods periods_;
  Place low_{}, high_{};
  std::vector<std::size_t> axis_;  ///< axis along which the body at this index of the order splits its box
  PairOfBodies found_;
  std::size_t comparisons_ = 0;
  bool stopped_ = false;
};

}  // namespace

PairOfBodies nearest(const Vectors& position, std::size_t i, const Periods& periods) {
  PairOfBodies found{i, i};
  for (std::size_t j = 0; j < position.size(); ++j) {
    const double r2 = squared_distance(position, i, j, periods);
    if (j != i && r2 < found.r2) found = {i, j, r2};
  }
  return found;
}

PairOfBodies closest(const Vectors& position, const StopRequest& stop, const Periods& periods) {
  return Tree(position, stop, periods).closest();
}

Approach closest_of_few(VectorsView position, const Periods& periods) {
  const std::span<const double> x = position.x, y = position.y, z = position.z;
  Approach found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double dx = nearest_image(x[j] - x[i], periods[0]), dy = nearest_image(y[j] - y[i], periods[1]),
                   dz = nearest_image(z[j] - z[i], periods[2]);
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < found.r2) found = {r2, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)};
    }
  }
  return found;
}

PairOfBodies max_changed(const ParticleState& before, const ParticleState& after, const Periods& periods) {
  const std::size_t n = before.position.size();
  const auto mass = [&](std::size_t i) { return before.mass.empty() ? 1.0 : before.mass[i]; };
  const auto square = [](const Vectors& v, std::size_t i) {
    return v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i];
  };
  PairOfBodies found;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double change = mass(i) * std::abs(square(after.velocity, i) - square(before.velocity, i));
    if (change > most) most = change, found.i = found.j = i;
  }
  if (!(most > 0)) return found;
  most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (j == found.i) continue;
    const double then = squared_distance(before.position, found.i, j, periods),
                 now = squared_distance(after.position, found.i, j, periods);
    const double change = mass(j) * std::abs(1 / std::sqrt(now) - 1 / std::sqrt(then));  // NaN if coincident in both
    if (change > most) most = change, found.j = j, found.r2 = std::min(now, then);
  }
  return found;
}

}  // namespace orrery::sim
