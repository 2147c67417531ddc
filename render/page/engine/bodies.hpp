// SPDX-License-Identifier: MIT
// The numbers of all bodies, linear combinations of them, and sums over them.
#pragma once

#include "arithmetic.hpp"

namespace orrery::page::ORRERY_ENGINE {

struct Triple {
  Lanes x, y, z;
};

ORRERY_INLINE Triple operator-(const Triple& a, const Triple& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// Numbers of all bodies, one row after the other; each ends with some for lanes without a body.
struct Rows {
  double* first;
  int stride;

  ORRERY_INLINE double* operator[](int k) const { return first + k * stride; }
  /// Of bodies i, i + 1, …, if the rows are coordinates; of body i in all lanes.
  [[nodiscard]] ORRERY_INLINE Triple from(int i) const {
    return {load((*this)[0] + i), load((*this)[1] + i), load((*this)[2] + i)};
  }
  [[nodiscard]] ORRERY_INLINE Triple of(int i) const { return {(*this)[0][i], (*this)[1][i], (*this)[2][i]}; }
};

/// Three coordinates of every body. Integrators keep what they like in the last ones.
enum class Kept { position, velocity, acceleration, jerk, first, second, third, fourth };
constexpr int kept_columns = 8;

/// What a pair law adds up for every body: an acceleration, a potential and a jerk.
constexpr int potential_sum = 3, jerk_sum = 4, sums_of_pairs = 7;

constexpr int chunk_size = 128;  ///< with up to 32,768 bodies; and the tiles of more

/// factor · column
struct Multiple {
  double factor;
  Kept source;
};

class Bodies {
 public:
  /// How many doubles n bodies need, all of them 0 at first.
  static int size(int n) { return (rows_before_matrix + 1) * stride(n) + width(n) * width(n) + scratch_size(n); }

  void begin(int n, double* memory) {
    n_ = n, memory_ = memory;
    for (int axis = 0; axis < 3; ++axis) {  // lanes without a body, where they meet nobody
      for (int i = n; i < stride(n); ++i) (*this)[Kept::position][axis][i] = 1000.0 * (1 + i - n);
    }
  }

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] Rows operator[](Kept column) const { return rows(3 * static_cast<int>(column)); }
  [[nodiscard]] double* mass() const { return rows(3 * kept_columns).first; }
  [[nodiscard]] double* charge() const { return rows(3 * kept_columns + 1).first; }
  [[nodiscard]] double* potential() const { return rows(3 * kept_columns + 2).first; }
  /// Sums over all bodies, and over those of a chunk.
  [[nodiscard]] Rows total() const { return rows(3 * kept_columns + 3); }
  [[nodiscard]] Rows partial() const { return rows(3 * kept_columns + 3 + sums_of_pairs); }
  /// A number for each pair of a chunk.
  [[nodiscard]] Rows matrix() const { return {rows(rows_before_matrix).first, width(n_)}; }
  /// At least 6 n doubles.
  [[nodiscard]] double* scratch() const { return matrix()[width(n_)]; }

  /// target ← Σ factor·source: one fma per term, after a leading product, which is a copy if its factor is 1. The target is at most the
  /// leading source.
  template <int terms>
  ORRERY_INLINE void combine(Kept target, const Multiple (&sum)[terms]) const {
    set(target, sum[0]);
    for (int k = 1; k < terms; ++k) add(target, sum[k]);
  }
  /// Lanes without a body, one to two times as many as there are lanes, stay where they are.
  void hold_still(Kept column) const {
    for (int axis = 0; axis < 3; ++axis) {
      double* row = (*this)[column][axis];
      store(row + n_, 0.0), store(row + stride(n_) - lanes, 0.0);
    }
  }
  static void clear(double* from, int count) {
    int k = 0;
    for (; k + lanes <= count; k += lanes) store(from + k, 0.0);
    for (; k < count; ++k) from[k] = 0;
  }

  /// The sum of n numbers in the scratch memory: blocks of 256, each a binary tree, until one is left.
  [[nodiscard]] double sum() const {
    double* terms = scratch();
    int count = n_;
    do {
      const int blocks = (count + 255) / 256;
      clear(terms + count, 256 * blocks - count);
      for (int block = 0; block < blocks; ++block) {
        double* of = terms + 256 * block;
        for (int half = 128; half > 0; half /= 2) {
          for (int k = 0; k < half; ++k) of[k] = of[k] + of[k + half];
        }
        terms[block] = of[0];
      }
      count = blocks;
    } while (count > 1);
    return terms[0];
  }

 private:
  static constexpr int rows_before_matrix = 3 * kept_columns + 3 + 2 * sums_of_pairs;

  static int stride(int n) { return (n + 2 * lanes - 1) / lanes * lanes; }
  static int width(int n) { return (n < chunk_size ? n : chunk_size) + lanes; }
  static int scratch_size(int n) { return 6 * n + 256; }
  [[nodiscard]] ORRERY_INLINE Rows rows(int k) const { return {memory_ + k * stride(n_), stride(n_)}; }

  // The three coordinates follow one another, and the lanes without a body hold still.
  [[gnu::noinline]] void set(Kept target, Multiple by) const {
    double *to = (*this)[target].first, *from = (*this)[by.source].first;
    const int end = 3 * stride(n_);
    if (to == from && by.factor == 1) return;
    for (int i = 0; i < end; i += lanes) store(to + i, by.factor == 1 ? load(from + i) : by.factor * load(from + i));
  }
  [[gnu::noinline]] void add(Kept target, Multiple by) const {
    double *to = (*this)[target].first, *from = (*this)[by.source].first;
    const int end = 3 * stride(n_);
    for (int i = 0; i < end; i += lanes) store(to + i, fma_inline(by.factor, load(from + i), load(to + i)));
  }

  int n_ = 0;
  double* memory_ = nullptr;
};

}  // namespace orrery::page::ORRERY_ENGINE
