// SPDX-License-Identifier: MIT
// Common parts of the descriptions of external fields.
#pragma once

#include "sim/external_field.hpp"
#include "sim/scalar.hpp"

namespace orrery::sim {

inline constexpr Parameter field_center{.name = "center",
                                        .kind = Kind::numbers,
                                        .fallback = "[0.0, 0.0, 0.0]",
                                        .meaning = "position of its centre",
                                        .unit = "length",
                                        .count = 3};

inline LawParameters numbers_of(double first, double second, const Arguments& arguments) {
  const auto& center = arguments.numbers("center");
  return {{first, second, center[0], center[1], center[2]}};
}

inline Triple<Scalar> scalars(Vec3 v) {
  return {Scalar(v.x), Scalar(v.y), Scalar(v.z)};
}

template <class Field>
Vec3 scalar_acceleration(const LawParameters& parameters, Vec3 position) {
  const Triple<Scalar> g = Field::acceleration(parameters, scalars(position));
  return {g.x.value, g.y.value, g.z.value};
}

template <class Field>
Vec3 scalar_jerk(const LawParameters& parameters, Vec3 position, Vec3 velocity) {
  const Triple<Scalar> j = Field::jerk(parameters, scalars(position), scalars(velocity));
  return {j.x.value, j.y.value, j.z.value};
}

template <class Field>
double scalar_potential(const LawParameters& parameters, Vec3 position) {
  return Field::potential(parameters, scalars(position)).value;
}

}  // namespace orrery::sim
