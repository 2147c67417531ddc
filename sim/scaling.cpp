// SPDX-License-Identifier: MIT
// From the greatest coordinate and the greatest weight to powers of two.
#include "sim/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace orrery::sim {
namespace {

/// k with 2^(k − 1) ≤ the greatest magnitude < 2^k; 0 where all are zero.
int exponent_of(std::initializer_list<std::span<const double>> values) {
  double greatest = 0;
  for (const auto& some : values) {
    for (const double value : some) greatest = std::max(greatest, std::abs(value));
  }
  return greatest > 0 && std::isfinite(greatest) ? std::ilogb(greatest) + 1 : 0;
}

}  // namespace

Scaling scaling_of(const Bodies& bodies, const PairForce& force) {
  const Vectors& x = bodies.position;
  const int falloff = force.law->falloff(force.number);
  const int length = falloff == 1 ? 0 : exponent_of({x.x, x.y, x.z}), weight = exponent_of({force.source});
  return {.length = std::ldexp(1.0, -length),
          .weight = std::ldexp(1.0, -weight),
          .acceleration = std::ldexp(1.0, weight - falloff * length),
          .potential = std::ldexp(1.0, weight - (falloff - 1) * length)};
}

}  // namespace orrery::sim
