// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery::render {

using Place = std::array<double, 3>;

template <class Number>
[[nodiscard]] Number dot(const std::array<Number, 3>& a, const std::array<Number, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[nodiscard]] inline Place cross(const Place& a, const Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// a + s b
[[nodiscard]] inline Place plus(const Place& a, double s, const Place& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}

[[nodiscard]] inline double length(const Place& a) {
  return std::hypot(a[0], a[1], a[2]);
}

[[nodiscard]] inline Place place_of(const float* xyz) {
  return {static_cast<double>(xyz[0]), static_cast<double>(xyz[1]), static_cast<double>(xyz[2])};
}
/// Returns the position or velocity of a body from an array [N][3].
[[nodiscard]] inline Place place_of(const std::vector<float>& xyz, std::size_t body) {
  return place_of(&xyz[3 * body]);
}

}  // namespace orrery::render
