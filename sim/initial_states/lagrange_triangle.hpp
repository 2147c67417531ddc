// SPDX-License-Identifier: MIT
// Three bodies at the corners of an equilateral triangle: Lagrange's solution, for any masses and eccentricity.
#pragma once

#include "sim/initial_state.hpp"

namespace orrery::sim {

extern const InitialState lagrange_triangle;

}  // namespace orrery::sim
