// SPDX-License-Identifier: MIT
// Forces with a cutoff by definition: against independent sums, across the ends of boxes, and their virial.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "boxes.hpp"
#include "common/error.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/solvers/cells/cells.hpp"
#include "sim/solvers/direct/direct.hpp"

namespace orrery::sim::testing {
namespace {

using Point = std::array<double, 3>;

Point point_of(const Vectors& v, std::size_t i) {
  return {v.x[i], v.y[i], v.z[i]};
}

/// Forces, energy and virial of pairs by the description's c and u, in plain doubles, summed over all nearby images.
struct BruteForce {
  std::vector<Point> acceleration;
  double energy = 0, virial = 0;
  double weight = 0;  ///< Σ of what the forces on a body come to without their signs, at the most
  std::size_t pairs = 0;

  BruteForce(const NumberedLaw& law, const System& system, double strength) : acceleration(system.bodies.size()) {
    const Bodies& bodies = system.bodies;
    const double rc = law.cutoff();
    const auto images = [&](std::size_t q) { return system.domain.boundary[q]->periodic ? 1 : 0; };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      double all = 0;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (i == j) continue;
        for (int a = -images(0); a <= images(0); ++a) {
          for (int b = -images(1); b <= images(1); ++b) {
            for (int c = -images(2); c <= images(2); ++c) {
              const Point here = point_of(bodies.position, i), there = point_of(bodies.position, j);
              Point d{a * system.domain.edges[0], b * system.domain.edges[1], c * system.domain.edges[2]};
              for (std::size_t q = 0; q < 3; ++q) d[q] += there[q] - here[q];
              const double r = std::hypot(d[0], d[1], d[2]);
              if (r > rc) continue;
              ++pairs;
              const double pull = strength * law.force_over_r(r * r) * r;  // F = −U′
              for (std::size_t q = 0; q < 3; ++q) acceleration[i][q] += pull * d[q] / r / bodies.mass[i];
              all += std::abs(pull) / bodies.mass[i];
              energy += strength * law.u(r * r) / 2;
              virial -= pull * r / 2;
            }
          }
        }
      }
      weight = std::max(weight, all);
    }
  }
};

/// Bodies throughout the box, including its ends, so that some are neighbours across them.
System scattered(const NumberedLaw& law, std::size_t n, int dimensions, std::array<const Boundary*, 3> kinds) {
  const double spacing = 0.6 * law.cutoff();
  Bodies bodies = gas(n, dimensions, spacing);
  Domain domain = box_of(Reflecting::kind, dimensions, edge_of_gas(n, dimensions, spacing));
  for (std::size_t q = 0; q < static_cast<std::size_t>(dimensions); ++q) {
    domain.boundary[q] = kinds[q];
    domain.low[q] = (0.3 - 0.7 * static_cast<double>(q)) * law.cutoff();
    for (double& x : bodies.position.*std::array{&Vectors::x, &Vectors::y, &Vectors::z}[q]) x += domain.low[q];
  }
  return in_box(domain, system_of(law, bodies, 0, 0.7));
}

TEST(ShortRange, IsTheSumOverAllImagesWithinTheCutoff) {
  const Boundary *open = &Open::kind, *periodic = &Periodic::kind, *wall = &Reflecting::kind;
  const std::array<const Boundary*, 3> kinds[] = {{open, open, open},
                                                  {periodic, periodic, periodic},
                                                  {wall, wall, wall},
                                                  {periodic, wall, open},
                                                  {open, periodic, periodic}};
  for (const NumberedLaw& law : every_short_range_law()) {
    for (const int dimensions : {2, 3}) {
      for (const auto& kind : kinds) {
        const System system = scattered(law, dimensions == 2 ? 49 : 101, dimensions, kind);
        const BruteForce expected(law, system, 0.7);
        EXPECT_GT(expected.pairs, 4 * system.bodies.size());
        for (const bool plain : {true, false}) {
          const auto backend = plain ? reference(system) : make_cpu_backend(system, 3, 0);
          const Observables seen = backend->observe();
          const std::string what = law.name() + ", " + std::to_string(dimensions) + ", " + std::string(kind[0]->name) +
                                   ", " + std::string(kind[1]->name);
          EXPECT_NEAR(seen.potential_energy, expected.energy, 1e-12 * std::abs(expected.energy)) << what;
          EXPECT_NEAR(seen.virial, expected.virial, 1e-12 * expected.weight * law.cutoff()) << what;
          const Vectors a = backend->download(Column::acceleration);
          for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            for (std::size_t q = 0; q < 3; ++q)
              EXPECT_NEAR(point_of(a, i)[q], expected.acceleration[i][q], 1e-13 * expected.weight) << what << ", " << i;
          }
        }
      }
    }
  }
}

