// SPDX-License-Identifier: MIT
// The observables of a state, summed over bodies in the canonical tree.
#pragma once

#include <span>

#include "sim/snapshot.hpp"

namespace orrery::sim {

/// The coordinates of a column, each [N].
struct VectorsView {
  std::span<const double> x, y, z;
};

/// `potential` is s_i φ_i of each body, [N]; energies are Σ ½ m v² and Σ ½ m s φ.
Observables measure(std::span<const double> mass, VectorsView position, VectorsView velocity,
                    std::span<const double> potential);

}  // namespace orrery::sim
