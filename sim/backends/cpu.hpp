// SPDX-License-Identifier: MIT
// The cpu backend.
#pragma once

#include <cstddef>
#include <memory>

#include "sim/backend.hpp"

namespace orrery::sim {

struct Integrator;

extern const BackendKind cpu_backend;

/// The same with a chosen SIMD target: an index into simd::available_kernels().
std::unique_ptr<Backend> make_cpu_backend(System system, const BackendOptions& options, std::size_t target);
/// In float64.
std::unique_ptr<Backend> make_cpu_backend(System system, int threads, std::size_t target);

/// Bytes that it takes for so many bodies: columns, weights, responses and sums over pairs.
std::size_t cpu_backend_bytes(std::size_t bodies, int threads, const Integrator& integrator);

/// BackendKind::fma_rate of the cpu backend, with a chosen SIMD target.
double cpu_fma_rate(const BackendOptions& options, std::size_t target);

}  // namespace orrery::sim
