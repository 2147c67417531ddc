// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/octree.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "common/error.hpp"
#include "sim/solvers/tree/keys.hpp"

namespace orrery::sim::tree {
namespace {

using std::size_t;

constexpr int digit_bits = 11;
constexpr size_t digits = size_t{1} << digit_bits;
/// Below this number of bodies a further thread would not pay.
constexpr size_t min_part = 8192;

/// The least power of two above the extent, at least 2⁻³⁰⁰.
double side_above(double extent) {
  if (extent < 0x1p-300) return 0x1p-300;
  return std::bit_cast<double>(((std::bit_cast<std::uint64_t>(extent) >> 52) + 1) << 52);
}

}  // namespace

Octree::Octree(size_t bodies, size_t leaf_size, ThreadPool& threads)
    : n_(bodies),
      leaf_size_(leaf_size),
      threads_(threads),
      parts_(std::clamp<size_t>(bodies / min_part, 1, static_cast<size_t>(threads.size()))),
      keys_(bodies),
      other_keys_(bodies),
      order_(bodies),
      other_order_(bodies),
      counts_(parts_ * digits) {
  for (AlignedArray& one : x_) one = AlignedArray(bodies + lanes);
}

/// Calls task(part, begin, end) for parts of the bodies.
template <class Task>
void Octree::each_part(const Task& task) {
  threads_.for_each(0, parts_, [&](size_t part) { task(part, n_ * part / parts_, n_ * (part + 1) / parts_); });
}

bool Octree::find_cube(const double* const (&position)[3], Cube& cube) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Range {
    double low[3], high[3];
  };
  std::vector<Range> ranges(parts_);
  each_part([&](size_t part, size_t begin, size_t end) {
    for (size_t q = 0; q < 3; ++q) {
      double low = infinity, high = -infinity;
      for (size_t i = begin; i < end; ++i) {
        low = std::min(low, position[q][i]);
        high = std::max(high, position[q][i]);
      }
      ranges[part].low[q] = low, ranges[part].high[q] = high;
    }
  });
  double extent = 0;
  for (size_t q = 0; q < 3; ++q) {
    double low = infinity, high = -infinity;
    for (const Range& one : ranges) low = std::min(low, one.low[q]), high = std::max(high, one.high[q]);
    cube.low[q] = low;
    extent = std::max(extent, high - low);
  }
  cube.scale = 0x1p21 / side_above(extent);
  return extent < farthest_extent;
}

bool Octree::build(const double* const (&position)[3]) {
  Cube cube{};
  if (!find_cube(position, cube)) return false;
  each_part([&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::uint64_t at[3];
      for (size_t q = 0; q < 3; ++q) at[q] = place(position[q][i], cube.low[q], cube.scale);
      keys_[i] = key(at[0], at[1], at[2]);
      order_[i] = static_cast<std::uint32_t>(i);
    }
  });
  sort();
  each_part([&](size_t, size_t begin, size_t end) {
    for (size_t q = 0; q < 3; ++q) {
      double* to = x_[q].get();
      for (size_t k = begin; k < end; ++k) to[k] = position[q][order_[k]];
    }
  });
  divide();
  return true;
}

/// Stable, by digits from the lowest: each part counts and moves its own range, so that the order does not depend on
/// their number.
void Octree::sort() {
  for (int shift = 0; shift < 3 * tree::levels; shift += digit_bits) {
    const auto digit = [&](size_t i) { return keys_[i] >> shift & (digits - 1); };
    each_part([&](size_t part, size_t begin, size_t end) {
      std::uint32_t* count = counts_.data() + part * digits;
      std::fill_n(count, digits, 0);
      for (size_t i = begin; i < end; ++i) ++count[digit(i)];
    });
    std::uint32_t sum = 0;
    bool same = false;
    for (size_t d = 0; d < digits; ++d) {
      const std::uint32_t before = sum;
      for (size_t part = 0; part < parts_; ++part) {
        const std::uint32_t count = counts_[part * digits + d];
        counts_[part * digits + d] = sum;
        sum += count;
      }
      same = same || sum - before == n_;
    }
    if (same) continue;
    each_part([&](size_t part, size_t begin, size_t end) {
      std::uint32_t* to = counts_.data() + part * digits;
      for (size_t i = begin; i < end; ++i) {
        const std::uint32_t k = to[digit(i)]++;
        other_keys_[k] = keys_[i];
        other_order_[k] = order_[i];
      }
    });
    keys_.swap(other_keys_);
    order_.swap(other_order_);
  }
}

void Octree::divide() {
  cells_.assign(1, {});
  cells_.front().end = static_cast<std::uint32_t>(n_);
  levels_.assign({0, 1});
  for (int level = 0; level < tree::levels; ++level) {
    const size_t begin = levels_[levels_.size() - 2], end = levels_.back();
    divide_level(begin, end, level);
    if (cells_.size() == end) break;
    levels_.push_back(cells_.size());
  }
}

/// Appends the children of cells begin … end − 1.
void Octree::divide_level(size_t begin, size_t end, int level) {
  constexpr size_t block = 64;
  ends_.resize(end - begin);
  offsets_.resize(end - begin + 1);
  for_blocks(threads_, begin, end, block, [&](size_t, size_t first, size_t last) {
    for (size_t c = first; c < last; ++c) {
      const simd::TreeCell& cell = cells_[c];
      std::uint32_t count = 0;
      if (!is_leaf(cell.bodies(), level, n_, leaf_size_)) {
        std::uint32_t at = cell.begin;
        for (unsigned d = 0; d < 8; ++d) {
          const auto* from = keys_.data() + at;
          const auto* to = keys_.data() + cell.end;
          const auto* found =
              d == 7 ? to : std::partition_point(from, to, [&](std::uint64_t k) { return octant(k, level) <= d; });
          const auto next = static_cast<std::uint32_t>(found - keys_.data());
          count += next > at ? 1 : 0;
          ends_[c - begin].of_octant[d] = at = next;
        }
      }
      offsets_[c - begin] = count;
    }
  });
  size_t sum = end;
  for (size_t c = 0; c < end - begin; ++c) {
    const size_t count = offsets_[c];
    offsets_[c] = sum;
    sum += count;
  }
  offsets_[end - begin] = sum;
  if (sum > std::numeric_limits<std::uint32_t>::max())
    throw Error("the tree of " + std::to_string(n_) + " bodies has more than 2^32 cells: increase `leaf`");
  cells_.resize(sum);
  for_blocks(threads_, begin, end, block, [&](size_t, size_t first, size_t last) {
    for (size_t c = first; c < last; ++c) {
      size_t child = offsets_[c - begin];
      const size_t count = offsets_[c - begin + 1] - child;
      if (count == 0) continue;
      cells_[c].child = static_cast<std::uint32_t>(child);
      cells_[c].children = static_cast<std::uint8_t>(count);
      std::uint32_t at = cells_[c].begin;
      for (const std::uint32_t next : ends_[c - begin].of_octant) {
        if (next > at) {
          simd::TreeCell& one = cells_[child++];
          one.begin = at, one.end = next, one.parent = static_cast<std::uint32_t>(c);
        }
        at = next;
      }
    }
  });
}

}  // namespace orrery::sim::tree
