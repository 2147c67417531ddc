// SPDX-License-Identifier: MIT
// The cuda backend; without a CUDA compiler cuda_absent.cpp replaces it.
#pragma once

#include <cstddef>

#include "sim/backend.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {

struct Integrator;

extern const BackendKind cuda_backend;

/// Memory in bytes for this number of bodies: columns, readback and solver; host memory is pinned. The driver's own use
/// of a device, some hundred MiB, is not included. 0 if the solver, or this program, has no code for GPUs.
SolverBytes cuda_backend_bytes(const ForceSolver& solver, std::size_t bodies, const Integrator& integrator,
                               const BackendOptions& options);

}  // namespace orrery::sim
