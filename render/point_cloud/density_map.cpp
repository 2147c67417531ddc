// SPDX-License-Identifier: MIT
// Wide kernels are added to coarse grids, which are then refined by linear interpolation: all kernels cost about the same, and mass
// is conserved.
#include "render/point_cloud/density_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

constexpr int levels = 6, block = 1 << (levels - 1);
// Neighbours are counted on grids that do not depend on the size of the picture, so that the field does not either.
constexpr int counting_levels = 9, counting_cells = 1024;
constexpr float widest = 8;  // maximum radius of a kernel in cells, before a coarser grid is used

struct Grid {
  Size size;
  std::vector<float> values;

  explicit Grid(Size s)
      : size(s), values(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height), 0.F) {}
  float& at(int x, int y) {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) + static_cast<std::size_t>(x)];
  }
  [[nodiscard]] float at(int x, int y) const { return const_cast<Grid&>(*this).at(x, y); }
};

/// The two cells between whose middles a position lies, and the fraction of the way; clamped to the grid.
struct Between {
  int low, high;
  float share;
};

Between between(float place, int cells) {
  const float middle = std::clamp(place - 0.5F, 0.F, static_cast<float>(cells - 1));
  const int low = std::min(static_cast<int>(middle), cells - 1);
  return {low, std::min(low + 1, cells - 1), middle - static_cast<float>(low)};
}

/// Bilinear interpolation between the middles of cells; `x` and `y` in cells.
float interpolated(const Grid& grid, float x, float y) {
  const Between u = between(x, grid.size.width), v = between(y, grid.size.height);
  const float upper = grid.at(u.low, v.low) * (1 - u.share) + grid.at(u.high, v.low) * u.share;
  const float lower = grid.at(u.low, v.high) * (1 - u.share) + grid.at(u.high, v.high) * u.share;
  return upper * (1 - v.share) + lower * v.share;
}

/// Returns a grid of half the size; each cell is the sum of four.
Grid coarser(const Grid& fine) {
  Grid coarse({fine.size.width / 2, fine.size.height / 2});
  for (int y = 0; y < fine.size.height; ++y) {
    for (int x = 0; x < fine.size.width; ++x) coarse.at(x / 2, y / 2) += fine.at(x, y);
  }
  return coarse;
}

/// Adds a coarse density to a fine one. Except at the border each coarse value keeps its mass.
void refine(const Grid& coarse, Grid& fine) {
  parallel_parts(fine.size.height, fine.values.size(), [&](int first, int last) {
    for (int y = first; y < last; ++y) {
      for (int x = 0; x < fine.size.width; ++x) {
        fine.at(x, y) += interpolated(coarse, (static_cast<float>(x) + 0.5F) / 2, (static_cast<float>(y) + 0.5F) / 2);
      }
    }
  });
}

/// A point and its kernel, in cells of its grid.
struct Kernel {
  float x = 0, y = 0, radius_x = 1, radius_y = 1;
  float weight = 1;  // its mass over the sum of the kernel and the area of a cell
  int level = 0;
  // A kernel that reaches beyond a border is mirrored there, which conserves mass and keeps a uniform density uniform.
  bool mirrored = false;
  float mirror_x = far_away, mirror_y = far_away;

  static constexpr float far_away = 1e9F;

  void mirror(Size cells) {
    const auto image = [](float at, float radius, int count) {
      const auto end = static_cast<float>(count);
      return at < radius ? -at : at > end - radius ? 2 * end - at : far_away;
    };
    mirror_x = image(x, radius_x, cells.width);
    mirror_y = image(y, radius_y, cells.height);
    mirrored = mirror_x != far_away || mirror_y != far_away;
  }
  [[nodiscard]] float at(int column, int row) const {
    const float once = at(column, row, x, y);
    if (!mirrored) return once;
    return once + at(column, row, mirror_x, y) + at(column, row, x, mirror_y) + at(column, row, mirror_x, mirror_y);
  }
  [[nodiscard]] Rows columns(int count) const { return reach(x, radius_x, count); }
  [[nodiscard]] Rows rows(int count) const { return reach(y, radius_y, count); }

 private:
  [[nodiscard]] float at(int column, int row, float middle_x, float middle_y) const {
    const float u = (static_cast<float>(column) + 0.5F - middle_x) / radius_x;
    const float v = (static_cast<float>(row) + 0.5F - middle_y) / radius_y;
    const float inside = std::max(0.F, 1 - u * u - v * v);
    return inside * inside * inside;
  }
  static Rows reach(float middle, float radius, int count) {
    return {std::max(0, static_cast<int>(std::floor(middle - radius))),
            std::min(count - 1, static_cast<int>(std::floor(middle + radius)))};
  }
};

/// Returns the area, in cells of the finest grid, that contains `wanted` points around a position.
float area_with(float wanted, const std::vector<Grid>& counts, float x, float y) {
  float before = 0;
  const auto last = static_cast<int>(counts.size()) - 1;
  for (int level = 0; level <= last; ++level) {
    const auto cells = static_cast<float>(1 << 2 * level), side = static_cast<float>(1 << level);
    const float count = std::max(1e-3F, interpolated(counts[static_cast<std::size_t>(level)], x / side, y / side));
    if (count >= wanted || level == last) {
      if (level == 0 || count < wanted) return cells * wanted / count;
      // Between two levels the number is interpolated as a power of the area.
      const float rise = std::log2(count / before);
      return rise > 0.05F ? cells * std::exp2(-2 * std::log2(count / wanted) / rise) : cells;
    }
    before = count;
  }
  return 0;
}

