// SPDX-License-Identifier: MIT
// Padded arrays and the buffers of a thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "sim/resident.hpp"
#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::cells {

/// An array that starts on a cache line and has simd::cell_padding further numbers.
template <class Number>
class PaddedArray {
 public:
  explicit PaddedArray(std::size_t n = 0) { widen(n); }
  /// Grows to at least n numbers; if it grows, all become zero.
  void widen(std::size_t n) {
    if (n <= size_) return;
    data_.reset(new (std::align_val_t(64)) Number[n + simd::cell_padding]());
    size_ = n;
  }
  Number* get() { return data_.get(); }
  const Number* get() const { return data_.get(); }
  Number& operator[](std::size_t k) { return data_.get()[k]; }
  const Number& operator[](std::size_t k) const { return data_.get()[k]; }

 private:
  struct Free {
    void operator()(Number* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<Number[], Free> data_;
  std::size_t size_ = 0;
};

/// A growing list of pairs.
template <class T>
class Pairs : public simd::PairRoom<T> {
 public:
  using Index = typename simd::PairRoom<T>::Index;

  Pairs() {
    this->grow = [](simd::PairRoom<T>& room, std::size_t pairs) { static_cast<Pairs&>(room).widen(pairs); };
    this->sort = [](Index* begin, Index* end, const std::uint32_t* id) {
      std::sort(begin, end, [id](Index a, Index b) { return id[a] < id[b]; });
    };
    widen(4096);
  }
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

 private:
  void widen(std::size_t pairs) {
    bodies_.resize(2 * pairs);
    others_.resize(2 * pairs);
    this->i = bodies_.data(), this->j = others_.data(), this->size = bodies_.size();
  }
  std::vector<Index> bodies_, others_;
};

/// Neighbour lists of one block, which grow as needed.
class Lists : public simd::ListRoom {
 public:
  Lists() : ListRoom{} {
    grow = [](ListRoom& room, std::size_t outputs) {
      auto& lists = static_cast<Lists&>(room);
      lists.all_.resize(outputs + outputs / 4);
      lists.entries = lists.all_.data(), lists.size = lists.all_.size();
    };
  }
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;

 private:
  std::vector<std::uint32_t> all_;
};

/// What a thread needs to process a block of bodies.
template <class T>
struct Workspace {
  Pairs<T> pairs;
  PaddedArray<T> sums[5], target_factor{simd::cell_block};
  std::uint32_t outside[simd::cell_block + simd::cell_padding];
  /// Of this pass: maximum velocities in each of its parts, and whether a body changed its position discontinuously.
  simd::Fastest<T> fastest[Pass::most]{};
  bool jumped = false;

  Workspace() {
    for (auto& one : sums) one.widen(simd::cell_block);
  }
};

}  // namespace orrery::sim::cells
