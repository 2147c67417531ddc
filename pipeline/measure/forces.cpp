// SPDX-License-Identifier: MIT
#include "pipeline/measure/forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <span>
#include <utility>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "pipeline/measure/models.hpp"
#include "pipeline/measure/textbook.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/simulation.hpp"
#include "sim/solver.hpp"
#include "sim/study/work.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t cpu_sizes[] = {6, 64, 1024, 8192, 65536};
constexpr std::size_t gpu_sizes[] = {6, 1024, 4096, 16384, 65536, 131072, 262144};
constexpr std::size_t textbook_size = 8192;  ///< maximum for the textbook loop
constexpr double softening = 0.05;           ///< of a cube of edge 10; the speed does not depend on it

/// A row and how to measure it; `kind` is null for the textbook loop.
struct ForceTask {
  BenchRow row;
  const sim::BackendKind* kind = nullptr;
  sim::BackendOptions options;
};

/// One thread for few bodies, all threads for many, both in between.
std::vector<int> thread_counts(const sim::BackendKind& kind, std::size_t bodies, const ForceBench& bench) {
  if (kind.device != nullptr) return {0};
  if (!bench.threads.empty()) return bench.threads;
  const int threads = bench.options.threads;
  if (kind.name != "cpu" || threads == 1 || bodies <= 512) return {1};
  if (bodies <= textbook_size) return {1, threads};
  return {threads};
}

std::vector<std::size_t> sizes_of(const sim::BackendKind& kind, const ForceBench& bench) {
  if (!bench.sizes.empty()) return bench.sizes;
  if (kind.device != nullptr) return {std::begin(gpu_sizes), std::end(gpu_sizes)};
  return {std::begin(cpu_sizes), std::end(cpu_sizes)};
}

/// The textbook loop, with the maximum size that other rows have too.
void add_textbook(std::vector<ForceTask>& tasks, const sim::BackendKind& kind, const ForceBench& bench) {
  std::size_t bodies = 0;
  for (const std::size_t n : sizes_of(kind, bench)) bodies = std::max(bodies, n <= textbook_size ? n : 0);
  if (bodies == 0) return;
  for (const int threads : thread_counts(kind, bodies, bench))
    tasks.push_back({.row = {.backend = "textbook", .kernel = "scalar", .threads = threads, .bodies = bodies},
                     .options = bench.options});
}

std::span<const std::string_view> kernels_of(const sim::BackendKind& kind, const ForceBench& bench) {
  static constexpr std::string_view default_kernel[] = {""};
  if (!bench.kernels.empty()) return bench.kernels;
  return bench.all ? kind.kernels : std::span<const std::string_view>(default_kernel);
}

bool wanted(sim::Precision precision, const ForceBench& bench) {
  if (precision == sim::Precision::float32_exact_root) return false;  // not used for its speed
  return bench.precisions.empty() || std::ranges::find(bench.precisions, precision) != bench.precisions.end();
}

std::vector<ForceTask> tasks_of(const ForceBench& bench) {
  std::vector<ForceTask> tasks;
  for (const sim::BackendKind* kind : bench.kinds) {
    if (kind->name == "cpu" && bench.textbook) add_textbook(tasks, *kind, bench);
    for (const sim::Precision precision : kind->precisions) {
      if (!wanted(precision, bench)) continue;
      for (const std::string_view kernel : kernels_of(*kind, bench)) {
        for (const std::size_t n : sizes_of(*kind, bench)) {
          for (const int threads : thread_counts(*kind, n, bench)) {
            ForceTask task{.row = {.backend = kind->name,
                                   .precision = precision,
                                   .kernel = std::string(kernel),
                                   .threads = threads,
                                   .bodies = n},
                           .kind = kind,
                           .options = bench.options};
            task.options.threads = std::max(threads, 1);
            task.options.kernel = kernel;
            task.options.precision = precision;
            tasks.push_back(std::move(task));
          }
        }
      }
    }
  }
  return tasks;
}

class Bench {
 public:
  Bench(const ForceBench& bench, const std::function<bool(double, const BenchRow&)>& show)
      : bench_(bench), show_(show), tasks_(tasks_of(bench)) {}

  ForceResult measure() {
    measure_rows<ForceTask, BenchRow>(
        tasks_, result_.rows, [&](const BenchRow& row) { return stopped(row); },
        [&](ForceTask& task) { measure(task); });
    return std::move(result_);
  }

 private:
  bool stopped(const BenchRow& row) const {
    return show_(static_cast<double>(result_.rows.size()) / static_cast<double>(tasks_.size()), row);
  }

