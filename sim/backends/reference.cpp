// SPDX-License-Identifier: MIT
// The definition of the arithmetic and of its order, as plain as it can be said; shares no code with other backends.
#include "sim/backends/reference.hpp"

#include <algorithm>
#include <cmath>

#include "sim/backends/reference/laws.hpp"

namespace orrery::sim {
namespace {

using reference::Sums;
using std::fma;
using std::size_t;

/// What pairs are summed for: a force of pairs, and whether its jerk is wanted too.
struct Interaction {
  const PairForce& force;
  const reference::Law& law;
  bool jerk;
};

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

  void compute_acceleration(bool) override { sum_forces(nullptr); }
  void compute_acceleration_and_jerk(Column jerk) override { sum_forces(&at(jerk)); }

  void sum_forces(Vectors* jerk) {
    Vectors& a = at(Column::acceleration);
    potential_.assign(n_, 0.0);
    if (forces_.empty()) a = Vectors(n_);
    if (forces_.empty() && jerk != nullptr) *jerk = Vectors(n_);
    for (size_t k = 0; k < forces_.size(); ++k) {
      const auto sums = sums_over_pairs({forces_[k], reference::law(forces_[k].law->name), jerk != nullptr});
      const auto& s = forces_[k].response;
      for (size_t i = 0; i < n_; ++i) {
        const auto respond = [&](double& to, size_t q) { to = k == 0 ? s[i] * sums[i][q] : fma(s[i], sums[i][q], to); };
        respond(a.x[i], 0), respond(a.y[i], 1), respond(a.z[i], 2);
        respond(potential_[i], 3);
        if (jerk != nullptr) respond(jerk->x[i], 4), respond(jerk->y[i], 5), respond(jerk->z[i], 6);
      }
    }
    for (const ExternalField& field : fields_) add(field, jerk);
  }

  /// An external field: g is added to the acceleration, its derivative to the jerk, and 2φ to the potential, of which an
  /// energy takes half.
  void add(const ExternalField& field, Vectors* jerk) {
    const auto act = reference::field(field.law->name).act;
    const Vectors &x = at(Column::position), &v = at(Column::velocity);
    Vectors& a = at(Column::acceleration);
    for (size_t i = 0; i < n_; ++i) {
      const Sums of = act(field.numbers.at, {x.x[i], x.y[i], x.z[i]}, {v.x[i], v.y[i], v.z[i]});
      a.x[i] += of[0], a.y[i] += of[1], a.z[i] += of[2];
      potential_[i] += 2 * of[3];
      if (jerk != nullptr) jerk->x[i] += of[4], jerk->y[i] += of[5], jerk->z[i] += of[6];
    }
  }

  /// Every body's sums are those of the chunks it meets, added in the order of the chunks.
  std::vector<Sums> sums_over_pairs(const Interaction& pairs) {
    size_t chunk = 128;
    while (chunk * 256 < n_) chunk *= 2;
    const size_t chunks = (n_ + chunk - 1) / chunk;
    std::vector<std::vector<Sums>> from(chunks, std::vector<Sums>(n_, Sums{}));  // from[c][i]: of chunk c on body i
    for (size_t I = 0; I < chunks; ++I) {
      within(pairs, I * chunk, std::min((I + 1) * chunk, n_), from[I]);
      for (size_t J = I + 1; J < chunks; ++J) between(pairs, I * chunk, J * chunk, chunk, from[J], from[I]);
    }
    std::vector<Sums> total(n_, Sums{});
    for (const auto& part : from) {
      for (size_t i = 0; i < n_; ++i) {
        for (size_t q = 0; q < 7; ++q) total[i][q] += part[i][q];
      }
    }
    return total;
  }

  /// A chunk and itself: each body meets the others one after the other.
  void within(const Interaction& pairs, size_t begin, size_t end, std::vector<Sums>& on) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = begin; j < end; ++j) {
        if (j != i) meet(pairs, i, j, on[i], nullptr);
      }
    }
  }

  /// Two chunks, each pair once: tiles of 128 bodies i by 32 bodies j. At time t lane l meets j = l + t,
  /// modulo 32, with its four bodies i = l, l + 32, l + 64, l + 96 in this order.
  void between(const Interaction& pairs, size_t I, size_t J, size_t chunk, std::vector<Sums>& on_i,
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
              meet(pairs, i, J + j, on_i[i], &travelling[j]);
            }
          }
        }
      }
      for (size_t j = 0; j < chunk && J + j < n_; ++j) {
        for (size_t q = 0; q < 7; ++q) on_j[J + j][q] += travelling[j][q];
      }
    }
  }

  /// What j does to i and, if asked, what i does to j.
  void meet(const Interaction& pairs, size_t i, size_t j, Sums& on_i, Sums* on_j) {
    const auto& [force, law, with_jerk] = pairs;
    const auto apart = [i, j](const Vectors& of) {
      return std::array<double, 3>{of.x[j] - of.x[i], of.y[j] - of.y[i], of.z[j] - of.z[i]};
    };
    const auto d = apart(at(Column::position));
    const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], force.softening2)));
    const double c = law.c(r2, force.number), u = law.u(r2, force.number);
    const double wi = force.source[i], wj = force.source[j], cj = wj * c, ci = wi * c;
    for (size_t q = 0; q < 3; ++q) on_i[q] = fma(d[q], cj, on_i[q]);
    on_i[3] = fma(wj, u, on_i[3]);
    if (on_j != nullptr) {
      for (size_t q = 0; q < 3; ++q) (*on_j)[q] = fma(-d[q], ci, (*on_j)[q]);
      (*on_j)[3] = fma(wi, u, (*on_j)[3]);
    }
    if (!with_jerk) return;
    const auto change = reference::rate_of_change(d, apart(at(Column::velocity)), c, law.slope(r2, force.number));
    for (size_t q = 0; q < 3; ++q) {
      on_i[4 + q] = fma(wj, change[q], on_i[4 + q]);
      if (on_j != nullptr) (*on_j)[4 + q] = fma(-wi, change[q], (*on_j)[4 + q]);
    }
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
