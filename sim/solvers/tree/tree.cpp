// SPDX-License-Identifier: MIT
#include "sim/solvers/tree/tree.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sim/forces/coulomb.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/forces/inverse_power.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/tree/order.hpp"

namespace orrery::sim {
namespace {

std::string refusal(const System& system, Precision precision) {
  for (const PairForce& force : system.forces) {
    const std::string name(force.law->name);
    if (is_short_range(force)) return "the tree is for laws without a cutoff, and " + name + " has one: take \"cells\"";
    if (!tree::power_of(force))
      return "the tree expands powers of the distance, which " + name + " is not: take \"direct\"";
  }
  if (precision != Precision::float64)
    return "the tree computes in float64 only: take precision = \"float64\" or method = \"direct\"";
  if (system.jerk)
    return "the tree has no jerks, which this integrator needs: take leapfrog or yoshida4, or method = \"direct\"";
  if (system.bodies.size() > std::numeric_limits<std::uint32_t>::max())
    return "the tree takes fewer than 2^32 bodies: reduce their number";
  return direct_solver.refusal(system, precision);
}

/// Pairs in near lists, and expansions as multiples of a pair's work; measured with Plummer spheres and disks of 10⁵ and
/// 10⁶ bodies.
double interactions(const System& system) {
  const auto n = static_cast<double>(system.bodies.size());
  const TreeParameters& p = system.tree;
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
  if (force.law == &Gravity::law || force.law == &Coulomb::law) return 2;
  if (force.law == &InversePower::law) return static_cast<int>(force.numbers.at[0]);
  return std::nullopt;
}

bool tree::has_both_signs(const PairForce& force) {
  return std::ranges::any_of(force.source, [](double w) { return w > 0; }) &&
         std::ranges::any_of(force.source, [](double w) { return w < 0; });
}

const ForceSolver tree_solver{
    .name = "tree",
    .meaning = "a fast multipole method: approximate, O(N) work",
    .precisions = precisions,
    .has_jerk = false,
    .shares = true,
    .refusal = refusal,
    .interactions = interactions,
    .bytes =
        [](std::size_t bodies, Outputs, const BackendOptions& options) {
          return SolverBytes{.host = tree::bytes_on_cpu(bodies, options.threads),
                             .device = tree::bytes_on_cuda(bodies, ranks_of(options))};
        },
    .on_reference = tree::on_reference,
    .on_cpu = tree::on_cpu,
    .on_cuda = tree::on_cuda,
};

}  // namespace orrery::sim
