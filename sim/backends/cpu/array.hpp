// SPDX-License-Identifier: MIT
// An array of doubles aligned to a cache line.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace orrery::sim {

class AlignedArray {
 public:
  /// Zeros.
  explicit AlignedArray(std::size_t n = 0) : AlignedArray(n == 0 ? nullptr : new (std::align_val_t(64)) double[n]()) {}
  /// Uninitialised, so that each page is allocated near the thread that writes it first.
  static AlignedArray uninitialized(std::size_t n) { return AlignedArray(new (std::align_val_t(64)) double[n]); }
  double* get() { return data_.get(); }
  const double* get() const { return data_.get(); }

 private:
  explicit AlignedArray(double* data) : data_(data) {}
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<double[], Free> data_;
};

}  // namespace orrery::sim
