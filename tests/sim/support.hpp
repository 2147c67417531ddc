// SPDX-License-Identifier: MIT
// What several tests of the sim room need: bodies, backends, and ways to compare.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <vector>

#include "sim/backend.hpp"
#include "sim/integrator.hpp"
#include "sim/simulation.hpp"

namespace orrery::sim::testing {

/// n bodies at random in a cube of half width 1 with masses that sum to about 1, every seventh but the first massless.
Bodies cloud(std::size_t n, std::uint64_t seed = 1);

/// n bodies of mass 1/n drawn from Plummer's sphere with scale length 1 and G = 1, isotropic and at rest as a whole up to
/// chance: IEEE operations alone, so that everybody draws the same. Aarseth, Hénon & Wielen 1974, A&A 37, 183.
Bodies plummer_sphere(std::size_t n, std::uint64_t seed = 1);

/// The same bodies with numbers as planets have them in SI units: 1e12 for 1, and 1e30 for a mass of 1.
Bodies in_metres_and_kilograms(Bodies bodies);

/// Two bodies of mass 1, 1e-6 apart and 1000 from the planes of the origin; and |Δa|/|a| of the force on the first, on a
/// backend that has them unsoftened with G = 1.
Bodies distant_pair();
double error_of_distant_pair(Backend& backend);

System system_of(const Bodies& bodies, double softening, double G = 1);

/// An external field with numbers that are nothing special, and a system with one of each law besides.
ExternalField field(const FieldLaw& law, double G = 1.7);
System with_fields(System system);

/// Two bodies of masses m at pericentre, and their period.
Bodies kepler(double eccentricity, double* period);

const Integrator& integrator(std::string_view name);
std::unique_ptr<Backend> reference(System system);

/// Of all numbers, x before y before z: −0 is not 0.
std::vector<std::uint64_t> bits_of(const Vectors& values);

/// FNV-1a over every bit of some columns, one after the other.
std::uint64_t fingerprint(std::initializer_list<const std::vector<double>*> columns);

/// FNV-1a over every bit of a snapshot's state and observables.
std::uint64_t fingerprint(const Snapshot& snapshot);

/// A run whose fingerprint is committed in tests/canonical_hashes.txt: cloud(n), dt = 1/1000, G = 1. One of 0 steps is an
/// evaluation of the forces: its fingerprint takes the accelerations for the velocities.
struct Case {
  std::size_t n;
  std::int64_t steps;
  const Integrator* method;
  double softening;
  std::uint64_t hash;
  bool fields;  ///< with every external field besides

  [[nodiscard]] System system() const;
  /// Pairs met, i with j and j with i, in the whole run: what it costs.
  [[nodiscard]] double interactions() const;
  /// Of the whole run on a backend that was made with `system()`.
  [[nodiscard]] std::uint64_t found_on(Backend& backend) const;
};
std::ostream& operator<<(std::ostream& out, const Case& c);
/// Those that do not begin with a law; tests/sim/box_cases.hpp has the others.
std::vector<Case> committed_cases();

/// The usual values of an integrator's keys; where it can choose its steps, those by which they are of dt.
KeyValues usual_keys(const Integrator& method);

/// Runs so many steps with keys of 0 and observes.
Snapshot run(Backend& backend, const Integrator& integrator, double dt, std::int64_t steps);

/// |Δa| of every `stride`th body against a sum in long double of gravity's formula.
struct Errors {
  std::vector<double> of_result;      ///< |Δa|/|a|, which grows where forces cancel
  std::vector<double> of_magnitudes;  ///< |Δa|/Σ|a_ij|, which does not
};
Errors errors_of(const Bodies& bodies, const Vectors& a, double softening, double G, std::size_t stride = 1);

/// The value that so many of them, 0 … 1, do not exceed.
double quantile(std::vector<double> values, double part);

/// The greatest |Δa|/|a| over every body or, of more than a hundred, over at least fifty of them evenly.
double worst_error(const Bodies& bodies, const Vectors& a, double softening, double G);

}  // namespace orrery::sim::testing
