// SPDX-License-Identifier: MIT
// Points are sorted into classes by the radii of their kernels. The points of a class are added to a grid, which is
// convolved with the kernel: it is computed for each cell, not for each point. Wide kernels use coarse grids, which are
// then refined.
#include "render/point_cloud/density_map.hpp"

#include <numbers>
#include <optional>
#include <span>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

/// What happens at the ends of an axis of a grid to what reaches beyond them.
enum class Border {
  mirrored,  ///< it is reflected, which conserves mass and keeps a uniform density uniform
  wrapped,   ///< it continues at the other end
  open,      ///< it is lost
};

/// Returns the cell within [0, cells) that a cell outside is folded to.
int folded(int cell, int cells, Border border) {
  const int period = border == Border::mirrored ? 2 * cells : cells;
  const int in = (cell % period + period) % period;
  return in < cells ? in : 2 * cells - 1 - in;
}

/// Cells with a margin on each side.
struct KernelGrid {
  Size size;
  int margin;
  std::size_t width;
  std::vector<float> values;

  KernelGrid(Size s, int m)
      : size(s),
        margin(m),
        width(static_cast<std::size_t>(s.width + 2 * m)),
        values(width * static_cast<std::size_t>(s.height + 2 * m), 0.F) {}
  float* row(int y) {
    return values.data() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y + margin) * width) + margin;
  }
  [[nodiscard]] const float* row(int y) const { return const_cast<KernelGrid&>(*this).row(y); }

  /// Adds the margins to the cells that they belong to by the borders; they then have the values of these.
  void fold(Border across, Border down) {
    const int right = size.width + margin, bottom = size.height + margin;
    const auto for_margin = [this](int cells, const auto& visit) {
      for (int i = 1; i <= margin; ++i) visit(-i), visit(cells - 1 + i);
    };
    if (down != Border::open) {
      for_margin(size.height, [&](int y) {
        float* to = row(folded(y, size.height, down));
        for (int x = -margin; x < right; ++x) to[x] += row(y)[x];
      });
      for_margin(size.height,
                 [&](int y) { std::copy_n(row(folded(y, size.height, down)) - margin, width, row(y) - margin); });
    }
    for (int y = -margin; y < bottom && across != Border::open; ++y) {
      float* cells = row(y);
      for_margin(size.width, [&](int x) { cells[folded(x, size.width, across)] += cells[x]; });
      for_margin(size.width, [&](int x) { cells[x] = cells[folded(x, size.width, across)]; });
    }
  }
  /// Adds a grid of half the size by linear interpolation between the middles of its cells, also to one cell of the
  /// margins. Each value keeps its mass: it is spread over four times its area.
  void refine(const KernelGrid& coarse) {
    parallel_for(size.height + 2, values.size(), [&](int line) {
      const int y = line - 1;
      const float down = y % 2 == 0 ? 0.75F : 0.25F;
      const float *upper = coarse.row((y + 1) / 2 - 1), *lower = coarse.row((y + 1) / 2);
      for (int x = -1; x <= size.width; ++x) {
        const float right = x % 2 == 0 ? 0.75F : 0.25F;
        const int low = (x + 1) / 2 - 1;
        row(y)[x] += (1 - down) * ((1 - right) * upper[low] + right * upper[low + 1]) +
                     down * ((1 - right) * lower[low] + right * lower[low + 1]);
      }
    });
  }
};

/// The kernel (1 − u²)³ for |u| < 1 on the cells about the middle of one of them, with the sum `total`; radii in cells.
struct Stencil {
  static constexpr int lanes = 4;  ///< rows are padded to a multiple with zeros
  int rows;                        ///< on each side of the middle
  std::vector<int> first;          ///< column of the first weight of each row
  std::vector<std::vector<float>> weights;

  Stencil(double radius_x, double radius_y, double total) : rows(static_cast<int>(radius_y)) {
    double sum = 0;
    const auto at = [&](int x, int y) {
      const double inside = std::max(0.0, 1 - x * x / (radius_x * radius_x) - y * y / (radius_y * radius_y));
      return inside * inside * inside;
    };
    for (int y = -rows; y <= rows; ++y) {
      int half = 0;
      while (at(half + 1, y) > 0) ++half;
      first.push_back(-half);
      std::vector<float>& row = weights.emplace_back();
      for (int x = -half; x <= half; ++x) sum += at(x, y), row.push_back(static_cast<float>(at(x, y)));
      row.resize((row.size() + lanes - 1) / lanes * lanes);
    }
    for (std::vector<float>& row : weights) {
      for (float& weight : row) weight *= static_cast<float>(total / sum);
    }
  }
};

