// SPDX-License-Identifier: MIT
// The table [domain]: the space that bodies move in, and what does not go with it.
#pragma once

#include <span>

#include "pipeline/scenario/scenario.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"

namespace orrery::pipeline {

/// What the table says; space without an end where it is absent. Throws Error, exit code 2, where it is no domain.
sim::Domain domain_of(const Section& section);

/// Throws where what the scenario asks for does not go with the ends of its domain: integrators that cannot have walls say why,
/// and forces that reach any distance cannot be periodic.
void refuse_walls(const Scenario& scenario);

/// Throws where a body is not in the box, or in two dimensions is not in the plane, leaves it at once or is pulled out of it by a
/// field.
void refuse_outside(const Section& section, const sim::Domain& domain, const sim::Bodies& bodies,
                    std::span<const sim::ExternalField> fields);

}  // namespace orrery::pipeline
