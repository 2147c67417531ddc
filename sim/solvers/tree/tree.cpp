// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/tree.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "sim/literature.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/tree/order.hpp"
#include "sim/solvers/tree/parameters.hpp"

namespace orrery::sim {
namespace {

constexpr Parameter parameters[] = {
    {.name = "accuracy",
     .fallback = "1e-3",
     .meaning =
         "how accurate method = \"tree\" is: 1e-2, 1e-3 or 1e-4; default: 1e-3. The median error of a force is "
         "less than that part of it, but 99 % of the bodies are within 1 to 6 times as much, about a central star "
         "60; `check` measures it"},
    {.name = "order",
     .kind = Kind::integer,
     .example = "5",
     .meaning = "order of the expansions with method = \"tree\"; default: by `accuracy`",
     .range = {.low = tree::min_order, .high = tree::greatest_order},
     .optional = true},
    {.name = "theta",
     .example = "0.5",
     .meaning = "opening angle of the heaviest cells with method = \"tree\", 0.15 more for the lightest; default: by "
                "`accuracy`",
     .range = {.low = 0.1, .high = 0.8},
     .optional = true},
    {.name = "leaf",
     .kind = Kind::integer,
     .example = "32",
     .meaning = "bodies of a cell that is not divided with method = \"tree\"; default: by `accuracy`",
     .range = {.low = 1, .high = 4294967295},
     .optional = true},
};

Refusal refusal(const System& system, Precision /*precision*/) {
  for (const PairForce& force : system.forces) {
    const std::string name(force.law->name);
    if (!tree::power_of(force)) {
      return {"force.method",
              "\"tree\" expands powers of the distance, which " + name + " is not: use \"direct\", or remove `method`"};
    }
  }
  const auto& values = system.solver_values;
  if (!values.empty() && values[0] && std::ranges::find(tree_accuracies, *values[0]) == std::end(tree_accuracies)) {
    return {"force.accuracy",
            "`accuracy` must be 1e-2, 1e-3 or 1e-4: about what the relative errors of forces are, which `check` "
            "measures"};
  }
  if (system.bodies.size() > std::numeric_limits<std::uint32_t>::max())
    return {"force.method", "\"tree\" takes fewer than 2^32 bodies: reduce their number"};
  return {};
}

/// Pairs in near lists, and expansions as multiples of a pair's work; measured with Plummer spheres and disks of 10⁵ and
/// 10⁶ bodies.
double interactions(const System& system) {
  const auto n = static_cast<double>(system.bodies.size());
  const TreeParameters p = tree_parameters(system.solver_values);
  const double scale = 0.5 / p.narrow;
  const double a_body = (22.0 * p.leaf + 6.0 * tree::size_of(p.order)) * (scale * scale * scale);
  double sum = 0;
  for (const PairForce& force : system.forces) {
    const auto sources = std::ranges::count_if(force.source, [](double weight) { return weight != 0; });
    sum += n * std::min(static_cast<double>(sources), a_body);
  }
  return sum;
}

constexpr Precision precisions[] = {Precision::float64};

}  // namespace

std::optional<int> tree::power_of(const PairForce& force) {
  if (force.law->expansion == nullptr) return std::nullopt;
  return force.law->expansion(force.parameters);
}

bool tree::has_both_signs(const PairForce& force) {
  return std::ranges::any_of(force.source, [](double w) { return w > 0; }) &&
         std::ranges::any_of(force.source, [](double w) { return w < 0; });
}

const ForceSolver tree_solver{
    .name = "tree",
    .meaning = "a fast multipole method, approximate, for many bodies",
    .references = {literature::greengard1987, literature::dehnen2002},
    .parameters = parameters,
    .precisions = precisions,
    .has_jerk = false,
    .long_range = true,
    .short_range = false,
    .linear = true,
    .min_accuracy = tree_accuracies[std::size(tree_accuracies) - 1],
    .discontinuity = "jump by about 1e-5 of their size when cells are opened",
    .refusal = refusal,
    .interactions = interactions,
    .bytes =
        [](std::size_t bodies, Outputs, const BackendOptions& options) {
          return SolverBytes{.host = tree::bytes_on_cpu(bodies, options.threads),
                             .device = tree::bytes_on_cuda(bodies, ranks_of(options))};
        },
    .bytes_sent =
        [](double bodies, double ranks, bool gpu) {
          constexpr double of_gpus = 80;  // in order, its sums, and what is known of a seventh of a cell
          return gpu ? bytes_to_all(bodies, ranks, of_gpus) : bytes_to_all(bodies, ranks);
        },
    .on_reference = tree::on_reference,
    .on_cpu = tree::on_cpu,
    .on_cuda = tree::on_cuda,
};

}  // namespace orrery::sim
