// SPDX-License-Identifier: MIT
// A cell list with cells of half the reach, in rows along x that are contiguous in memory.
#include "render/point_cloud/pair_counts.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

using Triple = std::array<double, 3>;
using Columns = std::array<std::span<const double>, 3>;

/// Returns a difference of coordinates to the nearest image, if it is less than a period.
double to_nearest(double d, double period) {
  const double half = 0.5 * period;
  return d > half ? d - period : d < -half ? d + period : d;
}

/// A cell along an axis that may contain neighbours: its index within the box, and the shift of the periodic image.
struct Reached {
  std::ptrdiff_t cell;
  double shift;
};

class Cells {
 public:
  static constexpr std::size_t at_once = 256;

  Cells(const Columns& position, const Bounds& bounds, double reach)
      : bounds_(bounds), reach_(reach), axes_(static_cast<std::size_t>(bounds.dimensions)) {
    // At most about as many cells as bodies, since empty ones cost time too.
    const double most =
        std::pow(static_cast<double>(std::max<std::size_t>(position[0].size(), 1)), 1.0 / bounds.dimensions);
    for (std::size_t k = 0; k < axes_; ++k) {
      const double length = bounds.high[k] - bounds.low[k];
      count_[k] = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(std::min(2 * length / reach, most + 1)));
      side_[k] = length / static_cast<double>(count_[k]);
      period_[k] = bounds.period(k);
      // If the reach covers all cells, the bodies of a cell may have their nearest images in different directions.
      if (2 * (std::floor(reach / side_[k]) + 2) > static_cast<double>(count_[k])) around_[k] = period_[k];
    }
    sort(position);
  }

  [[nodiscard]] std::size_t size() const { return at_[0].size(); }

  /// Calls add(j, squares) with the squared distances from body i to bodies j, j + 1, …, for all bodies after i, in the order
  /// of the cells, that are within the reach, and some beyond.
  template <class Add>
  void after(std::size_t i, const Add& add) const {
    const Triple p = place(i);
    // Rows of cells along x that are close enough in y and z.
    std::vector<Reached> y, z;
    reach_along(1, p[1], y);
    reach_along(2, p[2], z);
    for (const Reached& v : z) {
      for (const Reached& u : y) along_x(i, p, u, v, add);
    }
  }

  [[nodiscard]] bool is_center(std::size_t i) const { return center_[i] != 0; }
  [[nodiscard]] std::uint64_t centers() const { return static_cast<std::uint64_t>(std::ranges::count(center_, 1)); }

 private:
  [[nodiscard]] Triple place(std::size_t i) const { return {at_[0][i], at_[1][i], at_[2][i]}; }

  [[nodiscard]] std::ptrdiff_t cell_of(std::size_t k, double x) const {
    const auto cell = static_cast<std::ptrdiff_t>(std::floor((x - bounds_.low[k]) / side_[k]));
    return std::clamp<std::ptrdiff_t>(cell, 0, count_[k] - 1);
  }

  void sort(const Columns& position) {
    std::vector<std::size_t> cell_of_body(position[0].size());
    first_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
    const std::size_t nowhere = first_.size();
    const auto in = [&](std::size_t i, std::size_t k) { return wrapped_coordinate(bounds_, k, position[k][i]); };
    for (std::size_t i = 0; i < position[0].size(); ++i) {
      std::array<std::ptrdiff_t, 3> c{};
      bool inside = true;
      for (std::size_t k = 0; k < axes_; ++k) {
        const double x = position[k][i];
        // Ignore bodies outside of the box, but tolerate rounding.
        const double slack = 1e-6 * side_[k];
        inside = inside && x >= bounds_.low[k] - slack && x <= bounds_.high[k] + slack;
        if (inside) c[k] = cell_of(k, in(i, k));
      }
      cell_of_body[i] = inside ? static_cast<std::size_t>((c[2] * count_[1] + c[1]) * count_[0] + c[0]) : nowhere;
      if (inside) ++first_[cell_of_body[i] + 1];
    }
    for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
    for (auto& column : at_) column.resize(first_.back(), 0);
    center_.assign(first_.back(), 1);
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < position[0].size(); ++i) {
      if (cell_of_body[i] == nowhere) continue;
      const std::size_t to = next[cell_of_body[i]]++;
      for (std::size_t k = 0; k < axes_; ++k) {
        at_[k][to] = in(i, k);
        const bool walled = period_[k] == 0;
        if (walled && !(at_[k][to] - bounds_.low[k] >= reach_ && bounds_.high[k] - at_[k][to] >= reach_))
          center_[to] = 0;
      }
    }
  }

  /// Finds the cells along an axis within reach of x; if the reach covers all cells, each is found once.
  void reach_along(std::size_t k, double x, std::vector<Reached>& cells) const {
    if (k >= axes_) {
      cells.push_back({0, 0});
      return;
    }
    if (around_[k] > 0) {
      for (std::ptrdiff_t c = 0; c < count_[k]; ++c) cells.push_back({c, 0});
      return;
    }
    const auto raw = [&](double at) {
      return static_cast<std::ptrdiff_t>(std::floor((at - bounds_.low[k]) / side_[k]));
    };
    for (std::ptrdiff_t c = raw(x - reach_) - 1; c <= raw(x + reach_) + 1; ++c) {
      const std::ptrdiff_t n = count_[k], lap = c >= 0 ? c / n : -((n - 1 - c) / n);
      if (period_[k] == 0 && lap != 0) continue;
      cells.push_back({c - lap * n, static_cast<double>(lap) * period_[k]});
    }
  }

  /// Returns the distance from x to a cell along an axis, slightly rounded down.
  [[nodiscard]] double gap(std::size_t k, double x, const Reached& cell) const {
    if (k >= axes_ || around_[k] > 0) return 0;
    const double low = bounds_.low[k] + static_cast<double>(cell.cell) * side_[k] + cell.shift;
    return std::max({0.0, low - x, x - low - side_[k]}) * (1 - 1e-12);
  }

  template <class Add>
  void along_x(std::size_t i, const Triple& p, const Reached& u, const Reached& v, const Add& add) const {
    const double dy = gap(1, p[1], u), dz = gap(2, p[2], v), left = reach_ * reach_ - dy * dy - dz * dz;
    if (left < 0) return;
    const std::ptrdiff_t row = (v.cell * count_[1] + u.cell) * count_[0], n = count_[0];
    const auto stretch = [&](std::ptrdiff_t from, std::ptrdiff_t to, double shift) {
      const std::size_t begin = std::max(first_[static_cast<std::size_t>(row + from)], i + 1);
      const std::size_t end = first_[static_cast<std::size_t>(row + to + 1)];
      if (begin < end) measure(p, {shift, u.shift, v.shift}, begin, end, add);
    };
    if (around_[0] > 0) return stretch(0, n - 1, 0);
    const double half = std::sqrt(left);
    const auto raw = [&](double at) {
      return static_cast<std::ptrdiff_t>(std::floor((at - bounds_.low[0]) / side_[0]));
    };
    const std::ptrdiff_t from = raw(p[0] - half * (1 + 1e-12)), to = raw(p[0] + half * (1 + 1e-12));
    if (period_[0] > 0 && from < 0) stretch(std::max<std::ptrdiff_t>(0, from + n), n - 1, -period_[0]);
    if (from < n && to >= 0) stretch(std::max<std::ptrdiff_t>(from, 0), std::min(to, n - 1), 0);
    if (period_[0] > 0 && to >= n) stretch(0, std::min(to - n, n - 1), period_[0]);
  }

  /// Computes squared distances for up to at_once bodies at a time.
  template <class Add>
  void measure(const Triple& p, const Triple& shift, std::size_t begin, std::size_t end, const Add& add) const {
    std::array<double, at_once> squares;
    const bool around = around_ != Triple{};
    const double *x = at_[0].data(), *y = at_[1].data(), *z = at_[2].data();
    for (; begin < end; begin += at_once) {
      const std::size_t count = std::min(at_once, end - begin);
      // All bodies of a cell have the same nearest image here; the bits are those of the general case below.
      for (std::size_t t = 0; t < count && !around; ++t) {
        const double dx = x[begin + t] - p[0] + shift[0], dy = y[begin + t] - p[1] + shift[1],
                     dz = z[begin + t] - p[2] + shift[2];
        squares[t] = dx * dx + dy * dy + dz * dz;
      }
      for (std::size_t t = 0; t < count && around; ++t) {
        const auto along = [&](double d, std::size_t k) {
          return (around_[k] > 0 ? to_nearest(d, around_[k]) : d) + shift[k];
        };
        const double dx = along(x[begin + t] - p[0], 0), dy = along(y[begin + t] - p[1], 1),
                     dz = along(z[begin + t] - p[2], 2);
        squares[t] = dx * dx + dy * dy + dz * dz;
      }
      add(begin, std::span(squares).first(count));
    }
  }

  const Bounds& bounds_;
  double reach_;
  std::size_t axes_;
  std::array<std::ptrdiff_t, 3> count_{1, 1, 1};
  Triple side_{1, 1, 1}, period_{};
  Triple around_{};                 // the period of axes on which the reach covers all cells, otherwise 0
  std::vector<std::size_t> first_;  // index of the first body of each cell, and the end
  std::array<std::vector<double>, 3> at_;
  std::vector<std::uint8_t> center_;
};

}  // namespace

