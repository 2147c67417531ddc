// SPDX-License-Identifier: MIT
// Rotation curve and Jeans equations of a galaxy in external fields, with softened forces as in the simulation.
//
// Formulas: Hernquist 1993 (ApJS 86, 389) for the disk's dispersions and asymmetric drift, Hernquist 1990 (ApJ 356, 359)
// for the bulge's density, Binney & Tremaine 2008 for the rest.
#include "sim/initial_states/galaxy_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sim/elementary.hpp"
#include "sim/models/shell.hpp"

namespace orrery::sim {
namespace {

constexpr double heights = 5;  ///< limit of |z|/height
constexpr int rings = 200, layers = GalaxyModel::layers;
constexpr double rms_height = 0.9068996821171089;  ///< π/√12: √⟨z²⟩ of sech² in units of its height

/// Mass fraction of an infinite exponential disk within x scale lengths.
double within(double x) {
  return 1 - (1 + x) * exponential(-x);
}

/// |z|/height of layer j if half of the disk is divided into layers of equal mass.
double layer(int j) {
  const double u = (j + 0.5) / layers;  // artanh u
  return 0.5 * natural_log((1 + u) / (1 - u));
}

/// Inward acceleration by a ring of unit mass and radius s at distance R from the axis, d2 = z² + ε²:
/// [K(m) + (R² − s² − d2)/β E(m)] / (π R √α) with α = (R + s)² + d2, β = (R − s)² + d2, m = 1 − β/α; K and E by the
/// arithmetic-geometric mean.
double ring_pull(double R, double s, double d2) {
  const double alpha = (R + s) * (R + s) + d2, beta = (R - s) * (R - s) + d2;
  double a = 1, b = std::sqrt(beta / alpha), power = 0.5, sum = power * 4 * R * s / alpha;
  for (int k = 0; k < 7; ++k) {
    const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
    power *= 2;
    sum += power * c * c;
  }
  const double K = 0.5 * pi / a, E = K * (1 - sum);
  return (K + (R * R - s * s - d2) / beta * E) / (pi * R * std::sqrt(alpha));
}

/// Linear interpolation at `x` in a table over 0, 1, 2, …
template <class Table>
double interpolated(const Table& table, double x) {
  const double last = static_cast<double>(table.size() - 1), inside = std::clamp(x, 0.0, last);
  const auto k = std::min(static_cast<std::size_t>(inside), table.size() - 2);
  return table[k] + (inside - static_cast<double>(k)) * (table[k + 1] - table[k]);
}

double square(double x) {
  return x * x;
}

/// The share of the disk's mass within R.
double disk_share(const GalaxyShape& shape, double R) {
  return within(std::min(R, shape.edge) / shape.scale_length) / within(shape.edge / shape.scale_length);
}

/// Softened inward acceleration per G by spheres with this mass within each radius: that of shells, of which r is always between
/// two, so that it is smooth.
double softened_pull(const MassProfile& mass, double r, double epsilon) {
  constexpr double width = 0.05,
                   hard = 300;  // of ln r; from so many softening lengths on the difference is below 2·10⁻⁵
  if (r > hard * epsilon) return mass(r) / (r * r);
  const double factor = exponential(width), half = exponential(0.5 * width), deep = exponential(-160 * width);
  double s = r * deep, within = mass(s), sum = within * pull_of_shell(r, 0.75 * s, epsilon * epsilon);
  for (int k = -160; k < 0 || s < 50 * epsilon; ++k) {
    const double beyond = k == -1 ? r : s * factor, more = mass(beyond);
    sum += (more - within) * pull_of_shell(r, s * half, epsilon * epsilon);
    s = beyond, within = more;
  }
  return sum;
}

}  // namespace

SphericalDensity hernquist_density(double mass, double a) {
  constexpr double edge = 10;  // in units of a, where the density begins to fall exponentially
  return {.shape =
              [a](double r) {
                const double e = exponential(-r / (edge * a));
                return e / ((1 + e * e) * r * (r + a) * (r + a) * (r + a));
              },
          .mass = mass,
          .inner = 3e-5 * a,
          .outer = 25 * edge * a};  // where sech is 3·10⁻¹¹
}

GalaxyModel::GalaxyModel(const GalaxyShape& shape, const Environment& environment)
    : shape_(shape),
      environment_(environment),
      within_edge_(within(shape.edge / shape.scale_length)),
      reach_(std::sqrt(shape.edge * shape.edge + square(shape.height * layer(layers - 1)))) {
  std::vector<double> separations;  // of pairs of layers
  for (int j = 0; j < layers; ++j) {
    for (int k = 0; k < layers; ++k) {
      for (const double sign : {-1.0, 1.0}) separations.push_back(shape_.height * std::abs(layer(j) - sign * layer(k)));
    }
  }
  std::ranges::sort(separations);
  // ⟨Δz²/√(Δz² + ε²)⟩ / height, which is 1 for ε = 0 and many layers.
  double soft = 0, hard = 0;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const double dz = separations[k];
    separations_[k / (2 * layers)] += dz / (2 * layers);
    if (dz == 0) continue;
    soft += dz * dz / std::sqrt(dz * dz + square(environment_.softening));
    hard += dz;
  }
  thin_ = soft / hard;
  std::vector<MassProfile> spheres = environment_.companions;
  if (shape_.bulge_mass > 0) spheres.emplace_back(MassTable(hernquist_density(shape_.bulge_mass, shape_.bulge_length)));
  if (!spheres.empty()) {
    const MassProfile mass = sum_of(std::move(spheres));
    for (std::size_t k = 1; k < points; ++k)
      sphere_pull_[k] =
          environment_.G * softened_pull(mass, reach_ * static_cast<double>(k) / (points - 1), environment_.softening);
  }
  tabulate_speeds();
  Surroundings around = surroundings_of(environment_);
  around.others = [&, others = around.others](double r) {
    return shape_.disk_mass * disk_share(shape_, r) + (others ? others(r) : 0);
  };
  if (shape_.bulge_mass > 0 || !(shape_.disk_mass > 0))  // also one of tracers
    bulge_.emplace(hernquist_density(shape_.bulge_mass, shape_.bulge_length), around,
                   std::numeric_limits<double>::infinity(), SphericalKeys{.length = "bulge_length"});
}

