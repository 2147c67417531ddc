// SPDX-License-Identifier: MIT
// Rows of a matrix for the SIMD target ORRERY_SIMD_TARGET.
#include "sim/matrix/simd/rows.hpp"

#include "sim/backends/simd/lanes.hpp"
#include "sim/matrix/elements.hpp"

namespace orrery::sim::simd::ORRERY_SIMD_TARGET {

template <class T, std::size_t K, bool exact>
HWY_INLINE Lanes<T, K, exact> square_root(Lanes<T, K, exact> x) {
  for (auto& one : x.v) one = hn::Sqrt(one);
  return x;
}

namespace {

using std::size_t;

template <class Real>
HWY_INLINE Triple<Real> differences(const MatrixColumns& bodies, size_t i, size_t j, const MatrixNumbers& numbers) {
  const Triple<Real> from{Real(bodies.x[i]), Real(bodies.y[i]), Real(bodies.z[i])};
  const Triple<Real> to{Real::load(bodies.x + j), Real::load(bodies.y + j), Real::load(bodies.z + j)};
  return matrix::apart<true>(from, to, numbers);
}

template <class T>
HWY_INLINE void put(T* out, const T* values, size_t count) {
  for (size_t k = 0; k < count; ++k) out[k] = values[k];
}

template <class Formula>
HWY_INLINE Lanes<double, 2> element(const MatrixColumns& bodies, size_t i, size_t j, const MatrixNumbers& numbers) {
  using Real = Lanes<double, 2>;
  const Triple<Real> d = differences<Real>(bodies, i, j, numbers);
  if constexpr (Formula::is_law) {
    return Formula::of(d, Real(bodies.weight[i]) * Real::load(bodies.weight + j), numbers);
  } else {
    return Formula::of(Formula::r2(d, numbers), numbers);
  }
}

template <class Formula>
void in_double(const MatrixColumns& bodies, size_t i, size_t first, size_t count, const MatrixNumbers& numbers,
               double* out) {
  constexpr size_t wide = 2 * width<double>;
  size_t k = 0;
  for (; k + wide <= count; k += wide) element<Formula>(bodies, i, first + k, numbers).store(out + k);
  if (k == count) return;
  HWY_ALIGN double rest[wide];
  element<Formula>(bodies, i, first + k, numbers).store(rest);
  put(out + k, rest, count - k);
}

/// Returns the double that is rounded to a float.
template <class Formula>
HWY_INLINE Lanes<double, 2> before_rounding(const MatrixColumns& bodies, size_t i, size_t j,
                                            const MatrixNumbers& numbers) {
  using Real = Lanes<double, 2>;
  if constexpr (Formula::is_law) {
    return element<Formula>(bodies, i, j, numbers);
  } else {
    return Formula::r2(differences<Real>(bodies, i, j, numbers), numbers) * Real(numbers.scale2);
  }
}

template <class Formula>
void in_float(const MatrixColumns& bodies, size_t i, size_t first, size_t count, const MatrixNumbers& numbers,
              float* out) {
  using Real = Lanes<float, 2, true>;
  constexpr size_t block = 64;  // a multiple of vectors of floats and of doubles
  for (size_t k = 0; k < count; k += block) {
    HWY_ALIGN float some[block];
    const size_t left = count - k < block ? count - k : block;
    float* to = left == block ? out + k : some;
    for (size_t m = 0; m < left; m += 2 * width<double>) {
      const Lanes<double, 2> wide = before_rounding<Formula>(bodies, i, first + k + m, numbers);
      hn::StoreU(narrow(wide.v[0]), HalfTag(), to + m);
      hn::StoreU(narrow(wide.v[1]), HalfTag(), to + m + width<double>);
    }
    if constexpr (!Formula::is_law) {
      const Real unit(static_cast<double>(numbers.unit));
      for (size_t m = 0; m < left; m += 2 * width<float>) {
        (Formula::of(Real::load(to + m), numbers) * unit).store(to + m);
      }
    }
    if (left < block) put(out + k, some, left);
  }
}

template <class... Formula>
constexpr auto rows_of(matrix::FormulaList<Formula...>) {
  struct Table {
    MatrixRows rows[sizeof...(Formula)];
  };
  return Table{{{in_double<Formula>, in_float<Formula>}...}};
}

template <class T>
void add(T* sums, const T* row, size_t count) {
  using Real = Lanes<T>;
  size_t k = 0;
  for (; k + width<T> <= count; k += width<T>) (Real::load(sums + k) + Real::load(row + k)).store(sums + k);
  for (; k < count; ++k) sums[k] += row[k];
}

constexpr auto table = rows_of(matrix::Formulas{});
constexpr MatrixKernels all{.rows = table.rows, .add = add<double>, .add_floats = add<float>};

}  // namespace
}  // namespace orrery::sim::simd::ORRERY_SIMD_TARGET

const orrery::sim::simd::MatrixKernels& orrery::sim::simd::matrix_kernels(target::ORRERY_SIMD_TARGET) {
  return ORRERY_SIMD_TARGET::all;
}
