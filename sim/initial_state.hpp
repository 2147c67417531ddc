// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/analysis/density_profile.hpp"
#include "sim/bodies.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"
#include "sim/models/mass_profile.hpp"
#include "sim/publication.hpp"
#include "sim/random.hpp"
#include "sim/rotation.hpp"

namespace orrery::sim {

/// The units of a scenario in SI: metres, kilograms and seconds.
struct SystemOfUnits {
  double length, mass, time;
};

/// What an initial state may need besides its own parameters.
struct Environment {
  double G = 1;  ///< gravitational constant of the masses; 0 if they do not attract each other
  Random random{0, 0};
  double softening = 0;                 ///< of the pair force
  std::vector<ExternalField> fields{};  ///< that will act on the bodies
  Vec3 origin{};                        ///< position of the bodies' own origin in those fields
  Rotation rotation{};                  ///< from the bodies' own axes to those of the fields
  Domain domain{};
  std::optional<SystemOfUnits> units{};  ///< empty: dimensionless
  const Bodies* before = nullptr;        ///< those of initial states before it; null: there are none
  std::optional<double> epoch{};         ///< Julian date (TDB) of t = 0; empty: none is given
  /// Other initial states about the same centre and moving with it, whose bodies will attract these.
  std::vector<MassProfile> companions{};
};

/// Bodies and their characteristic time, in which scenarios may give times.
struct InitialConditions {
  Bodies bodies;
  double timescale = 0;                        ///< 0: unknown
  std::string_view timescale_name{};           ///< "period", "crossing time", "rotation" or "free-fall time"
  std::vector<std::string_view> components{};  ///< names of the species if there are several
  bool equilibrium = false;  ///< the model is meant to be stationary, with 2T = −Σ m x·a on average
};

/// Two bodies on a Kepler orbit, at pericentre at the start.
struct KeplerStart {
  double masses[2];
  double semi_major_axis, eccentricity;
};

struct InitialState {
  std::string_view name;
  std::string_view meaning;
  Citations references{};  ///< where it was published
  std::span<const Parameter> parameters;
  bool random = false;  ///< bodies may be arbitrarily close to each other
  /// Every length, mass and velocity comes from a parameter or from G, so that the state has the units of the scenario;
  /// a state with fixed numbers converts them to those units, or refuses units.
  /// Uses sim/elementary.hpp and no function of the C library but sqrt, so that the bits are the same everywhere.
  /// Throws ArgumentError.
  InitialConditions (*make)(const Arguments& arguments, const Environment& environment);
  /// The radial density that bodies are drawn from; null if there is no closed form.
  DensityProfile (*density)(const Arguments& arguments) = nullptr;
  /// The mass within a radius, averaged over the sphere; null: none that other initial states could reckon with.
  MassProfile (*enclosed_mass)(const Arguments& arguments, const Environment& environment) = nullptr;
  /// The orbit, if the state is that of two bodies on one; else null.
  KeplerStart (*kepler)(const Arguments& arguments) = nullptr;
};

std::span<const InitialState* const> initial_states();

/// Subtracts the position and velocity of the centre of mass from every body.
void recentre(Bodies& bodies);

inline constexpr double pi = 3.14159265358979323846;

}  // namespace orrery::sim
