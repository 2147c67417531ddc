// SPDX-License-Identifier: MIT
#include "render/point_cloud/density_map.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::render {
namespace {

/// A summed-area table of mass and number of points.
class Tables {
 public:
  static constexpr int side = 512;

  void add(int column, int row, double mass) {
    Sum& sum = at(column + 1, row + 1);
    sum.mass += mass;
    sum.count += 1;
  }
  void sum_up() {
    for (int row = 1; row <= side; ++row) {
      Sum line;
      for (int column = 1; column <= side; ++column) {
        Sum& here = at(column, row);
        line = line + here;
        here = at(column, row - 1) + line;
      }
    }
  }
  struct Sum {
    double mass = 0, count = 0;
    friend Sum operator+(const Sum& a, const Sum& b) { return {a.mass + b.mass, a.count + b.count}; }
    friend Sum operator-(const Sum& a, const Sum& b) { return {a.mass - b.mass, a.count - b.count}; }
  };
  /// Returns the sum over the square that extends `reach` cells from a cell in each direction, within the table. Along an axis
  /// that is `wrapped` it continues at the other end.
  [[nodiscard]] Sum about(int column, int row, int reach, const std::array<bool, 2>& wrapped) const {
    Sum sum;
    for (const auto& [left, right] : ranges(column, reach, wrapped[0])) {
      for (const auto& [low, high] : ranges(row, reach, wrapped[1]))
        sum = sum + ((at(right, high) - at(left, high)) - (at(right, low) - at(left, low)));
    }
    return sum;
  }

 private:
  /// The cells that are `reach` or less from a cell: one range [first, end), or two.
  static std::array<std::array<int, 2>, 2> ranges(int cell, int reach, bool wrapped) {
    const int first = cell - reach, end = cell + reach + 1;
    std::array<std::array<int, 2>, 2> all{{{std::max(0, first), std::min(side, end)}, {0, 0}}};
    if (wrapped && end - first >= side) all[0] = {0, side};
    if (wrapped && end - first < side && first < 0) all[1] = {first + side, side};
    if (wrapped && end - first < side && end > side) all[1] = {0, end - side};
    return all;
  }
  static std::size_t place(int column, int row) {
    return static_cast<std::size_t>(row) * (side + 1) + static_cast<std::size_t>(column);
  }
  Sum& at(int column, int row) { return sums_[place(column, row)]; }
  [[nodiscard]] const Sum& at(int column, int row) const { return sums_[place(column, row)]; }

  std::vector<Sum> sums_ = std::vector<Sum>(static_cast<std::size_t>(side + 1) * (side + 1));
};

/// A point that may dominate its neighbourhood, and its cell.
struct Candidate {
  std::size_t point;
  int column, row;
  double mass;
};

}  // namespace

std::vector<std::size_t> dominant(const std::vector<PointMass>& points, Interval x, Interval y,
                                  const std::array<double, 2>& periods) {
  constexpr std::size_t most = 64, min_others = 12, max_peers = 3;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_inside(points[i], x, y)) order.push_back(i);
  }
  std::vector<std::size_t> found;
  if (order.size() <= min_others) return found;
  const std::size_t heavy = std::min(most, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(heavy),
                            [&](std::size_t a, std::size_t b) {
                              return points[a].mass != points[b].mass ? points[a].mass > points[b].mass : a < b;
                            });
  const auto cell = [](double place, const Interval& limits) {
    return std::clamp(static_cast<int>((place - limits.low) / limits.length() * Tables::side), 0, Tables::side - 1);
  };
  Tables small_masses;  // without the heaviest points, whose masses would cost precision
  std::vector<Candidate> candidates;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const PointMass& p = points[order[k]];
    const int column = cell(p.x, x), row = cell(p.y, y);
    if (k < heavy) {
      candidates.push_back({order[k], column, row, p.mass});
    } else {
      small_masses.add(column, row, p.mass);
    }
  }
  small_masses.sum_up();
  const std::array<bool, 2> wrapped{is_one_period(x, periods[0]), is_one_period(y, periods[1])};
  const auto apart = [](int from, int to, bool wraps) {
    const int way = std::abs(from - to);
    return wraps ? std::min(way, Tables::side - way) : way;
  };
  const auto wanted = static_cast<double>(neighbours_among(points.size()));
  for (const Candidate& of : candidates) {
    std::size_t peers = 0;  // with half its mass or more
    const auto others = [&](int reach) {
      Tables::Sum sum = small_masses.about(of.column, of.row, reach, wrapped);
      peers = 0;
      for (const Candidate& c : candidates) {
        const bool near = apart(c.column, of.column, wrapped[0]) <= reach && apart(c.row, of.row, wrapped[1]) <= reach;
        if (!near || c.point == of.point) continue;
        if (c.mass >= of.mass / 2) ++peers;
        sum = sum + Tables::Sum{c.mass >= of.mass / 2 ? 0 : c.mass, 1};
      }
      return sum;
    };
    int low = 0, high = Tables::side;  // bisection for the smallest reach with enough neighbours
    while (low < high) {
      const int middle = (low + high) / 2;
      if (others(middle).count >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const Tables::Sum near = others(low);
    const bool enough = near.count >= static_cast<double>(min_others + peers);
    if (enough && peers <= max_peers && of.mass > near.mass) found.push_back(of.point);
  }
  return found;
}

}  // namespace orrery::render
