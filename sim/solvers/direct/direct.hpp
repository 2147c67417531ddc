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
/// Of each of so many ranks.
std::size_t bytes_on_cpu(std::size_t bodies, Outputs most, int threads, int ranks);
/// Throws Error if there are more ranks than chunks, whose rows they share.
void refuse_more_ranks_than_rows(const BackendOptions& options, std::size_t bodies);

using MakeOnCuda = decltype(ForceSolver::on_cuda);
extern const MakeOnCuda on_cuda;  ///< null in a program without CUDA
/// Of each of so many ranks.
std::size_t bytes_on_cuda(std::size_t bodies, Outputs most, Precision precision, int ranks);

}  // namespace direct
}  // namespace orrery::sim
