// SPDX-License-Identifier: MIT
// The cuda backend; cuda_absent.cpp stands in for it where there is no CUDA compiler.
#pragma once

#include <cstddef>

#include "sim/backend.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {

struct Integrator;

extern const BackendKind cuda_backend;

/// What it takes for so many bodies of a run that is looked at: columns, notes, and what the solver wants; on the host,
/// what is pinned there. What the driver itself takes of a device, some hundred MiB, comes besides. Nothing where the
/// solver, or this program, has no code for GPUs.
SolverBytes cuda_backend_bytes(const ForceSolver& solver, std::size_t bodies, const Integrator& integrator,
                               const BackendOptions& options);

}  // namespace orrery::sim
