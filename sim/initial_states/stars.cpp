// SPDX-License-Identifier: MIT
#include "sim/initial_states/stars.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/orbit.hpp"
#include "sim/power.hpp"

namespace orrery::sim {
namespace {

// Each body has 2³² random numbers: those of the model, which may be any number, and from here on those of its mass and orbit.
constexpr std::uint64_t of_mass = std::uint64_t{1} << 31, of_orbit = of_mass + 16;

Sampler sampler_of(const Environment& environment, std::size_t body, std::uint64_t first = 0) {
  return {environment.random, (std::uint64_t{body} << 32) + first};
}

/// Salpeter 1955, ApJ 121, 161: ξ ∝ m^−2.35. Kroupa 2001, MNRAS 322, 231, eq. 2: exponents 0.3, 1.3 and 2.3, with breaks at 0.08 and
/// 0.5 solar masses.
class MassFunction {
 public:
  explicit MassFunction(const Arguments& arguments) {
    const std::string name = arguments.has("mass_function") ? arguments.text("mass_function") : "equal";
    const bool listed = arguments.has("masses");
    if (listed && name != "equal")
      throw ArgumentError("masses", "leave out `mass_function` or `masses`: they exclude each other");
    if (arguments.has("fractions") && !listed)
      throw ArgumentError("fractions", "no `masses`: fractions say how many bodies have each of `masses`");
    if (arguments.has("mass_range") && name == "equal")
      throw ArgumentError("mass_range",
                          "only a mass function has a range: add mass_function = \"kroupa\" or \"salpeter\"");
    if (listed) list(arguments);
    if (name == "equal") return;
    const bool kroupa = name == "kroupa";
    const std::vector<double> range =
        arguments.has("mass_range") ? arguments.numbers("mass_range") : std::vector{kroupa ? 0.08 : 0.1, 100.0};
    if (!(range[0] < range[1])) throw ArgumentError("mass_range", "the first mass must be less than the second");
    if (!kroupa) {
      power_law(range[0], range[1], 2.35, 1);
      return;
    }
    // ξ is continuous: m^−0.3, then 0.08 m^−1.3, then 0.08 · 0.5 m^−2.3.
    power_law(range[0], std::min(range[1], 0.08), 0.3, 1);
    power_law(std::max(range[0], 0.08), std::min(range[1], 0.5), 1.3, 0.08);
    power_law(std::max(range[0], 0.5), range[1], 2.3, 0.04);
  }

  [[nodiscard]] bool equal() const { return parts_.empty(); }

  /// The mass below which the fraction u of the stars is, 0 ≤ u < 1.
  [[nodiscard]] double operator()(double u) const {
    double below = 0;
    for (const Part& part : parts_) {
      const double share = (u * total_ - below) / part.number;
      below += part.number;
      if (share >= 1 && &part != &parts_.back()) continue;
      if (part.low == part.high) return part.low;
      const double p = part.power, first = to_power(part.low, p), last = to_power(part.high, p);
      return to_power(first + std::min(share, 1.0) * (last - first), 1 / p);
    }
    return 1;
  }

 private:
  struct Part {
    double low, high, power, number;
  };

  /// Adds ξ = factor · m^−exponent from `low` to `high`, if that is upwards.
  void power_law(double low, double high, double exponent, double factor) {
    if (!(low < high)) return;
    const double p = 1 - exponent;
    add({low, high, p, factor * (to_power(high, p) - to_power(low, p)) / p});
  }
  void list(const Arguments& arguments) {
    const std::vector<double>& masses = arguments.numbers("masses");
    std::vector<double> fractions(masses.size(), 1.0);
    if (arguments.has("fractions")) fractions = arguments.numbers("fractions");
    if (fractions.size() != masses.size())
      throw ArgumentError("fractions", "there must be as many fractions as `masses`");
    for (std::size_t k = 0; k < masses.size(); ++k) {
      if (fractions[k] > 0) add({masses[k], masses[k], 0, fractions[k]});
    }
    if (parts_.empty()) throw ArgumentError(masses.empty() ? "masses" : "fractions", "no body has any of the masses");
  }
  void add(const Part& part) {
    parts_.push_back(part);
    total_ += part.number;
  }

