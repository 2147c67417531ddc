// SPDX-License-Identifier: MIT
// Points are sorted into classes by the radii of their kernels. The points of a class are added to a grid, which is
// convolved with the kernel: it is computed for each cell, not for each point. Wide kernels use coarse grids, which are
// then refined.
#include "render/point_cloud/density_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "render/point_cloud/kernel_grid.hpp"
#include "render/point_cloud/neighbour_distances.hpp"

namespace orrery::render {
namespace {

constexpr int levels = 6, block = 1 << (levels - 1);
constexpr double narrowest = 1.6;  // minimum radius of a kernel in cells
constexpr double widest = 8;       // maximum radius in cells, before a coarser grid is used
constexpr double classes_per_octave = 4;

/// An axis of the view. At the edge of a view kernels are mirrored; at the end of a period they wrap around; and if the
/// view is a part of a period it shows the kernels of the points beside it.
struct ViewAxis {
  Interval view;
  double period;
  Border border;
  Interval zone;    // of points that count as neighbours
  Interval active;  // of points whose kernels contribute

  /// `length` is the period, or 0; kernels have a radius of at most `most`.
  ViewAxis(Interval limits, double length, double most) : view(limits), period(length) {
    border = !(period > 0) ? Border::mirrored : is_one_period(view, period) ? Border::wrapped : Border::open;
    const double around = border == Border::open ? 2 * most : most;
    active = border == Border::open ? Interval{view.low - most, view.high + most} : view;
    zone = {view.low - around, view.high + around};
  }

  /// Calls visit(place, is_active) for each image of a coordinate in the zone; it is active if its kernel contributes.
  template <class Visit>
  void for_images(double at, const Visit& visit) const {
    const auto inside = [](double p, Interval i) { return p >= i.low && p <= i.high; };
    if (border == Border::mirrored) {
      if (inside(at, zone)) visit(at, inside(at, view));
      return;
    }
    const double home = at - period * std::floor((at - view.low) / period);
    for (double n = std::ceil((zone.low - home) / period); home + n * period <= zone.high; ++n)
      visit(home + n * period, border == Border::wrapped ? n == 0 : inside(home + n * period, active));
  }
};

/// Kernels in classes of radii, each wider than the one before by the same factor. A radius between two is a mixture of
/// both with the same variance.
class Classes {
 public:
  /// `radii` of points with mass are from `least` to `most`; `kernel(i, share)` returns the kernel of point i.
  template <class KernelOf>
  Classes(const std::vector<GridPoint>& points, const std::vector<float>& radii, double least, double most,
          const KernelOf& kernel) {
    for (double octaves = 0; radii_.empty() || radii_.back() < most; octaves += 1 / classes_per_octave)
      radii_.push_back(least * std::exp2(octaves));
    radii_.push_back(2 * radii_.back());  // of no kernel, as the next of the last
    const auto class_of = [&](float radius) {
      const auto above = std::ranges::upper_bound(radii_, static_cast<double>(radius));
      return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, above - radii_.begin() - 1));
    };
    start_.assign(radii_.size() + 1, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].mass != 0) ++start_[class_of(radii[i]) + 1];
    }
    for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    kernels_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].mass == 0) continue;
      const std::size_t c = class_of(radii[i]);
      const double r = static_cast<double>(radii[i]), low = radii_[c], high = radii_[c + 1];
      kernels_[next[c]++] =
          kernel(i, static_cast<float>(std::max(0.0, (r * r - low * low) / (high * high - low * low))));
    }
  }

  [[nodiscard]] std::size_t size() const { return radii_.size() - 1; }
  [[nodiscard]] double radius(std::size_t c) const { return radii_[c]; }
  [[nodiscard]] std::span<const Kernel> kernels(std::size_t c) const {
    return std::span(kernels_).subspan(start_[c], start_[c + 1] - start_[c]);
  }

 private:
  std::vector<double> radii_;
  std::vector<std::size_t> start_;
  std::vector<Kernel> kernels_;
};

int multiple(double wish, int of) {
  return std::max(1, static_cast<int>(std::lround(wish / of))) * of;
}

}  // namespace

