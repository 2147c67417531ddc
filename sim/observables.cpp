// SPDX-License-Identifier: MIT
// Sums over bodies as binary trees of 256 terms on several levels: the rounding error grows as log N, and the bits are
// the same everywhere.
#include "sim/observables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sim/pair_order.hpp"

namespace orrery::sim {
namespace {

using std::fma;
using std::size_t;

/// The sum of at most 256 terms. A tree of the next power of two gives the bits of the tree of 256 padded with +0:
/// adding +0 changes nothing but −0, and a sum of −0 needs every leaf to be −0, which no padded tree has.
double tree(std::span<const double> terms) {
  std::array<double, sum_block> t;
  const size_t size = std::bit_ceil(terms.size());
  std::ranges::copy(terms, t.begin());
  std::fill(t.begin() + static_cast<std::ptrdiff_t>(terms.size()), t.begin() + static_cast<std::ptrdiff_t>(size), 0.0);
  for (size_t half = size / 2; half > 0; half /= 2) {
    for (size_t k = 0; k < half; ++k) t[k] += t[k + half];
  }
  return terms.size() < sum_block ? t[0] + 0.0 : t[0];
}

/// 0 without terms.
double canonical_sum(std::vector<double> terms) {
  if (terms.empty()) return 0;
  do {
    size_t sums = 0;
    for (size_t begin = 0; begin < terms.size(); begin += sum_block) {
      const size_t count = std::min(sum_block, terms.size() - begin);
      terms[sums++] = tree(std::span(terms).subspan(begin, count));
    }
    terms.resize(sums);
  } while (terms.size() > 1);
  return terms.front();
}

}  // namespace

Observables measure(std::span<const double> m, VectorsView position, VectorsView velocity,
                    std::span<const double> potential, std::span<const double> virial) {
  const auto x = position.x, y = position.y, z = position.z;
  const auto vx = velocity.x, vy = velocity.y, vz = velocity.z;
  const auto sum = [n = m.size()](auto term) {
    std::vector<double> terms(n);
    for (size_t i = 0; i < n; ++i) terms[i] = term(i);
    return canonical_sum(std::move(terms));
  };
  const double total_mass = sum([&](size_t i) { return m[i]; });
  const auto mean = [&](double moment) { return total_mass > 0 ? moment / total_mass : 0.0; };
  return {
      .kinetic_energy = sum([&](size_t i) { return 0.5 * m[i] * fma(vx[i], vx[i], fma(vy[i], vy[i], vz[i] * vz[i])); }),
      .potential_energy = sum([&](size_t i) { return 0.5 * m[i] * potential[i]; }),
      .momentum = {sum([&](size_t i) { return m[i] * vx[i]; }), sum([&](size_t i) { return m[i] * vy[i]; }),
                   sum([&](size_t i) { return m[i] * vz[i]; })},
      .angular_momentum = {sum([&](size_t i) { return m[i] * fma(y[i], vz[i], -(z[i] * vy[i])); }),
                           sum([&](size_t i) { return m[i] * fma(z[i], vx[i], -(x[i] * vz[i])); }),
                           sum([&](size_t i) { return m[i] * fma(x[i], vy[i], -(y[i] * vx[i])); })},
      .center_of_mass = {mean(sum([&](size_t i) { return m[i] * x[i]; })),
                         mean(sum([&](size_t i) { return m[i] * y[i]; })),
                         mean(sum([&](size_t i) { return m[i] * z[i]; }))},
      .virial = virial.empty() ? 0.0 : sum([&](size_t i) { return -0.5 * m[i] * virial[i]; }),
  };
}

}  // namespace orrery::sim
