// SPDX-License-Identifier: MIT
#include "render/point_cloud/knn_density.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t most_neighbours = 6, leaf = 8;

struct Star {
  std::array<float, 3> at;
  float mass;
  std::size_t body;
};

/// The nearest neighbours found so far, sorted by distance.
struct Nearest {
  std::size_t wanted, found = 0;
  std::array<float, most_neighbours> squared{}, mass{};

  [[nodiscard]] bool wants(float d) const { return found < wanted || d < squared[found - 1]; }
  void take(float d, float m) {
    std::size_t i = found < wanted ? found++ : found - 1;
    for (; i > 0 && squared[i - 1] > d; --i) squared[i] = squared[i - 1], mass[i] = mass[i - 1];
    squared[i] = d;
    mass[i] = m;
  }
};

/// A k-d tree that halves the bodies along the longest side, down to eight bodies.
class Tree {
 public:
  explicit Tree(std::vector<Star> stars) : stars_(std::move(stars)), cuts_(stars_.size()) { split(0, stars_.size()); }

  [[nodiscard]] const std::vector<Star>& stars() const { return stars_; }

  /// Finds the nearest neighbours of star i.
  void search(std::size_t i, Nearest& nearest) const { search(0, stars_.size(), i, nearest); }

 private:
  void split(std::size_t first, std::size_t last) {
    if (last - first <= leaf) return;
    std::array<float, 3> low = stars_[first].at, high = low;
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], stars_[i].at[k]);
        high[k] = std::max(high[k], stars_[i].at[k]);
      }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    }
    const std::size_t middle = first + (last - first) / 2;
    const auto at = [&](std::size_t i) { return stars_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last),
                     [axis](const Star& a, const Star& b) { return a.at[axis] < b.at[axis]; });
    cuts_[middle] = {axis, stars_[middle].at[axis]};  // stored here, since bodies are reordered within the halves
    split(first, middle);
    split(middle, last);
  }

  void search(std::size_t first, std::size_t last, std::size_t i, Nearest& nearest) const {
    const std::array<float, 3>& from = stars_[i].at;
    if (last - first <= leaf) {
      for (std::size_t j = first; j < last; ++j) {
        const std::array<float, 3>& to = stars_[j].at;
        const float x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2], d = x * x + y * y + z * z;
        if (j != i && nearest.wants(d)) nearest.take(d, stars_[j].mass);
      }
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    const float beyond = from[cuts_[middle].axis] - cuts_[middle].at;
    // First its own half, then the other one if that is close enough.
    const bool right = beyond >= 0;
    right ? search(middle, last, i, nearest) : search(first, middle, i, nearest);
    if (!nearest.wants(beyond * beyond)) return;
    right ? search(first, middle, i, nearest) : search(middle, last, i, nearest);
  }

  std::vector<Star> stars_;
  struct Cut {
    std::size_t axis = 0;
    float at = 0;
  };
  std::vector<Cut> cuts_;  // at the middle of each range
};

/// Returns the power of two (an exact factor) that scales the bounding box to a side of about 1, since squares of distances
/// in metres overflow float.
float scale_of(const Frame& frame) {
  double side = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t i = k; i < frame.position.size(); i += 3) {
      const double x = static_cast<double>(frame.position[i]);
      if (!std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    side = std::max(side, high - low);
  }
  return side > 0 ? std::ldexp(1.F, std::clamp(-std::ilogb(side), -126, 126)) : 1;
}

}  // namespace

std::vector<float> local_densities(const Frame& frame, const std::vector<double>& mass) {
  const bool massive = std::ranges::any_of(mass, [](double m) { return m > 0; });
  const float scale = scale_of(frame);
  std::vector<Star> stars;
  stars.reserve(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const float* at = &frame.position[3 * i];
    if (!std::isfinite(at[0] + at[1] + at[2])) continue;
    const double m = !massive ? 1 : i < mass.size() ? mass[i] : 0;
    stars.push_back({{scale * at[0], scale * at[1], scale * at[2]}, static_cast<float>(m), i});
  }
  std::vector<float> densities(frame.size(), 0);
  if (stars.size() < 2) return densities;
  const Tree tree(std::move(stars));
  const std::size_t n = tree.stars().size(), neighbours = std::min(most_neighbours, n - 1);
  parallel_parts(n, 64 * n, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Nearest nearest{neighbours};
      tree.search(i, nearest);
      double sum = 0;
      for (std::size_t k = 0; k < neighbours; ++k) sum += static_cast<double>(nearest.mass[k]);
      if (sum == 0) continue;  // also if all are in one place
      const double r = std::sqrt(static_cast<double>(nearest.squared[neighbours - 1])) / static_cast<double>(scale);
      const double count = static_cast<double>(neighbours), share = neighbours > 1 ? (count - 1) / count : 1;
      const double density = share * sum / (4 * std::numbers::pi / 3 * r * r * r);
      densities[tree.stars()[i].body] = static_cast<float>(std::min(density, 1e37));
    }
  });
  return densities;
}

}  // namespace orrery::render
