// SPDX-License-Identifier: MIT
// How the solver of all pairs describes itself.
#include "sim/solvers/direct/direct.hpp"

#include <algorithm>

namespace orrery::sim {
namespace {

/// Each body meets all, of which those of weight 0 do nothing to it.
double interactions(const System& system) {
  double sum = 0;
  for (const PairForce& force : system.forces) {
    const auto idle = std::ranges::count(force.source, 0.0);
    sum += static_cast<double>(system.bodies.size()) *
           static_cast<double>(force.source.size() - static_cast<std::size_t>(idle));
  }
  return sum;
}

}  // namespace

const ForceSolver direct_solver{
    .name = "direct",
    .meaning = "all pairs, each once: exact, N² work",
    .precisions = every_precision,
    .has_jerk = true,
    .refusal = [](const System&) { return std::string(); },
    .interactions = interactions,
    .bytes =
        [](std::size_t bodies, Wanted most, const BackendOptions& options) {
          return SolverBytes{.host = direct::bytes_on_cpu(bodies, most, options.threads),
                             .device = direct::bytes_on_cuda(bodies, most, options.precision)};
        },
    .on_reference = direct::on_reference,
    .on_cpu = direct::on_cpu,
    .on_cuda = direct::on_cuda,
};

}  // namespace orrery::sim
