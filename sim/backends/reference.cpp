// SPDX-License-Identifier: MIT
// The definition of the arithmetic and of its order, as plain as it can be said; shares no code with other backends.
#include "sim/backends/reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace orrery::sim {
namespace {

using std::fma;
using std::size_t;

/// What the forces on one body add up to: three accelerations and a potential.
using Sums = std::array<double, 4>;

double estimate_of_inverse_root(double r2) {
  const auto high = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(r2) >> 32);
  const auto seed = std::bit_cast<double>(std::uint64_t{0x5fe6eb50 - (high >> 1)} << 32);
  const double e = fma(-(r2 * seed), seed, 1.0);
  return fma(seed * e, fma(fma(0.3125, e, 0.375), e, 0.5), seed);
}

double gravity_c(double r2, double /*number*/ = 0) {
  const double y = estimate_of_inverse_root(r2), y2 = y * y, y3 = y * y2;
  const double e = fma(-r2, y2, 1.0);
  return fma(y3 * e, fma(fma(2.1875, e, 1.875), e, 1.5), y3);
}

double inverse_root(double r2) {
  const double y = estimate_of_inverse_root(r2);
  const double e = fma(-r2, y * y, 1.0);
  return fma(y * e, fma(fma(0.3125, e, 0.375), e, 0.5), y);
}

double gravity_u(double r2, double /*number*/ = 0) {
  return 0.0 - inverse_root(r2);
}

/// y^k: those of y, y², y⁴, … that the bits of k name, one after the other.
double power(double y, int k) {
  double product = 1.0;
  for (; k > 0; k /= 2, y = y * y) {
    if (k % 2 == 1) product = product * y;
  }
  return product;
}

/// ln x: x = m 2^k with √½ ≤ m < √2, f = m − 1, s = f/(2 + f), ln m = f − (f²/2 − s (f²/2 + 2 (s²/3 + s⁴/5 + …))).
double logarithm(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x) + 0x0009'5f62'0000'0000;
  const double k = static_cast<double>(bits >> 52) - 1023;
  const double f = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffff) + 0x3fe6'a09e'0000'0000) - 1;
  const double s = f / (2 + f), h = 0.5 * f * f;
  double series = 2.0 / 23;
  for (int n = 21; n >= 3; n -= 2) series = fma(series, s * s, 2.0 / n);
  const double small = fma(s, fma(series, s * s, h), k * 0x1.ef35793c76730p-45);
  return fma(k, 0x1.62e42fefa3800p-1, f - (h - small));
}

double inverse_power_c(double r2, double n) {
  return power(inverse_root(r2), static_cast<int>(n) + 1);
}

double inverse_power_u(double r2, double n) {
  return n == 1 ? 0.5 * logarithm(r2) : -1 / (n - 1) * power(inverse_root(r2), static_cast<int>(n) - 1);
}

struct Law {
  std::string_view name;
  double (*c)(double r2, double number);
  double (*u)(double r2, double number);
};
constexpr Law laws[] = {{"gravity", gravity_c, gravity_u},
                        {"coulomb", gravity_c, gravity_u},
                        {"inverse-power", inverse_power_c, inverse_power_u}};

/// What a field does to one body: its acceleration and its potential.
Sums logarithmic_halo(const double (&number)[8], double x, double y, double z) {
  const double v2 = number[0], rc2 = number[1], dx = number[2] - x, dy = number[3] - y, dz = number[4] - z;
  const double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, rc2)));
  const double k = v2 / r2;
  return {k * dx, k * dy, k * dz, (0.5 * v2) * logarithm(r2 / rc2)};
}

Sums plummer_halo(const double (&number)[8], double x, double y, double z) {
  const double mu = number[0], dx = number[2] - x, dy = number[3] - y, dz = number[4] - z;
  const double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, number[1])));
  const double k = mu * gravity_c(r2);
  return {k * dx, k * dy, k * dz, mu * gravity_u(r2)};
}

struct Field {
  std::string_view name;
  Sums (*act)(const double (&number)[8], double x, double y, double z);
};
constexpr Field fields[] = {{"logarithmic-halo", logarithmic_halo}, {"plummer-halo", plummer_halo}};

/// Σ terms: blocks of 256, each a binary tree padded with +0; the sums of the blocks are added in the same way.
double tree_sum(std::vector<double> terms) {
  do {
    terms.resize((terms.size() + 255) / 256 * 256, 0.0);
    std::vector<double> sums;
    for (size_t block = 0; block < terms.size(); block += 256) {
      for (size_t half = 128; half > 0; half /= 2) {
        for (size_t k = block; k < block + half; ++k) terms[k] = terms[k] + terms[k + half];
      }
      sums.push_back(terms[block]);
    }
    terms = std::move(sums);
  } while (terms.size() > 1);
  return terms.front();
}

