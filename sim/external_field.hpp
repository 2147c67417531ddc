// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "common/function_view.hpp"
#include "common/parameter.hpp"
#include "sim/arithmetic.hpp"
#include "sim/bodies.hpp"
#include "sim/law_parameters.hpp"
#include "sim/publication.hpp"

namespace orrery::sim {

struct ForeignField;  // sim/foreign.hpp

/// g and, unless null, φ of n bodies. Each result depends on the position of its body alone. Called by several threads at once.
using FieldFunction =
    FunctionView<void(std::size_t n, const double* const (&position)[3], double* const (&acceleration)[3],
                      double* potential, const LawParameters& parameters)>;

/// A law of external fields: a fixed acceleration and potential that act on every body.
struct FieldLaw {
  std::string_view name;
  std::string_view meaning;
  Citations references{};  ///< where it was published
  std::span<const Parameter> parameters;
  /// Computed from the parameters and the gravitational constant.
  FunctionView<LawParameters(const Arguments& arguments, double G)> parameters_of;
  /// The acceleration g, dg/dt of a body that moves with `velocity`, and the potential per mass φ with g = −∇φ.
  FunctionView<Vec3(const LawParameters& parameters, Vec3 position)> acceleration;
  FunctionView<Vec3(const LawParameters& parameters, Vec3 position, Vec3 velocity)> jerk;  ///< null: not available
  FunctionView<double(const LawParameters& parameters, Vec3 position)> potential;
  const ForeignField* foreign = nullptr;  ///< what a field of the program that uses the library says of itself
  /// Of a field that is not in sim/fields/list.hpp, for which no kernel is compiled: backends call this with many bodies.
  /// Null: they have the field's own arithmetic.
  FieldFunction of_bodies = nullptr;
};

/// A law with its numbers.
struct ExternalField {
  const FieldLaw* law = nullptr;
  LawParameters parameters;
};

/// Adds a field that is not compiled: g to a, and 2φ, half of which is the energy, to the potential unless that is null.
void add_foreign(const ExternalField& field, std::size_t n, const double* const (&position)[3],
                 double* const (&acceleration)[3], double* potential);

/// All laws in the order of sim/fields/list.hpp.
std::span<const FieldLaw* const> field_laws();

/// Index in that list.
std::size_t law_index(const FieldLaw& law);

/// centre − position for a law whose numbers c, c + 1 and c + 2 are its centre.
template <class Real>
ORRERY_EVERYWHERE Triple<Real> towards(const LawParameters& parameters, int c, Triple<Real> position) {
  return {Real(parameters.at[c]) - position.x, Real(parameters.at[c + 1]) - position.y,
          Real(parameters.at[c + 2]) - position.z};
}

/// The rate of change of centre − position.
template <class Real>
ORRERY_EVERYWHERE Triple<Real> reversed(Triple<Real> velocity) {
  return {Real(0) - velocity.x, Real(0) - velocity.y, Real(0) - velocity.z};
}

/// |d|² + more, in the order of docs/canonical-order.md.
template <class Real>
ORRERY_EVERYWHERE Real square(Triple<Real> d, Real more) {
  return fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, more)));
}

}  // namespace orrery::sim
