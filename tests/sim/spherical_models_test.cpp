// SPDX-License-Identifier: MIT
// Spherical models have the densities, dispersions, anisotropies and energies of closed forms and of Jeans' equation.
#include "sim/models/spherical_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "sim/elementary.hpp"
#include "sim/initial_states/list.hpp"
#include "support.hpp"

namespace orrery::sim::testing {
namespace {

using Function = std::function<double(double)>;
using ::testing::HasSubstr;

constexpr double model_edge = 20, model_length = 0.7, model_mass = 1.3, model_G = 2.1;

/// A model with its formula, up to a factor, as it stands in the literature.
struct Known {
  const InitialState* state;
  Arguments keys;
  Function density;
  std::uint64_t bits;
};

double cut(double r) {
  return 1 / std::cosh(r / model_edge);
}

/// King's density with W₀ = 5 and the core radius `length`, with Poisson's equation in steps of r.
Function king_density() {
  constexpr double W0 = 5, step = 5e-4;
  const auto relative = [](double W) {
    return std::exp(W) * std::erf(std::sqrt(W)) - std::sqrt(4 * W / pi) * (1 + 2 * W / 3);
  };
  std::vector<double> all{1};
  double W = W0, slope = 0;
  for (double x = 0; W > 0; x += step) {
    const double middle = W + 0.5 * step * slope;
    slope += step * (-9 * relative(std::max(middle, 0.0)) / relative(W0) - 2 * slope / (x + 0.5 * step));
    W += step * slope;
    if (W > 0) all.push_back(relative(W) / relative(W0));
  }
  return [all](double r) {
    const auto k = static_cast<std::size_t>(r / model_length / step);
    return k + 1 < all.size() ? std::lerp(all[k], all[k + 1], r / model_length / step - static_cast<double>(k)) : 1e-30;
  };
}

std::vector<Known> known() {
  const Arguments of_infinite{{"scale_length", model_length}, {"edge", model_edge}};
  Arguments cuspy = of_infinite;
  cuspy.set("gamma", 1.8);
  return {{&hernquist, of_infinite, [](double r) { return 1 / (r * std::pow(r + model_length, 3)) * cut(r); },
           0xb0c3b810f109ab5c},
          {&dehnen, cuspy, [](double r) { return 1 / (std::pow(r, 1.8) * std::pow(r + model_length, 2.2)) * cut(r); },
           0xa3e8d8c54b73f123},
          {&nfw, of_infinite, [](double r) { return 1 / (r * std::pow(r + model_length, 2)) * cut(r); },
           0x6765f7d2fa48f12c},
          // The form of Binney & Tremaine 2008, eq. 2.48.
          {&isochrone, of_infinite,
           [](double r) {
             const double b = model_length, a = std::hypot(b, r);
             return (3 * (b + a) * a * a - r * r * (b + 3 * a)) / std::pow((b + a) * a, 3) * cut(r);
           },
           0x49b90110679bf882},
          {&king, {{"core_radius", model_length}, {"w0", 5.0}}, king_density(), 0x568ff9c0933cd0c7}};
}

Arguments with(Arguments keys, std::int64_t model_bodies, double radius = 0) {
  keys.set("n", model_bodies);
  keys.set("mass", model_mass);
  if (radius > 0) keys.set("anisotropy_radius", radius);
  return keys;
}

/// Mass and radial dispersion at nodes, by Jeans' equation: ρ σ² (r² + a²) = ∫ ρ (s² + a²) G M(s)/s² ds from r outwards.
class Jeans {
 public:
  Jeans(const Function& density, double anisotropy_radius, const Function& others = nullptr) {
    constexpr double first = 1e-5, last = 600;
    for (int k = 0; k <= nodes; ++k) r_.push_back(first * std::pow(last / first, static_cast<double>(k) / nodes));
    std::vector<double> rho;
    for (const double r : r_) rho.push_back(density(r));
    mass_.push_back(0);
    for (std::size_t k = 1; k < r_.size(); ++k) {
      const auto shell = [&](std::size_t j) { return 4 * pi * r_[j] * r_[j] * rho[j]; };
      mass_.push_back(mass_.back() + 0.5 * (shell(k) + shell(k - 1)) * (r_[k] - r_[k - 1]));
    }
    for (double& m : mass_) m *= model_mass / mass_.back();
    sigma2_.assign(r_.size(), 0);
    const auto weight = [&](double r) { return 1 + r * r / (anisotropy_radius * anisotropy_radius); };
    const auto pull = [&](std::size_t k) {
      return rho[k] * weight(r_[k]) * model_G * (mass_[k] + (others ? others(r_[k]) : 0)) / (r_[k] * r_[k]);
    };
    double sum = 0;
    for (std::size_t k = r_.size() - 1; k-- > 0;) {
      sum += 0.5 * (pull(k) + pull(k + 1)) * (r_[k + 1] - r_[k]);
      sigma2_[k] = sum / (rho[k] * weight(r_[k]));
    }
  }
  [[nodiscard]] double mass_within(double r) const { return at(mass_, r); }
  [[nodiscard]] double sigma2(double r) const { return at(sigma2_, r); }
  /// The radius of this fraction of the mass.
  [[nodiscard]] double radius_of(double u) const {
    return r_[static_cast<std::size_t>(std::ranges::lower_bound(mass_, u * model_mass) - mass_.begin())];
  }