  std::vector<Part> parts_;
  double total_ = 0;
};

std::vector<double> masses_of(const Arguments& arguments, const Environment& environment) {
  const auto n = static_cast<std::size_t>(arguments.integer("n"));
  const double mass = arguments.number("mass");
  const MassFunction function(arguments);
  std::vector<double> all(n, mass / static_cast<double>(n));
  if (function.equal()) return all;
  for (std::size_t i = 0; i < n; ++i) all[i] = function(sampler_of(environment, i, of_mass).uniform());
  const double factor = mass / std::accumulate(all.begin(), all.end(), 0.0);
  for (double& m : all) m *= factor;
  return all;
}

/// Sizes and shapes of binaries.
class Binaries {
 public:
  explicit Binaries(const Arguments& arguments, double G) : G_(G) {
    const bool axis = arguments.has("binary_axis"), period = arguments.has("binary_period");
    const double fraction = arguments.has("binaries") ? arguments.number("binaries") : 0;
    const auto n = static_cast<double>(arguments.integer("n"));
    pairs_ = static_cast<std::size_t>(fraction * n / (1 + fraction) + 0.5);
    pairs_ = std::min(pairs_, static_cast<std::size_t>(arguments.integer("n") / 2));
    if (fraction == 0) return;
    require_attraction(G * arguments.number("mass"), "binaries");
    if (axis == period) {
      throw ArgumentError(axis ? "binary_period" : "binaries",
                          axis ? "leave out `binary_axis` or `binary_period`: each says how wide binaries are"
                               : "how wide are they? Add binary_axis = [smallest, largest], or binary_period");
    }
    const char* key = axis ? "binary_axis" : "binary_period";
    period_ = period;
    least_ = arguments.numbers(key)[0];
    if (!(least_ <= arguments.numbers(key)[1]))
      throw ArgumentError(key, "the first must not be greater than the second");
    range_ = natural_log(arguments.numbers(key)[1] / least_);
    if (const Value* e = arguments.find("binary_eccentricity")) {
      if (const double* number = std::get_if<double>(e)) eccentricity_ = *number;
      if (const auto* text = std::get_if<std::string>(e); text != nullptr && *text != "thermal")
        throw ArgumentError("binary_eccentricity", "must be a number from 0 to 1 or \"thermal\"");
    }
  }

  [[nodiscard]] std::size_t number() const { return pairs_; }

  /// The second star's state relative to the first, in any direction and at any time of the orbit; `mass` is that of both.
  [[nodiscard]] PhasePoint draw(double mass, Sampler sampler) const {
    const double mu = G_ * mass, size = least_ * exponential(range_ * sampler.uniform());
    const double a = period_ ? root(mu * size * size / (4 * pi * pi), 3) : size;
    const double square = sampler.uniform();
    const double e = eccentricity_ < 0 ? std::sqrt(square) : eccentricity_;
    const RelativeState flat =
        state_of({.semi_major_axis = a, .eccentricity = e, .mean_anomaly = 360 * sampler.uniform()}, mu);
    const Vec3 p = sampler.on_sphere(1);
    Vec3 q;
    double length = 0;
    do {
      q = sampler.on_sphere(1);
      const double along = p.x * q.x + p.y * q.y + p.z * q.z;
      q = {q.x - along * p.x, q.y - along * p.y, q.z - along * p.z};
      length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    } while (length < 1e-3);
    const auto in_space = [&](const Vec3& v) {
      const double y = v.y / length;
      return Vec3{v.x * p.x + y * q.x, v.x * p.y + y * q.y, v.x * p.z + y * q.z};
    };
    return {in_space(flat.position), in_space(flat.velocity)};
  }

