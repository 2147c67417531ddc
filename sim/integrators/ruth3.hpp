// SPDX-License-Identifier: MIT
// Ruth's third order: three kicks and three drifts, some of them backward.
#pragma once

#include "sim/integrators/composition.hpp"

namespace orrery::sim {

inline constexpr Integrator ruth3{
    .name = "ruth3",
    .meaning = "three kicks and drifts of unequal lengths: third order, not symmetric in time",
    .order = 3,
    .symplectic = true,
    .evaluations = 3,
    .reference = "Ruth 1983, IEEE Trans. Nucl. Sci. 30, 2669",
    .step = [](Backend& bodies, const Step& step) {
      kick_here(bodies, 7.0 / 24 * step.dt);
      bodies.drift(2.0 / 3 * step.dt);
      kick_here(bodies, 3.0 / 4 * step.dt);
      bodies.drift(-2.0 / 3 * step.dt);
      kick_here(bodies, -1.0 / 24 * step.dt);
      bodies.drift(step.dt);
    }};

}  // namespace orrery::sim
