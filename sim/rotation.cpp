// SPDX-License-Identifier: MIT
#include "sim/rotation.hpp"

#include "sim/angles.hpp"

namespace orrery::sim {

Rotation rotation_of(double node, double inclination, double argument) {
  const auto [cO, sO] = direction_of_degrees(node);
  const auto [ci, si] = direction_of_degrees(inclination);
  const auto [co, so] = direction_of_degrees(argument);
  return {.x = {cO * co - sO * ci * so, sO * co + cO * ci * so, si * so},
          .y = {-cO * so - sO * ci * co, -sO * so + cO * ci * co, si * co},
          .z = {sO * si, -cO * si, ci}};
}

Vec3 rotated(const Rotation& by, const Vec3& v) {
  return {by.x.x * v.x + by.y.x * v.y + by.z.x * v.z, by.x.y * v.x + by.y.y * v.y + by.z.y * v.z,
          by.x.z * v.x + by.y.z * v.y + by.z.z * v.z};
}

Vec3 rotated_back(const Rotation& by, const Vec3& v) {
  return {by.x.x * v.x + by.x.y * v.y + by.x.z * v.z, by.y.x * v.x + by.y.y * v.y + by.y.z * v.z,
          by.z.x * v.x + by.z.y * v.y + by.z.z * v.z};
}

void rotate(const Rotation& by, Vectors& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 turned = rotated(by, {all.x[i], all.y[i], all.z[i]});
    all.x[i] = turned.x, all.y[i] = turned.y, all.z[i] = turned.z;
  }
}

}  // namespace orrery::sim
