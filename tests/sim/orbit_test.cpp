// SPDX-License-Identifier: MIT
// Orbits and the functions that they need, against 50 digits (orbit_table.hpp, which tests/orbits.py makes).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "orbit_table.hpp"
#include "sim/angles.hpp"
#include "sim/orbit.hpp"
#include "sim/random.hpp"
#include "sim/stumpff.hpp"

namespace orrery::sim::testing {
namespace {

/// |found − right| in units in the last place of `right`.
double ulps_apart(double found, const table::Sum& right) {
  const double size = std::abs(right.high);
  const double ulp = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return std::abs((found - right.high) - right.low) / ulp;
}
/// |found − right| relative to `right`.
double error_of(const TwoDoubles& found, const table::Sum& right) {
  const double apart = (found - TwoDoubles(right.high, right.low)).high;
  return apart == 0 ? 0 : std::abs(apart / right.high);
}

/// A value that was rounded once.
constexpr double rounded_once = 0.501;

TEST(Elementary, DirectionsHaveFiftyDigits) {
  for (const auto& at : table::directions) {
    SCOPED_TRACE(at.x);
    const auto degrees = direction_of_degrees(at.x), radians = direction_of_radians(at.x);
    EXPECT_LT(ulps_apart(degrees.cosine, at.of_degrees[0]), rounded_once);
    EXPECT_LT(ulps_apart(degrees.sine, at.of_degrees[1]), rounded_once);
    EXPECT_LT(ulps_apart(radians.cosine, at.of_radians[0]), rounded_once);
    EXPECT_LT(ulps_apart(radians.sine, at.of_radians[1]), rounded_once);
    const auto precise = precise_direction_of_degrees(at.x);
    EXPECT_LT(error_of(precise.cosine, at.of_degrees[0]), 1e-28);
    EXPECT_LT(error_of(precise.sine, at.of_degrees[1]), 1e-28);
  }
  for (const double right : {90.0, -270.0, 450.0}) EXPECT_EQ(direction_of_degrees(right).cosine, 0) << right;
  for (const double straight : {180.0, -360.0, 7200.0}) EXPECT_EQ(direction_of_degrees(straight).sine, 0) << straight;
}

TEST(Elementary, ArcTangentHasFiftyDigits) {
  for (const auto& at : table::arc_tangents) {
    SCOPED_TRACE(::testing::Message() << at.y << " " << at.x);
    EXPECT_LT(ulps_apart(arc_tangent(at.y, at.x), at.angle), rounded_once);
    EXPECT_LT(error_of(arc_tangent(TwoDoubles(at.y), TwoDoubles(at.x)), at.angle), 1e-28);
  }
  EXPECT_EQ(arc_tangent(0.0, 0.0), 0);
  EXPECT_EQ(arc_tangent(0.0, 3.0), 0);
}

TEST(Elementary, StumpffFunctionsHaveFiftyDigits) {
  for (const auto& at : table::stumpffs) {
    SCOPED_TRACE(at.z);
    const auto plain = stumpff(at.z);
    const auto precise = stumpff(TwoDoubles(at.z));
    const double plainly[] = {plain.c0, plain.c1, plain.c2, plain.c3};
    const TwoDoubles precisely[] = {precise.c0, precise.c1, precise.c2, precise.c3};
    for (int k = 0; k < 4; ++k) {
      // Errors are relative to the largest value between 0 and z, for z > 0 to 1/k!.
      const double size = at.z > 0 ? 1 : std::abs(at.c[k].high), growth = 1 + std::sqrt(std::abs(at.z));
      EXPECT_NEAR(plainly[k], at.c[k].high, 2e-15 * size * growth) << k;
      EXPECT_LT(std::abs((precisely[k] - TwoDoubles(at.c[k].high, at.c[k].low)).high), 1e-30 * size * growth) << k;
    }
  }
}

OrbitalElements elements_from(const double (&given)[14]) {
  OrbitalElements all;
  for (std::size_t k = 0; k < std::size(given); ++k) all.*orbital_element_list[k].value = given[k];
  return all;
}

TEST(Orbit, StatesHaveFiftyDigits) {
  for (const auto& at : table::orbits) {
    const OrbitalElements elements = elements_from(at.given);
    SCOPED_TRACE(::testing::Message() << &at - table::orbits);
    EXPECT_TRUE(faults_of(elements, at.mu, at.t).empty()) << faults_of(elements, at.mu, at.t).front();
    const auto [r, v] = state_of(elements, at.mu, at.t);
    const double found[] = {r.x, r.y, r.z, v.x, v.y, v.z};
    for (int k = 0; k < 6; ++k) {
      if (std::abs(at.state[k].high) < 1e-30) {
        EXPECT_EQ(found[k], 0) << k;
      } else {
        EXPECT_LT(ulps_apart(found[k], at.state[k]), rounded_once) << k << ": " << found[k];
      }
    }
  }
}

TEST(Orbit, ElementsHaveFiftyDigits) {
  for (const auto& at : table::states) {
    SCOPED_TRACE(::testing::Message() << &at - table::states);
    const auto& s = at.state;
    const OrbitalElements of = elements_of(at.mu, {s[0], s[1], s[2]}, {s[3], s[4], s[5]}, at.t);
    const double found[] = {of.pericentre,        of.eccentricity,   of.inverse_semi_major_axis,
                            of.inclination,       of.ascending_node, of.argument_of_pericentre,
                            of.true_anomaly,      of.mean_anomaly,   of.eccentric_anomaly,
                            of.time_of_pericentre};
    for (std::size_t k = 0; k < std::size(found); ++k) {
      if (std::abs(at.elements[k].high) < 1e-30) {
        EXPECT_NEAR(found[k], 0, 1e-30) << k;
      } else {
        EXPECT_LT(ulps_apart(found[k], at.elements[k]), rounded_once) << k << ": " << found[k];
      }
    }
  }
}

/// Elements that determine a state to the last digits: of an ellipse both apsides, of others q and e; the true anomaly.
OrbitalElements determining(const OrbitalElements& of) {
  OrbitalElements few{.pericentre = of.pericentre,
                      .inclination = of.inclination,
                      .ascending_node = of.ascending_node,
                      .argument_of_pericentre = of.argument_of_pericentre,
                      .true_anomaly = of.true_anomaly};
  (of.inverse_semi_major_axis > 0 ? few.apocentre : few.eccentricity) =
      of.inverse_semi_major_axis > 0 ? of.apocentre : of.eccentricity;
  return few;
}

double length(const Vec3& v) {
  return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}
double apart(const Vec3& a, const Vec3& b) {
  return length({a.x - b.x, a.y - b.y, a.z - b.z}) / length(b);
}

TEST(Orbit, RoundTripsCloseToAFewUlp) {
  double worst = 0, worst_of_all = 0;
  auto number = [random = Random(5, 0), k = std::uint64_t(0)](double low, double high) mutable {
    return low + (high - low) * random.uniform(k++);
  };
  for (int k = 0; k < 3000; ++k) {
    const Vec3 r{number(-2, 2), number(-2, 2), number(-2, 2)}, v{number(-1, 1), number(-1, 1), number(-1, 1)};
    const double mu = number(0.3, 3), t = number(-5, 5);
    const OrbitalElements all = elements_of(mu, r, v, t);
    const auto [r2, v2] = state_of(determining(all), mu, t);
    // Elements are rounded to half a unit, up to 360°·2⁻⁵³, and speeds change with r most near a pericentre within.
    const double condition = 1 + all.eccentricity + length(r) / all.pericentre;
    worst = std::max({worst, apart(r2, r) / condition, apart(v2, v) / condition});
    EXPECT_TRUE(faults_of(all, mu, t).empty()) << faults_of(all, mu, t).front();
    const auto [r3, v3] = state_of(all, mu, t);
    worst_of_all = std::max({worst_of_all, apart(r3, r) / condition, apart(v3, v) / condition});
  }
  EXPECT_LT(worst, 1e-15);
  EXPECT_LT(worst_of_all, 1e-15);
}

TEST(Orbit, EveryWayToGiveIt) {
  const double mu = 1.9, t = 3.3;
  for (const Vec3& v : {Vec3{0.3, 0.7, -0.4}, Vec3{1.3, 1.7, -0.4}}) {
    const Vec3 r{0.9, -0.8, 0.6};
    const OrbitalElements all = elements_of(mu, r, v, t);
    const bool bound = all.inverse_semi_major_axis > 0;
    using Member = double OrbitalElements::*;
    using O = OrbitalElements;
    std::vector<std::vector<Member>> sizes{{&O::semi_major_axis, &O::eccentricity},
                                           {&O::pericentre, &O::eccentricity},
                                           {&O::semi_major_axis, &O::pericentre}};
    if (bound) {
      for (const auto& more : {std::vector<Member>{&O::period, &O::eccentricity},
                               {&O::apocentre, &O::eccentricity},
                               {&O::pericentre, &O::apocentre},
                               {&O::semi_major_axis, &O::apocentre},
                               {&O::period, &O::apocentre},
                               {&O::period, &O::pericentre}})
        sizes.push_back(more);
    }
    for (const auto& size : sizes) {
      for (const Member direction : {&O::argument_of_pericentre, &O::longitude_of_pericentre}) {
        for (const Member where :
             {&O::mean_anomaly, &O::eccentric_anomaly, &O::true_anomaly, &O::mean_longitude, &O::time_of_pericentre}) {
          if (!bound && where == &O::mean_longitude) continue;
          OrbitalElements few{.inclination = all.inclination, .ascending_node = all.ascending_node};
          for (const Member one : size) few.*one = all.*one;
          few.*direction = all.*direction;
          few.*where = all.*where;
          EXPECT_TRUE(faults_of(few, mu, t).empty()) << faults_of(few, mu, t).front();
          const auto found = state_of(few, mu, t);
          EXPECT_LT(apart(found.position, r), 1e-14);
          EXPECT_LT(apart(found.velocity, v), 1e-14);
        }
      }
    }
  }
}

std::string faults(const OrbitalElements& of) {
  std::string all;
  for (const std::string& fault : faults_of(of, 1.0)) all += fault + "\n";
  return all;
}

TEST(Orbit, FaultsAreSaidAllAtOnce) {
  EXPECT_EQ(faults({}), "its size is missing: give `semi_major_axis`, `period`, `pericentre` or `apocentre`\n");
  EXPECT_EQ(faults({.semi_major_axis = 1}), "");
  EXPECT_EQ(faults({.semi_major_axis = 1, .period = 2 * 3.141592653589793}), "");
  EXPECT_EQ(faults({.semi_major_axis = 1, .period = 3}),
            "`period` = 3 contradicts the other elements, which give 6.283185307179586\n");
  EXPECT_EQ(faults({.semi_major_axis = -2, .eccentricity = 0.5, .inclination = 190}),
            "`semi_major_axis` = -2 is a hyperbola's, and `eccentricity` = 0.5 is not\n"
            "`inclination` = 190 must be from 0 to 180 degrees\n");
  EXPECT_EQ(faults({.pericentre = 3, .apocentre = 2}), "`pericentre` = 3 is above `apocentre` = 2\n");
  EXPECT_EQ(faults({.pericentre = 1, .apocentre = 3, .eccentricity = 0.4}),
            "`eccentricity` = 0.4 contradicts the other elements, which give 0.5\n");
  EXPECT_EQ(faults({.pericentre = 1, .eccentricity = 1, .mean_anomaly = 3}),
            "a parabola has no `mean_anomaly`: give `true_anomaly` or `time_of_pericentre`\n");
  EXPECT_EQ(faults({.pericentre = 1, .eccentricity = 2, .true_anomaly = 130}),
            "`true_anomaly` = 130 is beyond the asymptote of `eccentricity` = 2: between -120° and 120°\n");
  EXPECT_EQ(faults({.semi_major_axis = 1,
                    .eccentricity = 0.1,
                    .ascending_node = 10,
                    .argument_of_pericentre = 20,
                    .longitude_of_pericentre = 31,
                    .mean_anomaly = 5,
                    .mean_longitude = 36}),
            "`longitude_of_pericentre` = 31 contradicts the other elements, which give 30\n"
            "`mean_longitude` = 36 contradicts the other elements, which give 35\n");
}

TEST(Orbit, TheEquatorIsTilted) {
  const Vec3 pole = ecliptic_of_equatorial({0, 0, 1});
  EXPECT_EQ(pole.x, 0);
  EXPECT_NEAR(std::atan2(pole.y, pole.z) * 180 / M_PI * 3600, 84381.448, 1e-9);
  const Vec3 v{0.3, -1.7, 2.9};
  EXPECT_LT(apart(equatorial_of_ecliptic(ecliptic_of_equatorial(v)), v), 3e-16);
}

}  // namespace
}  // namespace orrery::sim::testing