 private:
  static constexpr int nodes = 20000;
  [[nodiscard]] double at(const std::vector<double>& values, double r) const {
    const double k = std::clamp(std::log(r / r_[0]) / std::log(r_.back() / r_[0]), 0.0, 1.0) * nodes;
    const auto below = std::min(static_cast<std::size_t>(k), values.size() - 2);
    return std::lerp(values[below], values[below + 1], k - static_cast<double>(below));
  }
  std::vector<double> r_, mass_, sigma2_;
};

/// Distance from the centre, and squares of the radial and tangential velocity, by distance.
struct Star {
  double r, radial2, tangential2;
};
std::vector<Star> stars_of(const Bodies& b) {
  std::vector<Star> all;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double x = b.position.x[i], y = b.position.y[i], z = b.position.z[i], r = std::hypot(x, y, z);
    const double vx = b.velocity.x[i], vy = b.velocity.y[i], vz = b.velocity.z[i];
    const double radial = (vx * x + vy * y + vz * z) / r;
    all.push_back({r, radial * radial, vx * vx + vy * vy + vz * vz - radial * radial});
  }
  std::ranges::sort(all, {}, &Star::r);
  return all;
}

/// The mean of values whose expectation is 0, in its standard deviations: 5 is exceeded once in 10⁶.
double standard_score(const std::vector<double>& values) {
  double sum = 0, square = 0;
  for (const double v : values) sum += v, square += v * v;
  return sum / std::sqrt(square);
}

void expect_profiles(const Bodies& bodies, const Jeans& jeans, double anisotropy_radius) {
  const auto stars = stars_of(bodies);
  const auto model_bodies = static_cast<double>(stars.size());
  double misfit = 0;  // Kolmogorov's and Smirnov's: one sample in 10⁴ exceeds 2.2
  for (std::size_t k = 0; k < stars.size(); ++k)
    misfit = std::max(
        misfit, std::abs(jeans.mass_within(stars[k].r) / model_mass - (static_cast<double>(k) + 0.5) / model_bodies));
  EXPECT_LT(misfit * std::sqrt(model_bodies), 2.2);
  for (const double share : {0.03, 0.2, 0.5, 0.8, 0.97}) {
    std::vector<double> radial, tangential;
    for (const Star& star : stars) {
      if (std::abs(jeans.mass_within(star.r) / model_mass - share) > 0.03) continue;
      const double sigma2 = jeans.sigma2(star.r), a2 = anisotropy_radius * anisotropy_radius;
      radial.push_back(star.radial2 / sigma2 - 1);
      tangential.push_back(star.tangential2 / (2 * sigma2 * a2 / (a2 + star.r * star.r)) - 1);
    }
    EXPECT_LT(std::abs(standard_score(radial)), 5) << share;
    EXPECT_LT(std::abs(standard_score(tangential)), 5) << share;
  }
}

constexpr std::int64_t model_bodies = 20011;
constexpr double isotropic = 1e9;

TEST(SphericalModels, HaveTheirDensityAndDispersions) {
  for (const Known& model : known()) {
    SCOPED_TRACE(model.state->name);
    const Jeans jeans(model.density, isotropic);
    const auto made = model.state->make(with(model.keys, model_bodies), {.G = model_G, .random = Random(3, 0)});
    expect_profiles(made.bodies, jeans, isotropic);
    EXPECT_TRUE(made.equilibrium);
    EXPECT_EQ(made.timescale_name, "crossing time");
    const double a = 1.4 * jeans.radius_of(0.5);
    expect_profiles(model.state->make(with(model.keys, model_bodies, a), {.G = model_G, .random = Random(5, 0)}).bodies,
                    Jeans(model.density, a), a);
  }
}

/// Bodies of little mass in the middle of a heavy sphere, of which the model only knows the mass profile.
TEST(SphericalModels, AreInEquilibriumWithCompanions) {
  const auto heavy = [](double r) { return 30 * std::pow(r / std::sqrt(r * r + 4), 3); };
  for (const Known& model : known()) {
    SCOPED_TRACE(model.state->name);
    Environment around{.G = model_G, .random = Random(4, 0)};
    around.companions.emplace_back(heavy);
    expect_profiles(model.state->make(with(model.keys, model_bodies, 3), around).bodies, Jeans(model.density, 3, heavy),
                    3);
    // As an external field it is the same force.
    const FieldLaw& law = **std::ranges::find(field_laws(), "plummer-halo", &FieldLaw::name);
    const Arguments keys{{"mass", 30.0}, {"scale_length", 2.0}, {"center", std::vector<double>{1, 2, 3}}};
    const Environment field{.G = model_G,
                            .random = Random(4, 0),
                            .fields = {{&law, law.parameters_of(keys, model_G)}},
                            .origin = {1, 2, 3}};
    const Bodies a = model.state->make(with(model.keys, 33, 3), around).bodies,
                 b = model.state->make(with(model.keys, 33, 3), field).bodies;
    for (std::size_t i = 0; i < 33; ++i) EXPECT_NEAR(a.velocity.z[i], b.velocity.z[i], 1e-5);
  }
}

/// 2T/−Σ m x·a of bodies that attract each other.
double virial_of(const Bodies& b, double softening) {
  double kinetic = 0, pull = 0;
  const Vectors &x = b.position, &v = b.velocity;
  for (std::size_t i = 0; i < b.size(); ++i) {
    kinetic += b.mass[i] * (v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const double dx = x.x[i] - x.x[j], dy = x.y[i] - x.y[j], dz = x.z[i] - x.z[j];
      const double r2 = dx * dx + dy * dy + dz * dz;
      pull += model_G * b.mass[i] * b.mass[j] * r2 / std::pow(r2 + softening * softening, 1.5);
    }
  }
  return kinetic / pull;
}

/// With softening of the size of the core, 2T = −Σ m x·a of the bodies, which is a tenth below |W| of points.
TEST(SphericalModels, AreInEquilibriumWithSoftening) {
  for (const Known& model : known()) {
    SCOPED_TRACE(model.state->name);
    for (const double softening : {0.0, 0.1}) {
      double ratio = 0;
      constexpr int samples = 5;
      for (int seed = 0; seed < samples; ++seed) {
        const auto made = model.state->make(
            with(model.keys, 2003),
            {.G = model_G, .random = Random(static_cast<std::uint64_t>(seed), 0), .softening = softening});
        const Bodies& b = made.bodies;
        ratio += virial_of(b, softening) / samples;
      }
      EXPECT_NEAR(ratio, 1, 0.02) << softening;
    }
  }
}

/// Committed bits, the same on every machine and compiler.
TEST(SphericalModels, HaveTheCommittedBits) {
  for (const Known& model : known()) {
    Environment around{.G = model_G, .random = Random(3, 0), .softening = 0.05};
    around.companions.emplace_back([](double r) { return r * r * r / (1 + r * r * r); });
    Snapshot at;
    const Bodies bodies = model.state->make(with(model.keys, 257, 2), around).bodies;
    at.position = bodies.position, at.velocity = bodies.velocity;
    EXPECT_EQ(fingerprint(at), model.bits) << model.state->name << std::hex << " 0x" << fingerprint(at);
  }
}

TEST(SphericalModels, FirstBodiesDoNotDependOnTheirNumber) {
  for (const Known& model : known()) {
    const Environment around{.G = model_G, .random = Random(3, 1)};
    const Bodies many = model.state->make(with(model.keys, 33), around).bodies;
    for (const std::int64_t few : {1, 2, 3}) {
      const Bodies some = model.state->make(with(model.keys, few), around).bodies;
      for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some.position.x[i], many.position.x[i]);
        EXPECT_EQ(some.velocity.z[i], many.velocity.z[i]);
      }
    }
  }
}

