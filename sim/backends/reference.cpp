// SPDX-License-Identifier: MIT
// The plain definition of the operations; shares no code with other backends.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/backend.hpp"
#include "sim/backends/reference/laws.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {
namespace {

using reference::Numbers;
using reference::Sums;
using std::fma;
using std::size_t;

/// Σ terms: blocks of 256, each a binary tree padded with +0; the sums of the blocks are added in the same way.
double tree_sum(std::vector<double> terms) {
  if (terms.empty()) return 0;
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
      : Backend(system), n_(system.bodies.size()), mass_(system.bodies.mass), potential_(n_), virial_(n_) {
    if (!system.forces.empty()) solver_ = checked_solver(system, Precision::float64).on_reference(system);
    fields_ = std::move(system.fields);
    columns_.assign(columns_of(system), Vectors(n_));
    at(Column::position) = std::move(system.bodies.position);
    at(Column::velocity) = std::move(system.bodies.velocity);
  }

  [[nodiscard]] Vectors download(Column column) const override { return columns_[static_cast<size_t>(column)]; }
  [[nodiscard]] std::string hardware() const override { return "one thread, scalar"; }
  [[nodiscard]] double min_r2() const override { return solver_ ? solver_->min_r2() : default_min_r2; }
  [[nodiscard]] std::string kernel() const override { return solver_ ? solver_->kernel() : "none"; }

 private:
  Vectors& at(Column column) { return columns_[static_cast<size_t>(column)]; }
  void store(Column column, const Vectors& values) override { at(column) = values; }

  void carry_out(const Operation& one) override {
    if (one.is_evaluation()) return sum_forces(one.outputs, one.outputs == Outputs::jerk ? &at(one.column) : nullptr);
    as_combination(one, [&](Column target, std::span<const Term> terms) { combine_columns(target, terms); });
    if (one.is_drift()) cross();
  }

  void sum_forces(Outputs outputs, Vectors* jerk) {
    const Vectors &x = at(Column::position), &v = at(Column::velocity);
    Vectors& a = at(Column::acceleration);
    a = Vectors(n_);
    if (jerk != nullptr) *jerk = Vectors(n_);
    if (outputs == Outputs::potential) potential_.assign(n_, 0.0), virial_.assign(n_, 0.0);
    if (solver_) {
      HostBodies bodies{.position = {x.x.data(), x.y.data(), x.z.data()},
                        .velocity = {v.x.data(), v.y.data(), v.z.data()},
                        .n = n_,
                        .outputs = outputs,
                        .acceleration = {a.x.data(), a.y.data(), a.z.data()},
                        .potential = outputs == Outputs::potential ? potential_.data() : nullptr,
                        .virial = outputs == Outputs::potential ? virial_.data() : nullptr,
                        .jerk = {}};
      if (jerk != nullptr)
        bodies.jerk[0] = jerk->x.data(), bodies.jerk[1] = jerk->y.data(), bodies.jerk[2] = jerk->z.data();
      solver_->evaluate(bodies);
    }
    for (const ExternalField& field : fields_) add(field, outputs, jerk);
  }

  /// Adds an external field: g to the acceleration, dg/dt to the jerk, and 2φ to the potential, half of which is the
  /// energy.
  void add(const ExternalField& field, Outputs outputs, Vectors* jerk) {
    const auto act = [&](const Numbers& numbers, const std::array<double, 3>& x, const std::array<double, 3>& v) {
      if (field.law->of_bodies == nullptr) return reference::field(field.law->name).act(numbers, x, v);
      Sums of{};
      field.law->of_bodies(1, {&x[0], &x[1], &x[2]}, {&of[0], &of[1], &of[2]},
                           outputs == Outputs::potential ? &of[3] : nullptr, field.parameters);
      return of;
    };
    const Vectors &x = at(Column::position), &v = at(Column::velocity);
    Vectors& a = at(Column::acceleration);
    for (size_t i = 0; i < n_; ++i) {
      const Sums of = act(field.parameters.at, {x.x[i], x.y[i], x.z[i]}, {v.x[i], v.y[i], v.z[i]});
      a.x[i] += of[0], a.y[i] += of[1], a.z[i] += of[2];
      if (outputs == Outputs::potential) potential_[i] += 2 * of[3];
      if (jerk != nullptr) jerk->x[i] += of[4], jerk->y[i] += of[5], jerk->z[i] += of[6];
    }
  }

  void combine_columns(Column target, std::span<const Term> terms) {
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

  /// Applies the boundary conditions, axis by axis.
  void cross() {
    Vectors &x = at(Column::position), &v = at(Column::velocity);
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto component = std::array{&Vectors::x, &Vectors::y, &Vectors::z}[axis];
      for (size_t i = 0; i < n_; ++i) {
        const Coordinate after = domain().cross(axis, {(x.*component)[i], (v.*component)[i], 0});
        (x.*component)[i] = after.x;
        (v.*component)[i] = after.v;
        if (image()) (at(*image()).*component)[i] += static_cast<double>(after.image);
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
        .virial = sum([&](size_t i) { return -0.5 * m[i] * virial_[i]; }),
    };
  }

  size_t n_;
  std::vector<double> mass_;
  std::unique_ptr<HostSolver> solver_;
  std::vector<ExternalField> fields_;
  std::vector<Vectors> columns_;
  std::vector<double> potential_, virial_;
};

constexpr std::string_view kernels[] = {"pair-once"};
constexpr Precision precisions[] = {Precision::float64};

}  // namespace

extern const BackendKind reference_backend{
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
