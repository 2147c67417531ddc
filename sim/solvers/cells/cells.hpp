// SPDX-License-Identifier: MIT
// Forces with a cutoff: each body meets those that are near it, in ascending order (docs/canonical-order.md).
#pragma once

#include "sim/solver.hpp"

namespace orrery::sim {

extern const ForceSolver cells_solver;

namespace cells {

/// Why a law with a cutoff cannot be summed for this system, by whatever solver; empty where it can.
std::string refusal(const System& system, Precision precision);

/// Each body and all others: the definition.
std::unique_ptr<HostSolver> on_reference(const System& system);
/// The same over threads, to compare with.
std::unique_ptr<HostSolver> all_on_cpu(const System& system, const HostMeans& means);
std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostMeans& means);
std::size_t bytes_on_cpu(std::size_t bodies, const BackendOptions& options);

using MakeOnCuda = decltype(ForceSolver::on_cuda);
extern const MakeOnCuda on_cuda, all_on_cuda;  ///< null in a program without CUDA
std::size_t bytes_on_cuda(std::size_t bodies, Precision precision);

}  // namespace cells
}  // namespace orrery::sim
