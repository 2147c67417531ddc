// SPDX-License-Identifier: MIT
// Rotations by Euler angles, in the order and with the names of orbital elements.
#pragma once

#include "sim/bodies.hpp"

namespace orrery::sim {

/// The columns of the matrix: where the axes x, y and z come to lie.
struct Rotation {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

/// About the axis z by `argument`, then about x by `inclination`, then about z by `node`, in degrees: what is in the plane x-y
/// comes into that of an orbit with these elements, and the axis x to its pericentre.
Rotation rotation_of(double node, double inclination, double argument);

Vec3 rotated(const Rotation& by, const Vec3& v);
/// By the reverse rotation.
Vec3 rotated_back(const Rotation& by, const Vec3& v);
void rotate(const Rotation& by, Vectors& all);

}  // namespace orrery::sim