  void measure(ForceTask& task) {
    BenchRow& row = task.row;
    // Steps are so short that the bodies hardly move in millions of them.
    const sim::Model model = model_of(sim::random_cube, row.bodies, {}, sim::Gravity::law, {{"softening", softening}});
    sim::System system = sim::system_of(model);
    const auto n = static_cast<double>(row.bodies);
    row.work = task.kind == nullptr ? n * n : model.solver->interactions(system);
    if (refuse_long(row, expected_step(row))) return;
    if (task.kind == nullptr) {
      row.fma_rate =
          rates_of(**std::ranges::find(bench_.kinds, "cpu", &sim::BackendKind::name), row.threads).of(row.precision);
      measure_textbook(row, model.bodies);
      return;
    }
    if (bench_.rates && task.kind->fma_rate != nullptr)
      row.fma_rate = rates_of(*task.kind, row.threads).of(row.precision);
    const auto backend = sim::make_backend(*task.kind, std::move(system), task.options);
    row.hardware = backend->hardware();
    if (row.kernel.empty()) row.kernel = backend->kernel();
    sim::Simulation simulation(*backend, model);
    const auto take = [&](std::int64_t steps) {
      return seconds_of([&] {
        simulation.advance(steps);
        wait_for(*backend, sim::Column::velocity);
      });
    };
    // The first step also waits for memory and kernels, and computes the forces twice.
    (void)take(1);
    if (refuse_long(row, take(1))) return;
    row.timing = pipeline::measure(
        take, [&] { return stopped(row); }, bench_.patience);
    if (row.timing.repetitions == 0) return;
    if (task.kind->device != nullptr && bench_.gpu_state) {
      row.gpu = gpu_state_during(task.kind->device(task.options).bus_id, [&] { take(row.timing.steps); });
    }
    set_rates(row);
  }

  void measure_textbook(BenchRow& row, const sim::Bodies& bodies) {
    sim::Vectors accelerations(bodies.size());
    const std::size_t n = bodies.size(), slice = (n + 63) / 64;
    row.hardware = fmt::format("{} thread{}", row.threads, row.threads == 1 ? "" : "s");
    ThreadPool pool(row.threads);
    const auto take = [&](std::int64_t evaluations) {
      return sim::study::seconds_of(evaluations, [&] {
        pool.for_each(0, (n + slice - 1) / slice, [&](std::size_t s) {
          textbook_accelerations(bodies, softening * softening, s * slice, std::min((s + 1) * slice, n), accelerations);
        });
      });
    };
    if (refuse_long(row, take(1))) return;
    row.timing = pipeline::measure(
        take, [&] { return stopped(row); }, bench_.patience);
    if (row.timing.repetitions > 0) set_rates(row);
  }

  /// Sets interactions per second (leapfrog has one force evaluation per step) and the comparison with the textbook
  /// loop.
  void set_rates(BenchRow& row) const {
    row.interactions = row.work / row.timing.median;
    const auto same = [&](const BenchRow& other) {
      return other.backend == "textbook" && other.bodies == row.bodies && other.threads == row.threads;
    };
    const auto textbook = std::ranges::find_if(result_.rows, same);
    if (row.backend == "cpu" && textbook != result_.rows.end() && textbook->interactions > 0)
      row.times_textbook = row.interactions / textbook->interactions;
  }

  /// Seconds of a step, estimated from the last comparable row; 0 if there is none.
  [[nodiscard]] double expected_step(const BenchRow& row) const {
    for (std::size_t k = result_.rows.size(); k-- > 0;) {
      const BenchRow& last = result_.rows[k];
      if (last.backend != row.backend || last.precision != row.precision || last.threads != row.threads) continue;
      if (bench_.all && last.kernel != row.kernel) continue;
      if (last.interactions > 0 && last.bodies >= 1024) return row.work / last.interactions;
    }
    return 0;
  }

  /// Whether a step is too long to be measured; then sets the row's failure.
  bool refuse_long(BenchRow& row, double step) const {
    if (bench_.all || step <= bench_.longest_step) return false;
    row.failure =
        fmt::format("left out, a step takes {}: --all measures it", to_text(std::chrono::duration<double>(step)));
    return true;
  }

  const FmaRates& rates_of(const sim::BackendKind& kind, int threads) {
    const auto same = [&](const FmaRates& rates) { return rates.backend == kind.name && rates.threads == threads; };
    const auto known = std::ranges::find_if(result_.rates, same);
    if (known != result_.rates.end()) return *known;
    sim::BackendOptions options = bench_.options;
    options.threads = std::max(threads, 1);
    FmaRates rates{.backend = kind.name,
                   .hardware = hardware_of(kind, options),
                   .threads = threads,
                   .in_double = 0,
                   .in_float = 0};
    options.precision = sim::Precision::float64;
    rates.in_double = kind.fma_rate(options);
    options.precision = sim::Precision::float32;
    rates.in_float = kind.fma_rate(options);
    for (const FmaRates& fewer : result_.rates) {  // on a busy machine several threads may reach less than one
      if (fewer.backend != rates.backend) continue;
      rates.in_double = std::max(rates.in_double, fewer.in_double);
      rates.in_float = std::max(rates.in_float, fewer.in_float);
    }
    return result_.rates.emplace_back(rates);
  }

  const ForceBench& bench_;
  const std::function<bool(double, const BenchRow&)>& show_;
  std::vector<ForceTask> tasks_;
  ForceResult result_;
};

}  // namespace

double instructions_per_interaction(sim::Precision precision) {
  switch (precision) {
    case sim::Precision::float64:
      return 27.0 / 2;
    case sim::Precision::mixed:
      return 25.0 / 2;
    case sim::Precision::float32:
    case sim::Precision::float32_exact_root:
      return 17.0 / 2;
  }
  return 0;
}

std::string hardware_of(const sim::BackendKind& kind, const sim::BackendOptions& options) {
  return kind.device != nullptr ? kind.device(options).name : kind.make({}, options)->hardware();
}

ForceResult bench_forces(const ForceBench& bench, const std::function<bool(double, const BenchRow&)>& show) {
  return Bench(bench, show).measure();
}

}  // namespace orrery::pipeline
