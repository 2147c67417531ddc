// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "common/parameter.hpp"
#include "sim/arithmetic.hpp"
#include "sim/bodies.hpp"
#include "sim/law_parameters.hpp"

namespace orrery::sim {

/// A law of external fields: a fixed acceleration and potential that act on every body.
struct FieldLaw {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters;
  /// Computed from the parameters and the gravitational constant.
  LawParameters (*parameters_of)(const Arguments& arguments, double G);
  /// The acceleration g, dg/dt of a body that moves with `velocity`, and the potential per mass φ with g = −∇φ.
  Vec3 (*acceleration)(const LawParameters& parameters, Vec3 position);
  Vec3 (*jerk)(const LawParameters& parameters, Vec3 position, Vec3 velocity);
  double (*potential)(const LawParameters& parameters, Vec3 position);
};

/// A law with its numbers.
struct ExternalField {
  const FieldLaw* law = nullptr;
  LawParameters parameters;
};

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
