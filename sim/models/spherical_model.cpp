// SPDX-License-Identifier: MIT
#include "sim/models/spherical_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/parameter.hpp"
#include "sim/initial_state.hpp"
#include "sim/models/shell.hpp"
#include "sim/power.hpp"

namespace orrery::sim {
namespace {

constexpr double step = 0.025;  ///< of ln r between two nodes, at most: f is right to a few 10⁻⁴

/// Sums of y over intervals of a table with equidistant nodes, of third order: sum[k] from the first node to node k. y has a
/// node more at each end.
std::vector<double> integrals(const std::vector<double>& y, double width) {
  std::vector<double> sum{0};
  for (std::size_t k = 1; k + 2 < y.size(); ++k)
    sum.push_back(sum.back() + width / 24 * (13 * (y[k] + y[k + 1]) - y[k - 1] - y[k + 2]));
  return sum;
}

/// dy/dx at nodes that are equidistant in s, with ds between them and dx/ds at each; of fourth order, at the ends of first.
std::vector<double> derivatives(const std::vector<double>& y, const std::vector<double>& dx_ds, double ds) {
  const std::size_t n = y.size();
  std::vector<double> all(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double difference = k >= 2 && k + 2 < n ? (8 * (y[k + 1] - y[k - 1]) - (y[k + 2] - y[k - 2])) / 12
                              : k + 1 < n         ? y[k + 1] - y[k]
                                                  : y[k] - y[k - 1];
    all[k] = difference / (ds * dx_ds[k]);
  }
  return all;
}

[[noreturn]] void throw_out_of_range(std::string_view key = SphericalKeys{}.length) {
  throw ArgumentError(key,
                      "the model leaves the range of numbers: choose units in which lengths and masses are about 1");
}

/// Index of the node at or before x, so that the next one exists.
std::size_t node_before(const std::vector<double>& nodes, double x, std::size_t first = 0) {
  const auto after = std::upper_bound(nodes.begin() + static_cast<std::ptrdiff_t>(first) + 1, nodes.end() - 1, x);
  return static_cast<std::size_t>(after - nodes.begin()) - 1;
}

/// Linear interpolation of `values` over `nodes` at x in or after interval k.
double between(const std::vector<double>& nodes, const std::vector<double>& values, std::size_t k, double x) {
  const double t = (x - nodes[k]) / (nodes[k + 1] - nodes[k]);
  return values[k] + t * (values[k + 1] - values[k]);
}

constexpr int bins = 80;

/// Where bin m of speeds ends: the bins grow by a seventh, from 10⁻⁵ to 1.
double bin_end(int m) {
  return exponential((m + 1 - bins) * 0.15);
}

/// Inward acceleration by spheres with `mass` within the nodes at r, softened: shells of mass between them.
std::vector<double> softened_pull(const std::vector<double>& r, const std::vector<double>& mass, double epsilon) {
  constexpr double hard = 300;  // from so many softening lengths on the difference is less than 2·10⁻⁵
  std::vector<double> pull;
  for (std::size_t j = 0; j < r.size(); ++j) {
    if (r[j] > hard * epsilon) {
      pull.push_back(mass[j] / (r[j] * r[j]));
      continue;
    }
    const double epsilon2 = epsilon * epsilon;
    double sum = mass[0] * pull_of_shell(r[j], 0.75 * r[0], epsilon2);
    for (std::size_t k = 1; k < r.size(); ++k)
      sum += (mass[k] - mass[k - 1]) * pull_of_shell(r[j], std::sqrt(r[k] * r[k - 1]), epsilon2);
    pull.push_back(sum);
  }
  return pull;
}

}  // namespace

Surroundings surroundings_of(const Environment& environment) {
  Surroundings all{.G = environment.G, .softening = environment.softening};
  if (!environment.companions.empty()) all.others = sum_of(environment.companions);
  if (!environment.fields.empty()) {
    // Lebedev's rule of 14 points, exact for polynomials up to the fifth degree.
    all.field = [&environment](double r) {
      double sum = 0;
      const auto add = [&](Vec3 to, double weight) {
        const Vec3& o = environment.origin;
        for (const ExternalField& field : environment.fields) {
          const Vec3 g = field.law->acceleration(field.parameters, {o.x + r * to.x, o.y + r * to.y, o.z + r * to.z});
          sum -= weight * (g.x * to.x + g.y * to.y + g.z * to.z);
        }
      };
      for (const double sign : {-1.0, 1.0}) {
        for (const Vec3 axis : {Vec3{sign, 0, 0}, {0, sign, 0}, {0, 0, sign}}) add(axis, 1.0 / 15);
      }
      const double c = std::sqrt(1.0 / 3);
      for (int corner = 0; corner < 8; ++corner)
        add({corner & 1 ? c : -c, corner & 2 ? c : -c, corner & 4 ? c : -c}, 3.0 / 40);
      return sum;
    };
  }
  return all;
}

MassTable::MassTable(const SphericalDensity& density) : mass_(density.mass) {
  const double ratio = density.outer / density.inner;
  if (!(density.inner > 0 && ratio > 1 && ratio < 1e40)) throw_out_of_range();
  const double length = natural_log(ratio);
  const auto intervals = static_cast<std::size_t>(length / step) + 1;
  const double width = length / static_cast<double>(intervals);
  // dM/d ln r = 4π r³ ρ at the nodes and one more at each end.
  std::vector<double> slope;
  for (std::size_t k = 0; k < intervals + 3; ++k) {
    const double r = density.inner * exponential((static_cast<double>(k) - 1) * width);
    slope.push_back(4 * pi * r * r * r * density.shape(std::min(r, density.outer)));
    if (k > 0 && k < intervals + 2) radius_.push_back(r);
  }
  radius_.back() = density.outer;
  inner_power_ = std::max(0.1, natural_log(slope[1] / slope[0]) / width);
  const double within = slope[1] / inner_power_;
  share_ = integrals(slope, width);
  for (double& m : share_) m += within;
  const double whole = share_.back();
  for (double& m : share_) m = std::min(m / whole, 1.0);
  // Where ρ falls to nothing within a few nodes the formula of third order may fall too.
  for (std::size_t k = share_.size() - 1; k-- > 0;) share_[k] = std::min(share_[k], share_[k + 1]);
  scale_ = 1 / whole;
  if (!std::isfinite(scale_) || !(scale_ > 0)) throw_out_of_range();
}

double MassTable::share_within(double radius) const {
  if (radius >= radius_.back()) return 1;
  if (radius <= 0) return 0;
  if (radius < radius_.front()) return share_.front() * to_power(radius / radius_.front(), inner_power_);
  return between(radius_, share_, node_before(radius_, radius), radius);
}

double MassTable::radius_of(double u) const {
  if (u < share_.front()) return u > 0 ? radius_.front() * to_power(u / share_.front(), 1 / inner_power_) : 0;
  if (u >= share_.back()) return radius_.back();
  return between(share_, radius_, node_before(share_, u), u);
}

SphericalModel::SphericalModel(const SphericalDensity& density, const Surroundings& surroundings,
                               double anisotropy_radius, const SphericalKeys& keys)
    : mass_(density), mass_of_all_(density.mass), anisotropy2_(anisotropy_radius * anisotropy_radius) {
  set_potential(surroundings, keys);
  if (pull_.empty()) return;
  invert(density, anisotropy_radius, keys);
  set_bounds();
}

void SphericalModel::set_potential(const Surroundings& surroundings, const SphericalKeys& keys) {
  const std::vector<double>& r = mass_.radii();
  std::vector<double> mass;
  for (std::size_t k = 0; k < r.size(); ++k)
    mass.push_back(mass_of_all_ * mass_.shares()[k] + (surroundings.others ? surroundings.others(r[k]) : 0));
  pull_ = softened_pull(r, mass, surroundings.softening);
  for (std::size_t k = 0; k < r.size(); ++k)
    pull_[k] = std::max(surroundings.G, 0.0) * pull_[k] + (surroundings.field ? surroundings.field(r[k]) : 0);
  if (std::ranges::all_of(pull_, [](double g) { return g == 0; })) {
    pull_.clear();
    return;
  }
  for (std::size_t k = 0; k < r.size(); ++k) {
    if (pull_[k] > 0) continue;
    throw ArgumentError(keys.length,
                        fmt::format("no equilibrium: at r = {:.3g} nothing pulls these bodies inwards; make them "
                                    "denser, or move them to the centre of the external field with `offset`",
                                    r[k]));
  }
  // dφ = r g d ln r, with one more node at each end.
  std::vector<double> slope{pull_[0] * r[0] * (pull_[0] * r[0] / (pull_[1] * r[1]))};
  for (std::size_t k = 0; k < r.size(); ++k) slope.push_back(pull_[k] * r[k]);
  slope.push_back(slope.back() * (slope.back() / slope[slope.size() - 2]));
  phi_ = integrals(slope, natural_log(r.back() / r.front()) / static_cast<double>(r.size() - 1));
  if (!std::isfinite(phi_.back())) throw_out_of_range(keys.length);
}

/// f(Q) = 1/(√8 π²) ∫ d²ρ_Q/dφ² dφ/√(φ − Q) from Q to the edge, where ρ_Q = (1 + r²/a²) ρ. It is f₀ + f₁/a², so the least a
/// is known at once.
void SphericalModel::invert(const SphericalDensity& density, double anisotropy_radius, const SphericalKeys& keys) {
  const std::vector<double>& r = mass_.radii();
  const std::size_t n = r.size();
  std::vector<double> slope, slope_r2, along;  // dρ/dφ and d(r² ρ)/dφ; dφ/d ln r
  for (std::size_t k = 0; k < n; ++k) {
    constexpr double part = 1e-4;
    const double low = r[k] * (1 - part), high = k + 1 < n ? r[k] * (1 + part) : r[k];
    const double before = mass_.normalised(density.shape(low)), after = mass_.normalised(density.shape(high));
    const double by = 1 / ((high - low) * pull_[k]);
    slope.push_back((after - before) * by);
    slope_r2.push_back((high * high * after - low * low * before) * by);
    along.push_back(r[k] * pull_[k]);
  }
  const double width = natural_log(r.back() / r.front()) / static_cast<double>(n - 1);
  const std::vector<double> curve = derivatives(slope, along, width), curve_r2 = derivatives(slope_r2, along, width);
  const double factor = 1 / (std::sqrt(8.0) * pi * pi);
  std::vector<double> isotropic(n), radial(n);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0, sum_r2 = 0, a = 0;
    for (std::size_t k = j; k + 1 < n; ++k) {  // the second derivatives are linear in each interval
      const double b = std::sqrt(phi_[k + 1] - phi_[j]), by = 2 * (phi_[k + 1] - phi_[k]) / (3 * (a + b) * (a + b));
      const double first = by * (2 * b + a), second = by * (b + 2 * a);
      sum += first * curve[k] + second * curve[k + 1];
      sum_r2 += first * curve_r2[k] + second * curve_r2[k + 1];
      a = b;
    }
    if (j + 1 < n) sum -= slope.back() / a, sum_r2 -= slope_r2.back() / a;
    isotropic[j] = factor * sum, radial[j] = factor * sum_r2;
  }
  // The outermost 10⁻⁶ of the mass are left out of the judgement: there f is about the difference of rounding.
  double least2 = 0;
  for (std::size_t j = 0; j < n && mass_.shares()[j] < 1 - 1e-6; ++j) {
    if (isotropic[j] <= 0) {
      throw ArgumentError(
          keys.length,
          fmt::format("no equilibrium without a negative distribution function: at r = {:.3g} the density rises too "
                      "slowly inwards for the potential of everything there; choose a steeper or a smaller model, or "
                      "less concentrated mass around it",
                      r[j]));
    }
    least2 = std::max(least2, -radial[j] / isotropic[j]);
  }
  if (anisotropy2_ < least2) {
    throw ArgumentError(keys.anisotropy,
                        fmt::format("orbits would be too radial: the distribution function is negative; choose "
                                    "at least {:.3g}, not {:.3g}",
                                    std::sqrt(least2) * 1.005, anisotropy_radius));
  }
  for (std::size_t j = 0; j < n; ++j) f_.push_back(std::max(0.0, isotropic[j] + radial[j] / anisotropy2_));
}