/// Two bodies of masses 2 and 0.5 along x.
System two_along_x(const NumberedLaw& law, double one, double other, const Domain& domain, double strength = 1) {
  Bodies bodies;
  bodies.mass = {2, 0.5};
  bodies.position.push_back(one, 0.5, 0), bodies.position.push_back(other, 0.5, 0);
  bodies.velocity = Vectors(2);
  return in_box(domain, system_of(law, bodies, 0, strength));
}

/// The interaction of two bodies across the ends of a box is the same as anywhere else.
TEST(ShortRange, ActsAcrossPeriodicEdges) {
  for (const NumberedLaw& law : every_short_range_law()) {
    const double rc = law.cutoff(), edge = 4 * rc, r = 0.75 * rc;  // sums and differences are exact
    for (const Boundary* kind : boundaries()) {
      Domain domain = box_of(*kind, 2, edge);
      domain.edges[1] = std::max(edge, 1.0);
      const double here = 0.25 * rc, there = here - r + edge;
      for (const bool plain : {true, false}) {
        const auto backend = [&](const System& system) {
          return plain ? reference(system) : make_cpu_backend(system, 1, 0);
        };
        const auto across = backend(two_along_x(law, here, there, domain));
        const auto close = backend(two_along_x(law, here + rc, here + rc - r, domain));
        const Observables seen = across->observe(), expected = close->observe();
        const Vectors a = across->download(Column::acceleration), b = close->download(Column::acceleration);
        if (!kind->periodic) {
          EXPECT_EQ(seen.potential_energy, 0) << law.name();
          EXPECT_EQ(a, Vectors(2)) << law.name();
          continue;
        }
        EXPECT_DOUBLE_EQ(seen.potential_energy, expected.potential_energy) << law.name();
        EXPECT_DOUBLE_EQ(seen.virial, expected.virial) << law.name();
        for (const std::size_t i : {0UL, 1UL}) EXPECT_DOUBLE_EQ(a.x[i], b.x[i]) << law.name();
        EXPECT_EQ(2 * a.x[0], -0.5 * a.x[1]) << law.name();
      }
    }
  }
}

/// They cross the end and bounce off each other as in open space, wherever the box begins.
TEST(ShortRange, CollisionAcrossAPeriodicEdge) {
  const NumberedLaw wca = every_short_range_law()[4];
  ASSERT_EQ(wca.law->name, "wca");
  const auto distances = [&](double shift, const Boundary& kind) {
    Domain domain = box_of(kind, 2, 8);
    System system = two_along_x(wca, std::fmod(2 + shift, 8), std::fmod(5 + shift, 8), domain);
    system.bodies.velocity.x = {1.5, -1};
    const auto cpu = make_cpu_backend(system, 1, 0);
    Simulation simulation(*cpu, integrator("leapfrog"), 0.002);
    std::vector<double> all;
    for (int k = 0; k < 20; ++k) {
      simulation.advance(50);
      const Snapshot now = simulation.observe();
      const double image = now.image.size() == 0 ? 0 : now.image.x[1] - now.image.x[0];
      const double apart = now.position.x[1] - now.position.x[0] + 8 * image;
      all.push_back(std::abs(std::remainder(apart, 8)));
    }
    return all;
  };
  const auto expected = distances(0, Open::kind);
  EXPECT_LT(std::ranges::min(expected), 1.05);
  EXPECT_GT(expected.back(), 1.5);
  for (const double shift : {0.0, 3.0, 4.5, 5.0, 6.9}) {
    const auto found = distances(shift, Periodic::kind);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9) << shift << ", " << k;
  }
}

