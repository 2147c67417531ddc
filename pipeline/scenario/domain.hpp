// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "pipeline/scenario/scenario.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"

namespace orrery::pipeline {

/// The domain of table [domain]; unbounded space by default. Throws Error, Fault::request.
sim::Domain domain_of(const Section& section);

/// Throws Error, Fault::request, if the integrator or a force does not support the boundaries: Integrator::why_open, and forces
/// without a cutoff or external fields in a periodic domain.
void check_boundaries(const Section& section, const sim::Model& model);

/// Throws Error, Fault::request, if a body is outside the box, or, in two dimensions, has z ≠ 0, v_z ≠ 0 or an acceleration
/// along z from a field. `where` returns the place of a body, or "".
void check_inside(const Section& section, const sim::Domain& domain, const sim::Bodies& bodies,
                  std::span<const sim::ExternalField> fields, const std::function<std::string(std::size_t)>& where);

}  // namespace orrery::pipeline
