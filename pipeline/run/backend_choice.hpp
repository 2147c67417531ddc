// SPDX-License-Identifier: MIT
// From [backend] to a backend.
#pragma once

#include <memory>
#include <string>

#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

/// A backend, and how it came to be this one.
struct ChosenBackend {
  std::unique_ptr<sim::Backend> backend;
  std::string kind;    ///< by its name in the list
  std::string reason;  ///< for people: "as asked", "auto: cuda 41 µs a step, cpu 1.2 ms"
};

/// What [backend] says besides `kind`. Throws Error. Points into `section`.
sim::BackendOptions options_of(const Section& section);
/// A table [backend] that overrides alone make, for what has no scenario; `name` opens complaints.
Section backend_section(const std::vector<std::string>& overrides, const std::string& name);

/// Makes the backend that the scenario asks for. Where that is `auto`, a run that goes on stays on the kind
/// that its file names (`recorded`, empty for a new run) if that can be used here; the bits are the same on
/// any. Throws Error where it is absent or cannot do what is asked of it.
ChosenBackend make_backend(const Scenario& scenario, const Setup& setup, const std::string& recorded = "");

/// What a step of dt comes to.
struct StepCost {
  double seconds;
  double own_steps = 0;  ///< that the integrator chooses, where it does
};

/// Measured for about `seconds` and for one step at least.
StepCost time_a_step(const Scenario& scenario, const Setup& setup, sim::Backend& backend, double seconds);

}  // namespace orrery::pipeline
