// SPDX-License-Identifier: MIT
// Bodies on randomly chosen grid points, bit for bit as in Berkeley's course CS267 for the same seed.
#include "sim/initial_states/list.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    count_key("1000", "number of bodies"),
    {.name = "area",
     .example = "0.0005",
     .meaning =
         "per body, of the square from 0 to √(area·n); default: the box of [domain] if it has edges, else 0.0005",
     .unit = "length²",
     .range = positive,
     .optional = true},
    {.name = "mass", .fallback = "0.01", .meaning = "of each body", .unit = "mass", .range = positive},
};

struct Rectangle {
  double x, y, width, height;
};

Rectangle box_of(const Arguments& arguments, const Domain& domain) {
  if (domain.edges[0] > 0 && domain.edges[1] > 0) {
    if (arguments.has("area"))
      throw ArgumentError("area", "`edges` of [domain] already give the size of the box: omit one of the two");
    return {domain.low[0], domain.low[1], domain.edges[0], domain.edges[1]};
  }
  const double area = arguments.has("area") ? arguments.number("area") : 0.0005;
  const double size = std::sqrt(area * static_cast<double>(arguments.integer("n")));
  if (!std::isfinite(size))
    throw ArgumentError("area", "the area of this number of bodies is beyond the range of numbers");
  return {0, 0, size, size};
}

std::uint32_t draw(std::mt19937& generator) {
  return static_cast<std::uint32_t>(generator());
}

/// Uniform in 0 … count − 1, by the upper half of a product with rejection (Lemire 2019, ACM Trans. Model. Comput.
/// Simul. 29, 3). Written out because the distributions of standard libraries differ.
std::uint32_t below(std::uint32_t count, std::mt19937& generator) {
  std::uint64_t product = std::uint64_t{draw(generator)} * count;
  if (static_cast<std::uint32_t>(product) < count) {
    const std::uint32_t t = (0U - count) % count;  // 2³² mod count
    while (static_cast<std::uint32_t>(product) < t) product = std::uint64_t{draw(generator)} * count;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

/// In [−1, 1), computed in float.
double speed(std::mt19937& generator) {
  constexpr float below_one = 0x1.fffffep-1F;
  const float f = static_cast<float>(draw(generator)) / 0x1p32F;
  return static_cast<double>((f < 1 ? f : below_one) * 2 - 1);
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  constexpr std::uint32_t last_seed = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t seed = environment.random.seed();
  if (seed > last_seed)
    throw ArgumentError("kind", "short-range-box draws with the Mersenne Twister, which has a `seed` of at most " +
                                    std::to_string(last_seed) + ", not " + std::to_string(seed));
  if (environment.units)
    throw ArgumentError("kind",
                        "the speeds of short-range-box are fixed numbers without a unit, as in CS267: remove `units`, "
                        "or use lattice, random-cube or table");
  const Rectangle box = box_of(arguments, environment.domain);
  const auto n = static_cast<std::uint32_t>(arguments.integer("n"));
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  const std::uint32_t rows = (n + columns - 1) / columns;

  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::vector<std::uint32_t> free(n);  // grid points that are still free
  std::iota(free.begin(), free.end(), 0U);
  InitialConditions made;
  Bodies& bodies = made.bodies;
  while (!free.empty()) {
    std::uint32_t& chosen = free[below(static_cast<std::uint32_t>(free.size()), generator)];
    const std::uint32_t point = chosen;
    chosen = free.back();
    free.pop_back();
    const std::uint32_t column = point % columns, row = point / columns;
    bodies.position.push_back(box.x + box.width * (1.0 + column) / (1.0 + columns),
                              box.y + box.height * (1.0 + row) / (1.0 + rows), 0);
    const double vx = speed(generator), vy = speed(generator);
    bodies.velocity.push_back(vx, vy, 0);
  }
  bodies.mass.assign(n, arguments.number("mass"));
  return made;
}

}  // namespace

const InitialState short_range_box{.name = "short-range-box",
                                   .meaning =
                                       "bodies on randomly chosen grid points in a plane box, as in the course CS267 "
                                       "for the same seed",
                                   .parameters = parameters,
                                   .make = make};

}  // namespace orrery::sim
