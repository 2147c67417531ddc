// SPDX-License-Identifier: MIT
// The operations of sim/arithmetic.hpp and sim/elementary.hpp for one double on the host.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/arithmetic.hpp"

namespace orrery::sim {

/// A double with a correctly rounded fma on any processor.
struct Scalar {
  double value;
  explicit Scalar(double x) : value(x) {}
  friend Scalar operator+(Scalar a, Scalar b) { return Scalar(a.value + b.value); }
  friend Scalar operator-(Scalar a, Scalar b) { return Scalar(a.value - b.value); }
  friend Scalar operator*(Scalar a, Scalar b) { return Scalar(a.value * b.value); }
  friend Scalar operator/(Scalar a, Scalar b) { return Scalar(a.value / b.value); }
  friend Scalar fma(Scalar a, Scalar b, Scalar c) { return Scalar(std::fma(a.value, b.value, c.value)); }
  friend Scalar nfma(Scalar a, Scalar b, Scalar c) { return Scalar(std::fma(-a.value, b.value, c.value)); }
  friend Scalar inverse_root_seed(Scalar r2) {
    const auto high = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(r2.value) >> 32);
    return Scalar(std::bit_cast<double>(static_cast<std::uint64_t>(seed_constant - (high >> 1)) << 32));
  }
  friend bool less(Scalar a, Scalar b) { return a.value < b.value; }
  friend Scalar select(bool mask, Scalar a, Scalar b) { return mask ? a : b; }
  friend Scalar power_of_two(Scalar k) {
    return Scalar(std::bit_cast<double>(std::bit_cast<std::uint64_t>(k.value + power_of_two_offset) << 52));
  }
  friend Split<Scalar> split(Scalar x) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x.value) + split_offset;
    const auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    return {Scalar(std::bit_cast<double>((bits & split_mantissa) + split_least)), Scalar(exponent)};
  }
};

}  // namespace orrery::sim
