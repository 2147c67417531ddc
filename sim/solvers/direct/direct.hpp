// SPDX-License-Identifier: MIT
// All pairs, each once, in the canonical order (docs/canonical-order.md).
#pragma once

#include "sim/solver.hpp"

namespace orrery::sim {

extern const ForceSolver direct_solver;

namespace direct {

/// Returns whether some force law has a cutoff.
bool has_cutoff(const System& system);
std::unique_ptr<HostSolver> on_reference(const System& system);
std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostContext& means);
std::size_t bytes_on_cpu(std::size_t bodies, Outputs most, int threads);

using MakeOnCuda = decltype(ForceSolver::on_cuda);
extern const MakeOnCuda on_cuda;  ///< null in a program without CUDA
/// Of each of several GPUs.
std::size_t bytes_on_cuda(std::size_t bodies, Outputs most, Precision precision, std::size_t gpus);

}  // namespace direct
}  // namespace orrery::sim