/// The virial F·(x_i − x_j) = F r is positive for repulsion, negative for attraction, and 0 without neighbours.
TEST(ShortRange, VirialIsPositiveForRepulsion) {
  for (const NumberedLaw& law : every_short_range_law()) {
    const double rc = law.cutoff(), r = 0.85 * rc;
    const Domain open{.dimensions = 2};
    const double force = -1.7 * law.force_over_r(r * r) * r;  // strength 1.7, away from the other
    for (const bool plain : {true, false}) {
      const System system = two_along_x(law, 0, r, open, 1.7);
      const auto backend = plain ? reference(system) : make_cpu_backend(system, 1, 0);
      EXPECT_NEAR(backend->observe().virial, force * r, 1e-14 * std::abs(force * r)) << law.name();
      const bool attracts = law.law->name == "lennard-jones";
      EXPECT_EQ(backend->observe().virial > 0, !attracts) << law.name();
      EXPECT_EQ(reference(two_along_x(law, 0, 1.001 * rc, open))->observe().virial, 0) << law.name();
    }
  }
}

/// P = −dE/dV: for a crystal, whose bodies scale with the box, d·V·P is the virial.
TEST(ShortRange, VirialOfACrystalIsMinusTheEnergyDerivative) {
  for (const NumberedLaw& law : every_short_range_law()) {
    for (const int dimensions : {2, 3}) {
      const std::size_t n = dimensions == 2 ? 64 : 125;
      const auto in_crystal = [&](double factor) {
        const double spacing = factor * 0.55 * law.cutoff();
        const Bodies bodies = gas(n, dimensions, spacing);
        return reference(in_box(box_of(Periodic::kind, dimensions, edge_of_gas(n, dimensions, spacing)),
                                system_of(law, bodies, 0, 1)))
            ->observe();
      };
      // −r dE/dr; if the potential jumps at the cutoff, pairs that leave it also change the energy.
      if (law.law->name == "lennard-jones" && law.parameters.at[3] == 0) continue;
      const double h = 1e-5;
      const double loss = -(in_crystal(1 + h).potential_energy - in_crystal(1 - h).potential_energy) / (2 * h);
      const Observables seen = in_crystal(1);
      EXPECT_NEAR(seen.virial, loss, 1e-4 * std::abs(loss)) << law.name() << ", " << dimensions;
      const bool pushes = law.law->name != "lennard-jones";
      EXPECT_TRUE(seen.virial > 0 || !pushes) << law.name();
    }
  }
}

/// Only laws with a cutoff have a virial, and fields do not contribute to it.
TEST(ShortRange, VirialIsOfPairsOnly) {
  EXPECT_EQ(reference(system_of(cloud(33), 0.05))->observe().virial, 0);
  EXPECT_EQ(make_cpu_backend(system_of(cloud(33), 0.05), 1, 0)->observe().virial, 0);
  const NumberedLaw law = every_short_range_law().front();
  const System system = system_of(law, gas(33, 3, 0.6 * law.cutoff()), 0);
  const double alone = reference(system)->observe().virial;
  EXPECT_GT(alone, 0);
  const System with = with_fields(system);
  EXPECT_EQ(reference(with)->observe().virial, alone);
  EXPECT_EQ(make_cpu_backend(with, 1, 0)->observe(), reference(with)->observe());
}

