// SPDX-License-Identifier: MIT
// Shared by the tests of sim: bodies, backends, and comparisons.
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

/// n random bodies in a cube of half width 1 with masses that sum to about 1; every seventh except the first is
/// massless.
Bodies cloud(std::size_t n, std::uint64_t seed = 1);

/// n bodies of mass 1/n drawn from Plummer's sphere with scale length 1 and G = 1, isotropic and at rest as a whole up to
/// statistical noise; IEEE operations only, so the sample is the same everywhere. Aarseth, Hénon & Wielen 1974, A&A 37,
/// 183.
Bodies plummer_sphere(std::size_t n, std::uint64_t seed = 1);

/// The same bodies with magnitudes as of planets in SI units: lengths times 1e12, masses times 1e30.
Bodies in_metres_and_kilograms(Bodies bodies);

/// Two bodies of mass 1, 1e-6 apart and 1000 from the coordinate planes; and |Δa|/|a| of the force on the first, on a
/// backend that has them without softening and with G = 1.
Bodies distant_pair();
double error_of_distant_pair(Backend& backend);

System system_of(const Bodies& bodies, double softening, double G = 1);

/// An external field with generic parameters; the system with two that pages know too, and with one of each law, added.
ExternalField field(const FieldLaw& law, double G = 1.7);
System with_fields(System system);
System with_every_field(System system);

/// Two bodies of masses m at pericentre, and their period.
Bodies kepler(double eccentricity, double* period);

const Integrator& integrator(std::string_view name);
std::unique_ptr<Backend> reference(System system);

/// The bits of all numbers, x before y before z; −0 differs from 0.
std::vector<std::uint64_t> bits_of(const Vectors& values);

/// FNV-1a over every bit of the columns in order.
std::uint64_t fingerprint(std::initializer_list<const std::vector<double>*> columns);

/// FNV-1a over every bit of a snapshot's state and observables.
std::uint64_t fingerprint(const Snapshot& snapshot);

/// A run whose fingerprint is committed in tests/canonical_hashes.txt: cloud(n), dt = 1/1000, G = 1. A run of 0 steps
/// is one evaluation of the forces: its fingerprint has the accelerations in place of the velocities.
struct Case {
  std::size_t n;
  std::int64_t steps;
  const Integrator* method;
  double softening;
  std::uint64_t hash;
  bool fields, every_field;  ///< also in external fields

  [[nodiscard]] System system() const;
  /// Interactions in the whole run, counting i with j and j with i: its cost.
  [[nodiscard]] double interactions() const;
  /// The fingerprint of the whole run on a backend that was made with `system()`.
  [[nodiscard]] std::uint64_t found_on(Backend& backend) const;
};
std::ostream& operator<<(std::ostream& out, const Case& c);
/// The lines that do not begin with a law; tests/sim/box_cases.hpp has the others.
std::vector<Case> committed_cases();

/// The default values of an integrator's keys; if it can use adaptive steps, those that select steps of dt.
KeyValues usual_keys(const Integrator& method);

/// Runs the given number of steps with all keys 0 and observes.
Snapshot run(Backend& backend, const Integrator& integrator, double dt, std::int64_t steps);

/// |Δa| of every `stride`th body against a sum in long double of gravity's formula.
struct Errors {
  std::vector<double> of_result;      ///< |Δa|/|a|, which grows if forces cancel
  std::vector<double> of_magnitudes;  ///< |Δa|/Σ|a_ij|, which does not
};
Errors errors_of(const Bodies& bodies, const Vectors& a, double softening, double G, std::size_t stride = 1);

/// The quantile of the given fraction, 0 … 1.
double quantile(std::vector<double> values, double part);

/// The maximum |Δa|/|a| over all bodies or, if more than a hundred, over at least fifty evenly chosen ones.
double worst_error(const Bodies& bodies, const Vectors& a, double softening, double G);

}  // namespace orrery::sim::testing
