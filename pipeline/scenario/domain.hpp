// SPDX-License-Identifier: MIT
// The table [domain]: the space that bodies move in, and what does not go with it.
#pragma once

#include <span>

#include "pipeline/scenario/section.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"
#include "sim/integrator.hpp"

namespace orrery::pipeline {

/// What the table says; space without an end where it is absent. Throws Error, exit code 2, where it is no domain.
sim::Domain domain_of(const Section& section);

/// Throws where the domain is not open: those integrators that cannot have walls say why, and so far no force can.
void refuse_walls(const Section& section, const sim::Integrator& integrator);

/// Throws where a body of a plane domain is not in its plane, leaves it at once or is pulled out of it by a field.
void refuse_outside(const Section& section, const sim::Domain& domain, const sim::Bodies& bodies,
                    std::span<const sim::ExternalField> fields);

}  // namespace orrery::pipeline
