// SPDX-License-Identifier: MIT
#include "sim/heat_bath.hpp"

#include <cmath>
#include <cstddef>

#include "sim/elementary.hpp"
#include "sim/random.hpp"

namespace orrery::sim {
namespace {

/// In (0, 1), exactly.
double uniform(std::uint32_t word) {
  return (word + 0.5) * 0x1p-32;
}

constexpr std::uint32_t low(std::uint64_t n) {
  return static_cast<std::uint32_t>(n);
}
constexpr std::uint32_t high(std::uint64_t n) {
  return static_cast<std::uint32_t>(n >> 32);
}

}  // namespace

std::vector<double> mobilities(std::span<const double> masses) {
  std::vector<double> all;
  all.reserve(masses.size());
  for (const double m : masses) all.push_back(m > 0 ? 1 / std::sqrt(m) : 0);
  return all;
}

void thermalise(Vectors& velocity, std::span<const double> mobility, bool plane, const HeatBath& bath) {
  constexpr std::uint32_t not_a_seed = 0x8000'0000;  // seeds are below 2⁶³
  const auto step = static_cast<std::uint64_t>(bath.step);
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    const auto words =
        philox({low(i), high(i), low(step), high(step)}, {low(bath.noise), high(bath.noise) | not_a_seed});
    const double size = bath.spread * mobility[i];
    const auto change = [&](double& v, double number) { v = std::fma(size, number, bath.kept * v); };
    const Direction numbers = normal_pair(uniform(words[0]), uniform(words[1]));
    change(velocity.x[i], numbers.cosine);
    change(velocity.y[i], numbers.sine);
    if (!plane) change(velocity.z[i], normal_pair(uniform(words[2]), uniform(words[3])).cosine);
  }
}

}  // namespace orrery::sim
