// SPDX-License-Identifier: MIT
#include "sim/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <sstream>

#include "common/error.hpp"

namespace orrery::sim {
namespace {

/// k with 2^(k − 1) ≤ the largest magnitude < 2^k; 0 if all are zero.
int exponent_of(std::initializer_list<std::span<const double>> values) {
  double greatest = 0;
  for (const auto& some : values) {
    for (const double value : some) greatest = std::max(greatest, std::abs(value));
  }
  return greatest > 0 && std::isfinite(greatest) ? std::ilogb(greatest) + 1 : 0;
}

/// With r² of 2^±90 a float still has range for closer or lighter bodies.
constexpr int max_unscaled = 45;

}  // namespace

Scaling scaling_of(const Bodies& bodies, const PairForce& force) {
  const Vectors& x = bodies.position;
  const std::optional<int> degree = force.law->degree(force.parameters);
  const int extent = exponent_of({x.x, x.y, x.z}), weight = exponent_of({force.source});
  if (!degree && std::abs(extent) > max_unscaled) {
    std::ostringstream message;
    message << "the logarithmic potential of " << force.law->name
            << " needs lengths near 1 in float32 and mixed, but they reach " << std::ldexp(1.0, extent)
            << ": choose other units or precision = \"float64\"";
    throw Error(message.str(), Fault::request);
  }
  const int length = degree ? extent : 0, power = degree.value_or(0);
  return {.length = std::ldexp(1.0, -length),
          .weight = std::ldexp(1.0, -weight),
          .acceleration = std::ldexp(1.0, weight + (power - 1) * length),
          .potential = std::ldexp(1.0, weight + power * length)};
}

double min_r2_in(Precision precision, const PairForce& force, const Scaling& scaling) {
  const MinR2 least = force.law->min_r2(force.law->rescaled(force.parameters, scaling.length));
  if (precision == Precision::float64) return std::max(least.in_doubles, default_min_r2);
  // Single floats below 1 do not resolve distances below 2⁻²⁴.
  const double in_places = precision == Precision::mixed ? 0 : 0x1p-46;
  return std::max(least.in_floats, in_places) / (scaling.length * scaling.length);
}

double min_r2_in_doubles(const std::vector<PairForce>& forces) {
  double least = 0;
  for (const PairForce& force : forces) least = std::max(least, min_r2_in(Precision::float64, force, {}));
  return least;
}

}  // namespace orrery::sim
