// SPDX-License-Identifier: MIT
// Random systems with a short-range force, for tests: bodies of all densities in boxes of all kinds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

#include "sim/boundary.hpp"
#include "sim/random.hpp"
#include "tests/sim/laws.hpp"

namespace orrery::sim::testing {

/// A sequence of random numbers.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed, 0) {}
  double unit() { return random_.uniform(drawn_++); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// One of 0 … n − 1.
  std::size_t below(std::size_t n) {
    return std::min(static_cast<std::size_t>(unit() * static_cast<double>(n)), n - 1);
  }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  Random random_;
  std::uint64_t drawn_ = 0;
};

/// A law with a cutoff and random parameters, for lengths near `length`.
inline PairForce random_short_range_force(Draws& draw, const Bodies& bodies, double length) {
  std::vector<const ForceLaw*> laws;
  for (const ForceLaw* law : force_laws()) {
    if (law->cutoff != nullptr) laws.push_back(law);
  }
  const ForceLaw& law = *draw.one_of(laws);
  Arguments arguments = defaults(law);
  for (const Parameter& p : law.parameters) {
    if (p.name == "cutoff") arguments.set(p.name, length);
    if (p.name == "sigma") arguments.set(p.name, length * draw.between(0.4, 0.8));
    if (p.kind == orrery::Kind::text) arguments.set(p.name, std::string(draw.one_of(p.choices)));
  }
  return make_pair_force(law, bodies, 0, std::exp2(draw.between(-10, 4)), law.parameters_of(arguments));
}

inline System random_short_range_system(Draws& draw) {
  constexpr std::size_t sizes[] = {1, 2, 3, 5, 17, 33, 100, 257, 300};
  const std::size_t n = draw.unit() < 0.04 ? 513 + draw.below(600) : draw.one_of(sizes);
  Domain domain{.dimensions = draw.unit() < 0.5 ? 2 : 3, .boundary = {}, .low = {}, .edges = {}};
  const auto dimensions = static_cast<std::size_t>(domain.dimensions);
  domain.boundary = Domain().boundary;
  const double length = std::exp2(draw.between(-12, 6));
  // From one neighbour in a hundred bodies to all of them.
  const double neighbours = std::exp2(draw.between(-7, 10));
  const double span =
      length * std::max(2.0, 2 * std::pow(static_cast<double>(n) / neighbours, 1 / static_cast<double>(dimensions)));
  const bool thin = draw.unit() < 0.2;  // as thin as a periodic box is allowed to be
  for (std::size_t q = 0; q < dimensions; ++q) {
    domain.boundary[q] = draw.one_of(boundaries());
    const bool bounded = domain.boundary[q]->bounded;
    if (bounded || draw.unit() < 0.3)
      domain.edges[q] = thin && q == 1 ? 2 * length : span * std::exp2(draw.between(0, 2));
    const double places[] = {0, -0.5, draw.between(-3, 3), 1e6};
    if (domain.edges[q] > 0) domain.low[q] = draw.one_of(places) * domain.edges[q];
  }
  Bodies bodies{.mass = {},
                .charge = {},
                .radius = {},
                .position = Vectors(n),
                .velocity = Vectors(n),
                .species = {},
                .names = {}};
  const bool same = draw.unit() < 0.5, on_lattice = draw.unit() < 0.2;
  const double speed = draw.unit() < 0.1 ? 0 : std::exp2(draw.between(-4, 2));
  for (std::size_t i = 0; i < n; ++i) bodies.mass.push_back(same ? 0.7 : draw.between(0.5, 2));
  std::vector<double>* x[] = {&bodies.position.x, &bodies.position.y, &bodies.position.z};
  std::vector<double>* v[] = {&bodies.velocity.x, &bodies.velocity.y, &bodies.velocity.z};
  for (std::size_t q = 0; q < dimensions; ++q) {
    const double edge = domain.edges[q] > 0 ? domain.edges[q] : span;
    for (std::size_t i = 0; i < n; ++i) {
      double part = draw.unit();
      if (on_lattice) part = std::floor(part * 16) / 16;  // some at the same place, and on the lower wall
      (*x[q])[i] = domain.low[q] + part * edge;
      if (domain.boundary[q]->bounded && !domain.boundary[q]->periodic && draw.unit() < 0.02)
        (*x[q])[i] = domain.low[q] + domain.edges[q];  // on the upper wall
      (*v[q])[i] = speed * draw.between(-1, 1);
    }
  }
  System system{.bodies = bodies, .forces = {}, .fields = {}, .domain = domain};
  system.forces.push_back(random_short_range_force(draw, bodies, length * 0.999));
  return system;
}

/// Description for failure messages.
inline std::string described(const System& system) {
  std::ostringstream text;
  text << system.bodies.size() << " bodies, " << system.forces.front().law->name << ", cutoff "
       << system.forces.front().law->cutoff(system.forces.front().parameters);
  for (std::size_t q = 0; q < static_cast<std::size_t>(system.domain.dimensions); ++q) {
    text << ", " << system.domain.boundary[q]->name << ' ' << system.domain.low[q] << " + " << system.domain.edges[q];
  }
  return text.str();
}

}  // namespace orrery::sim::testing