float DensityMap::at(double px, double py) const {
  const auto cell = [](double share, int cells) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(share * cells), 0, cells - 1));
  };
  return density[cell((y.high - py) / y.length(), size.height) * static_cast<std::size_t>(size.width) +
                 cell((px - x.low) / x.length(), size.width)];
}

DensityMap surface_density(const std::vector<PointMass>& points, Interval x, Interval y, Size requested,
                           const std::array<double, 2>& periods) {
  const Size size{multiple(requested.width, block), multiple(requested.height, block)};
  const double cell_x = x.length() / size.width, cell_y = y.length() / size.height;
  const double least = narrowest * std::max(cell_x, cell_y);
  // Limit the radius for few points, so that whole kernels fit into the margins of the picture.
  const double few = 0.2 * std::sqrt(static_cast<double>(points.size()) / 1000);
  const double most = std::max(least, std::clamp(few, 0.04, 0.2) * std::max(x.length(), y.length()));
  const ViewAxis across(x, periods[0], most), down(y, periods[1], most);

  // Distances are searched in cells with a diagonal of the least radius, or larger ones if there are few points.
  const double zone = across.zone.length() * down.zone.length();
  const double side = std::max(least / std::numbers::sqrt2 * 0.999,
                               std::sqrt(zone / (16.0 * static_cast<double>(points.size()) + 4096)));
  std::vector<GridPoint> places;
  places.reserve(points.size());
  for (const PointMass& p : points) {
    across.for_images(p.x, [&](double px, bool in_x) {
      down.for_images(p.y, [&](double py, bool in_y) {
        places.push_back({static_cast<float>((px - across.zone.low) / side),
                          static_cast<float>((down.zone.high - py) / side),
                          in_x && in_y ? static_cast<float>(p.mass / (cell_x * cell_y)) : 0});
      });
    });
  }
  const Size cells{static_cast<int>(across.zone.length() / side) + 1, static_cast<int>(down.zone.length() / side) + 1};
  const std::vector<float> radii =
      neighbour_distances(places, cells, static_cast<std::size_t>(neighbours_among(points.size())),
                          static_cast<float>(least / side), static_cast<float>(most / side));

  const Classes classes(places, radii, least / side, most / side, [&](std::size_t i, float share) {
    const double px = static_cast<double>(places[i].x) * side + across.zone.low - x.low;
    const double py = static_cast<double>(places[i].y) * side + y.high - down.zone.high;
    return Kernel{static_cast<float>(px / cell_x), static_cast<float>(py / cell_y), places[i].mass, share};
  });
  const double smaller = std::min(cell_x, cell_y);
  const auto cells_of = [&](std::size_t c) { return classes.radius(c) * side / smaller; };
  std::optional<KernelGrid> sum;
  std::size_t end = classes.size();
  for (int level = levels - 1; level >= 0; --level) {
    const int scale = 1 << level;
    KernelGrid grid({size.width / scale, size.height / scale}, margin_for(end > 0 ? cells_of(end - 1) / scale : 0));
    std::optional<KernelGrid> source;
    for (; end > 0 && (level == 0 || cells_of(end - 1) > widest * scale / 2); --end) {
      const std::size_t c = end - 1;
      if (classes.kernels(c).empty() && (c == 0 || classes.kernels(c - 1).empty())) continue;
      source.emplace(grid.size, grid.margin);
      deposit(classes.kernels(c), static_cast<float>(scale), false, *source);
      if (c > 0) deposit(classes.kernels(c - 1), static_cast<float>(scale), true, *source);
      const double radius = classes.radius(c) * side / scale;
      convolve(*source, {radius / cell_x, radius / cell_y, 1.0 / (scale * scale)}, grid);
    }
    grid.fold(across.border, down.border);
    if (sum) grid.refine(*sum);
    sum = std::move(grid);
  }
  DensityMap map{x, y, size, {}};
  for (int row = 0; row < size.height; ++row)
    map.density.insert(map.density.end(), sum->row(row), sum->row(row) + size.width);
  return map;
}

}  // namespace orrery::render
