// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "render/frame.hpp"
#include "render/view/place.hpp"

namespace orrery::render {

/// Returns the mass density around each body, [N], from its six nearest neighbours (all others if there are fewer): 5/6 of
/// their mass over the volume of the sphere out to the sixth, which is unbiased (Casertano & Hut 1985, ApJ 298, 80). If all
/// masses are 0, each body counts as 1. Along a periodic axis of `bounds`, neighbours include periodic images. The density is 0
/// for a body that is not finite or alone. O(N log N) on all threads; the result does not depend on their number.
std::vector<float> local_densities(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds = {});

/// Returns the density centre Σ m ρ² x/Σ m ρ² (von Hoerner 1963, Z. Astrophys. 57, 47; ρ² as in Starlab, since with ρ the sum
/// converges slowly), with ρ ∝ (m + Σ m_j)/r₆³ from the six nearest neighbours (Casertano & Hut 1985, but with the mass m of
/// the body itself, so that a star among planets is dense). A function of these positions alone, and continuous: between two
/// clumps it moves gradually to the denser one. Along a periodic axis it is the mean on a circle (Bai & Breen 2008), within the
/// box, and neighbours include periodic images; where it crosses an end, it continues at the other.
///
/// `mass`: [N]; bodies without mass do not count, unless all are without. Bodies whose position is not finite are left out; the
/// result is 0 if there are no others. Of more than 2¹⁵ bodies, 2¹⁵ at equal steps of the cumulative mass are used. O(N), and
/// O(n log n) for those n, on all threads; the result does not depend on their number.
Place density_center(const Frame& frame, const std::vector<double>& mass, const Bounds& bounds);

}  // namespace orrery::render
