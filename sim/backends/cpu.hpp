// SPDX-License-Identifier: MIT
// The cpu backend.
#pragma once

#include <cstddef>
#include <memory>

#include "sim/backend.hpp"

namespace orrery::sim {

struct Integrator;

extern const BackendKind cpu_backend;

/// The same with a chosen SIMD target: an index into simd::available_targets().
std::unique_ptr<Backend> make_cpu_backend(System system, const BackendOptions& options, std::size_t target);
/// In float64.
std::unique_ptr<Backend> make_cpu_backend(System system, int threads, std::size_t target);

/// Bytes that it takes for so many bodies: columns, and what the solver wants.
std::size_t cpu_backend_bytes(const ForceSolver& solver, std::size_t bodies, const Integrator& integrator,
                              const BackendOptions& options);

/// BackendKind::fma_rate of the cpu backend, with a chosen SIMD target.
double cpu_fma_rate(const BackendOptions& options, std::size_t target);

/// BackendKind::copy_rate of so many threads.
double cpu_copy_rate(int threads);

}  // namespace orrery::sim
