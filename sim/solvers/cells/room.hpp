// SPDX-License-Identifier: MIT
// Numbers that start on a cache line and go on behind the last one, as the loops over bodies want them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "sim/solvers/cells/simd/short_range.hpp"

namespace orrery::sim::cells {

template <class Number>
class Room {
 public:
  explicit Room(std::size_t n = 0) { widen(n); }
  /// Room for so many at the least; what was there is lost where it grows, and all is zeros then.
  void widen(std::size_t n) {
    if (n <= size_) return;
    const std::size_t all = n + simd::cell_padding;
    data_.reset(new (std::align_val_t(64)) Number[all]());
    size_ = n;
  }
  Number* get() { return data_.get(); }
  const Number* get() const { return data_.get(); }
  Number& operator[](std::size_t k) { return data_.get()[k]; }
  const Number& operator[](std::size_t k) const { return data_.get()[k]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(Number* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<Number[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace orrery::sim::cells