TEST(SphericalModels, AreAtRestWhereNothingAttracts) {
  for (const Known& model : known()) {
    for (const double strength : {0.0, -1.0}) {
      const auto made = model.state->make(with(model.keys, 3), {.G = strength, .random = Random(3, 0)});
      EXPECT_EQ(made.bodies.velocity.x[2], 0);
      EXPECT_EQ(made.timescale, 0);
    }
  }
}

/// Hernquist 1990, eq. 17; the least radius of anisotropy is that of Baes & Dejonghe 2002, A&A 393, 485.
TEST(SphericalModels, HernquistsDistributionFunction) {
  const SphericalDensity density{[](double x) { return 1 / (x * (1 + x) * (1 + x) * (1 + x)); }, 1, 3e-5, 1e6};
  const SphericalModel model(density, {});
  for (const double r : {0.003, 0.1, 1.0, 7.0, 150.0}) {
    EXPECT_NEAR(model.mass()(r) / (r * r / ((1 + r) * (1 + r))), 1, 2e-4) << r;
    const double q2 = 1 / (1 + r), q = std::sqrt(q2), p = 1 - q2;
    const double f = (3 * std::asin(q) + q * std::sqrt(p) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3)) /
                     (8 * std::sqrt(2) * std::pow(pi, 3) * std::pow(p, 2.5));
    EXPECT_NEAR(model.distribution(model.potential(r)) / f, 1, 2e-3) << r;
  }
  EXPECT_NEAR(model.virial_radius(), 3, 1e-3);
  try {
    const SphericalModel too_radial(density, {}, 0.15);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), "anisotropy_radius");
    EXPECT_THAT(error.what(), HasSubstr("choose at least 0.203, not 0.15"));
  }
  EXPECT_NO_THROW(SphericalModel(density, {}, 0.2031));
}

TEST(SphericalModels, WhatHasNoEquilibriumIsRefused) {
  const auto refused = [](const Arguments& keys, const Environment& around, const char* key, const char* part) {
    try {
      (void)hernquist.make(keys, around);
      FAIL() << part;
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.name(), key);
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  };
  const Arguments keys{{"n", std::int64_t{2}}, {"mass", model_mass}, {"scale_length", model_length}};
  Arguments huge = keys;
  huge.set("scale_length", 1e140);
  refused(huge, {.random = Random(0, 0)}, "scale_length", "range of numbers");
  Environment around{.random = Random(0, 0)};
  // A point mass in the middle of a core: the density would have to rise.
  const SphericalDensity core{[](double r) { return std::pow(1 + r * r, -2.5); }, 1e-3, 1e-3, 100};
  try {
    const SphericalModel model(core, {.others = [](double) { return 1.0; }}, isotropic, {.length = "size"});
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.name(), "size");
    EXPECT_THAT(error.what(), HasSubstr("rises too slowly inwards"));
  }
}

}  // namespace
}  // namespace orrery::sim::testing
