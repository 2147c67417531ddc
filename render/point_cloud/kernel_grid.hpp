// SPDX-License-Identifier: MIT
// Grids on which many points are smoothed by a few kernels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "render/canvas/drawing.hpp"

namespace orrery::render {

/// What happens at the ends of an axis of a grid to what reaches beyond them.
enum class Border {
  mirrored,  ///< it is reflected, which conserves mass and keeps a uniform density uniform
  wrapped,   ///< it continues at the other end
  open,      ///< it is lost
};

/// Cells with a margin on each side.
struct KernelGrid {
  Size size;
  int margin;
  std::size_t width;
  std::vector<float> values;

  KernelGrid(Size size, int margin);
  float* row(int y) {
    return values.data() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y + margin) * width) + margin;
  }
  [[nodiscard]] const float* row(int y) const { return const_cast<KernelGrid&>(*this).row(y); }

  /// Adds the margins to the cells that they belong to by the borders; they then have the values of these.
  void fold(Border across, Border down);
  /// Adds a grid of half the size by linear interpolation between the middles of its cells, also to one cell of the
  /// margins. Each value keeps its mass: it is spread over four times its area.
  void refine(const KernelGrid& coarse);
};

/// The kernel (1 − u²)³ for |u| < 1 on the cells about the middle of one of them, with the sum `total`; radii in cells.
struct Stencil {
  static constexpr int lanes = 4;  ///< rows are padded to a multiple with zeros
  int rows;                        ///< on each side of the middle
  std::vector<int> first;          ///< column of the first weight of each row
  std::vector<std::vector<float>> weights;

  Stencil(double radius_x, double radius_y, double total);
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
void deposit(std::span<const Kernel> kernels, float cell, bool next, KernelGrid& to);

/// Adds `source`, convolved with a stencil, to `to`, a grid of the same size. On all threads; sums have the order of
/// the source.
void convolve(const KernelGrid& source, const Stencil& stencil, KernelGrid& to);

}  // namespace orrery::render