/// An upper bound of w² f(φ + w²/2) in each of the bins of w, which are as wide as `bin_end` says in units of the greatest w. Where f
/// falls with Q it is rigorous; elsewhere f changes little within a bin.
void SphericalModel::set_bounds() {
  const auto square = [](double x) { return x * x; };
  for (std::size_t k = 0; k + 1 < phi_.size(); ++k) {
    const double most2 = 2 * (phi_.back() - phi_[k]), least2 = 2 * (phi_.back() - phi_[k + 1]);
    double sum = 0;
    for (int m = 0; m < bins; ++m) {
      const double low2 = m == 0 ? 0 : square(bin_end(m - 1)), high2 = square(bin_end(m));
      const double inner = distribution(phi_[k] + 0.5 * least2 * low2);
      const double outer = distribution(phi_[k + 1] + 0.5 * most2 * high2);
      sum += most2 * high2 * std::max(inner, 1.05 * outer) * (bin_end(m) - (m == 0 ? 0 : bin_end(m - 1)));
      bound_.push_back(sum);
    }
    if (!std::isfinite(sum)) throw_out_of_range();
  }
}

double SphericalModel::potential(double radius) const {
  if (pull_.empty()) return 0;
  const double at = std::clamp(radius, mass_.radii().front(), mass_.radii().back());
  return between(mass_.radii(), phi_, node_before(mass_.radii(), at), at);
}

