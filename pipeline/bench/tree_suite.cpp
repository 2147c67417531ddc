// SPDX-License-Identifier: MIT
// orrery bench --suite tree: time and error of the fast multipole method beside sums over all pairs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/bench/suites.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/columns.hpp"
#include "pipeline/measure/models.hpp"
#include "pipeline/progress.hpp"
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
  std::vector<Column> columns{{"model", true},     {"backend", true},    {"bodies", false}, {"accuracy", false},
                              {"ms", false},       {"µs a body", false}, {"median", false}, {"99 %", false},
                              {"greatest", false}, {"direct ms", false}, {"times", false},  {"equal at", false}};
  std::vector<std::string> failures;
  for (const TreeRow& row : rows) {
    const bool measured = row.failure.empty();
    const auto cell = [&](std::string text) { return measured ? std::move(text) : std::string(); };
    const bool compared = measured && row.direct_seconds > 0;
    add_row(columns, {row.model, row.backend, fmt::format("{}", row.bodies), fmt::format("{:g}", row.accuracy),
                      cell(fmt::format("{:.4g}", 1e3 * row.seconds)),
                      cell(fmt::format("{:.3g}", 1e6 * row.seconds / static_cast<double>(row.bodies))),
                      cell(fmt::format("{:.1e}", row.errors.median)), cell(fmt::format("{:.1e}", row.errors.of_99)),
                      cell(fmt::format("{:.1e}", row.errors.greatest)),
                      compared ? fmt::format("{:.4g}", 1e3 * row.direct_seconds) : "",
                      compared ? fmt::format("{:.3g}", row.direct_seconds / row.seconds) : "",
                      compared ? fmt::format("{:.2g}", row.equal_at()) : ""});
    failures.push_back(row.failure);
  }
  return aligned(std::move(columns), failures);
}

std::vector<Arguments> records(const std::vector<TreeRow>& rows) {
  std::vector<Arguments> all;
  for (const TreeRow& row : rows) {
    Arguments record{{"model", row.model},
                     {"backend", row.backend},
                     {"bodies", static_cast<std::int64_t>(row.bodies)},
                     {"accuracy", row.accuracy}};
    if (!row.failure.empty()) {
      record.set("failure", row.failure);
    } else {
      record.set("hardware", row.hardware);
      record.set("seconds", row.seconds);
      record.set("median_error", row.errors.median);
      record.set("error_of_99_percent", row.errors.of_99);
      record.set("greatest_error", row.errors.greatest);
      if (row.direct_seconds > 0) record.set("direct_seconds", row.direct_seconds);
    }
    all.push_back(std::move(record));
  }
  return all;
}

BenchResult run(const BenchOptions& options, Messages& messages) {
  const BackendRequest backend = backend_request(options.overrides, "bench");
  std::vector<std::string> absences;
  const auto kinds = kinds_to_measure(backend, absences);
  Report report = describe_machine(tree_suite.name, kinds, options_of(backend));
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
  const Interrupt interrupt;
  std::size_t done = 0;
  {
    Progress progress("bench", messages);
    for (; done < rows.size() && Interrupt::signal() == 0; ++done) {
      TreeRow& row = rows[done];
      progress.show(static_cast<double>(done) / static_cast<double>(rows.size()), [&] {
        return fmt::format("{} {}, {} bodies, accuracy {:g}", row.model, row.backend, row.bodies, row.accuracy);
      });
      try {
        measure(row, options_of(backend));
      } catch (const Error& error) {
        row.failure = error.what();
      }
    }
  }
  rows.resize(done);
  const bool failed = std::ranges::all_of(rows, [](const TreeRow& row) { return !row.failure.empty(); });
  return finished(std::move(report), records(rows), fmt::format("{}\n{}", legend, text_of(rows)), failed);
}

}  // namespace

const Suite tree_suite{.name = "tree",
                       .meaning = "time and error of the fast multipole method, beside all pairs",
                       .run = run,
                       .has_quick = true};

}  // namespace orrery::pipeline