 private:
  std::size_t pairs_ = 0;
  bool period_ = false;
  double G_, least_ = 0, range_ = 0, eccentricity_ = -1;  ///< −1: thermal
};

/// Of single stars and centres of binaries: −Σ m m/r over pairs, and the softened −Σ m m r²/(r² + ε²)^(3/2), which is its virial.
struct PairSums {
  double potential = 0, virial = 0;
};
PairSums pair_sums(const Bodies& bodies, double softening) {
  PairSums all;
  const Vectors& x = bodies.position;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    PairSums row;
    for (std::size_t j = 0; j < i; ++j) {
      const double dx = x.x[i] - x.x[j], dy = x.y[i] - x.y[j], dz = x.z[i] - x.z[j];
      const double r2 = dx * dx + dy * dy + dz * dz, soft2 = r2 + softening * softening;
      row.potential -= bodies.mass[j] / std::sqrt(r2);
      row.virial -= bodies.mass[j] * r2 / (soft2 * std::sqrt(soft2));
    }
    all.potential += bodies.mass[i] * row.potential;
    all.virial += bodies.mass[i] * row.virial;
  }
  return all;
}

void scale(Vectors& all, double factor) {
  for (auto* axis : {&all.x, &all.y, &all.z}) {
    for (double& value : *axis) value *= factor;
  }
}

/// Gives the bodies the potential energy of the model as points, at rest about the origin, and then the kinetic energy that makes
/// the virial ratio exact, with softened forces.
void rescale(Bodies& centres, const Arguments& arguments, const Environment& environment, double virial_radius) {
  constexpr std::size_t most = 32768;  // takes a few seconds
  const double mass = arguments.number("mass"),
               ratio = arguments.has("virial_ratio") ? arguments.number("virial_ratio") : 0.5;
  if (centres.size() > most)
    throw ArgumentError("rescale", "it sums over all pairs: of more than 32768 bodies leave it out");
  if (!environment.companions.empty() || !environment.fields.empty())
    throw ArgumentError("rescale",
                        "it is for a model by itself: leave it out with other components or external fields");
  if (centres.size() < 2 || !(environment.G * mass > 0)) return;
  recentre(centres);
  const double potential = pair_sums(centres, 0).potential;
  scale(centres.position, -potential * 2 * virial_radius / (mass * mass));
  const double virial = environment.G * pair_sums(centres, environment.softening).virial;
  double kinetic = 0;
  const Vectors& v = centres.velocity;
  for (std::size_t i = 0; i < centres.size(); ++i)
    kinetic += 0.5 * centres.mass[i] * (v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i]);
  if (kinetic > 0) scale(centres.velocity, std::sqrt(-ratio * virial / kinetic));
}

}  // namespace

Bodies make_stars(const Arguments& arguments, const Environment& environment, double virial_radius,
                  const std::function<PhasePoint(Sampler&)>& draw) {
  const std::vector<double> masses = masses_of(arguments, environment);
  const Binaries binaries(arguments, environment.G);
  const std::size_t pairs = binaries.number();
  Bodies centres;
  for (std::size_t k = 0; k < masses.size() - pairs; ++k) {
    Sampler sampler = sampler_of(environment, k);
    const auto [x, v] = draw(sampler);
    centres.position.push_back(x.x, x.y, x.z);
    centres.velocity.push_back(v.x, v.y, v.z);
    centres.mass.push_back(k < pairs ? masses[2 * k] + masses[2 * k + 1] : masses[k + pairs]);
  }
  if (arguments.has("rescale") && arguments.boolean("rescale")) rescale(centres, arguments, environment, virial_radius);
  if (pairs == 0) return centres;
  Bodies stars;
  const auto add = [&](std::size_t k, const PhasePoint& apart, double part) {
    const Vectors &x = centres.position, &v = centres.velocity;
    stars.position.push_back(x.x[k] + part * apart.position.x, x.y[k] + part * apart.position.y,
                             x.z[k] + part * apart.position.z);
    stars.velocity.push_back(v.x[k] + part * apart.velocity.x, v.y[k] + part * apart.velocity.y,
                             v.z[k] + part * apart.velocity.z);
  };
  for (std::size_t k = 0; k < centres.size(); ++k) {
    if (k >= pairs) {
      add(k, {}, 0);
      continue;
    }
    const PhasePoint apart = binaries.draw(centres.mass[k], sampler_of(environment, k, of_orbit));
    add(k, apart, -masses[2 * k + 1] / centres.mass[k]);
    add(k, apart, masses[2 * k] / centres.mass[k]);
  }
  stars.mass = masses;
  return stars;
}

}  // namespace orrery::sim
