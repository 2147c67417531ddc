// SPDX-License-Identifier: MIT
// Spherical components in equilibrium: positions from a density, velocities from the distribution function that has this
// density in a given potential.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "sim/bodies.hpp"
#include "sim/models/mass_profile.hpp"
#include "sim/sampler.hpp"

namespace orrery::sim {

struct Environment;  // sim/initial_state.hpp

/// How the mass of a component is distributed.
struct SphericalDensity {
  std::function<double(double radius)> shape;  ///< ρ(r) up to a factor, smooth
  double mass = 1;                             ///< of the whole; may be 0, for tracers
  double inner = 0;  ///< within it ρ is taken to be a power of r; should hold no body, 10⁻⁹ of the mass
  double outer = 0;  ///< beyond it there is nothing, as good as nothing, or nothing wanted
};

/// Nodes in r, equidistant in ln r between `inner` and `outer`, with the mass fraction within each.
class MassTable {
 public:
  explicit MassTable(const SphericalDensity& density);

  /// The mass within r: a MassProfile.
  [[nodiscard]] double operator()(double radius) const { return mass_ * share_within(radius); }
  /// The radius within which lies the fraction u of the mass, 0 ≤ u ≤ 1.
  [[nodiscard]] double radius_of(double u) const;

  [[nodiscard]] const std::vector<double>& radii() const { return radius_; }
  [[nodiscard]] const std::vector<double>& shares() const { return share_; }
  /// ρ(r) of a shape with this value, with the factor that makes the integral of the whole 1.
  [[nodiscard]] double normalised(double shape) const { return scale_ * shape; }

 private:
  [[nodiscard]] double share_within(double radius) const;

  double mass_, scale_ = 1;
  double inner_power_ = 3;  ///< M ∝ r^(this power) within the first node
  std::vector<double> radius_, share_;
};

/// What attracts the bodies of a component besides its pair force within itself.
struct Surroundings {
  double G = 1;
  double softening = 0;  ///< of all pair forces, that of the bodies of `others` too
  MassProfile others{};  ///< mass of all other components within r, taken to be spherical; null: none
  /// Inward acceleration by external fields, averaged over the sphere; null: none.
  std::function<double(double radius)> field{};
};

/// The companions and the fields of an environment, which must outlive the result.
Surroundings surroundings_of(const Environment& environment);

/// The keys that complaints of a SphericalModel name.
struct SphericalKeys {
  std::string_view length = "scale_length", anisotropy = "anisotropy_radius";
};

/// The distribution function of a density in the potential of itself and of its surroundings, by Eddington's inversion:
/// isotropic, or of Osipkov's and Merritt's form f(E, L) = f(Q), where φ + v²/2 becomes φ + v_r²/2 + (1 + r²/a²) v_t²/2 and
/// the anisotropy is β = r²/(r² + a²) (Binney & Tremaine 2008, §4.3.1 and 4.3.2). Softening is taken into account:
/// the force is that of softened shells.
class SphericalModel {
 public:
  /// `anisotropy_radius` is a; infinite: isotropic. Throws ArgumentError, with the least possible a, if the
  /// distribution function would be negative; and if the surroundings pull outwards.
  SphericalModel(const SphericalDensity& density, const Surroundings& surroundings,
                 double anisotropy_radius = std::numeric_limits<double>::infinity(), const SphericalKeys& keys = {});

  [[nodiscard]] const MassTable& mass() const { return mass_; }
  /// The radius within which lies the fraction u of the mass, 0 ≤ u ≤ 1.
  [[nodiscard]] double radius_of(double u) const { return mass_.radius_of(u); }
  /// A velocity at that position, 0 if nothing attracts; draws any number of numbers.
  [[nodiscard]] Vec3 velocity_at(const Vec3& position, Sampler& sampler) const;

  /// φ(r) above the potential at the centre, and f at such a value: the density in phase space of a component of unit
  /// mass.
  [[nodiscard]] double potential(double radius) const;
  [[nodiscard]] double distribution(double Q) const;
  /// GM²/2|W| of the component alone without softening: Hénon's unit of length. 0 without mass.
  [[nodiscard]] double virial_radius() const;

 private:
  void set_potential(const Surroundings& surroundings, const SphericalKeys& keys);
  void invert(const SphericalDensity& density, double anisotropy_radius, const SphericalKeys& keys);
  void set_bounds();

  MassTable mass_;
  double mass_of_all_, anisotropy2_;
  // At the nodes of mass_:
  std::vector<double> pull_;  ///< inward acceleration; empty: nothing attracts
  std::vector<double> phi_;
  std::vector<double> f_;      ///< at Q = φ
  std::vector<double> bound_;  ///< of speeds, for each interval and bin: sums over the bins up to it
};

}  // namespace orrery::sim