/// Returns the margin of a grid for kernels of a radius in cells, whose middles may be as far outside.
constexpr int margin_for(double radius) {
  return 2 * (static_cast<int>(radius) + Stencil::lanes);
}

/// A point in cells of the finest grid, and its mass, of which `share` belongs to the next wider kernel.
struct Kernel {
  float x, y, mass, share;
};

/// Adds the mass of kernels to the four cells about each of them, which are `cell` of the finest; `next`: the share
/// that belongs to the next wider kernel, otherwise the rest.
void deposit(std::span<const Kernel> kernels, float cell, bool next, KernelGrid& to) {
  const int first = -to.margin / 2, right = to.size.width - first, bottom = to.size.height - first;
  for (const Kernel& kernel : kernels) {
    const float x = kernel.x / cell - 0.5F, y = kernel.y / cell - 0.5F;
    const float left = std::floor(x), upper = std::floor(y), u = x - left, v = y - upper;
    const int column = static_cast<int>(left), line = static_cast<int>(upper);
    if (column < first || line < first || column + 1 >= right || line + 1 >= bottom) continue;
    const float mass = kernel.mass * (next ? kernel.share : 1 - kernel.share);
    float *above = to.row(line) + column, *below = to.row(line + 1) + column;
    above[0] += mass * (1 - u) * (1 - v);
    above[1] += mass * u * (1 - v);
    below[0] += mass * (1 - u) * v;
    below[1] += mass * u * v;
  }
}

/// Adds `source`, convolved with a stencil, to `to`, a grid of the same size. On all threads; sums have the order of
/// the source.
void convolve(const KernelGrid& source, const Stencil& stencil, KernelGrid& to) {
  const int first = -source.margin / 2, bottom = source.size.height - first, right = source.size.width - first;
  const int lines = to.size.height + 2 * stencil.rows - 2 * first;
  parallel_parts(lines, source.values.size(), [&](int from, int end) {
    // The rows [from, end) of the result, each summed in the order of the source.
    from += first - stencil.rows, end += first - stencil.rows;
    for (int y = std::max(from - stencil.rows, first); y < std::min(end + stencil.rows, bottom); ++y) {
      const float* cells = source.row(y);
      for (int x = first; x < right; ++x) {
        if (cells[x] == 0) continue;
        for (int v = std::max(y - stencil.rows, from); v <= std::min(y + stencil.rows, end - 1); ++v) {
          const int line = v - y + stencil.rows;
          const auto k = static_cast<std::size_t>(line);
          const std::vector<float>& weights = stencil.weights[k];
          float* sums = to.row(v) + x + stencil.first[k];
          for (std::size_t i = 0; i < weights.size(); i += Stencil::lanes) {
            for (std::size_t j = i; j < i + Stencil::lanes; ++j) sums[j] += cells[x] * weights[j];
          }
        }
      }
    }
  });
}

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

/// The neighbours from which the radius of a sharp kernel is taken.
constexpr std::size_t few_neighbours = 16;

/// Reduces radii to those of few neighbours where the density is not the same over the larger kernels: where these radii are
/// more than `ratio` times as long, as in an even field, by more than chance explains.
void sharpen(std::vector<float>& radii, const std::vector<float>& sharp, float ratio) {
  parallel_for(radii.size(), radii.size(), [&](std::size_t i) {
    if (!(sharp[i] > 0)) return;  // without mass
    const float excess = radii[i] / (ratio * sharp[i]);
    const float even = std::clamp((1.95F - excess) / 0.35F, 0.F, 1.F);
    radii[i] = sharp[i] * std::pow(std::max(1.F, radii[i] / sharp[i]), even);
  });
}

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
                           const std::array<double, 2>& periods, std::size_t neighbours) {
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
  const auto distances = [&](std::size_t k, double longest) {
    return neighbour_distances(places, cells, k, static_cast<float>(least / side), static_cast<float>(longest / side));
  };
  const float usual = neighbours_among(points.size());
  std::vector<float> radii = distances(neighbours > 0 ? neighbours : static_cast<std::size_t>(usual), most);
  if (neighbours == 0) {
    sharpen(radii, distances(few_neighbours, most), std::sqrt(usual / static_cast<float>(few_neighbours)));
  }

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
