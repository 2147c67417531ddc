// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace orrery::render {

using Place = std::array<double, 3>;

template <class Number>
[[nodiscard]] Number dot(const std::array<Number, 3>& a, const std::array<Number, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Returns the position or velocity of a body from an array [N][3].
[[nodiscard]] inline Place place_of(const std::vector<float>& xyz, std::size_t body) {
  return {static_cast<double>(xyz[3 * body]), static_cast<double>(xyz[3 * body + 1]),
          static_cast<double>(xyz[3 * body + 2])};
}

}  // namespace orrery::render
