// SPDX-License-Identifier: MIT
// One thread computes tiles and their checksums, the other one writes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "common/work_queue.hpp"
#include "pipeline/matrix/parts.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t batch_bytes = std::size_t{1} << 26;

/// Zeroes the elements of a tile below the diagonal.
void clear_below(const sim::Tile& tile, std::size_t row_bytes, std::size_t element, std::byte* to) {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::size_t i = tile.row + r;
    if (i > tile.column) std::memset(to + r * row_bytes, 0, std::min(i - tile.column, tile.columns) * element);
  }
}

/// The chunks of the file that are not all zero.
std::vector<sim::Tile> tiles_of(const MatrixPart& part, const MatrixShape& shape) {
  std::vector<sim::Tile> tiles;
  for (std::size_t row = 0; row < part.rows; row += shape.chunk_rows()) {
    for (std::size_t column = 0; column < part.columns; column += shape.chunk_columns()) {
      const sim::Tile tile{.row = part.row + row,
                           .rows = std::min(shape.chunk_rows(), part.rows - row),
                           .column = part.column + column,
                           .columns = std::min(shape.chunk_columns(), part.columns - column)};
      if (!part.half || tile.column + tile.columns > tile.row + 1) tiles.push_back(tile);
    }
  }
  return tiles;
}

}  // namespace

double stored_bytes(const MatrixPart& part, const MatrixShape& shape) {
  double tiles = 0;
  const std::size_t across = (part.columns + shape.chunk_columns() - 1) / shape.chunk_columns();
  for (std::size_t row = 0; row < part.rows; row += shape.chunk_rows()) {
    std::size_t below = 0;  // columns entirely below the diagonal
    if (part.half && part.row + row + 1 > part.column) below = part.row + row + 1 - part.column;
    tiles +=
        static_cast<double>(across - std::min(below >= part.columns ? across : below / shape.chunk_columns(), across));
  }
  return tiles * static_cast<double>(shape.chunk_bytes() + MatrixFile::checksum_bytes);
}

bool store(sim::MatrixBuilder& maker, const MatrixPart& part, const MatrixShape& shape, MatrixFile& file,
           Progress& progress, const Context& context) {
  const std::vector<sim::Tile> tiles = tiles_of(part, shape);
  const std::size_t element = shape.floats ? sizeof(float) : sizeof(double), bytes = shape.chunk_bytes();
  // A chunk and its checksum, padded to a multiple of 64 bytes.
  const std::size_t each = (bytes + MatrixFile::checksum_bytes + 63) / 64 * 64;
  const std::size_t together = std::clamp<std::size_t>(batch_bytes / each, 1, std::max<std::size_t>(tiles.size(), 1));
  std::array<std::unique_ptr<std::byte[]>, 2> room;
  for (auto& one : room) one = std::make_unique_for_overwrite<std::byte[]>(together * each);
  const auto make = [&](std::size_t first, std::byte* to) {
    const std::span<const sim::Tile> some(&tiles[first], std::min(together, tiles.size() - first));
    maker.fill(some, shape.chunk_columns(), each, to, [&](std::size_t k) {
      std::byte* chunk = to + k * each;
      if (part.half) clear_below(some[k], shape.chunk_columns() * element, element, chunk);
      MatrixFile::seal(chunk, bytes);
    });
  };
  WorkQueue making(2);
  if (!tiles.empty()) make(0, room[0].get());
  for (std::size_t first = 0, now = 0; first < tiles.size(); first += together, now = 1 - now) {
    if (context.stopped()) return false;
    const std::size_t next = first + together;
    if (next < tiles.size()) making.add([&, next, to = room[1 - now].get()] { make(next, to); });
    const std::size_t end = std::min(next, tiles.size());
    for (std::size_t k = first; k < end && !context.stopped(); ++k) {
      file.write(tiles[k].row - part.row, tiles[k].column - part.column, room[now].get() + (k - first) * each);
    }
    file.begin_sync();
    progress.show(static_cast<double>(end) / static_cast<double>(tiles.size()), [&] {
      return in_bytes(static_cast<double>(end) * static_cast<double>(bytes)) + " of " +
             in_bytes(static_cast<double>(tiles.size()) * static_cast<double>(bytes));
    });
    making.wait();
  }
  return !context.stopped();
}

}  // namespace orrery::pipeline
