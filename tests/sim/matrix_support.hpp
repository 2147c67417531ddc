// SPDX-License-Identifier: MIT
// Shared by tests of matrices of pairs: a whole matrix in memory, and kinds with generic parameters.
#pragma once

#include <cstring>
#include <vector>

#include "sim/boundaries/list.hpp"
#include "sim/matrix/pair_matrix.hpp"
#include "tests/sim/support.hpp"

namespace orrery::sim::testing {

/// Rows and columns from 0 to n, computed in tiles of `edge`.
template <class T>
std::vector<T> whole(MatrixBuilder& maker, std::size_t n, std::size_t edge = max_tile) {
  std::vector<T> all(n * n, T(-7));
  for (std::size_t i = 0; i < n; i += edge) {
    std::vector<Tile> tiles;
    for (std::size_t j = 0; j < n; j += edge) tiles.push_back({i, std::min(edge, n - i), j, std::min(edge, n - j)});
    const std::size_t bytes = edge * edge * sizeof(T) + 64;
    std::vector<std::byte> made(tiles.size() * bytes);
    maker.fill(tiles, edge, bytes, made.data(), [](std::size_t) {});
    for (std::size_t k = 0; k < tiles.size(); ++k) {
      for (std::size_t r = 0; r < tiles[k].rows; ++r) {
        std::memcpy(&all[(i + r) * n + tiles[k].column], &made[k * bytes + r * edge * sizeof(T)],
                    tiles[k].columns * sizeof(T));
      }
    }
  }
  return all;
}

inline Domain periodic_box(double edge) {
  Domain box;
  box.boundary = {&Periodic::kind, &Periodic::kind, &Periodic::kind};
  box.low = {-1, -1, -1};
  box.edges = {edge, edge, edge};
  return box;
}

inline std::vector<MatrixKind> kinds_of_matrices() {
  std::vector<MatrixKind> all;
  for (const bool floats : {false, true}) {
    for (const auto quantity : {Quantity::distance, Quantity::potential, Quantity::force})
      all.push_back({quantity, 2, floats});
    for (const int halves : {1, 2, 5, 12, 31}) all.push_back({Quantity::inverse_power, halves, floats});
  }
  return all;
}

}  // namespace orrery::sim::testing
