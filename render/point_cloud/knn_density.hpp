// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "render/frame.hpp"

namespace orrery::render {

/// Returns the mass density around each body, [N], from its six nearest neighbours (all others if there are fewer): 5/6 of
/// their mass over the volume of the sphere out to the sixth, which is unbiased (Casertano & Hut 1985, ApJ 298, 80). If all
/// masses are 0, each body counts as 1. The density is 0 for a body that is not finite or alone. O(N log N) on all threads;
/// the result does not depend on their number.
std::vector<float> local_densities(const Frame& frame, const std::vector<double>& mass);

}  // namespace orrery::render
