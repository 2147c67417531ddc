// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sim/snapshot.hpp"

namespace orrery::sim {

/// The coordinates of a column, [N] each.
struct VectorsView {
  std::span<const double> x, y, z;
};

/// Sums over bodies in the canonical tree. `potential` is s_i φ_i of each body, [N]; energies are Σ ½ m v² and Σ ½ m s
/// φ. `virial` is s_i Σ c r² of each body, [N], or empty.
Observables measure(std::span<const double> mass, VectorsView position, VectorsView velocity,
                    std::span<const double> potential, std::span<const double> virial = {});

}  // namespace orrery::sim
