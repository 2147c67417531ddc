// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "sim/backend.hpp"

namespace orrery::sim {

struct Integrator;

extern const BackendKind cpu_backend;

/// `target` is an index into simd::available_targets().
std::unique_ptr<Backend> make_cpu_backend(System system, const BackendOptions& options, std::size_t target);
/// The same in float64.
std::unique_ptr<Backend> make_cpu_backend(System system, int threads, std::size_t target);

/// Memory in bytes for this number of bodies: columns and solver.
std::size_t cpu_backend_bytes(const ForceSolver& solver, std::size_t bodies, const Integrator& integrator,
                              const BackendOptions& options);

/// BackendKind::fma_rate and copy_rate of the cpu backend.
double cpu_fma_rate(const BackendOptions& options, std::size_t target);
double cpu_copy_rate(int threads);

}  // namespace orrery::sim
