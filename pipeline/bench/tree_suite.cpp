// SPDX-License-Identifier: MIT
// orrery bench --suite tree: time and error of the fast multipole method beside sums over all pairs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/bench/rows.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/models.hpp"
#include "pipeline/run/force_methods.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/solvers/tree/parameters.hpp"
#include "sim/solvers/tree/tree.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nOne evaluation of the forces on Plummer spheres and exponential disks, softening 0.01 scale lengths. Errors "
    "are\n"
    "|Δa|/|a| of 500 bodies against sums over all pairs. direct: the time of these on the same backend, beyond 16384\n"
    "bodies extrapolated. equal at: the number of bodies at which both methods would take the same time.\n"
    "Elsewhere, not measured here: REBOUND's tree (θ = 0.5, quadrupoles) 13 s for 10⁵ bodies on one core at a median\n"
    "error of 3.4e-4; Bonsai (2012, float32) 2.8·10⁶ bodies/s; GOTHIC (V100, float32) 8.4·10⁶ bodies in 33–38 ms a "
    "block\n"
    "step; pytreegrav (A6000) 24.7·10⁶ bodies in 3.7 s at 2e-3.\n";

struct TreeRow {
  std::string model, backend, hardware;
  std::size_t bodies = 0;
  double accuracy = 0, seconds = 0, direct_seconds = 0;
  sim::ForceErrors errors{};
  std::string failure{};

  [[nodiscard]] double equal_at() const {
    return direct_seconds > 0 ? static_cast<double>(bodies) * seconds / direct_seconds : 0;
  }
};

struct TreeModel {
  std::string_view name;
  const sim::InitialState* state;
  Arguments keys{};
};
const std::array models{TreeModel{"plummer", &sim::plummer},
                        TreeModel{"disk", &sim::galaxy, {{"bulge_fraction", 0.0}}}};

void measure(TreeRow& row, const sim::BackendOptions& options) {
  const auto* of = std::ranges::find(models, row.model, &TreeModel::name);
  sim::Model model = model_of(*of->state, row.bodies, of->keys, sim::Gravity::law, {{"softening", 0.01}});
  model.solver = &sim::tree_solver;
  model.solver_values = {row.accuracy};
  const auto backend = sim::make_backend(kind_named(row.backend), sim::system_of(model), options);
  row.hardware = backend->hardware();
  row.seconds = evaluation_seconds(*backend);
  row.errors = force_errors(model, *backend).value();
  if (const auto direct = other_method(model, row.backend, options)) row.direct_seconds = direct->seconds;
}

std::string text_of(const std::vector<TreeRow>& rows) {
  const auto identify = [](const TreeRow& row) -> Cells {
    return {row.model, row.backend, fmt::format("{}", row.bodies), fmt::format("{:g}", row.accuracy)};
  };
  const auto measured = [](const TreeRow& row) {
    Cells cells{fmt::format("{:.4g}", 1e3 * row.seconds),
                fmt::format("{:.3g}", 1e6 * row.seconds / static_cast<double>(row.bodies)),
                fmt::format("{:.1e}", row.errors.median), fmt::format("{:.1e}", row.errors.of_99),
                fmt::format("{:.1e}", row.errors.greatest)};
    if (row.direct_seconds > 0)
      cells.insert(cells.end(),
                   {fmt::format("{:.4g}", 1e3 * row.direct_seconds),
                    fmt::format("{:.3g}", row.direct_seconds / row.seconds), fmt::format("{:.2g}", row.equal_at())});
    return cells;
  };
  return table_of(rows,
                  columns_of({"model", "backend"}, {"bodies", "accuracy", "ms", "µs a body", "median", "99 %",
                                                    "greatest", "direct ms", "times", "equal at"}),
                  identify, measured);
}

std::vector<Arguments> records(const std::vector<TreeRow>& rows) {
  const auto identify = [](const TreeRow& row) {
    return Arguments{{"model", row.model},
                     {"backend", row.backend},
                     {"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"accuracy", row.accuracy}};
  };
  return records_of(rows, identify, [](Arguments& record, const TreeRow& row) {
    record.set("hardware", row.hardware);
    record.set("seconds", row.seconds);
    record.set("median_error", row.errors.median);
    record.set("error_of_99_percent", row.errors.of_99);
    record.set("greatest_error", row.errors.greatest);
    set_measured(record, "direct_seconds", row.direct_seconds);
  });
}

BenchResult run(const BenchOptions& options, Context& context) {
  const BackendRequest backend = backend_request(options.overrides, "bench");
  std::vector<std::string> absences;
  const auto kinds = kinds_to_measure(backend, absences);
  Report report = describe_machine(tree_suite.name, kinds, options_of(backend, context.resources));
  add_absences(report, absences);
  std::vector<std::size_t> sizes = options.sizes;
  if (sizes.empty())
    sizes = options.quick ? std::vector<std::size_t>{10'000} : std::vector<std::size_t>{10'000, 100'000, 1'000'000};
  std::vector<TreeRow> rows;
  for (const std::size_t n : sizes) {
    for (const sim::BackendKind* kind : kinds) {
      for (const TreeModel& model : models) {
        for (const double accuracy : sim::tree_accuracies)
          rows.push_back({.model = std::string(model.name),
                          .backend = std::string(kind->name),
                          .hardware = "",
                          .bodies = n,
                          .accuracy = accuracy});
      }
    }
  }
  const auto name = [](const TreeRow& row) {
    return fmt::format("{} {}, {} bodies, accuracy {:g}", row.model, row.backend, row.bodies, row.accuracy);
  };
  measure_rows(rows, context, name,
               [&](TreeRow& row, const auto&) { measure(row, options_of(backend, context.resources)); });
  return finished(std::move(report), records(rows), fmt::format("{}\n{}", legend, text_of(rows)),
                  std::ranges::all_of(rows, has_failed<TreeRow>), context);
}

}  // namespace

const Suite tree_suite{.name = "tree",
                       .meaning = "time and error of the fast multipole method, beside all pairs",
                       .run = run,
                       .has_quick = true};

}  // namespace orrery::pipeline
