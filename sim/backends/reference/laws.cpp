// SPDX-License-Identifier: MIT
// The plain formulas of the reference.
#include "sim/backends/reference/laws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "common/error.hpp"

namespace orrery::sim::reference {
namespace {

using std::fma;

double estimate_of_inverse_root(double r2) {
  const auto high = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(r2) >> 32);
  const auto seed = std::bit_cast<double>(std::uint64_t{0x5fe6eb50 - (high >> 1)} << 32);
  const double e = fma(-(r2 * seed), seed, 1.0);
  return fma(seed * e, fma(fma(0.3125, e, 0.375), e, 0.5), seed);
}

double gravity_c(double r2, const Numbers& /*numbers*/ = {}) {
  const double y = estimate_of_inverse_root(r2), y2 = y * y, y3 = y * y2;
  const double e = fma(-r2, y2, 1.0);
  return fma(y3 * e, fma(fma(2.1875, e, 1.875), e, 1.5), y3);
}

double inverse_root(double r2) {
  const double y = estimate_of_inverse_root(r2);
  const double e = fma(-r2, y * y, 1.0);
  return fma(y * e, fma(fma(0.3125, e, 0.375), e, 0.5), y);
}

double gravity_slope(double r2, const Numbers& /*numbers*/ = {}) {
  const double y = inverse_root(r2);
  return -3.0 * (gravity_c(r2) * (y * y));
}

double gravity_u(double r2, const Numbers& /*numbers*/ = {}) {
  return 0.0 - inverse_root(r2);
}

/// y^k: those of y, y², y⁴, … that the bits of k name, one after the other.
double power(double y, int k) {
  double product = 1.0;
  for (; k > 0; k /= 2, y = y * y) {
    if (k % 2 == 1) product = product * y;
  }
  return product;
}

/// ln x: x = m 2^k with √½ ≤ m < √2, f = m − 1, s = f/(2 + f), ln m = f − (f²/2 − s (f²/2 + 2 (s²/3 + s⁴/5 + …))).
double logarithm(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x) + 0x0009'5f62'0000'0000;
  const double k = static_cast<double>(bits >> 52) - 1023;
  const double f = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) + 0x3fe6'a09e'0000'0000) - 1;
  const double s = f / (2 + f), h = 0.5 * f * f;
  double series = 2.0 / 23;
  for (int n = 21; n >= 3; n -= 2) series = fma(series, s * s, 2.0 / n);
  const double small = fma(s, fma(series, s * s, h), k * 0x1.ef35793c76730p-45);
  return fma(k, 0x1.62e42fefa3800p-1, f - (h - small));
}

double inverse_power_c(double r2, const Numbers& numbers) {
  return power(inverse_root(r2), static_cast<int>(numbers[0]) + 1);
}

double inverse_power_slope(double r2, const Numbers& numbers) {
  const double n = numbers[0];
  return -1.0 * (n + 1) * power(inverse_root(r2), static_cast<int>(n) + 3);
}

double inverse_power_u(double r2, const Numbers& numbers) {
  const double n = numbers[0];
  return n == 1 ? 0.5 * logarithm(r2) : -1 / (n - 1) * power(inverse_root(r2), static_cast<int>(n) - 1);
}

/// 1/r2: y² (1 + e + e² + e³) with e = 1 − r2 y².
double inverse_square(double r2) {
  const double y = estimate_of_inverse_root(r2), e = fma(-r2, y * y, 1.0);
  return fma(y * y, fma(fma(e, e, e), e, e), y * y);
}

/// Numbers: cutoff, least². (1 − cutoff/r)/r² from y = 1/r.
double repulsive_of_root(double y, double cutoff) {
  return fma(-cutoff, y, 1.0) * (y * y);
}
double repulsive_c(double r2, const Numbers& numbers) {
  return repulsive_of_root(inverse_root(std::max(r2, numbers[1])), numbers[0]);
}
double repulsive_u(double r2, const Numbers& numbers) {
  const double clamped = std::max(r2, numbers[1]), y = inverse_root(clamped), ratio = numbers[0] * y;
  return fma(0.5 * repulsive_of_root(y, numbers[0]), r2 - clamped, (ratio - 1.0) - logarithm(ratio));
}

/// (σ/r)⁶ from σ² and 1/r².
double sixth(double sigma2, double inverse) {
  const double q = sigma2 * inverse;
  return q * q * q;
}
double wca_c(double r2, const Numbers& numbers) {
  const double inverse = inverse_square(r2), s = sixth(numbers[0], inverse);
  return fma(-48.0, s, 24.0) * (s * inverse);
}
double wca_u(double r2, const Numbers& numbers) {
  const double s = sixth(numbers[0], inverse_square(r2));
  return fma(4.0 * s, s - 1.0, 1.0);
}

/// Numbers: σ², cutoff, slope, potential.
double lennard_jones_c(double r2, const Numbers& numbers) {
  const double y = inverse_root(r2), s = sixth(numbers[0], y * y);
  return fma(-numbers[2], y, fma(-48.0, s, 24.0) * (s * (y * y)));
}
double lennard_jones_u(double r2, const Numbers& numbers) {
  const double y = inverse_root(r2), s = sixth(numbers[0], y * y);
  return fma(-numbers[2], r2 * y, 4.0 * s * (s - 1.0) - numbers[3]);
}

/// Numbers: cutoff, 1/cutoff.
double soft_c(double r2, const Numbers& numbers) {
  return numbers[1] - inverse_root(std::max(r2, 0x1p-100));
}
double soft_u(double r2, const Numbers& numbers) {
  const double clamped = std::max(r2, 0x1p-100), left = fma(-(clamped * inverse_root(clamped)), numbers[1], 1.0);
  return 0.5 * numbers[0] * left * left;
}

