// SPDX-License-Identifier: MIT
#include "sim/solvers/direct/direct.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "sim/pair_order.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/solvers/cells/cells.hpp"

namespace orrery::sim {
namespace {

Refusal refusal(const System& system, Precision precision) {
  if (!direct::has_cutoff(system)) return {};
  if (precision != Precision::float64)
    return {"force.method", "\"direct\" with a cutoff supports only float64: use \"cells\" for float32"};
  return cells::refusal(system, precision);
}

double interactions(const System& system) {
  double sum = 0;
  for (const PairForce& force : system.forces) {
    const auto sources = std::ranges::count_if(force.source, [](double weight) { return weight != 0; });
    sum += static_cast<double>(system.bodies.size()) * static_cast<double>(sources);
  }
  return sum;
}

}  // namespace

bool direct::has_cutoff(const System& system) {
  return std::ranges::any_of(system.forces, is_short_range);
}

void direct::refuse_more_ranks_than_rows(const BackendOptions& options, std::size_t bodies) {
  const auto rows = static_cast<int>(chunk_count(bodies));
  if (options.ranks == nullptr || options.ranks->size() <= rows) return;
  throw Error(std::to_string(bodies) + (bodies == 1 ? " body has" : " bodies have") + " pairs for at most " +
                  std::to_string(rows) + (rows == 1 ? " rank" : " ranks") + ", not for " +
                  std::to_string(options.ranks->size()),
              Fault::request);
}

const ForceSolver direct_solver{
    .name = "direct",
    .meaning = "the sum over all pairs",
    .precisions = every_precision,
    .has_jerk = true,
    .long_range = true,
    .short_range = true,
    .functions = true,
    .refusal = refusal,
    .interactions = interactions,
    .bytes =
        [](std::size_t bodies, Outputs most, const BackendOptions& options) {
          return SolverBytes{.host = direct::bytes_on_cpu(bodies, most, options.threads, ranks_of(options)),
                             .device = direct::bytes_on_cuda(bodies, most, options.precision, ranks_of(options))};
        },
    // Complete sums to all others, and the running sums of the bodies after its own to the next rank.
    .bytes_sent =
        [](double bodies, double ranks, bool /*gpu*/) {
          const double first_rows = bodies * (1 - std::sqrt(1 - 1 / ranks)), last_rows = bodies * std::sqrt(1 / ranks);
          return 3 * sizeof(double) * std::max(first_rows * (ranks - 1) + bodies - first_rows, last_rows * (ranks - 1));
        },
    .on_reference =
        [](const System& system) {
          return direct::has_cutoff(system) ? cells::on_reference(system) : direct::on_reference(system);
        },
    .on_cpu =
        [](const System& system, const BackendOptions& options, const HostContext& means) {
          return direct::has_cutoff(system) ? cells::all_on_cpu(system, options, means)
                                            : direct::on_cpu(system, options, means);
        },
    .on_cuda = direct::on_cuda,
};

}  // namespace orrery::sim
