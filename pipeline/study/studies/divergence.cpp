// SPDX-License-Identifier: MIT
// Divergence of runs on different machines, by cause.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/study/sweep.hpp"
#include "sim/study/divergence.hpp"

namespace orrery::pipeline {
namespace {

using sim::study::Arithmetic;

constexpr std::size_t sizes[] = {6, 64, 512};
constexpr std::size_t quick_sizes[] = {6};
constexpr std::int64_t step_counts[] = {1, 10, 100, 1000, 10'000};
constexpr double softening = 0.01, dt = 1e-3;

double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double greatest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    greatest = std::isnan(d) ? d : std::max(greatest, d);
  }
  return greatest;
}

/// Positions after `steps` steps of the engine in float64, [n × 3].
std::vector<double> engine_positions(const sim::BackendKind& kind, const sim::Bodies& bodies, std::int64_t steps,
                                     const StudyRun& run) {
  const auto backend = kind.make(gravity_system(bodies, softening), run.options);
  for (std::int64_t k = 0; k < steps; ++k) {
    backend->accelerate();
    backend->kick(dt / 2);
    backend->drift(dt);
    backend->accelerate();
    backend->kick(dt / 2);
  }
  const sim::Vectors x = backend->download(sim::Column::position);
  std::vector<double> all;
  for (std::size_t i = 0; i < x.x.size(); ++i) all.insert(all.end(), {x.x[i], x.y[i], x.z[i]});
  return all;
}

/// Differences of an arithmetic from the plain one of its precision on the CPU, after each of the step counts.
struct Row {
  std::string name, differs;
  std::vector<double> differences{};
};

/// Empty if stopped.
std::vector<Row> rows_for(const StudyRun& run, const sim::Bodies& bodies, std::span<const std::int64_t> counts) {
  std::vector<Arithmetic> all(sim::study::arithmetics_of_cpu().begin(), sim::study::arithmetics_of_cpu().end());
  if (run.gpu != nullptr)
    all.insert(all.end(), sim::study::arithmetics_of_gpu().begin(), sim::study::arithmetics_of_gpu().end());
  std::vector<std::vector<double>> exact[2];  // double and single, by step count
  std::vector<Row> rows;
  for (const Arithmetic& one : all) {
    Row row{.name = std::string(one.name), .differs = std::string(one.differs)};
    auto& own = exact[one.single ? 1 : 0];
    const bool first = own.empty();
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (run.stopped(fmt::format("{} bodies, {}, {} steps", bodies.size(), one.name, counts[k]))) return {};
      const auto x = one.run(bodies, softening, dt, counts[k], run.options.device);
      if (first) own.push_back(x);
      row.differences.push_back(greatest_difference(x, own[k]));
    }
    rows.push_back(std::move(row));
  }
  Row precision{.name = "float32 against float64", .differs = "the precision: both plain, on the processor"};
  for (std::size_t k = 0; k < counts.size(); ++k)
    precision.differences.push_back(greatest_difference(exact[0][k], exact[1][k]));
  rows.push_back(std::move(precision));
  Row engine{.name = "orrery, float64", .differs = "reference against cpu and, where there is one, GPU"};
  const sim::BackendKind& reference = **std::ranges::find(sim::backend_kinds(), "reference", &sim::BackendKind::name);
  for (const std::int64_t steps : counts) {
    const auto x = engine_positions(reference, bodies, steps, run);
    double worst = greatest_difference(x, engine_positions(cpu_kind(), bodies, steps, run));
    if (run.gpu != nullptr)
      worst = std::max(worst, greatest_difference(x, engine_positions(*run.gpu, bodies, steps, run)));
    engine.differences.push_back(worst);
  }
  rows.push_back(std::move(engine));
  return rows;
}

void run_divergence(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  const std::span<const std::int64_t> counts = std::span(step_counts).first(run.quick() ? 3 : std::size(step_counts));
  for (const std::size_t n : ns) {
    // Fewer steps for many bodies, to limit the time.
    const std::size_t most = n > 100 ? counts.size() - 1 : counts.size();
    const std::span<const std::int64_t> run_counts = counts.first(most);
    const std::vector<Row> rows = rows_for(run, falling_bodies(n), run_counts);
    if (rows.empty()) return;
    ResultTable table{.name = fmt::format("n{}", n),
                      .title = fmt::format("{} bodies: greatest difference of a coordinate, in a cube of edge 2", n),
                      .columns = {{"arithmetic"}, {"differs in", "", Role::remark}}};
    render::Chart chart{.title = fmt::format("{} bodies: greatest difference of a coordinate", n),
                        .x = log_axis("steps"),
                        .y = log_axis("greatest |Δx|")};
    for (const std::int64_t steps : run_counts)
      table.columns.push_back({fmt::format("{} steps", steps), "", Role::remark});
    for (const Row& row : rows) {
      std::vector<Cell> cells{row.name, row.differs};
      for (const double d : row.differences) cells.emplace_back(d);
      table.add(std::move(cells));
      if (std::ranges::all_of(row.differences, [](double d) { return d == 0; })) continue;
      render::Curve curve = marked_curve(row.name);
      for (std::size_t k = 0; k < row.differences.size(); ++k) {
        curve.x.push_back(static_cast<double>(run_counts[k]));
        curve.y.push_back(row.differences[k]);
      }
      chart.curves.push_back(std::move(curve));
    }
    run.result.tables.push_back(std::move(table));
    if (n == ns[ns.size() / 2]) run.result.charts.push_back({fmt::format("n{}", n), std::move(chart)});
    if (n != ns.back()) continue;
    const auto last = [&](std::string_view name) {
      const auto row = std::ranges::find(rows, name, &Row::name);
      return row == rows.end() ? -1.0 : row->differences.back();
    };
    const std::int64_t steps = run_counts.back();
    run.result.findings.push_back(
        fmt::format("{} bodies, {} steps: orrery in float64 differs by {} between all its backends. In plain loops "
                    "fused multiply-add alone causes {:.1e}, another order of summation {:.1e}, another root {:.1e}, "
                    "float32 in place of float64 {:.1e}.",
                    n, steps, last("orrery, float64"), last("cpu float64, fma"), last("cpu float64, backward"),
                    last("cpu float64, other root"), last("float32 against float64")));
    if (last("cpu float64, x87") >= 0)
      run.result.findings.push_back(
          fmt::format("The 80-bit registers that one report named as the cause make a difference of {:.1e}, as much as "
                      "any other change of the last bit. No 64-bit compiler uses them by default, so the report's "
                      "difference had another cause: {}.",
                      last("cpu float64, x87"),
                      "fused multiply-add and the order of sums, which nvcc and a parallel sum change by default"));
    if (run.gpu != nullptr)
      run.result.findings.push_back(
          fmt::format("A GPU that carries out the same operations in the same order gives the same bits: {} in float64 "
                      "and {} in float32. With nvcc's default of fusing, it differs by {:.1e}.",
                      last("gpu float64"), last("gpu float32"), last("gpu float64, fma")));
  }
  run.result.method.emplace_back(
      "A plain double loop and leapfrog with dt = 0.001, softening 0.01, from rest. Each row changes one thing against "
      "the plain loop of its precision on the processor. A difference in the last bit is amplified by encounters, "
      "whatever caused it: the growth rate is a property of the system.");
}

}  // namespace

const Study divergence_study{.name = "divergence",
                             .question =
                                 "Why does a run on a GPU diverge from one on a CPU: fused multiply-add, the order of "
                                 "sums, the root, x87, or the precision?",
                             .needs_gpu = false,
                             .run = run_divergence};

}  // namespace orrery::pipeline
