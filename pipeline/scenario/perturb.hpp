// SPDX-License-Identifier: MIT
// [[perturb]]: one body of a known state is put a little elsewhere.
#pragma once

#include <vector>

#include "pipeline/scenario/section.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// Adds to the position, velocity and mass of one body what each of the tables says, in their order. Throws Error, exit code
/// 2, with the place of what cannot be done.
void perturb(sim::Bodies& bodies, const std::vector<Section>& tables);

}  // namespace orrery::pipeline
