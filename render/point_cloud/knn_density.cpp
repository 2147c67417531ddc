// SPDX-License-Identifier: MIT
// Densities from the nearest neighbours of bodies: one to six of them, found with a k-d tree.
#include "render/point_cloud/knn_density.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

constexpr std::size_t max_neighbours = 6, leaf = 8;
constexpr std::size_t max_centred = 1U << 15;  // bodies in a density centre

struct Star {
  std::array<float, 3> at;
  float mass;
  std::size_t body;
};

/// The nearest neighbours found so far, sorted by distance.
struct Nearest {
  std::size_t wanted, found = 0;
  std::array<float, max_neighbours> squared{}, mass{};

  [[nodiscard]] bool wants(float d) const { return found < wanted || d < squared[found - 1]; }
  void take(float d, float m) {
    std::size_t i = found < wanted ? found++ : found - 1;
    for (; i > 0 && squared[i - 1] > d; --i) squared[i] = squared[i - 1], mass[i] = mass[i - 1];
    squared[i] = d;
    mass[i] = m;
  }
  [[nodiscard]] double mass_with(double own) const {
    for (std::size_t k = 0; k < found; ++k) own += static_cast<double>(mass[k]);
    return own;
  }
};

/// A k-d tree that halves the bodies along the longest side, down to eight bodies. Built on all threads.
class Tree {
 public:
  explicit Tree(std::vector<Star> stars) : stars_(std::move(stars)), cuts_(stars_.size()) {
    constexpr std::size_t enough = 128;  // ranges for the threads
    std::vector<std::array<std::size_t, 2>> ranges{{0, stars_.size()}};
    const auto each = [&](const auto& work) {
      parallel_parts(ranges.size(), 4 * stars_.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) work(ranges[k][0], ranges[k][1]);
      });
    };
    while (ranges.size() < enough && stars_.size() > enough * leaf) {
      each([&](std::size_t first, std::size_t last) { halve(first, last); });
      std::vector<std::array<std::size_t, 2>> halves;
      for (const auto& [first, last] : ranges) {
        halves.push_back({first, middle_of(first, last)});
        halves.push_back({middle_of(first, last), last});
      }
      ranges = std::move(halves);
    }
    each([&](std::size_t first, std::size_t last) { split(first, last); });
  }

  [[nodiscard]] const std::vector<Star>& stars() const { return stars_; }

  /// Finds the nearest neighbours of star i in a box, with the periodic images of all other stars.
  void search(std::size_t i, Nearest& nearest, const Bounds& box) const {
    search(0, stars_.size(), stars_[i].at, i, nearest);
    const Star& star = stars_[i];
    const auto lap = [&](std::size_t k) { return box.periodic[k] ? 1 : 0; };
    for (int x = -lap(0); x <= lap(0); ++x) {
      for (int y = -lap(1); y <= lap(1); ++y) {
        for (int z = -lap(2); z <= lap(2); ++z) {
          const std::array<int, 3> laps{x, y, z};
          std::array<float, 3> from = star.at;
          double beyond = 0;  // the squared distance of the image from the box
          for (std::size_t k = 0; k < 3; ++k) {
            if (laps[k] == 0) continue;
            const double at = static_cast<double>(star.at[k]), off = laps[k] > 0 ? at - box.low[k] : box.high[k] - at;
            from[k] = static_cast<float>(at + laps[k] * box.period(k));
            beyond += off > 0 ? off * off : 0;
          }
          if (laps != std::array<int, 3>{} && nearest.wants(static_cast<float>(beyond)))
            search(0, stars_.size(), from, i, nearest);
        }
      }
    }
  }

 private:
  static std::size_t middle_of(std::size_t first, std::size_t last) { return first + (last - first) / 2; }

  void split(std::size_t first, std::size_t last) {
    if (last - first <= leaf) return;
    halve(first, last);
    split(first, middle_of(first, last));
    split(middle_of(first, last), last);
  }

  /// Moves the lower half of a range along its longest side to the front.
  void halve(std::size_t first, std::size_t last) {
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
    const std::size_t middle = middle_of(first, last);
    const auto at = [&](std::size_t i) { return stars_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last),
                     [axis](const Star& a, const Star& b) { return a.at[axis] < b.at[axis]; });
    cuts_[middle] = {axis, stars_[middle].at[axis]};  // stored here, since bodies are reordered within the halves
  }

  /// Searches a range for neighbours of a place, except star i.
  void search(std::size_t first, std::size_t last, const std::array<float, 3>& from, std::size_t i,
              Nearest& nearest) const {
    if (last - first <= leaf) {
      for (std::size_t j = first; j < last; ++j) {
        const std::array<float, 3>& to = stars_[j].at;
        const float x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2], d = x * x + y * y + z * z;
        if (j != i && nearest.wants(d)) nearest.take(d, stars_[j].mass);
      }
      return;
    }
    const std::size_t middle = middle_of(first, last);
    const float beyond = from[cuts_[middle].axis] - cuts_[middle].at;
    // First its own half, then the other one if that is close enough.
    const bool right = beyond >= 0;
    right ? search(middle, last, from, i, nearest) : search(first, middle, from, i, nearest);
    if (!nearest.wants(beyond * beyond)) return;
    right ? search(first, middle, from, i, nearest) : search(middle, last, from, i, nearest);
  }

  std::vector<Star> stars_;
  struct Cut {
    std::size_t axis = 0;
    float at = 0;
  };
  std::vector<Cut> cuts_;  // at the middle of each range
};