class Reference final : public Backend {
 public:
  explicit Reference(System system)
      : n_(system.bodies.size()),
        mass_(system.bodies.mass),
        forces_(std::move(system.forces)),
        fields_(std::move(system.fields)) {
    columns_.assign(static_cast<size_t>(Column::own) + static_cast<size_t>(system.own_columns), Vectors(n_));
    at(Column::position) = std::move(system.bodies.position);
    at(Column::velocity) = std::move(system.bodies.velocity);
  }

  [[nodiscard]] Vectors download(Column column) const override { return columns_[static_cast<size_t>(column)]; }
  void upload(Column column, const Vectors& values) override {
    at(column) = values;
    forget(column);
  }
  [[nodiscard]] std::string hardware() const override { return "one thread, scalar"; }

 private:
  Vectors& at(Column column) { return columns_[static_cast<size_t>(column)]; }

  void compute_acceleration(bool) override {
    Vectors& a = at(Column::acceleration);
    potential_.assign(n_, 0.0);
    if (forces_.empty()) a = Vectors(n_);
    for (size_t k = 0; k < forces_.size(); ++k) {
      const auto sums = sums_over_pairs(forces_[k]);
      const auto& s = forces_[k].response;
      for (size_t i = 0; i < n_; ++i) {
        a.x[i] = k == 0 ? s[i] * sums[i][0] : fma(s[i], sums[i][0], a.x[i]);
        a.y[i] = k == 0 ? s[i] * sums[i][1] : fma(s[i], sums[i][1], a.y[i]);
        a.z[i] = k == 0 ? s[i] * sums[i][2] : fma(s[i], sums[i][2], a.z[i]);
        potential_[i] = k == 0 ? s[i] * sums[i][3] : fma(s[i], sums[i][3], potential_[i]);
      }
    }
    for (const ExternalField& field : fields_) add(field);
  }

  /// An external field: g is added to the acceleration and 2φ to the potential, of which an energy takes half.
  void add(const ExternalField& field) {
    const auto act = std::ranges::find(fields, field.law->name, &Field::name)->act;
    const Vectors& x = at(Column::position);
    Vectors& a = at(Column::acceleration);
    for (size_t i = 0; i < n_; ++i) {
      const Sums of = act(field.numbers.at, x.x[i], x.y[i], x.z[i]);
      a.x[i] += of[0], a.y[i] += of[1], a.z[i] += of[2];
      potential_[i] += 2 * of[3];
    }
  }

  /// Every body's sums are those of the chunks it meets, added in the order of the chunks.
  std::vector<Sums> sums_over_pairs(const PairForce& force) {
    size_t chunk = 128;
    while (chunk * 256 < n_) chunk *= 2;
    const size_t chunks = (n_ + chunk - 1) / chunk;
    std::vector<std::vector<Sums>> from(chunks, std::vector<Sums>(n_, Sums{}));  // from[c][i]: of chunk c on body i
    for (size_t I = 0; I < chunks; ++I) {
      within(force, I * chunk, std::min((I + 1) * chunk, n_), from[I]);
      for (size_t J = I + 1; J < chunks; ++J) between(force, I * chunk, J * chunk, chunk, from[J], from[I]);
    }
    std::vector<Sums> total(n_, Sums{});
    for (const auto& part : from) {
      for (size_t i = 0; i < n_; ++i) {
        for (size_t q = 0; q < 4; ++q) total[i][q] += part[i][q];
      }
    }
    return total;
  }

