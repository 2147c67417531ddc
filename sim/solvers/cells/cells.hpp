// SPDX-License-Identifier: MIT
// Forces with a cutoff, summed over neighbours in ascending order (docs/canonical-order.md).
#pragma once

#include "sim/solver.hpp"

namespace orrery::sim {

extern const ForceSolver cells_solver;

namespace cells {

/// Why no solver can sum a law with a cutoff for this system.
Refusal refusal(const System& system, Precision precision);

/// The definition, over all pairs.
std::unique_ptr<HostSolver> on_reference(const System& system);
/// The same, multithreaded, for comparisons.
std::unique_ptr<HostSolver> all_on_cpu(const System& system, const BackendOptions& options, const HostContext& means);
std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostContext& means);
std::size_t bytes_on_cpu(std::size_t bodies, const BackendOptions& options);

using MakeOnCuda = decltype(ForceSolver::on_cuda);
extern const MakeOnCuda on_cuda, all_on_cuda;  ///< null in a program without CUDA
std::size_t bytes_on_cuda(std::size_t bodies, Precision precision, int ranks);

}  // namespace cells
}  // namespace orrery::sim
