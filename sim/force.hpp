// SPDX-License-Identifier: MIT
// A pair force describes itself; the list of all of them.
//
// a_i = s_i Σ_j w_j c(r²) (x_j − x_i) and U = ½ Σ_i m_i s_i Σ_j w_j u(r²), with r² = |x_j − x_i|² + ε² and c = u′(r)/r.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/bodies.hpp"
#include "sim/law_numbers.hpp"

namespace orrery::sim {

/// Which constant a law has: one of nature, which systems of units know, or one of its own.
enum class Coupling { gravitational, electric, own };

/// r² of a pair, softening included, below which a law's c is beyond the numbers that it is computed in; lengths are near 1
/// in floats.
struct LeastR2 {
  double in_doubles, in_floats;
};

/// A law has up to eight numbers of its own: exponents, lengths, ratios. Its class (sim/forces/pair_law.hpp) has the
/// arithmetic, its ForceLaw all that is told of it.
struct ForceLaw {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters;
  Coupling coupling;
  std::string_view coupling_key;  ///< of its constant: "G", "k", …
  /// Sources are masses, and bodies respond by drawing nearer, all alike: orbits and spheres can be made for it.
  bool attracts_by_mass;
  /// From the values of its keys. Throws ArgumentError where they do not go together.
  LawNumbers (*numbers)(const Arguments& arguments);
  /// c(r²) and u(r²) for one pair: what every backend computes, for tests and plots. The slope is c′(r)/r = 2 dc/d(r²),
  /// by which a difference d that changes at a rate v changes its force, d(c·d)/dt = c·v + slope·(d·v)·d: a jerk, as
  /// Hermite's integrators want it, needs no other factor.
  double (*c)(double r2, const LawNumbers& numbers);
  double (*slope)(double r2, const LawNumbers& numbers);  ///< null where no integrator may ask for a jerk
  double (*u)(double r2, const LawNumbers& numbers);
  /// The numbers where every length is `length` times as great, a power of two, as float arithmetic sees them.
  LawNumbers (*rescaled)(const LawNumbers& numbers, double length);
  /// p, with u(length·r; rescaled numbers) = length^p · u(r; numbers), so that forces go with length^(p − 1); nothing where
  /// u is a logarithm, which gains a constant, and of laws with a cutoff, which nobody asks.
  std::optional<int> (*degree)(const LawNumbers& numbers);
  /// k where u goes as r^k, the numbers being as they are: −1 for Newton and Coulomb; nothing where it is no power.
  std::optional<int> (*potential_power)(const LawNumbers& numbers);
  LeastR2 (*least_r2)(const LawNumbers& numbers);
  /// w_j of every body, and s_i of every body, from the bodies and the coupling constant. The latter throws
  /// ArgumentError where the law cannot move a body.
  std::vector<double> (*source)(const Bodies& bodies);
  std::vector<double> (*response)(const Bodies& bodies, double coupling);
  /// Beyond this distance, and there alone, a pair has no force: a short-range law, of the second list of sim/forces/list.hpp.
  /// It has no slope and takes neither weights, which are 1, nor a softening. Null: forces reach any distance.
  double (*cutoff)(const LawNumbers& numbers) = nullptr;
};

/// A law with its numbers filled in, ready for a backend. source, response: [N].
struct PairForce {
  const ForceLaw* law = nullptr;
  double softening2 = 0;  ///< ε²
  LawNumbers numbers;     ///< the law's own
  std::vector<double> source, response;
};

PairForce make_pair_force(const ForceLaw& law, const Bodies& bodies, double softening, double coupling,
                          const LawNumbers& numbers = {});

/// Whether its forces end at a cutoff.
inline bool is_short_range(const PairForce& force) {
  return force.law->cutoff != nullptr;
}

/// Newton's gravity: masses attract each other by G and the inverse square of the distance, softening aside.
bool is_newtonian(const ForceLaw& law, const LawNumbers& numbers);

/// Every law, in the order of sim/forces/list.hpp, which is that of the backends' tables of kernels: first those without a
/// cutoff.
std::span<const ForceLaw* const> force_laws();

/// Where `law` stands among those of its kind, with a cutoff or without.
std::size_t law_index(const ForceLaw& law);

}  // namespace orrery::sim