int multiple(double wish, int of) {
  return std::max(1, static_cast<int>(std::lround(wish / of))) * of;
}

/// Returns the number of points in each cell, from the finest to the coarsest grid. `places` are fractions of both intervals
/// from the upper left.
std::vector<Grid> counted(const std::vector<PointMass>& places, double shape) {
  const int block_side = 1 << (counting_levels - 1);
  const Size size{multiple(counting_cells * std::min(1.0, shape), block_side),
                  multiple(counting_cells * std::min(1.0, 1 / shape), block_side)};
  std::vector<Grid> counts{Grid(size)};
  for (const PointMass& p : places) {
    counts[0].at(std::min(static_cast<int>(p.x * size.width), size.width - 1),
                 std::min(static_cast<int>(p.y * size.height), size.height - 1)) += 1;
  }
  for (int level = 1; level < counting_levels; ++level) counts.push_back(coarser(counts.back()));
  return counts;
}

}  // namespace

float DensityMap::at(double px, double py) const {
  const auto cell = [](double share, int cells) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(share * cells), 0, cells - 1));
  };
  return density[cell((y.high - py) / y.length(), size.height) * static_cast<std::size_t>(size.width) +
                 cell((px - x.low) / x.length(), size.width)];
}

DensityMap surface_density(const std::vector<PointMass>& points, Interval x, Interval y, Size requested) {
  const Size size{multiple(requested.width, block), multiple(requested.height, block)};
  const double cell_x = x.length() / size.width, cell_y = y.length() / size.height;
  std::vector<PointMass> inside;
  for (const PointMass& p : points) {
    if (is_inside(p, x, y)) {
      inside.push_back({(p.x - x.low) / x.length(), (y.high - p.y) / y.length(), p.mass});
    }
  }

  const std::vector<Grid> counts = counted(inside, x.length() / y.length());
  const Size counting = counts.front().size;
  std::vector<Grid> grids;
  for (int level = 0; level < levels; ++level) grids.emplace_back(Size{size.width >> level, size.height >> level});

  const float wanted = neighbours_among(points.size());
  // The radius of a circle with the area of a counting cell.
  const double circle = std::sqrt(x.length() / counting.width * y.length() / counting.height / std::numbers::pi);
  // Limit the radius for few points, so that whole kernels fit into the margins of the picture.
  const double few = 0.2 * std::sqrt(static_cast<double>(points.size()) / 1000);
  const double most = std::clamp(few, 0.04, 0.2) * std::max(x.length(), y.length());
  std::vector<Kernel> kernels(inside.size());
  parallel_parts(inside.size(), 4 * inside.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto px = static_cast<float>(inside[i].x * size.width), py = static_cast<float>(inside[i].y * size.height);
      const double area =
          static_cast<double>(area_with(wanted, counts, static_cast<float>(inside[i].x * counting.width),
                                        static_cast<float>(inside[i].y * counting.height)));
      const double radius = std::clamp(circle * std::sqrt(area), 1.6 * std::max(cell_x, cell_y), most);
      auto rx = static_cast<float>(radius / cell_x), ry = static_cast<float>(radius / cell_y);
      int level = 0;
      float side = 1;
      for (; level + 1 < levels && std::max(rx, ry) > widest * side; ++level) side *= 2;
      Kernel& kernel = kernels[i];
      kernel = {.x = px / side, .y = py / side, .radius_x = rx / side, .radius_y = ry / side, .level = level};
      const Size cells = grids[static_cast<std::size_t>(level)].size;
      kernel.mirror(cells);
      const Rows columns = kernel.columns(cells.width), rows = kernel.rows(cells.height);
      float sum = 0;
      for (int row = rows.first; row <= rows.last; ++row) {
        for (int column = columns.first; column <= columns.last; ++column) sum += kernel.at(column, row);
      }
      const double cell = cell_x * cell_y * static_cast<double>(side) * static_cast<double>(side);
      kernel.weight = static_cast<float>(inside[i].mass / cell) / sum;
    }
  });

  for (int level = levels - 1; level >= 0; --level) {
    Grid& grid = grids[static_cast<std::size_t>(level)];
    const auto rows_of = [&](std::size_t i) {
      return kernels[i].level == level ? kernels[i].rows(grid.size.height) : Rows{};
    };
    for_bands(kernels.size(), grid.size.height, rows_of, [&](std::size_t i, Rows rows) {
      const Kernel& kernel = kernels[i];
      const Rows columns = kernel.columns(grid.size.width);
      for (int row = rows.first; row <= rows.last; ++row) {
        for (int column = columns.first; column <= columns.last; ++column) {
          grid.at(column, row) += kernel.weight * kernel.at(column, row);
        }
      }
    });
    if (level + 1 < levels) refine(grids[static_cast<std::size_t>(level) + 1], grid);
  }
  return {x, y, size, std::move(grids[0].values)};
}

}  // namespace orrery::render
