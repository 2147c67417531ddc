// SPDX-License-Identifier: MIT
// Matrices of pairs against plain formulas, with any number of threads, and reductions against the full matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/parameter.hpp"
#include "sim/backends/simd/targets.hpp"
#include "tests/sim/matrix_support.hpp"

namespace orrery::sim::testing {
namespace {

constexpr double softening = 0.03, G = 1.7;

double plain(const PairMatrix& matrix, const Bodies& bodies, std::size_t i, std::size_t j, double edge) {
  if (i == j) return 0;
  double d[3] = {bodies.position.x[j] - bodies.position.x[i], bodies.position.y[j] - bodies.position.y[i],
                 bodies.position.z[j] - bodies.position.z[i]};
  for (double& x : d) {
    if (edge > 0 && x > edge / 2) x -= edge;
    if (edge > 0 && x < -edge / 2) x += edge;
  }
  const double r2 = (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2], soft = r2 + softening * softening;
  const double m = bodies.mass[i] * bodies.mass[j];
  switch (matrix.kind.quantity) {
    case Quantity::distance:
      return std::sqrt(r2);
    case Quantity::potential:
      return -G * m / std::sqrt(soft);
    case Quantity::force:
      return -G * m * std::sqrt(r2) * std::pow(soft, -1.5);
    case Quantity::inverse_power:
      return std::pow(soft, -0.25 * matrix.kind.halves);
  }
  return 0;
}

template <class T>
void expect_plain(const MatrixKind& kind, std::size_t n, double edge) {
  const Bodies bodies = cloud(n);
  const System system = system_of(bodies, softening, G);
  const PairMatrix matrix =
      pair_matrix(kind, bodies, edge > 0 ? periodic_box(edge) : Domain(), {&system.forces.front(), G});
  const auto maker = make_matrix_on_cpu(matrix, 2);
  const std::vector<T> all = whole<T>(*maker, n, 64);
  // at most 2.5e-7 per factor of the product
  const double bound = (kind.floats ? 2.5e-7 : 2e-15) * (kind.quantity == Quantity::inverse_power ? kind.halves : 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double is = static_cast<double>(all[i * n + j]), should = plain(matrix, bodies, i, j, edge);
      ASSERT_LE(std::abs(is - should), bound * std::abs(should)) << i << ' ' << j << ' ' << kind.halves;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(is), std::bit_cast<std::uint64_t>(static_cast<double>(all[j * n + i])));
      // The same computation in numpy gives the same number.
      if (kind.quantity == Quantity::distance && !kind.floats) {
        ASSERT_EQ(is, should);
      }
    }
  }
}

TEST(Matrix, ElementsAreThoseOfTheFormulas) {
  for (const MatrixKind& kind : kinds_of_matrices()) {
    for (const std::size_t n : {1U, 2U, 3U, 33U, 257U}) {
      for (const double edge : {0.0, 2.1}) {
        kind.floats ? expect_plain<float>(kind, n, edge) : expect_plain<double>(kind, n, edge);
      }
    }
  }
}

TEST(Matrix, LengthsInMetresDoNotOverflowFloats) {
  const Bodies bodies = in_metres_and_kilograms(cloud(33));
  for (const int halves : {2, 3}) {
    for (const auto quantity : {Quantity::distance, Quantity::inverse_power}) {
      const PairMatrix wide = pair_matrix({quantity, halves, false}, bodies, Domain(), {});
      const PairMatrix single = pair_matrix({quantity, halves, true}, bodies, Domain(), {});
      const auto in_double = whole<double>(*make_matrix_on_cpu(wide, 1), 33);
      const auto in_float = whole<float>(*make_matrix_on_cpu(single, 1), 33);
      for (std::size_t k = 0; k < in_double.size(); ++k)
        ASSERT_NEAR(static_cast<double>(in_float[k]), in_double[k], 1e-6 * in_double[k]) << halves;
    }
  }
}

TEST(Matrix, ThreadsAndTargetsDoNotChangeABit) {
  constexpr std::size_t n = 257;
  const Bodies bodies = cloud(n);
  const System system = system_of(bodies, softening, G);
  for (const MatrixKind& kind : kinds_of_matrices()) {
    const PairMatrix matrix = pair_matrix(kind, bodies, periodic_box(2.1), {&system.forces.front(), G});
    const auto one = make_matrix_on_cpu(matrix, 1);
    const RowSums sums = one->reduce(0, n, true);
    for (std::size_t target = 0; target < simd::available_targets().size(); ++target) {
      const auto other = make_matrix_on_cpu(matrix, 3, target);
      if (kind.floats) {
        EXPECT_EQ(whole<float>(*one, n), whole<float>(*other, n, 100));
      } else {
        EXPECT_EQ(whole<double>(*one, n), whole<double>(*other, n, 100));
      }
      EXPECT_EQ(other->reduce(0, n, true).sum, sums.sum);
      EXPECT_EQ(other->reduce(0, n, true).least, sums.least);
      EXPECT_EQ(other->reduce(0, n, true).nearest, sums.nearest);
    }
  }
}

/// A binary tree over `leaves`, 2^k of them.
double tree(std::vector<double> leaves) {
  while (leaves.size() > 1) {
    for (std::size_t k = 0; k < leaves.size() / 2; ++k) leaves[k] = leaves[2 * k] + leaves[2 * k + 1];
    leaves.resize(leaves.size() / 2);
  }
  return leaves.front();
}

