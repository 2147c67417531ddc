// SPDX-License-Identifier: MIT
// How the solver of all pairs describes itself.
#include "sim/solvers/direct/direct.hpp"

#include <algorithm>

#include "sim/solvers/cells/cells.hpp"

namespace orrery::sim {
namespace {

bool has_cutoff(const System& system) {
  return std::ranges::any_of(system.forces, is_short_range);
}

std::string refusal(const System& system, Precision precision) {
  if (has_cutoff(system)) {
    if (precision != Precision::float64) return "all pairs within a cutoff are float64: take method = \"cells\"";
    return cells::refusal(system, precision);
  }
  if (system.forces.empty() || !system.domain.is_joined()) return {};
  return "in a periodic box " + std::string(system.forces.front().law->name) +
         " would reach across images without end, which this program does not sum: take boundary = \"open\" or "
         "\"reflecting\", or a law with a cutoff";
}

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
    .refusal = refusal,
    .interactions = interactions,
    .bytes =
        [](std::size_t bodies, Outputs most, const BackendOptions& options) {
          return SolverBytes{.host = direct::bytes_on_cpu(bodies, most, options.threads),
                             .device = direct::bytes_on_cuda(bodies, most, options.precision)};
        },
    .on_reference =
        [](const System& system) {
          return has_cutoff(system) ? cells::on_reference(system) : direct::on_reference(system);
        },
    .on_cpu =
        [](const System& system, const BackendOptions& options, const HostMeans& means) {
          return has_cutoff(system) ? cells::all_on_cpu(system, means) : direct::on_cpu(system, options, means);
        },
    .on_cuda = direct::on_cuda,
};

}  // namespace orrery::sim
