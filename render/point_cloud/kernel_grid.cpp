// SPDX-License-Identifier: MIT
#include "render/point_cloud/kernel_grid.hpp"

#include <algorithm>
#include <cmath>

#include "render/bands.hpp"

namespace orrery::render {
namespace {

/// Returns the cell within [0, cells) that a cell outside is folded to.
int folded(int cell, int cells, Border border) {
  const int period = border == Border::mirrored ? 2 * cells : cells;
  const int in = (cell % period + period) % period;
  return in < cells ? in : 2 * cells - 1 - in;
}

}  // namespace

KernelGrid::KernelGrid(Size s, int m)
    : size(s),
      margin(m),
      width(static_cast<std::size_t>(s.width + 2 * m)),
      values(width * static_cast<std::size_t>(s.height + 2 * m), 0.F) {}

void KernelGrid::fold(Border across, Border down) {
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

void KernelGrid::refine(const KernelGrid& coarse) {
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

Stencil::Stencil(double radius_x, double radius_y, double total) : rows(static_cast<int>(radius_y)) {
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

}  // namespace orrery::render