TEST(ShortRange, InvalidRequestsAreRefused) {
  const NumberedLaw soft = every_short_range_law().back();
  ASSERT_EQ(soft.law->name, "soft");  // its cutoff is 1
  const System system = in_box(box_of(Periodic::kind, 3, 3), system_of(soft, gas(9, 3, 1), 0));
  const auto refused = [&](auto change, Precision precision = Precision::float64) {
    System changed = system;
    change(changed);
    return refusal_of(cells_solver, changed, precision);
  };
  const auto as_it_is = [](System&) {};
  EXPECT_EQ(refused(as_it_is), Refusal());
  EXPECT_EQ(refused(as_it_is, Precision::float32), Refusal());
  EXPECT_EQ(refused(as_it_is, Precision::mixed),
            (Refusal{"backend.precision",
                     "\"mixed\" is not supported for a law with a cutoff: use \"float64\" or \"float32\""}));
  EXPECT_EQ(refused([](System& s) { s.forces.push_back(s.forces.front()); }),
            (Refusal{"force.kind", "a law with a cutoff must be the only pair force: remove the others"}));
  EXPECT_EQ(
      refused([](System& s) { s.jerk = true; }),
      (Refusal{
          "integrator.kind",
          "this integrator needs time derivatives of forces, which laws with a cutoff do not provide: use leapfrog"}));
  EXPECT_EQ(refused([](System& s) { s.forces = system_of(s.bodies, 0).forces; }),
            (Refusal{"force.method",
                     "\"cells\" needs a law with a cutoff, which gravity is not: use \"direct\", or remove `method`"}));
  EXPECT_EQ(
      refused([](System& s) { s.domain.edges[1] = 1.75; }),
      (Refusal{
          "domain.edges",
          "a periodic box needs two cutoffs along each axis, or bodies would meet two images of one: y has 1.75, soft "
          "needs 2"}));
  EXPECT_EQ(refused([](System& s) { s.domain.edges[1] = 2; }), Refusal());
  EXPECT_EQ(refused([](System& s) {
              s.domain.edges[1] = 0.5;
              s.domain.boundary[1] = &Reflecting::kind;
            }),
            Refusal());
  System thin = system;
  thin.domain.edges[2] = 1;
  EXPECT_THROW((void)reference(thin), Error);
  EXPECT_THROW((void)make_cpu_backend(thin, 1, 0), Error);
  EXPECT_EQ(&solver_of(system), &cells_solver);
  EXPECT_EQ(refusal_of(direct_solver, thin, Precision::float64), cells::refusal(thin, Precision::float64));
  EXPECT_EQ(refusal_of(direct_solver, system, Precision::float32),
            (Refusal{"force.method", "\"direct\" with a cutoff supports only float64: use \"cells\" for float32"}));
}

TEST(ShortRange, LawsAreFiniteDownToTheirLeastDistance) {
  int endless = 0;
  for (const ForceLaw* law : force_laws()) {
    if (law->cutoff == nullptr) continue;
    const LawParameters parameters = law->parameters_of(defaults(*law));
    const MinR2 least = law->min_r2(parameters);
    EXPECT_TRUE(std::isfinite(law->force_over_r(least.in_doubles, parameters))) << law->name;
    EXPECT_TRUE(std::isfinite(static_cast<float>(law->force_over_r(least.in_floats, parameters)))) << law->name;
    endless += least.in_doubles > 0 ? 1 : 0;
  }
  EXPECT_EQ(endless, 2) << "Lennard-Jones's and WCA's";
}

TEST(ShortRange, CoincidentBodiesAreNamed) {
  const ForceLaw& law = **std::ranges::find(force_laws(), "wca", &ForceLaw::name);
  Bodies bodies{.mass = {1, 1, 1},
                .charge = {},
                .radius = {},
                .position = Vectors(3),
                .velocity = Vectors(3),
                .species = {},
                .names = {}};
  bodies.position.x = {2, 4, 4};
  const System system =
      in_box(box_of(Periodic::kind, 3, 8), system_of({&law, law.parameters_of(defaults(law))}, bodies, 0));
  for (const auto& backend : {reference(system), make_cpu_backend(system, 2, 0)}) {
    try {
      Simulation simulation(*backend, integrator("leapfrog"), 0.01);
      simulation.advance(1);
      (void)simulation.state();
      ADD_FAILURE() << "no Error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("body 1 and body 2 came within 0 of each other at step "));
    }
  }
}

}  // namespace
}  // namespace orrery::sim::testing
