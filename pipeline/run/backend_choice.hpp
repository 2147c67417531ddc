// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pipeline/context.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {

struct ChosenBackend {
  std::unique_ptr<sim::Backend> backend;
  std::string kind;    ///< name in backend_kinds()
  std::string reason;  ///< as shown to the user: "as asked", "auto: cuda 41 µs per step, cpu 1.2 ms"
};

/// Throws Error, Fault::request, if `make_backend` would because the requested backend is absent or lacks the kernel or precision.
/// Makes and measures nothing.
void refuse_unavailable(const BackendRequest& request);

/// Makes the requested backend. With `auto`, a resumed run keeps the kind in its file (`recorded`, empty for a new run) if it is
/// available. Throws Error if the backend is absent or lacks the kernel or precision.
ChosenBackend make_backend(const Setup& setup, const BackendRequest& request, const Resources& resources = {},
                           const std::string& recorded = "");

/// Waits until a backend has computed a column. A device only reduces it: to copy 10⁶ bodies to the host takes longer than
/// many a step. Every timing of steps ends with this.
void wait_for(const sim::Backend& backend, sim::Column column);

/// The cost of one step of dt.
struct StepCost {
  double seconds;
  double own_steps = 0;  ///< steps of an integrator that chooses its own; else 0
  double measured = 1;   ///< steps of dt in the measurement, below 1 if they take too long
};

/// Measures the cost for about `seconds`: at least one step, of an integrator that chooses its own one of these.
StepCost time_a_step(const sim::Model& model, sim::Backend& backend, double seconds);

}  // namespace orrery::pipeline
