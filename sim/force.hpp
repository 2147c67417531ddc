// SPDX-License-Identifier: MIT
// A pair force describes itself; the list of all of them.
//
// a_i = s_i Σ_j w_j c(r²) (x_j − x_i) and U = ½ Σ_i m_i s_i Σ_j w_j u(r²), with r² = |x_j − x_i|² + ε² and c = u′(r)/r.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/bodies.hpp"

namespace orrery::sim {

struct ForceLaw {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters;
  std::string_view coupling;  ///< the key of its constant: "G", "k", …; units decide it where they know one
  double (*number)(const Arguments& arguments);  ///< the law's own, from the values of its keys; 0 where it has none
  /// c(r²) and u(r²) for one pair: what every backend computes, for tests and plots. The slope is c′(r)/r = 2 dc/d(r²),
  /// by which a difference d that changes at a rate v changes its force, d(c·d)/dt = c·v + slope·(d·v)·d: a jerk, as
  /// Hermite's integrators want it, needs no other factor.
  double (*c)(double r2, double number);
  double (*slope)(double r2, double number);
  double (*u)(double r2, double number);
  /// n where the force falls as r⁻ⁿ: how it scales with lengths.
  int (*falloff)(double number);
  /// w_j of every body, and s_i of every body, from the bodies and the coupling constant. The latter throws
  /// ArgumentError where the law cannot move a body.
  std::vector<double> (*source)(const Bodies& bodies);
  std::vector<double> (*response)(const Bodies& bodies, double coupling);
};

/// A law with its numbers filled in, ready for a backend. source, response: [N].
struct PairForce {
  const ForceLaw* law = nullptr;
  double softening2 = 0;  ///< ε²
  double number = 0;      ///< the law's own: an exponent; 0 where it has none
  std::vector<double> source, response;
};

PairForce make_pair_force(const ForceLaw& law, const Bodies& bodies, double softening, double coupling,
                          double number = 0);

/// Every law, in the order of sim/forces/list.hpp, which is that of the backends' tables of kernels.
std::span<const ForceLaw* const> force_laws();

/// Where `law` stands in that list.
std::size_t law_index(const ForceLaw& law);

}  // namespace orrery::sim
