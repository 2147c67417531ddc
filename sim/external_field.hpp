// SPDX-License-Identifier: MIT
// An external field describes itself: a fixed acceleration and potential that every body feels; the list of
// all of them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "common/parameter.hpp"
#include "sim/arithmetic.hpp"
#include "sim/bodies.hpp"
#include "sim/law_numbers.hpp"

namespace orrery::sim {

struct FieldLaw {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters;
  /// From the values of its keys and the gravitational constant.
  LawNumbers (*numbers)(const Arguments& arguments, double G);
  /// g of a body there, its change along a velocity, dg/dt, and its potential φ per unit of mass with g = −∇φ: what
  /// every backend computes.
  Vec3 (*acceleration)(const LawNumbers& numbers, Vec3 position);
  Vec3 (*jerk)(const LawNumbers& numbers, Vec3 position, Vec3 velocity);
  double (*potential)(const LawNumbers& numbers, Vec3 position);
};

/// A law with its numbers filled in.
struct ExternalField {
  const FieldLaw* law = nullptr;
  LawNumbers numbers;
};

/// Every law, in the order of sim/fields/list.hpp.
std::span<const FieldLaw* const> field_laws();

/// Where `law` stands in that list.
std::size_t law_index(const FieldLaw& law);

/// centre − position for a law that keeps its centre in numbers c, c + 1 and c + 2.
template <class Real>
ORRERY_EVERYWHERE Triple<Real> towards(const LawNumbers& numbers, int c, Triple<Real> position) {
  return {Real(numbers.at[c]) - position.x, Real(numbers.at[c + 1]) - position.y, Real(numbers.at[c + 2]) - position.z};
}

/// How centre − position changes.
template <class Real>
ORRERY_EVERYWHERE Triple<Real> reversed(Triple<Real> velocity) {
  return {Real(0) - velocity.x, Real(0) - velocity.y, Real(0) - velocity.z};
}

/// |d|² + more, as docs/canonical-order.md orders it.
template <class Real>
ORRERY_EVERYWHERE Real square(Triple<Real> d, Real more) {
  return fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, more)));
}

}  // namespace orrery::sim
