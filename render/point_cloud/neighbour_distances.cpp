// SPDX-License-Identifier: MIT
#include "render/point_cloud/density_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

/// Points in the order of their cells, row by row, so that adjacent cells of a row are one range of points.
class CellIndex {
 public:
  /// Sorts `points`.
  CellIndex(std::vector<GridPoint>& points, Size cells) : size_(cells) {
    start_.assign(static_cast<std::size_t>(cells.width) * static_cast<std::size_t>(cells.height) + 1, 0);
    for (const GridPoint& p : points) ++start_[cell_of(p) + 1];
    for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    std::vector<GridPoint> sorted(points.size());
    for (const GridPoint& p : points) sorted[next[cell_of(p)]++] = p;
    points = std::move(sorted);
    for (const GridPoint& p : points) x_.push_back(p.x), y_.push_back(p.y);
  }

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] const float* x() const { return x_.data(); }
  [[nodiscard]] const float* y() const { return y_.data(); }
  /// Returns the first point of a cell; cells in [0, width] × [0, height).
  [[nodiscard]] std::size_t first_in(int column, int row) const {
    return start_[static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.width) +
                  static_cast<std::size_t>(column)];
  }

  /// Calls visit(first, last) with the points of the cells that a circle meets, one range for each row of cells, until
  /// it returns true.
  template <class Visit>
  void for_rows(float x, float y, float radius, const Visit& visit) const {
    const int top = static_cast<int>(std::max(0.F, y - radius));
    const int bottom = std::min(size_.height - 1, static_cast<int>(y + radius));
    for (int row = top; row <= bottom; ++row) {
      const float above = static_cast<float>(row) - y, off = std::max({0.F, above, -1 - above});
      const float half = std::sqrt(std::max(0.F, radius * radius - off * off));
      if (visit(first_in(column_of(x - half), row), first_in(column_of(x + half) + 1, row))) return;
    }
  }

 private:
  [[nodiscard]] int column_of(float x) const { return std::clamp(static_cast<int>(x), 0, size_.width - 1); }
  [[nodiscard]] std::size_t cell_of(const GridPoint& p) const {
    const int row = std::min(static_cast<int>(p.y), size_.height - 1);
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.width) +
           static_cast<std::size_t>(column_of(p.x));
  }

  Size size_;
  std::vector<std::uint32_t> start_;
  std::vector<float> x_, y_;
};

/// Finds the circle about a place that contains k others by counting points in rings of equal area. The result is a
/// function of the place only.
class DistanceSearch {
 public:
  DistanceSearch(const std::vector<GridPoint>& points, const CellIndex& index, std::size_t k, float least, float most)
      : points_(points), index_(index), k_(k) {
    for (float radius = least; radius < most; radius *= step) radii_.push_back(radius);
    radii_.push_back(most);
  }

  [[nodiscard]] float operator()(float x, float y) {
    guess(x, y);
    const float least = radii_.front(), most = radii_.back();
    std::size_t next = guess_;
    for (float radius = radii_[next];;) {
      if (count(x, y, radius) <= k_) {
        if (radius >= most) return most;
        while (radii_[next] <= radius) ++next;
        radius = radii_[next];
        continue;
      }
      if (radius <= least) return least;
      std::size_t ring = 0, nearer = 0;
      while (nearer + counts_[ring] <= k_) nearer += counts_[ring++];
      const float area = radius * radius / rings;
      if (ring >= rings / 3) {
        const float share = (static_cast<float>(k_ - nearer) + 0.5F) / static_cast<float>(counts_[ring]);
        return std::max(least, std::sqrt((static_cast<float>(ring) + share) * area));
      }
      radius = std::max(least, 1.001F * std::sqrt(static_cast<float>(ring + 1) * area));  // rings were too wide
    }
  }

 private:
  static constexpr float step = 1.19F;
  static constexpr std::size_t rings = 128, batch = 256;

  /// Finds the first of the radii with enough points in the cells about a place, beginning with the one found before.
  void guess(float x, float y) {
    const auto enough = [&](std::size_t i) {
      std::size_t found = 0;
      index_.for_rows(x, y, std::max(0.F, radii_[i] - 0.6F), [&](std::size_t first, std::size_t last) {
        found += last - first;
        return found > k_ + k_ / 8;
      });
      return found > k_ + k_ / 8;
    };
    while (guess_ + 1 < radii_.size() && !enough(guess_)) ++guess_;
    while (guess_ > 0 && enough(guess_ - 1)) --guess_;
  }

