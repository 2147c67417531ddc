// SPDX-License-Identifier: MIT
// How dense it is where each body stands.
#pragma once

#include <vector>

#include "render/frame.hpp"

namespace orrery::render {

/// Mass a volume around each body, [N], from the six nearest others: ρ = 5/6 of their mass over the sphere out to the sixth,
/// which is unbiased (Casertano & Hut 1985, ApJ 298, 80); of fewer than seven bodies from all the others. Bodies count
/// alike where there are no masses. 0 for a body without a place or alone. O(N log N) on all threads; the same numbers with
/// any number of them.
std::vector<float> local_densities(const Frame& frame, const std::vector<double>& mass);

}  // namespace orrery::render