/// Scales positions and the box by a power of two (an exact factor) to a bounding box with a side of about 1, since squares of
/// distances in metres overflow float. Returns the factor.
float rescale(std::vector<Star>& stars, Bounds& box) {
  double side = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = INFINITY, high = -INFINITY;
    for (const Star& star : stars) {
      low = std::min(low, static_cast<double>(star.at[k]));
      high = std::max(high, static_cast<double>(star.at[k]));
    }
    side = std::max(side, high - low);
  }
  const float scale = side > 0 ? std::ldexp(1.F, std::clamp(-std::ilogb(side), -126, 126)) : 1;
  for (Star& star : stars) {
    for (float& x : star.at) x *= scale;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    box.low[k] *= static_cast<double>(scale);
    box.high[k] *= static_cast<double>(scale);
  }
  return scale;
}

/// Calls use(i, nearest) with the nearest neighbours of each star, if there are any, on all threads.
template <class Use>
void for_stars(const Tree& tree, const Bounds& box, const Use& use) {
  const std::size_t n = tree.stars().size(), neighbours = std::min(max_neighbours, n - std::min<std::size_t>(n, 1));
  parallel_for(neighbours > 0 ? n : 0, 64 * n, [&](std::size_t i) {
    Nearest nearest{neighbours};
    tree.search(i, nearest, box);
    use(i, nearest);
  });
}

/// Adds a body with a finite position.
void add(std::vector<Star>& stars, const Frame& frame, std::size_t body, double mass) {
  const float* at = &frame.position[3 * body];
  if (std::isfinite(at[0] + at[1] + at[2])) stars.push_back({{at[0], at[1], at[2]}, static_cast<float>(mass), body});
}

/// Returns the bodies that have mass (all, if none has), with their share of it. Of more than `max_centred`, those are taken
/// that the cumulative mass reaches at irregular steps of about 1/max_centred, each as often as it is reached; these are the
/// same bodies in every frame.
std::vector<Star> mass_sample(const Frame& frame, const std::vector<double>& mass) {
  const std::size_t n = frame.size();
  const bool massive = std::ranges::any_of(mass, [](double m) { return m > 0; });
  const auto mass_of = [&](std::size_t i) { return !massive ? 1 : i < mass.size() ? mass[i] : 0; };
  double total = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    total += mass_of(i);
    count += mass_of(i) > 0 ? 1 : 0;
  }
  std::vector<Star> stars;
  stars.reserve(std::min(count, max_centred));
  const auto steps = static_cast<double>(max_centred);
  double reached = 0, next = 0, step = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double share = mass_of(i) / total;
    if (count > max_centred) {
      reached += share * steps;
      share = 0;
      while (next < reached) {
        share += 1 / steps;
        ++step;
        next = step + std::fmod(0.6180339887498949 * step, 1);
      }
    }
    if (share > 0) add(stars, frame, i, share);
  }
  return stars;
}

}  // namespace

std::vector<float> local_densities(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds) {
  const bool massive = std::ranges::any_of(mass, [](double m) { return m > 0; });
  std::vector<Star> stars;
  stars.reserve(frame.size());
  for (std::size_t i = 0; i < frame.size(); ++i) add(stars, frame, i, !massive ? 1 : i < mass.size() ? mass[i] : 0);
  Bounds box = bounds;
  const float scale = rescale(stars, box);
  std::vector<float> densities(frame.size(), 0);
  const Tree tree(std::move(stars));
  for_stars(tree, box, [&](std::size_t i, const Nearest& nearest) {
    const double sum = nearest.mass_with(0);
    if (sum == 0) return;  // also if all are in one place
    const double r = std::sqrt(static_cast<double>(nearest.squared[nearest.found - 1])) / static_cast<double>(scale);
    const double count = static_cast<double>(nearest.found), share = nearest.found > 1 ? (count - 1) / count : 1;
    const double density = share * sum / (4 * std::numbers::pi / 3 * r * r * r);
    densities[tree.stars()[i].body] = static_cast<float>(std::min(density, 1e37));
  });
  return densities;
}

Place density_center(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds) {
  std::vector<Star> stars = mass_sample(frame, mass);
  Bounds box = bounds;
  const auto scale = static_cast<double>(rescale(stars, box));
  const Tree tree(std::move(stars));
  const std::size_t n = tree.stars().size();
  std::vector<double> weights(n, 1);
  for_stars(tree, box, [&](std::size_t i, const Nearest& nearest) {
    const auto own = static_cast<double>(tree.stars()[i].mass);
    const double sum = nearest.mass_with(own);
    const double rr = std::max(nearest.squared[nearest.found - 1], std::numeric_limits<float>::min());
    weights[i] = own * sum * sum / (rr * rr * rr);
  });
  Place center{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double period = box.period(k), turn = 2 * std::numbers::pi / period;
    double all = 0, sum = 0, cosines = 0, sines = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<double>(tree.stars()[i].at[k]);
      all += weights[i];
      sum += weights[i] * x;
      if (period == 0) continue;
      cosines += weights[i] * std::cos(turn * (x - box.low[k]));
      sines += weights[i] * std::sin(turn * (x - box.low[k]));
    }
    const double angle = std::atan2(sines, cosines), laps = angle < 0 ? 1 : 0;
    if (all > 0) center[k] = (period > 0 ? box.low[k] + angle / turn + laps * period : sum / all) / scale;
  }
  return center;
}

}  // namespace orrery::render
