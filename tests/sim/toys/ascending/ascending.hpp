// SPDX-License-Identifier: MIT
// A toy force solver: computes every pair from both sides; each body sums over the others in ascending order.
#pragma once

#include "sim/solver.hpp"

namespace orrery::sim::testing {

extern const ForceSolver ascending_solver;

namespace ascending {

using MakeOnCuda = decltype(ForceSolver::on_cuda);
extern const MakeOnCuda on_cuda;  ///< null in a program without code for GPUs; gravity only
/// 0 where `on_cuda` is null.
std::size_t bytes_on_cuda(std::size_t bodies);

}  // namespace ascending
}  // namespace orrery::sim::testing
