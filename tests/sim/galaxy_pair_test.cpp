// SPDX-License-Identifier: MIT
// The initial state of two galaxies: their orbit, the orientation of the disks, and the same bits everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sim/initial_states/list.hpp"
#include "sim/orbit.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

using ::testing::ElementsAre;

constexpr double pair_G = 1.3;

Arguments pair_arguments(const std::string& preset, std::int64_t n, std::int64_t n_halo,
                         const std::map<std::string, Value>& others = {}) {
  Arguments values{{"preset", preset},    {"n", n},           {"n_halo", n_halo},  {"mass", 1.0},
                   {"scale_length", 1.0}, {"height", 0.1},    {"toomre_q", 1.5},   {"bulge_fraction", 0.2},
                   {"bulge_length", 0.2}, {"halo_mass", 4.0}, {"halo_length", 4.0}};
  for (const auto& [name, value] : others) values.set(name, value);
  return values;
}

InitialConditions made_pair(const Arguments& arguments) {
  return galaxy_pair.make(arguments, {.G = pair_G, .random = Random(3, 0), .softening = 0.05});
}

/// The centre and mean velocity of the bodies of some species, and their spin about it.
struct GalaxyPart {
  double mass = 0;
  Vec3 place{}, velocity{}, spin{};
};

GalaxyPart galaxy_part(const InitialConditions& all, std::int32_t from, std::int32_t to) {
  const Bodies& b = all.bodies;
  GalaxyPart part;
  const auto each = [&](const auto& function) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (b.species[i] >= from && b.species[i] <= to) function(i);
    }
  };
  each([&](std::size_t i) {
    const double m = b.mass[i];
    part.mass += m;
    part.place.x += m * b.position.x[i], part.place.y += m * b.position.y[i], part.place.z += m * b.position.z[i];
    part.velocity.x += m * b.velocity.x[i], part.velocity.y += m * b.velocity.y[i],
        part.velocity.z += m * b.velocity.z[i];
  });
  for (Vec3* v : {&part.place, &part.velocity}) v->x /= part.mass, v->y /= part.mass, v->z /= part.mass;
  each([&](std::size_t i) {
    const double x = b.position.x[i] - part.place.x, y = b.position.y[i] - part.place.y,
                 z = b.position.z[i] - part.place.z;
    const double u = b.velocity.x[i] - part.velocity.x, v = b.velocity.y[i] - part.velocity.y,
                 w = b.velocity.z[i] - part.velocity.z;
    part.spin.x += y * w - z * v, part.spin.y += z * u - x * w, part.spin.z += x * v - y * u;
  });
  const double length = std::hypot(part.spin.x, part.spin.y, part.spin.z);
  part.spin.x /= length, part.spin.y /= length, part.spin.z /= length;
  return part;
}

/// Committed bits, the same on every machine and compiler.
TEST(GalaxyPair, HasTheCommittedBits) {
  const Bodies b = made_pair(pair_arguments("bridge", 700, 333)).bodies;
  EXPECT_EQ(
      fingerprint({&b.position.x, &b.position.y, &b.position.z, &b.velocity.x, &b.velocity.y, &b.velocity.z, &b.mass}),
      0x25619c74a0edae98ULL);
}

/// As points the galaxies are on the orbit of the keys, before pericentre, about the common centre.
TEST(GalaxyPair, MeetsOnItsOrbit) {
  for (const double e : {0.5, 1.0, 1.7}) {
    const auto all = made_pair(pair_arguments(
        "antennae", 600, 500, {{"eccentricity", e}, {"pericentre", 2.1}, {"separation", 5.7}, {"mass_ratio", 0.3}}));
    EXPECT_THAT(all.components,
                ElementsAre("first disk", "first bulge", "first halo", "second disk", "second bulge", "second halo"));
    const GalaxyPart first = galaxy_part(all, 0, 2), second = galaxy_part(all, 3, 5);
    EXPECT_NEAR(first.mass, 5, 1e-12);
    EXPECT_NEAR(second.mass, 1.5, 1e-12);
    EXPECT_NEAR(first.mass * first.place.x + second.mass * second.place.x, 0, 1e-12);
    const Vec3 d{second.place.x - first.place.x, second.place.y - first.place.y, second.place.z - first.place.z};
    const OrbitalElements orbit =
        elements_of(pair_G * 6.5, d,
                    {second.velocity.x - first.velocity.x, second.velocity.y - first.velocity.y,
                     second.velocity.z - first.velocity.z});
    EXPECT_NEAR(std::hypot(d.x, d.y, d.z), 5.7, 1e-12);
    EXPECT_NEAR(orbit.pericentre, 2.1, 1e-9);
    EXPECT_NEAR(orbit.eccentricity, e, 1e-9);
    EXPECT_NEAR(orbit.inclination, 0, 1e-9);
    EXPECT_LT(d.y, 0) << "before pericentre, which is on the axis x";
    EXPECT_GT(all.timescale, 0);
  }
}

/// Of Toomre & Toomre's angles: the spin is inclined to the orbit's, and pericentre is `argument` after the node.
TEST(GalaxyPair, DisksHaveTheirInclinations) {
  const double radian = pi / 180;
  const auto all = made_pair(
      pair_arguments("antennae", 20000, 0,
                     {{"inclinations", std::vector<double>{60, 130}}, {"arguments", std::vector<double>{-30, 75}}}));
  EXPECT_THAT(all.components, ElementsAre("first disk", "first bulge", "second disk", "second bulge"));
  for (const auto& [species, i, omega, pericentre] : {std::tuple{0, 60.0, -30.0, 1.0}, {2, 130.0, 75.0, -1.0}}) {
    const Vec3 spin = galaxy_part(all, species, species).spin;
    EXPECT_NEAR(spin.z, std::cos(i * radian), 0.01);
    // The orbit rises through the disk along spin × (orbit's axis), and turns by ω from there to pericentre.
    const double nx = spin.y, ny = -spin.x, length = std::hypot(nx, ny);
    EXPECT_NEAR(nx / length * pericentre, std::cos(omega * radian), 0.02) << i;
    EXPECT_NEAR((nx * 0 - ny * pericentre) / length, std::sin(omega * radian), 0.02) << i;
  }
}

TEST(GalaxyPair, RefusesWhatCannotBe) {
  const auto key = [](const std::map<std::string, Value>& others, std::int64_t n = 100, std::int64_t n_halo = 100) {
    try {
      made_pair(pair_arguments("antennae", n, n_halo, others));
    } catch (const ArgumentError& error) {
      return error.name();
    }
    return std::string();
  };
  EXPECT_EQ(key({}), "");
  EXPECT_EQ(key({{"separation", 1.0}}), "separation");
  EXPECT_EQ(key({{"eccentricity", 0.5}, {"separation", 7.6}}), "separation");  // beyond apocentre, 7.5
  EXPECT_EQ(key({}, 1), "n");
  EXPECT_EQ(key({}, 2, 1), "n_halo");
  EXPECT_EQ(key({}, 2, 2), "");
  EXPECT_EQ(key({{"mass_ratio", 1e-3}}, 33, 3), "");
}

}  // namespace
}  // namespace orrery::sim::testing