double SphericalModel::distribution(double Q) const {
  if (pull_.empty() || Q >= phi_.back()) return 0;
  return between(phi_, f_, node_before(phi_, Q), std::max(Q, 0.0));
}

Vec3 SphericalModel::velocity_at(const Vec3& position, Sampler& sampler) const {
  const double r2 = position.x * position.x + position.y * position.y + position.z * position.z, r = std::sqrt(r2);
  if (pull_.empty() || r >= mass_.radii().back()) return {};
  const double phi = potential(r), limit = std::sqrt(2 * (phi_.back() - phi));
  const double* sums = bound_.data() + bins * node_before(mass_.radii(), r);
  // Of w = (v_r, √(1 + r²/a²) v_t) all directions are alike, and its length has the density w² f(φ + w²/2).
  double w = 0, bound = 0;
  do {
    const double below = sampler.uniform() * sums[bins - 1];
    const auto m = static_cast<int>(std::upper_bound(sums, sums + bins - 1, below) - sums);
    const double start = m == 0 ? 0 : bin_end(m - 1), width = bin_end(m) - start;
    bound = (sums[m] - (m == 0 ? 0 : sums[m - 1])) / width;
    w = limit * (start + width * sampler.uniform());
  } while (bound * sampler.uniform() > w * w * distribution(phi + 0.5 * w * w));
  const Vec3 v = sampler.on_sphere(w);
  if (r == 0) return v;
  const double shrunk = 1 / std::sqrt(1 + r2 / anisotropy2_);
  const double along = (1 - shrunk) * (v.x * position.x + v.y * position.y + v.z * position.z) / r2;
  return {shrunk * v.x + along * position.x, shrunk * v.y + along * position.y, shrunk * v.z + along * position.z};
}

double SphericalModel::virial_radius() const {
  if (!(mass_of_all_ > 0)) return 0;
  const std::vector<double>&r = mass_.radii(), &share = mass_.shares();
  double sum = share[0] * share[0] / r[0];  // |W|/GM² = ∫ M dM/r
  for (std::size_t k = 1; k < r.size(); ++k)
    sum += 0.5 * (share[k] + share[k - 1]) * (share[k] - share[k - 1]) / std::sqrt(r[k] * r[k - 1]);
  return 1 / (2 * sum);
}

}  // namespace orrery::sim