MassProfile GalaxyModel::enclosed_mass(const GalaxyShape& shape) {
  return [shape, bulge = MassTable(hernquist_density(shape.bulge_mass, shape.bulge_length))](double r) {
    return shape.disk_mass * disk_share(shape, r) + bulge(r);
  };
}

double GalaxyModel::disk_radius(double u) const {
  double low = 0, high = shape_.edge;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (low + high);
    (disk_share(shape_, middle) < u ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double GalaxyModel::disk_height(double u) const {
  static const double below = 1 / (1 + exponential(2 * heights));  // mass fraction below −5 height
  const double share = below + (1 - 2 * below) * u;
  return 0.5 * shape_.height * natural_log(share / (1 - share));
}

double GalaxyModel::surface_density(double R) const {
  if (R > shape_.edge) return 0;
  const double h = shape_.scale_length;
  return shape_.disk_mass * exponential(-R / h) / (2 * pi * h * h * within_edge_);
}

double GalaxyModel::disk_pull(double R) const {
  const double width = shape_.edge / rings, epsilon2 = environment_.softening * environment_.softening;
  double sum = 0;
  for (int k = 0; k < rings; ++k) {
    const double s = (k + 0.5) * width,
                 share = disk_share(shape_, s + 0.5 * width) - disk_share(shape_, s - 0.5 * width);
    for (const double dz : separations_) sum += share * ring_pull(R, s, dz * dz + epsilon2);
  }
  return environment_.G * shape_.disk_mass * sum / layers;
}

/// By the bulge and the companions.
double GalaxyModel::sphere_pull(double r) const {
  return interpolated(sphere_pull_, r / reach_ * (points - 1));
}

/// Inward (x) and downward (z) acceleration, averaged over four azimuths.
Vec3 GalaxyModel::field_pull(double R, double z) const {
  Vec3 pull;
  for (const ExternalField& field : environment_.fields) {
    for (const auto& [x, y] : {std::array{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}}) {
      const Vec3 o = environment_.origin, at = rotated(environment_.rotation, {R * x, R * y, z});
      const Vec3 g = rotated_back(environment_.rotation,
                                  field.law->acceleration(field.parameters, {o.x + at.x, o.y + at.y, o.z + at.z}));
      pull.x -= 0.25 * (g.x * x + g.y * y);
      pull.z -= 0.25 * g.z;
    }
  }
  return pull;
}

void GalaxyModel::tabulate_speeds() {
  for (std::size_t k = 1; k < points; ++k) {
    const double R = shape_.edge * static_cast<double>(k) / (points - 1);
    double spheres = 0, outside = 0;
    for (int j = 0; j < layers; ++j) {
      const double z = shape_.height * layer(j), r = std::sqrt(R * R + z * z);
      spheres += sphere_pull(r) * R / r / layers;
      outside += field_pull(R, z).x / layers;
    }
    speed2_[k] = R * (disk_pull(R) + spheres + outside);
    if (speed2_[k] < 0 && outside < 0 && shape_.disk_mass + shape_.bulge_mass > 0) {
      throw ArgumentError("edge",
                          "the external fields pull outwards before the disk ends: choose a smaller edge, or move the "
                          "galaxy to the centre of the field with offset");
    }
    speed2_[k] = std::max(0.0, speed2_[k]);
  }
}

double GalaxyModel::circular_speed2(double R) const {
  return interpolated(speed2_, R / shape_.edge * (points - 1));
}

double GalaxyModel::rotation() const {
  const double R = 2 * shape_.scale_length, speed2 = circular_speed2(R);
  return speed2 > 0 ? 2 * pi * R / std::sqrt(speed2) : 0;
}

/// κ² = 2 v²/R² + (dv²/dR)/R, clamped between Ω² (Kepler) and 4 Ω² (solid body).
double GalaxyModel::epicyclic_frequency2(double R) const {
  const double step = shape_.edge / (points - 1), at = std::clamp(R, step, shape_.edge - step);
  const double omega2 = circular_speed2(at) / (at * at);
  const double slope = (circular_speed2(at + step) - circular_speed2(at - step)) / (2 * step);
  return std::clamp(2 * omega2 + slope / at, omega2, 4 * omega2);
}

DiskMotion GalaxyModel::disk_motion(double R) const {
  const double G = environment_.G, step = shape_.edge / (points - 1);
  const double at = std::clamp(R, step, shape_.edge - step), omega2 = circular_speed2(at) / (at * at);
  if (!(omega2 > 0)) return {};
  // σ_R = Q · 3.36 G Σ/κ and σ_φ = σ_R κ/2Ω; v̄² = v² + σ_R² (1 − κ²/4Ω² + d ln(Σ σ_R²)/d ln R).
  // In the centre, and if softening or a tide leaves hardly any force, σ_R is limited to the circular speed.
  const auto radial2 = [&](double r) {
    const double sigma2 = square(shape_.toomre_q * 3.36 * G * surface_density(r)) / epicyclic_frequency2(r);
    return std::min(sigma2, circular_speed2(std::max(r, step)));
  };
  const double sigma2 = radial2(at), ratio2 = epicyclic_frequency2(at) / (4 * omega2);
  const auto pressure = [&](double r) { return natural_log(surface_density(r) * radial2(r)); };
  const double steepness =
      G * shape_.disk_mass * shape_.toomre_q > 0 ? at * (pressure(at + step) - pressure(at - step)) / (2 * step) : 0;
  const double mean2 = circular_speed2(R) + sigma2 * (1 - ratio2 + steepness);

  // σ_z² = π G Σ height, reduced by softening, plus ⟨z dφ/dz⟩ of everything else.
  const double z = rms_height * shape_.height, r = std::sqrt(R * R + z * z);
  const double sigma_z2 =
      pi * G * surface_density(R) * shape_.height * thin_ + z * (sphere_pull(r) * z / r + field_pull(R, z).z);
  return {std::sqrt(std::max(0.0, mean2)), std::sqrt(sigma2), std::sqrt(sigma2 * ratio2),
          std::sqrt(std::max(0.0, sigma_z2))};
}

}  // namespace orrery::sim
