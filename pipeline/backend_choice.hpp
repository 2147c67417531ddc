// SPDX-License-Identifier: MIT
// From [backend] to a backend.
#pragma once

#include <memory>

#include "pipeline/scenario.hpp"

namespace orrery::pipeline {

/// Makes the backend that the scenario asks for. Throws Error where it is absent or cannot do what is asked
/// of it.
std::unique_ptr<sim::Backend> make_backend(const Scenario& scenario, const Setup& setup);

}  // namespace orrery::pipeline