  /// Counts the points within a circle in rings; if it is the smallest circle, until they are more than k.
  std::size_t count(float x, float y, float radius) {
    counts_.fill(0);
    const float scale = rings / (radius * radius);
    const bool smallest = radius <= radii_.front();
    std::size_t met = 0;
    index_.for_rows(x, y, radius, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; i += batch) {
        const std::size_t n = std::min(batch, last - i);
        const float *xs = index_.x() + i, *ys = index_.y() + i;
        for (std::size_t j = 0; j < n; ++j) {  // with vectors
          const float u = xs[j] - x, v = ys[j] - y;
          ring_[j] = static_cast<int>(std::min<float>(rings, (u * u + v * v) * scale));
        }
        for (std::size_t j = 0; j < n; ++j) ++counts_[static_cast<std::size_t>(ring_[j])];
        met += n;
        if (smallest && met - counts_[rings] > k_) return true;
      }
      return false;
    });
    return met - counts_[rings];
  }

  const std::vector<GridPoint>& points_;
  const CellIndex& index_;
  std::size_t k_;
  std::vector<float> radii_;
  std::size_t guess_ = 0;
  std::array<int, batch> ring_{};
  std::array<std::uint32_t, rings + 1> counts_{};  // the last one: outside
};

/// The distances of the points in a square of cells.
class Tile {
 public:
  static constexpr int side = 32;

  Tile(const std::vector<GridPoint>& points, const CellIndex& index, DistanceSearch& search, float least,
       std::vector<float>& distances)
      : points_(points), index_(index), search_(search), least_(least), distances_(distances) {}

  void compute(int column, int row) {
    column_ = column;
    row_ = row;
    nodes_.fill(-1);
    compute(0, 0, side);
  }

 private:
  /// Computes a square of the tile whole if interpolation is accurate, else its quarters.
  void compute(int x, int y, int length) {
    const auto any = [this](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        if (points_[i].mass != 0) return true;
      }
      return false;
    };
    bool empty = true;
    for_rows(x, y, length, [&](std::size_t first, std::size_t last) { empty = empty && !any(first, last); });
    if (empty) return;
    const int right = x + length, bottom = y + length, half = length / 2;
    const std::array<float, 4> corners{node(x, y), node(right, y), node(x, bottom), node(right, bottom)};
    const bool accurate = std::max(std::ranges::min(corners) / 5, least_ / 2) >= 0.7072F * static_cast<float>(length);
    if (!accurate && half > 0) {
      compute(x, y, half), compute(x + half, y, half), compute(x, y + half, half), compute(x + half, y + half, half);
      return;
    }
    const float scale = 1 / static_cast<float>(length);
    for_rows(x, y, length, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const GridPoint& p = points_[i];
        if (p.mass == 0) continue;
        const float u = (p.x - static_cast<float>(column_ + x)) * scale,
                    v = (p.y - static_cast<float>(row_ + y)) * scale;
        distances_[i] =
            accurate ? (1 - v) * ((1 - u) * corners[0] + u * corners[1]) + v * ((1 - u) * corners[2] + u * corners[3])
                     : search_(p.x, p.y);
      }
    });
  }

  template <class Visit>
  void for_rows(int x, int y, int length, const Visit& visit) const {
    const int left = std::min(column_ + x, index_.size().width), right = std::min(left + length, index_.size().width);
    for (int row = row_ + y; row < std::min(row_ + y + length, index_.size().height); ++row)
      visit(index_.first_in(left, row), index_.first_in(right, row));
  }

  float node(int x, int y) {
    const int k = y * (side + 1) + x;
    float& distance = nodes_[static_cast<std::size_t>(k)];
    if (distance < 0) distance = search_(static_cast<float>(column_ + x), static_cast<float>(row_ + y));
    return distance;
  }

  const std::vector<GridPoint>& points_;
  const CellIndex& index_;
  DistanceSearch& search_;
  float least_;
  std::vector<float>& distances_;
  int column_ = 0, row_ = 0;
  std::array<float, static_cast<std::size_t>((side + 1) * (side + 1))> nodes_{};  // -1: not known
};

}  // namespace

std::vector<float> neighbour_distances(std::vector<GridPoint>& points, Size cells, std::size_t k, float least,
                                       float most) {
  const CellIndex index(points, cells);
  std::vector<float> distances(points.size(), most);
  const int across = (cells.width + Tile::side - 1) / Tile::side, down = (cells.height + Tile::side - 1) / Tile::side;
  parallel_parts(across * down, 64 * points.size(), [&](int first, int last) {
    DistanceSearch search(points, index, k, least, most);
    Tile tile(points, index, search, least, distances);
    for (int i = first; i < last; ++i) tile.compute(i % across * Tile::side, i / across * Tile::side);
  });
  return distances;
}

}  // namespace orrery::render
