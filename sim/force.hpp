// SPDX-License-Identifier: MIT
// A law of pair forces with its description, and the list of all laws:
//
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/function_view.hpp"
#include "common/parameter.hpp"
#include "sim/bodies.hpp"
#include "sim/law_parameters.hpp"
#include "sim/publication.hpp"

namespace orrery::sim {

struct ForeignLaw;  // sim/foreign.hpp

/// Which coupling constant a law has: one that systems of units define, or a parameter of its own.
enum class Coupling { gravitational, electric, own };

/// The softened r² below which `force_over_r` overflows, in double and, for lengths near 1, in float.
struct MinR2 {
  double in_doubles, in_floats;
};

/// c, u and c′/r, called `slope`, of n pairs; u and slope are null unless needed. Each result depends on the r² of its pair
/// alone. Any r² ≥ 0 may come, also of pairs that do not count. Called by several threads at once.
using PairFunction = FunctionView<void(std::size_t n, const double* r2, double* c, double* u, double* slope,
                                       const LawParameters& parameters)>;

/// The description of a law; its class (sim/forces/pair_law.hpp) has the arithmetic.
struct ForceLaw {
  std::string_view name;
  std::string_view meaning;
  Citations references{};  ///< where it was published
  std::span<const Parameter> parameters;
  Coupling coupling;
  std::string_view coupling_key;  ///< parameter that holds its constant: "G", "k", …
  /// Sources are masses, which attract all bodies alike, so that orbits and spheres in equilibrium can be constructed.
  bool attracts_by_mass;
  /// Computed from the parameters. Throws ArgumentError if they are inconsistent.
  FunctionView<LawParameters(const Arguments& arguments)> parameters_of;
  /// c(r²) = `force_over_r`, by which the difference d of two positions is multiplied; c′(r)/r = 2 dc/d(r²) =
  /// `force_over_r_slope`; and the potential u(r²): of one pair, for tests and plots. A difference d that changes at the
  /// rate v changes the force at the rate d(c·d)/dt = c·v + c′/r·(d·v)·d, the jerk that Hermite integrators need.
  FunctionView<double(double r2, const LawParameters& parameters)> force_over_r;
  FunctionView<double(double r2, const LawParameters& parameters)> force_over_r_slope;  ///< null: no jerk available
  FunctionView<double(double r2, const LawParameters& parameters)> u;
  /// The parameters for lengths multiplied by `length`, a power of two, as float arithmetic uses them.
  LawParameters (*rescaled)(const LawParameters& parameters, double length);
  /// p in u(length·r; rescaled parameters) = length^p · u(r; parameters); forces scale as length^(p − 1). Empty if u is a
  /// logarithm or the law has a cutoff.
  std::optional<int> (*degree)(const LawParameters& parameters);
  /// k if u ∝ r^k for fixed parameters, −1 for Newton and Coulomb; else empty.
  std::optional<int> (*potential_power)(const LawParameters& parameters);
  MinR2 (*min_r2)(const LawParameters& parameters);
  /// The weights w_j and target factors s_i of all bodies, [N]. `target_factor` throws ArgumentError for a body that the law
  /// cannot move.
  std::vector<double> (*source)(const Bodies& bodies);
  std::vector<double> (*target_factor)(const Bodies& bodies, double coupling);
  /// The distance beyond which a pair has no force, for laws in the second list of sim/forces/list.hpp. They have
  /// neither `force_over_r_slope` nor softening, and their weights are 1. Null: unlimited range.
  double (*cutoff)(const LawParameters& parameters) = nullptr;
  /// n if c = r^−(n+1), a force that falls as r^−n, so that a solver may expand it in derivatives of powers of r. Null:
  /// the law admits no expansion.
  int (*expansion)(const LawParameters& parameters) = nullptr;
  const ForeignLaw* foreign = nullptr;  ///< what a law of the program that uses the library says of itself
  /// Of a law that is not in sim/forces/list.hpp, for which no loops over pairs are compiled: they call this with the r² of
  /// many pairs. Null: they have the law's own arithmetic.
  PairFunction of_pairs = nullptr;
};

/// A law with its parameters, ready for a backend. source, target_factor: [N].
struct PairForce {
  const ForceLaw* law = nullptr;
  double softening2 = 0;     ///< ε²
  LawParameters parameters;  ///< the law's own
  std::vector<double> source, target_factor;
};

PairForce make_pair_force(const ForceLaw& law, const Bodies& bodies, double softening, double coupling,
                          const LawParameters& numbers = {});
/// From the values of the law's parameters. Throws ArgumentError, or BodyArgumentError for a body that it cannot move.
PairForce make_pair_force(const ForceLaw& law, const Bodies& bodies, const Arguments& values);
/// ε; 0 for a law without it.
double softening_in(const Arguments& values);

/// Whether the law is not compiled into the loops over pairs.
inline bool is_foreign(const PairForce& force) {
  return force.law->of_pairs != nullptr;
}

inline bool is_short_range(const PairForce& force) {
  return force.law->cutoff != nullptr;
}

/// Newtonian gravity: masses attract by G and the inverse square of the distance, softening aside.
bool is_newtonian(const ForceLaw& law, const LawParameters& parameters);

/// All laws in the order of sim/forces/list.hpp and of the kernel tables: those without a cutoff first.
std::span<const ForceLaw* const> force_laws();

/// Index of `law` among the laws with a cutoff or among those without.
std::size_t law_index(const ForceLaw& law);

}  // namespace orrery::sim
