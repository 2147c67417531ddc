// SPDX-License-Identifier: MIT
// A fast multipole method: forces without a cutoff in O(N) work, with an error that its parameters bound
// (docs/canonical-order.md, "The tree").
#pragma once

#include <optional>

#include "sim/solver.hpp"

namespace orrery::sim {

extern const ForceSolver tree_solver;

namespace tree {

/// n if c = r^−(n+1), the laws that can be expanded; else empty.
std::optional<int> power_of(const PairForce& force);
/// Whether some sources have positive and others negative weights, so that cells have dipoles about their centres.
bool has_both_signs(const PairForce& force);

std::unique_ptr<HostSolver> on_reference(const System& system);
std::unique_ptr<HostSolver> on_cpu(const System& system, const BackendOptions& options, const HostContext& means);
std::size_t bytes_on_cpu(std::size_t bodies, int threads);

using MakeOnCuda = decltype(ForceSolver::on_cuda);
extern const MakeOnCuda on_cuda;  ///< null in a program without CUDA
std::size_t bytes_on_cuda(std::size_t bodies, int ranks);

}  // namespace tree
}  // namespace orrery::sim