constexpr Law laws[] = {{"gravity", gravity_c, gravity_slope, gravity_u},
                        {"coulomb", gravity_c, gravity_slope, gravity_u},
                        {"inverse-power", inverse_power_c, inverse_power_slope, inverse_power_u},
                        {"repulsive", repulsive_c, nullptr, repulsive_u},
                        {"wca", wca_c, nullptr, wca_u},
                        {"lennard-jones", lennard_jones_c, nullptr, lennard_jones_u},
                        {"soft", soft_c, nullptr, soft_u}};

using Vector = std::array<double, 3>;

/// The field c(r²)·d for d = centre − x, its rate of change for the velocity v, and the potential.
Sums central(const Vector& d, const Vector& v, double c, double slope, double potential) {
  const Vector j = rate_of_change(d, {0.0 - v[0], 0.0 - v[1], 0.0 - v[2]}, c, slope);
  return {c * d[0], c * d[1], c * d[2], potential, j[0], j[1], j[2]};
}

Sums logarithmic_halo(const Numbers& number, const Vector& x, const Vector& v) {
  const double v2 = number[0], rc2 = number[1];
  const Vector d{number[2] - x[0], number[3] - x[1], number[4] - x[2]};
  const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], rc2)));
  const double k = v2 / r2;
  return central(d, v, k, -2.0 * k / r2, (0.5 * v2) * logarithm(r2 / rc2));
}

Sums plummer_halo(const Numbers& number, const Vector& x, const Vector& v) {
  const double mu = number[0];
  const Vector d{number[2] - x[0], number[3] - x[1], number[4] - x[2]};
  const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], number[1])));
  return central(d, v, mu * gravity_c(r2), mu * gravity_slope(r2), mu * gravity_u(r2));
}

/// Numbers: G M, a, the centre, b².
Sums miyamoto_nagai(const Numbers& number, const Vector& x, const Vector& v) {
  const double mu = number[0], a = number[1], b2 = number[5];
  const Vector d{number[2] - x[0], number[3] - x[1], number[4] - x[2]}, w{0.0 - v[0], 0.0 - v[1], 0.0 - v[2]};
  const double s2 = fma(d[2], d[2], b2), over_s = inverse_root(s2), height = fma(s2, over_s, a);
  const double q = fma(d[0], d[0], fma(d[1], d[1], height * height)), k = mu * gravity_c(q);
  const double flat = fma(a, over_s, 1.0) * d[2], rise = fma(a * over_s, b2 * (over_s * over_s), 1.0);
  const double along = mu * gravity_slope(q) * fma(d[0], w[0], fma(d[1], w[1], flat * w[2]));
  return {k * d[0],
          k * d[1],
          k * flat,
          mu * gravity_u(q),
          fma(along, d[0], k * w[0]),
          fma(along, d[1], k * w[1]),
          fma(along, flat, k * (rise * w[2]))};
}

/// Numbers: G M_s/r_s³, r_s², the centre.
Sums nfw(const Numbers& number, const Vector& position, const Vector& v) {
  const double factor = number[0], rs2 = number[1];
  const Vector d{number[2] - position[0], number[3] - position[1], number[4] - position[2]};
  const double x2 = std::max(fma(d[0], d[0], fma(d[1], d[1], d[2] * d[2])) / rs2, 0x1p-100);
  const double x = x2 * inverse_root(x2), y = 2 / (2 + x), u = x / (2 + x);
  double well = 0, pull = 0;
  if (x < 0.5) {
    double series = 1.0 / 23;
    for (int n = 21; n >= 3; n -= 2) series = fma(series, u * u, 1.0 / n);
    well = y * fma(series, u * u, 1.0);
    pull = y * y * fma(series, u, 1 / (1 + u)) / (2 * x);
  } else {
    well = logarithm(1 + x) / x;
    pull = (logarithm(1 + x) - x / (1 + x)) / (x * x2);
  }
  const double slope = (1 / (x * ((1 + x) * (1 + x))) - 3 * pull) / (x2 * rs2);
  return central(d, v, factor * pull, factor * slope, (factor * rs2) * (0.0 - well));
}

Sums uniform(const Numbers& g, const Vector& x, const Vector& /*v*/) {
  return {g[0], g[1], g[2], 0.0 - fma(g[0], x[0], fma(g[1], x[1], g[2] * x[2]))};
}

constexpr Field fields[] = {{"logarithmic-halo", logarithmic_halo}, {"plummer-halo", plummer_halo},
                            {"miyamoto-nagai", miyamoto_nagai},     {"nfw", nfw},
                            {"point-mass", plummer_halo},           {"uniform", uniform}};

}  // namespace

const Law& law(std::string_view name) {
  const auto* found = std::ranges::find(laws, name, &Law::name);
  if (found == std::end(laws)) throw Error("the reference has no formulas of the law " + std::string(name));
  return *found;
}

const Field& field(std::string_view name) {
  const auto* found = std::ranges::find(fields, name, &Field::name);
  if (found == std::end(fields)) throw Error("the reference has no formulas of the field " + std::string(name));
  return *found;
}

std::array<double, 3> rate_of_change(const Vector& d, const Vector& v, double c, double slope) {
  const double along = slope * fma(d[0], v[0], fma(d[1], v[1], d[2] * v[2]));
  return {fma(along, d[0], c * v[0]), fma(along, d[1], c * v[1]), fma(along, d[2], c * v[2])};
}

}  // namespace orrery::sim::reference