template <class T>
void expect_reduced(const PairMatrix& matrix, MatrixBuilder& maker) {
  const std::size_t n = matrix.n;
  const std::vector<T> all = whole<T>(maker, n);
  const std::size_t first = n / 3;
  const RowSums some = maker.reduce(first, n, true);
  std::vector<double> above;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) above.push_back(static_cast<double>(all[i * n + j]));
  }
  for (std::size_t i = first; i < n; ++i) {
    std::vector<double> runs(std::bit_ceil((n + 63) / 64), 0.0);
    double least = INFINITY, greatest = -INFINITY;
    std::int64_t nearest = -1;
    for (std::size_t run = 0; run * 64 < n; ++run) {
      T sum = 0;
      for (std::size_t j = run * 64; j < std::min(n, run * 64 + 64); ++j) {
        const T value = all[i * n + j];
        sum += value;
        if (i != j && static_cast<double>(value) < least)
          least = static_cast<double>(value), nearest = static_cast<std::int64_t>(j);
        if (i != j) greatest = std::max(greatest, static_cast<double>(value));
      }
      runs[run] = static_cast<double>(sum);
    }
    ASSERT_EQ(some.sum[i - first], tree(runs)) << i << " of " << n;
    ASSERT_EQ(some.least[i - first], least);
    ASSERT_EQ(some.greatest[i - first], greatest);
    ASSERT_EQ(some.nearest[i - first], nearest);
  }
  if (above.empty()) return;
  MatrixBins bins{
      .low = std::ranges::min(above), .high = std::ranges::max(above), .counts = std::vector<std::int64_t>(7)};
  maker.count(0, n / 2, bins);
  maker.count(n / 2, n, bins);
  std::vector<std::int64_t> counts(7);
  const double scale = bins.high > bins.low ? 7 / (bins.high - bins.low) : 0;
  for (const double value : above)
    ++counts[std::min<std::size_t>(6, static_cast<std::size_t>((value - bins.low) * scale))];
  EXPECT_EQ(bins.counts, counts);
}

TEST(Matrix, SumsEqualThoseOfTheMatrix) {
  for (const std::size_t n : {1U, 2U, 3U, 33U, 257U, 1100U}) {
    const Bodies bodies = cloud(n);
    const System system = system_of(bodies, softening, G);
    for (const MatrixKind& kind :
         {MatrixKind{Quantity::distance, 2, false}, MatrixKind{Quantity::inverse_power, 3, true},
          MatrixKind{Quantity::potential, 2, false}}) {
      const PairMatrix matrix = pair_matrix(kind, bodies, Domain(), {&system.forces.front(), G});
      const auto maker = make_matrix_on_cpu(matrix, 2);
      kind.floats ? expect_reduced<float>(matrix, *maker) : expect_reduced<double>(matrix, *maker);
    }
  }
}

/// Every law's potential and force; half of the row sums is the energy that its description gives.
TEST(Matrix, SupportsEveryLaw) {
  constexpr std::size_t n = 33;
  for (const ForceLaw* law : force_laws()) {
    Bodies bodies = cloud(n);
    for (double& mass : bodies.mass) mass += 0.01;
    bodies.charge.assign(n, 0.3);
    bodies.charge[4] = -0.7;
    Arguments keys;
    for (const Parameter& key : law->parameters) {
      if (key.fallback.empty() || key.name == "softening") continue;
      if (key.kind == Kind::text) {
        keys.set(key.name, std::string(key.fallback.substr(1, key.fallback.size() - 2)));
      } else if (key.kind == Kind::integer) {
        keys.set(key.name, static_cast<std::int64_t>(std::stoll(std::string(key.fallback))));
      } else {
        keys.set(key.name, std::stod(std::string(key.fallback)));
      }
    }
    const LawParameters numbers = law->parameters_of(keys);
    const PairForce force = make_pair_force(*law, bodies, 0, G, numbers);
    for (const bool of_force : {false, true}) {
      const PairMatrix matrix =
          pair_matrix({of_force ? Quantity::force : Quantity::potential, 2, false}, bodies, Domain(), {&force, G});
      const auto all = whole<double>(*make_matrix_on_cpu(matrix, 1), n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (i == j) continue;
          const double x = bodies.position.x[j] - bodies.position.x[i], y = bodies.position.y[j] - bodies.position.y[i],
                       z = bodies.position.z[j] - bodies.position.z[i], r2 = x * x + y * y + z * z;
          const double scale = bodies.mass[i] * force.target_factor[i] * force.source[j];
          const bool there = law->cutoff == nullptr || r2 <= std::pow(law->cutoff(numbers), 2);
          const double should = !there     ? 0
                                : of_force ? -scale * law->force_over_r(r2, numbers) * std::sqrt(r2)
                                           : scale * law->u(r2, numbers);
          ASSERT_NEAR(all[i * n + j], should, 1e-12 * std::abs(should) + 1e-13 * G) << law->name;
        }
      }
    }
  }
}

TEST(Matrix, RefusesInvalidExponents) {
  for (const int halves : {0, -1, 32})
    EXPECT_THROW((void)pair_matrix({Quantity::inverse_power, halves, false}, cloud(3), Domain(), {}), ArgumentError);
  EXPECT_THROW((void)pair_matrix({Quantity::force, 2, false}, cloud(3), Domain(), {}), ArgumentError);
}

}  // namespace
}  // namespace orrery::sim::testing