PairCounts pair_counts(const std::array<std::span<const double>, 3>& position, const Bounds& bounds, double reach,
                       std::size_t shells) {
  const Cells cells(position, bounds, reach);
  PairCounts counts{.centers = cells.centers(), .others = std::vector<std::uint64_t>(shells, 0)};
  const bool all = counts.centers == cells.size();
  const double per_length = static_cast<double>(shells) / reach, beyond = static_cast<double>(shells);
  std::mutex adding;
  // A body costs about 16 times as much as in drawing.
  parallel_parts(cells.size(), 64 * cells.size(), [&](std::size_t first, std::size_t last) {
    std::vector<std::uint64_t> own(shells + 1, 0);  // the last one is for those beyond the reach, which avoids a branch
    for (std::size_t i = first; i < last; ++i) {
      const std::uint64_t once = cells.is_center(i) ? 1 : 0;
      cells.after(i, [&](std::size_t begin, std::span<const double> squares) {
        std::array<int, Cells::at_once> shell;
        for (std::size_t t = 0; t < squares.size(); ++t)
          shell[t] = static_cast<int>(std::min(std::sqrt(squares[t]) * per_length, beyond));
        for (std::size_t t = 0; t < squares.size(); ++t)
          own[static_cast<std::size_t>(shell[t])] += all ? 2 : once + (cells.is_center(begin + t) ? 1 : 0);
      });
    }
    const std::scoped_lock lock(adding);
    for (std::size_t s = 0; s < shells; ++s) counts.others[s] += own[s];
  });
  return counts;
}

}  // namespace orrery::render