  /// A chunk and itself: each body meets the others one after the other.
  void within(const PairForce& force, size_t begin, size_t end, std::vector<Sums>& on) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = begin; j < end; ++j) {
        if (j != i) meet(force, i, j, on[i], nullptr);
      }
    }
  }

  /// Two chunks, each pair once: tiles of 128 bodies i by 32 bodies j. At time t lane l meets j = l + t,
  /// modulo 32, with its four bodies i = l, l + 32, l + 64, l + 96 in this order.
  void between(const PairForce& force, size_t I, size_t J, size_t chunk, std::vector<Sums>& on_i,
               std::vector<Sums>& on_j) {
    for (size_t tile = I; tile < I + chunk; tile += 128) {
      std::vector<Sums> travelling(chunk, Sums{});  // what this tile does to the bodies j
      for (size_t group = 0; group < chunk; group += 32) {
        for (size_t t = 0; t < 32; ++t) {
          for (size_t lane = 0; lane < 32; ++lane) {
            const size_t j = group + (lane + t) % 32;
            if (J + j >= n_) continue;  // the last chunk may have fewer bodies
            for (size_t r = 0; r < 4; ++r) {
              const size_t i = tile + 32 * r + lane;
              meet(force, i, J + j, on_i[i], &travelling[j]);
            }
          }
        }
      }
      for (size_t j = 0; j < chunk && J + j < n_; ++j) {
        for (size_t q = 0; q < 4; ++q) on_j[J + j][q] += travelling[j][q];
      }
    }
  }

  /// What j does to i and, if asked, what i does to j.
  void meet(const PairForce& force, size_t i, size_t j, Sums& on_i, Sums* on_j) {
    const Law& law = *std::ranges::find(laws, force.law->name, &Law::name);
    const Vectors& x = at(Column::position);
    const std::array<double, 3> d{x.x[j] - x.x[i], x.y[j] - x.y[i], x.z[j] - x.z[i]};
    const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], force.softening2)));
    const double c = law.c(r2, force.number), u = law.u(r2, force.number);
    const double cj = force.source[j] * c, ci = force.source[i] * c;
    for (size_t q = 0; q < 3; ++q) on_i[q] = fma(d[q], cj, on_i[q]);
    on_i[3] = fma(force.source[j], u, on_i[3]);
    if (on_j == nullptr) return;
    for (size_t q = 0; q < 3; ++q) (*on_j)[q] = fma(-d[q], ci, (*on_j)[q]);
    (*on_j)[3] = fma(force.source[i], u, (*on_j)[3]);
  }

  void compute_combination(Column target, std::span<const Term> terms) override {
    for (auto axis : {&Vectors::x, &Vectors::y, &Vectors::z}) {
      for (size_t i = 0; i < n_; ++i) {
        double sum = 0;
        for (size_t k = 0; k < terms.size(); ++k) {
          const double factor = terms[k].factor, source = (at(terms[k].source).*axis)[i];
          sum = k > 0 ? fma(factor, source, sum) : factor == 1.0 ? source : factor * source;
        }
        (at(target).*axis)[i] = sum;
      }
    }
  }

  Observables measure() override {
    const Vectors &position = at(Column::position), &velocity = at(Column::velocity);
    const auto &x = position.x, &y = position.y, &z = position.z;
    const auto &vx = velocity.x, &vy = velocity.y, &vz = velocity.z;
    const auto sum = [&](auto term) {
      std::vector<double> terms(n_);
      for (size_t i = 0; i < n_; ++i) terms[i] = term(i);
      return tree_sum(std::move(terms));
    };
    const auto& m = mass_;
    const double total_mass = sum([&](size_t i) { return m[i]; });
    const auto mean = [&](double moment) { return total_mass > 0 ? moment / total_mass : 0.0; };
    return {
        .kinetic_energy =
            sum([&](size_t i) { return 0.5 * m[i] * fma(vx[i], vx[i], fma(vy[i], vy[i], vz[i] * vz[i])); }),
        .potential_energy = sum([&](size_t i) { return 0.5 * m[i] * potential_[i]; }),
        .momentum = {sum([&](size_t i) { return m[i] * vx[i]; }), sum([&](size_t i) { return m[i] * vy[i]; }),
                     sum([&](size_t i) { return m[i] * vz[i]; })},
        .angular_momentum = {sum([&](size_t i) { return m[i] * fma(y[i], vz[i], -(z[i] * vy[i])); }),
                             sum([&](size_t i) { return m[i] * fma(z[i], vx[i], -(x[i] * vz[i])); }),
                             sum([&](size_t i) { return m[i] * fma(x[i], vy[i], -(y[i] * vx[i])); })},
        .center_of_mass = {mean(sum([&](size_t i) { return m[i] * x[i]; })),
                           mean(sum([&](size_t i) { return m[i] * y[i]; })),
                           mean(sum([&](size_t i) { return m[i] * z[i]; }))},
    };
  }

  size_t n_;
  std::vector<double> mass_;
  std::vector<PairForce> forces_;
  std::vector<ExternalField> fields_;
  std::vector<Vectors> columns_;
  std::vector<double> potential_;
};

constexpr std::string_view kernels[] = {"pair-once"};
constexpr Precision precisions[] = {Precision::float64};

}  // namespace

const BackendKind reference_backend{
    .name = "reference",
    .meaning = "the definition: plain loops on one thread; slow, and right by construction",
    .kernels = kernels,
    .precisions = precisions,
    .absence = [] { return std::string(); },
    .make = [](System system, const BackendOptions&) -> std::unique_ptr<Backend> {
      return std::make_unique<Reference>(std::move(system));
    },
};

}  // namespace orrery::sim
