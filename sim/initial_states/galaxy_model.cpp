// SPDX-License-Identifier: MIT
// Rotation curve and Jeans equations of a galaxy in external fields, with softened forces as in the simulation.
//
// Formulas: Hernquist 1993 (ApJS 86, 389) for the disk's dispersions and asymmetric drift, Hernquist 1990
// (ApJ 356, 359) for the bulge, Binney & Tremaine 2008 for the rest.
#include "sim/initial_states/galaxy_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/elementary.hpp"

namespace orrery::sim {
namespace {

constexpr double heights = 5;      ///< limit of |z|/height
constexpr double bulge_edge = 10;  ///< in units of bulge_length
constexpr int rings = 200, layers = 8;
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

/// Softened inward acceleration by a shell of unit mass and radius s at distance r: −d/dr of the mean of 1/√(|r − s|² +
/// ε²).
double shell_pull(double r, double s, double epsilon2) {
  const double far = std::sqrt((r + s) * (r + s) + epsilon2), near = std::sqrt((r - s) * (r - s) + epsilon2);
  return ((far - near) / r - (r + s) / far + (near > 0 ? (r - s) / near : 0)) / (2 * r * s);
}

/// Linear interpolation at `x` in a table over 0, 1, 2, …
template <class Table>
double interpolated(const Table& table, double x) {
  const double last = static_cast<double>(table.size() - 1), inside = std::clamp(x, 0.0, last);
  const auto k = std::min(static_cast<std::size_t>(inside), table.size() - 2);
  return table[k] + (inside - static_cast<double>(k)) * (table[k + 1] - table[k]);
}

}  // namespace

GalaxyModel::GalaxyModel(const GalaxyShape& shape, const Environment& environment)
    : shape_(shape), environment_(environment), within_edge_(within(shape.edge / shape.scale_length)) {
  for (int k = 0; k < shells; ++k) shells_[static_cast<std::size_t>(k)] = bulge_radius((k + 0.5) / shells);
  // ⟨Δz²/√(Δz² + ε²)⟩ / height over pairs of layers, which is 1 for ε = 0 and many layers.
  double soft = 0, hard = 0;
  for (int j = 0; j < layers; ++j) {
    for (int k = 0; k < layers; ++k) {
      for (const double sign : {-1.0, 1.0}) {
        const double dz = shape_.height * (layer(j) - sign * layer(k)), z2 = dz * dz;
        if (z2 == 0) continue;
        soft += z2 / std::sqrt(z2 + environment_.softening * environment_.softening);
        hard += std::sqrt(z2);
      }
    }
  }
  thin_ = soft / hard;
  tabulate_speeds();
  tabulate_bulge();
}

double GalaxyModel::disk_share(double R) const {
  return within(std::min(R, shape_.edge) / shape_.scale_length) / within_edge_;
}

double GalaxyModel::disk_radius(double u) const {
  double low = 0, high = shape_.edge;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (low + high);
    (disk_share(middle) < u ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double GalaxyModel::disk_height(double u) const {
  static const double below = 1 / (1 + exponential(2 * heights));  // mass fraction below −5 height
  const double share = below + (1 - 2 * below) * u;
  return 0.5 * shape_.height * natural_log(share / (1 - share));
}

double GalaxyModel::bulge_radius(double u) const {
  const double root = std::sqrt(u) * bulge_edge / (1 + bulge_edge);  // √(M(r)/M) = r/(r + a)
  return shape_.bulge_length * root / (1 - root);
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
    const double s = (k + 0.5) * width, share = disk_share(s + 0.5 * width) - disk_share(s - 0.5 * width);
    for (int j = 0; j < layers; ++j) {
      const double z = shape_.height * layer(j);
      sum += share * ring_pull(R, s, z * z + epsilon2);
    }
  }
  return environment_.G * shape_.disk_mass * sum / layers;
}

double GalaxyModel::bulge_pull(double r) const {
  double sum = 0;
  for (const double s : shells_) sum += shell_pull(r, s, environment_.softening * environment_.softening);
  return environment_.G * shape_.bulge_mass * sum / shells;
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
    const double outside = field_pull(R, 0).x;
    speed2_[k] = R * (disk_pull(R) + bulge_pull(R) + outside);
    if (speed2_[k] < 0 && outside < 0 && shape_.disk_mass + shape_.bulge_mass > 0) {
      throw ArgumentError("edge",
                          "the external fields pull outwards before the disk ends: choose a smaller edge, or move the "
                          "galaxy to the centre of the field with offset");
    }
    speed2_[k] = std::max(0.0, speed2_[k]);
  }
}

/// ρ σ² = ∫ ρ g dr from r outwards, with the disk's mass as if it were spherical; ½ v² = ∫ g dr to the edge.
void GalaxyModel::tabulate_bulge() {
  const double a = shape_.bulge_length, epsilon2 = environment_.softening * environment_.softening;
  const auto radius = [&](std::size_t k) {
    const double share = static_cast<double>(k) / (points - 1);
    return bulge_edge * a * share * share;
  };
  const auto density = [&](double r) { return 1 / (r * (r + a) * (r + a) * (r + a)); };
  const auto pull = [&](double r) {
    const double r2 = r * r + epsilon2;
    const double disk = environment_.G * shape_.disk_mass * disk_share(r) * r / (r2 * std::sqrt(r2));
    return disk + bulge_pull(r) + field_pull(r, 0).x;
  };
  double pressure = 0, fall = 0, outer = radius(points - 1), outer_g = pull(outer);
  for (std::size_t k = points - 1; k-- > 1;) {
    const double r = radius(k), g = pull(r);
    pressure += 0.5 * (density(r) * g + density(outer) * outer_g) * (outer - r);
    fall += 0.5 * (g + outer_g) * (outer - r);
    bulge_sigma2_[k] = std::max(0.0, pressure / density(r));
    bulge_limit2_[k] = std::max(0.0, 2 * fall);
    outer = r, outer_g = g;
  }
  bulge_sigma2_[0] = bulge_sigma2_[1];
  bulge_limit2_[0] = bulge_limit2_[1];
}

double GalaxyModel::circular_speed2(double R) const {
  return interpolated(speed2_, R / shape_.edge * (points - 1));
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
  const auto radial2 = [&](double r) {
    const double sigma = shape_.toomre_q * 3.36 * G * surface_density(r);
    return sigma * sigma / epicyclic_frequency2(r);
  };
  // If softening or a tide leaves hardly any force, κ is meaningless: limit σ_R to the circular speed.
  const double sigma2 = std::min(radial2(at), circular_speed2(at)), ratio2 = epicyclic_frequency2(at) / (4 * omega2);
  const auto pressure = [&](double r) { return natural_log(surface_density(r) * radial2(r)); };
  const double steepness =
      G * shape_.disk_mass * shape_.toomre_q > 0 ? at * (pressure(at + step) - pressure(at - step)) / (2 * step) : 0;
  const double mean2 = circular_speed2(R) + sigma2 * (1 - ratio2 + steepness);

  // σ_z² = π G Σ height, reduced by softening, plus ⟨z dφ/dz⟩ of everything else.
  const double z = rms_height * shape_.height, r = std::sqrt(R * R + z * z);
  const double sigma_z2 =
      pi * G * surface_density(R) * shape_.height * thin_ + z * (bulge_pull(r) * z / r + field_pull(R, z).z);
  return {std::sqrt(std::max(0.0, mean2)), std::sqrt(sigma2), std::sqrt(sigma2 * ratio2),
          std::sqrt(std::max(0.0, sigma_z2))};
}

BulgeMotion GalaxyModel::bulge_motion(double r) const {
  const double at = std::sqrt(r / (bulge_edge * shape_.bulge_length)) * (points - 1);
  return {std::sqrt(interpolated(bulge_sigma2_, at)), interpolated(bulge_limit2_, at)};
}

}  // namespace orrery::sim
