// SPDX-License-Identifier: MIT
// Orbits of two bodies: elements from positions and velocities, and the reverse, for every conic.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/bodies.hpp"

namespace orrery::sim {

/// Position and velocity relative to the centre.
struct RelativeState {
  Vec3 position, velocity;
};

/// Elements of an orbit; NaN: not given, or not defined. Angles are in degrees, also M and E of hyperbolae (E is then the
/// hyperbolic anomaly). The plane of reference is x-y, from whose x axis Ω is counted.
struct OrbitalElements {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double semi_major_axis = none;          ///< a; negative for a hyperbola
  double period = none;                   ///< P
  double pericentre = none;               ///< distance q
  double apocentre = none;                ///< distance Q
  double eccentricity = none;             ///< e
  double inclination = none;              ///< i
  double ascending_node = none;           ///< Ω, its longitude
  double argument_of_pericentre = none;   ///< ω
  double longitude_of_pericentre = none;  ///< ϖ = Ω + ω, also of retrograde orbits
  double mean_anomaly = none;             ///< M
  double eccentric_anomaly = none;        ///< E
  double true_anomaly = none;             ///< f
  double mean_longitude = none;           ///< l = ϖ + M
  double time_of_pericentre = none;       ///< T, on the clock whose time is given to the functions below

  /// 1/a from the vis-viva equation. Not an element to give: of near-parabolas it is exact where a is not.
  double inverse_semi_major_axis = none;
};

/// An element's name, which is its key and column, its usual symbol, and its unit: "length", "time", "angle" or none.
struct OrbitalElement {
  std::string_view name, symbol, unit, meaning;
  double OrbitalElements::*value;
};
/// The fourteen that can be given.
inline constexpr OrbitalElement orbital_element_list[] = {
    {"semi_major_axis", "a", "length", "of the orbit; negative for a hyperbola", &OrbitalElements::semi_major_axis},
    {"period", "P", "time", "of an ellipse", &OrbitalElements::period},
    {"pericentre", "q", "length", "smallest distance", &OrbitalElements::pericentre},
    {"apocentre", "Q", "length", "largest distance, of an ellipse", &OrbitalElements::apocentre},
    {"eccentricity", "e", "", "1: parabola, above: hyperbola; default: 0", &OrbitalElements::eccentricity},
    {"inclination", "i", "angle", "to the plane of reference, 0 to 180; default: 0", &OrbitalElements::inclination},
    {"ascending_node", "Omega", "angle", "its longitude, from the x axis; default: 0",
     &OrbitalElements::ascending_node},
    {"argument_of_pericentre", "omega", "angle", "from the ascending node; default: 0",
     &OrbitalElements::argument_of_pericentre},
    {"longitude_of_pericentre", "pomega", "angle", "ascending_node + argument_of_pericentre",
     &OrbitalElements::longitude_of_pericentre},
    {"mean_anomaly", "M", "angle", "default: 0", &OrbitalElements::mean_anomaly},
    {"eccentric_anomaly", "E", "angle", "of a hyperbola the hyperbolic anomaly", &OrbitalElements::eccentric_anomaly},
    {"true_anomaly", "f", "angle", "from pericentre to the body", &OrbitalElements::true_anomaly},
    {"mean_longitude", "l", "angle", "longitude_of_pericentre + mean_anomaly", &OrbitalElements::mean_longitude},
    {"time_of_pericentre", "T", "time", "when it passes pericentre, on the clock of the run",
     &OrbitalElements::time_of_pericentre},
};

/// What contradicts or lacks in elements about a mass of `mu` = G·(total mass) > 0 at time t; empty: nothing. Any number
/// of elements may be given: two of a (or P), q, Q and e, or one, for a circle; at most one value each of where the
/// pericentre and where the body is, if the others agree to one part in 10⁶.
std::vector<std::string> faults_of(const OrbitalElements& elements, double mu, double t = 0);

/// Position and velocity at time t, for elements without faults; components are rounded once from values with relative
/// errors of 10⁻²⁵, but for what is lost where e or the anomaly itself is not known more precisely. Kepler's equation in
/// universal variables from pericentre: Danby, Fundamentals of Celestial Mechanics (1988), section 6.9.
RelativeState state_of(const OrbitalElements& elements, double mu, double t = 0);

/// All osculating elements of this position and velocity relative to the centre at time t; `mu` > 0 is G times the total
/// mass. Ω is 0 in the plane x-y, ω is 0 on a circle. Of a straight line i, Ω, ω and anomalies are NaN. Angles of ellipses are in
/// [0, 360), f, E and M of other orbits have a sign; T is the nearest passage. Murray and Dermott, Solar System Dynamics
/// (1999), section 2.8, in two doubles.
OrbitalElements elements_of(double mu, const Vec3& position, const Vec3& velocity, double t = 0);

/// Position and velocity at time t after pericentre in the plane z = 0, with pericentre on the x axis; e < 1.
inline RelativeState kepler_orbit(double mu, double semi_major_axis, double eccentricity, double t) {
  return state_of({.semi_major_axis = semi_major_axis, .eccentricity = eccentricity, .time_of_pericentre = 0}, mu, t);
}

/// The obliquity of the ecliptic at J2000 in arc seconds (IAU 1976), with which JPL and the Minor Planet Center publish elements.
inline constexpr double obliquity_arcseconds = 84381.448;
/// A vector of the equator's axes in those of the ecliptic of J2000, which share x; and the reverse.
Vec3 ecliptic_of_equatorial(const Vec3& v);
Vec3 equatorial_of_ecliptic(const Vec3& v);

}  // namespace orrery::sim
