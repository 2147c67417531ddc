// SPDX-License-Identifier: MIT
// Closest pairs by a tree of boxes, each halved across its widest axis: N log N steps wherever the bodies lie, but for rings
// and spheres of many bodies about others.
#include "sim/closest.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace orrery::sim {
namespace {

double squared_distance(const Vectors& x, std::size_t i, std::size_t j) {
  const double dx = x.x[j] - x.x[i], dy = x.y[j] - x.y[i], dz = x.z[j] - x.z[i];
  return dx * dx + dy * dy + dz * dz;
}

constexpr std::size_t leaf = 8;  ///< so few bodies are compared one by one

class Tree {
 public:
  Tree(const Vectors& position, bool (*stop)()) : position_(position), stop_(stop) {
    for (std::size_t i = 0; i < position.size(); ++i) {
      if (std::isfinite(position.x[i]) && std::isfinite(position.y[i]) && std::isfinite(position.z[i]))
        order_.push_back(i);
    }
    axis_.resize(order_.size());
    halve(0, order_.size());
  }

  Pair closest() {
    std::vector<std::size_t> bodies = order_;
    std::ranges::sort(bodies);
    for (const std::size_t i : bodies) {
      if (stopped() || found_.r2 == 0) break;  // none that comes later is closer, or the first of equally close ones
      meet(i, 0, order_.size());
    }
    found_.cut_short = stopped_;
    return found_;
  }

 private:
  using Axis = std::vector<double> Vectors::*;

  /// Puts bodies begin … end − 1 of the order into the tree: the middle one parts the others along an axis.
  void halve(std::size_t begin, std::size_t end) {
    if (end - begin <= leaf || stopped()) return;
    const auto bodies = std::span(order_).subspan(begin, end - begin);
    double widest = -1;
    Axis across = &Vectors::x;
    for (const Axis axis : {&Vectors::x, &Vectors::y, &Vectors::z}) {
      const auto [low, high] = std::ranges::minmax(bodies, {}, [&](std::size_t i) { return (position_.*axis)[i]; });
      const double extent = (position_.*axis)[high] / 2 - (position_.*axis)[low] / 2;
      if (extent > widest) widest = extent, across = axis;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    std::ranges::nth_element(bodies, bodies.begin() + static_cast<std::ptrdiff_t>(middle - begin), {},
                             [&](std::size_t i) { return (position_.*across)[i]; });
    axis_[middle] = across;
    halve(begin, middle);
    halve(middle + 1, end);
  }

  /// Body i and those behind it among begin … end − 1 of the order.
  void meet(std::size_t i, std::size_t begin, std::size_t end) {
    if (end - begin <= leaf) {
      for (std::size_t k = begin; k < end; ++k) meet(i, order_[k]);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const auto& along = position_.*axis_[middle];
    const double apart = along[i] - along[order_[middle]];
    meet(i, order_[middle]);
    if (apart < 0) {
      meet(i, begin, middle);
      if (apart * apart <= found_.r2) meet(i, middle + 1, end);  // rounding keeps the order of distances
    } else {
      meet(i, middle + 1, end);
      if (apart * apart <= found_.r2) meet(i, begin, middle);
    }
  }

  void meet(std::size_t i, std::size_t j) {
    if (j <= i) return;
    const double r2 = squared_distance(position_, i, j);
    if (r2 < found_.r2 || (r2 == found_.r2 && std::pair(i, j) < std::pair(found_.i, found_.j))) found_ = {i, j, r2};
  }

  bool stopped() {
    if (!stopped_ && stop_ != nullptr && ++asked_ % 1024 == 0) stopped_ = stop_();
    return stopped_;
  }

  const Vectors& position_;
  bool (*stop_)();
  std::vector<std::size_t> order_;
  std::vector<Axis> axis_;  ///< along which the body at this place of the order parts its box
  Pair found_;
  std::size_t asked_ = 0;
  bool stopped_ = false;
};

}  // namespace

Pair nearest(const Vectors& position, std::size_t i) {
  Pair found{i, i};
  for (std::size_t j = 0; j < position.size(); ++j) {
    const double r2 = squared_distance(position, i, j);
    if (j != i && r2 < found.r2) found = {i, j, r2};
  }
  return found;
}

Pair closest(const Vectors& position, bool (*stop)()) {
  return Tree(position, stop).closest();
}

}  // namespace orrery::sim
