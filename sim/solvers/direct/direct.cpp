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

/// Why functions of the program do not give what is asked for.
Refusal refusal_of_functions(const System& system, Precision precision) {
  const auto no_jerk = [&](std::string_view kind, std::string_view name, std::string_view missing) {
    return Refusal{"integrator.kind", integrator_of(system) + " needs time derivatives of forces, for which the " +
                                          std::string(kind) + " \"" + std::string(name) + "\" " + std::string(missing) +
                                          ": use leapfrog or yoshida4"};
  };
  for (const PairForce& force : system.forces) {
    if (!is_foreign(force)) continue;
    if (precision != Precision::float64)
      return {"backend.precision", "the law \"" + std::string(force.law->name) +
                                       "\" is a function of the program, which computes in \"float64\" only"};
    if (system.jerk && force.law->force_over_r_slope == nullptr)
      return no_jerk("law", force.law->name, "gives no slope");
  }
  for (const ExternalField& field : system.fields) {
    if (system.jerk && field.law->jerk == nullptr)
      return no_jerk("field", field.law->name, "as a function of the program gives none");
  }
  return {};
}

Refusal refusal(const System& system, Precision precision) {
  if (Refusal of_functions = refusal_of_functions(system, precision); !of_functions.why.empty()) return of_functions;
  if (direct::has_cutoff(system)) {
    Refusal of_cutoff = cells::refusal(system, precision);
    if (of_cutoff.why.empty() && precision != Precision::float64)
      return {"force.method", "\"direct\" with a cutoff supports only float64: use \"cells\" for float32"};
    return of_cutoff;
  }
  if (system.forces.empty() || !system.domain.is_periodic()) return {};
  return {"domain.boundary", "in a periodic box " + std::string(system.forces.front().law->name) +
                                 " would act between infinitely many images, which this program does not sum: take "
                                 "boundary = \"open\" or \"reflecting\", or a law with a cutoff"};
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
    .meaning = "sum over all pairs",
    .precisions = every_precision,
    .has_jerk = true,
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
