// SPDX-License-Identifier: MIT
// The solar system at a date, after the ephemeris DE405. Pluto and Charon go round their barycentre on circles: G times their
// masses and the distance after Brozović & Jacobson 2024, and, because they always show each other the same face, Charon is where
// Pluto's prime meridian points (Archinal et al. 2018).
#include "sim/elementary.hpp"
#include "sim/initial_states/astronomical.hpp"
#include "sim/initial_states/ephemeris.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/literature.hpp"
#include "sim/orbit.hpp"

#include <cmath>
#include <string>

namespace orrery::sim {
namespace {

constexpr double j2000 = 2451545.0;
constexpr const char* names[ephemeris::body_count] = {"Sun",     "Mercury", "Venus",  "Earth",   "Moon", "Mars",
                                                      "Jupiter", "Saturn",  "Uranus", "Neptune", "Pluto"};

constexpr std::string_view frames[] = {"ecliptic", "equatorial"};
constexpr Parameter parameters[] = {
    {.name = "moons",
     .kind = Kind::boolean,
     .fallback = "true",
     .meaning = "Moon and Charon; without them Earth and Pluto have the mass of both, at their barycentre"},
    {.name = "frame",
     .kind = Kind::text,
     .fallback = "\"ecliptic\"",
     .meaning = "of x, y and z: ecliptic or equatorial J2000",
     .choices = frames},
};

struct Massive {
  std::string name;
  double gm;  ///< au³/d²
  ephemeris::State state;
};

Vec3 along(const Vec3& a, double s, const Vec3& b) {
  return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/// a + s·b.
ephemeris::State along(const ephemeris::State& a, double s, const ephemeris::State& b) {
  return {along(a.position, s, b.position), along(a.velocity, s, b.velocity)};
}

constexpr double km = 1 / 149597870.7, gm_in_km = km * km * km * 86400 * 86400;  // km³/s² in au³/d²
constexpr double gm_pluto = 869.3 * gm_in_km, gm_charon = 106.1 * gm_in_km, charon_distance = 19596 * km;

/// Charon's state relative to Pluto, on the axes of the ephemeris.
ephemeris::State charon(double date) {
  // Degrees: right ascension and declination of the pole, and the prime meridian from the node of Pluto's equator.
  constexpr double right_ascension = 132.993, declination = -6.163, meridian = 302.695, rate = 56.3625225;
  const double turns = (meridian + rate * (date - j2000)) / 360;
  const Direction w = direction(turns - std::floor(turns)), a = direction(right_ascension / 360);
  const Direction d = direction(declination / 360 + 1);
  const Vec3 node{-a.sine, a.cosine, 0};                             // where the meridian is 0
  const Vec3 ahead{-a.cosine * d.sine, -a.sine * d.sine, d.cosine};  // a quarter turn later
  const double speed = std::sqrt((gm_pluto + gm_charon) / charon_distance);
  return {along(along({}, charon_distance * w.cosine, node), charon_distance * w.sine, ahead),
          along(along({}, -speed * w.sine, node), speed * w.cosine, ahead)};
}

std::vector<Massive> bodies_at(double date, bool moons) {
  const ephemeris::States at = ephemeris::states_at(date);
  std::vector<Massive> all;
  for (std::size_t i = 0; i < ephemeris::body_count; ++i) all.push_back({names[i], ephemeris::gm[i], at[i]});
  Massive &earth = all[ephemeris::earth], &moon = all[ephemeris::moon];
  if (moons) {
    const ephemeris::State apart = charon(date);
    const double share = gm_charon / (gm_pluto + gm_charon);
    const ephemeris::State barycentre = at[ephemeris::pluto];
    all[ephemeris::pluto] = {"Pluto", gm_pluto, along(barycentre, -share, apart)};
    all.push_back({"Charon", gm_charon, along(barycentre, 1 - share, apart)});
  } else {
    const double share = moon.gm / (earth.gm + moon.gm);
    earth.state = along(earth.state, share, along(moon.state, -1, earth.state));
    earth.gm += moon.gm;
    all.erase(all.begin() + ephemeris::moon);
  }
  return all;
}

InitialConditions make(const Arguments& arguments, const Environment& environment) {
  const double date = environment.epoch.value_or(j2000);
  if (!(date >= ephemeris::first_date && date <= ephemeris::last_date))
    throw ArgumentError("kind",
                        "the solar system is known here from 1960-01-01 to 2060-01-10: choose an `epoch` between them");
  const bool ecliptic = arguments.text("frame") == "ecliptic";
  const AstronomicalScale to(environment, ephemeris::gm[ephemeris::sun]);
  InitialConditions made;
  const auto add = [&](Vectors& all_of, double scale, const Vec3& equatorial) {
    const Vec3 v = ecliptic ? ecliptic_of_equatorial(equatorial) : equatorial;
    all_of.push_back(scale * v.x, scale * v.y, scale * v.z);
  };
  for (const Massive& body : bodies_at(date, arguments.boolean("moons"))) {
    made.bodies.names.push_back(body.name);
    made.bodies.mass.push_back(to.mass * (body.gm / ephemeris::gm[ephemeris::sun]));
    add(made.bodies.position, to.length, body.state.position);
    add(made.bodies.velocity, to.speed, body.state.velocity);
  }
  constexpr double sidereal_year = 365.25636;  // days, of the Earth
  if (to.speed > 0) {
    made.timescale = sidereal_year * to.length / to.speed;
    made.timescale_name = "period";
  }
  return made;
}

}  // namespace

const InitialState solar_system{
    .name = "solar-system",
    .meaning =
        "Sun, planets, Pluto, Moon and Charon at the scenario's `epoch` (without one, J2000), 1960 to 2060, after "
        "JPL's "
        "DE405; a period is the Earth's",
    .references = {{literature::standish1998}, {literature::brozovic2024}, {literature::archinal2018}},
    .parameters = parameters,
    .make = make};

}  // namespace orrery::sim
