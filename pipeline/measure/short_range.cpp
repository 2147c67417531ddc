// SPDX-License-Identifier: MIT
#include "pipeline/measure/short_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

#include "common/error.hpp"
#include "pipeline/measure/forces.hpp"
#include "pipeline/measure/models.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/forces/repulsive.hpp"
#include "sim/forces/wca.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/integrators/splitting.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

using std::chrono::steady_clock;
using Problem = ShortRangeProblem;

constexpr std::size_t plane_sizes[] = {1000, 10'000, 100'000, 1'000'000};
constexpr std::size_t large_size = 10'000'000;     ///< with --all
constexpr std::size_t largest_size = 100'000'000;  ///< with --all in float32 on a device
constexpr std::size_t quick_sizes[] = {1000, 10'000};
constexpr std::size_t lattice_size = 64'000, quick_lattice_size = 1000;
constexpr std::int64_t melting_steps = 500;
constexpr double area = 0.0005;         ///< of the plane per body
constexpr double longest_run = 15;      ///< s, of 1000 steps; longer runs only with --all
constexpr double longest_together = 3;  ///< s, of repeated runs in total
constexpr double slice_seconds = 0.2;   ///< between two checks for a stop

/// k if there are k³ bodies; 0 otherwise, or if they are too few for a box of two cutoffs.
std::size_t cube_edge(std::size_t bodies) {
  const auto edge = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(bodies))));
  return edge * edge * edge == bodies && edge >= 3 ? edge : 0;
}

sim::Model short_range_model(Problem problem, std::size_t bodies) {
  if (problem == Problem::wca) {
    const auto edge = static_cast<double>(cube_edge(bodies));
    sim::Model model = model_of(
        sim::lattice, bodies, {{"lattice", std::string("cubic")}, {"density", 1.0}, {"temperature", 0.5}},
        sim::Wca::law, {},
        {.boundary = {&sim::Periodic::kind, &sim::Periodic::kind, &sim::Periodic::kind}, .edges = {edge, edge, edge}});
    model.dt = 0.005;
    return model;
  }
  sim::Model model = model_of(sim::short_range_box, bodies, {}, sim::Repulsive::law, {},
                              walled_plane(std::sqrt(area * static_cast<double>(bodies))));
  model.integrator = &sim::symplectic_euler;
  model.dt = 0.0005;
  return model;
}

struct ShortRangeTask {
  ShortRangeRow row;
  const sim::BackendKind* kind;
};

std::vector<std::size_t> sizes_in_plane(const ShortRangeBench& bench, bool device, sim::Precision precision) {
  if (!bench.sizes.empty()) return bench.sizes;
  if (bench.quick) return {std::begin(quick_sizes), std::end(quick_sizes)};
  std::vector<std::size_t> sizes(std::begin(plane_sizes), std::end(plane_sizes));
  if (bench.all) sizes.push_back(large_size);
  if (bench.all && device && sim::in_floats(precision)) sizes.push_back(largest_size);
  return sizes;
}

std::vector<std::size_t> sizes_of_lattice(const ShortRangeBench& bench) {
  if (bench.sizes.empty()) return {bench.quick ? quick_lattice_size : lattice_size};
  std::vector<std::size_t> cubes;
  std::ranges::copy_if(bench.sizes, std::back_inserter(cubes), [](std::size_t n) { return cube_edge(n) > 0; });
  return cubes;
}

std::vector<ShortRangeTask> short_range_tasks(const ShortRangeBench& bench) {
  std::vector<ShortRangeTask> tasks;
  for (const Problem problem : {Problem::repulsive, Problem::wca}) {
    if (problem == Problem::wca && !bench.wca) continue;
    for (const sim::BackendKind* kind : bench.kinds) {
      const bool device = kind->device != nullptr;
      for (const sim::Precision precision : {sim::Precision::float64, sim::Precision::float32}) {
        if (std::ranges::find(kind->precisions, precision) == kind->precisions.end()) continue;
        const auto sizes = problem == Problem::wca ? sizes_of_lattice(bench) : sizes_in_plane(bench, device, precision);
        for (const std::size_t n : sizes) {
          tasks.push_back({.row = {.problem = problem,
                                   .backend = kind->name,
                                   .precision = precision,
                                   .threads = device                ? 0
                                              : kind->name == "cpu" ? bench.options.threads
                                                                    : 1,
                                   .bodies = n},
                           .kind = kind});
        }
      }
    }
  }
  return tasks;
}

class ShortRange {
 public:
  ShortRange(const ShortRangeBench& bench, const std::function<bool(double, const ShortRangeRow&)>& show)
      : bench_(bench), show_(show), tasks_(short_range_tasks(bench)) {}

  ShortRangeResult measure() {
    measure_rows<ShortRangeTask, ShortRangeRow>(
        tasks_, result_.rows, [&](const ShortRangeRow& row) { return stopped(row); },
        [&](ShortRangeTask& task) { measure(task.row, *task.kind); });
    return std::move(result_);
  }

 private:
  /// The first steps of the previous row.
  struct Previous {
    const sim::BackendKind* kind = nullptr;
    Problem problem{};
    sim::Precision precision{};
    double of_a_body = 0;  ///< s per step and body
  };

  bool stopped(const ShortRangeRow& row) const {
    return show_(static_cast<double>(result_.rows.size()) / static_cast<double>(tasks_.size()), row);
  }

  void measure(ShortRangeRow& row, const sim::BackendKind& kind) {
    const bool same =
        previous_.kind == &kind && previous_.problem == row.problem && previous_.precision == row.precision;
    if (same && refuse_long(row, previous_.of_a_body * static_cast<double>(row.bodies))) return;
    if (kind.copy_rate != nullptr) row.copy_rate = copy_rate_of(kind, row.threads);

    const auto begin = steady_clock::now();
    const sim::Model model = short_range_model(row.problem, row.bodies);
    sim::BackendOptions options = bench_.options;
    options.threads = std::max(row.threads, 1);
    options.precision = row.precision;
    const auto backend = sim::make_backend(kind, sim::system_of(model), options);
    row.hardware = backend->hardware();
    row.kernel = backend->kernel();
    sim::Simulation simulation(*backend, model);
    double step = 0;
    const auto take = [&](std::int64_t steps) {
      return seconds_of([&] {
        const auto slice = static_cast<std::int64_t>(std::clamp(slice_seconds / std::max(step, 1e-9), 1.0, 1e6));
        for (std::int64_t done = 0; done < steps && !(done > 0 && stopped(row)); done += slice)
          simulation.advance(std::min(slice, steps - done));
        wait_for(*backend, sim::Column::velocity);
      });
    };
    // The first step also waits for memory and kernels.
    (void)take(1);
    step = take(1);
    row.set_up = std::chrono::duration<double>(steady_clock::now() - begin).count();
    previous_ = {&kind, row.problem, row.precision, step / static_cast<double>(row.bodies)};
    if (refuse_long(row, step)) return;
    const auto stop = [&] { return stopped(row); };
    if (row.problem == Problem::repulsive) {
      const auto take_a_run = [&] {
        backend->upload(sim::Column::position, model.bodies.position);
        backend->upload(sim::Column::velocity, model.bodies.velocity);
        return take(ShortRangeRow::steps_of_run);
      };
      row.timing = measure_whole(ShortRangeRow::steps_of_run, take_a_run, stop, longest_together);
    } else {
      (void)take(melting_steps);
      row.timing = pipeline::measure(take, stop);
    }
  }

  /// Whether 1000 steps take too long; then sets the row's failure.
  bool refuse_long(ShortRangeRow& row, double step) const {
    const double run = step * static_cast<double>(ShortRangeRow::steps_of_run);
    if (bench_.all || run <= longest_run) return false;
    row.failure = fmt::format("left out, {} steps take {}: --all measures it", ShortRangeRow::steps_of_run,
                              to_text(std::chrono::duration<double>(run)));
    return true;
  }

  double copy_rate_of(const sim::BackendKind& kind, int threads) {
    const auto known = std::ranges::find(result_.rates, kind.name, &CopyRate::backend);
    if (known != result_.rates.end()) return known->bytes_per_second;
    sim::BackendOptions options = bench_.options;
    options.threads = std::max(threads, 1);
    return result_.rates
        .emplace_back(CopyRate{.backend = kind.name,
                               .hardware = hardware_of(kind, options),
                               .threads = threads,
                               .bytes_per_second = kind.copy_rate(options)})
        .bytes_per_second;
  }

  const ShortRangeBench& bench_;
  const std::function<bool(double, const ShortRangeRow&)>& show_;
  std::vector<ShortRangeTask> tasks_;
  ShortRangeResult result_;
  Previous previous_;
};

}  // namespace

std::string_view name_of(ShortRangeProblem problem) {
  return problem == ShortRangeProblem::wca ? "wca" : "repulsive";
}

std::span<const Published> published_times() {
  constexpr std::string_view report = "a student report on a V100", course = "A100, published course solutions",
                             hoomd = "HOOMD-blue 5 on an A100, its published benchmark";
  static constexpr Published times[] = {
      {Problem::repulsive, 1'000'000, 1000 / 2.6, "2.6 s", "V100", report},
      {Problem::repulsive, 1'000'000, 1000 / 1.0, "1.0 s", "A100", course},
      {Problem::repulsive, 10'000'000, 1000 / 7.46, "7.46 s", "A100", course},
      {Problem::wca, 64'000, 9216, "9216 steps/s", "A100", hoomd},
  };
  return times;
}

double ShortRangeRow::min_bytes() const {
  const double dimensions = problem == ShortRangeProblem::wca ? 3 : 2;
  const double number = sim::in_floats(precision) ? sizeof(float) : sizeof(double);
  return 2 * 2 * dimensions * number;
}

ShortRangeResult bench_short_range(const ShortRangeBench& bench,
                                   const std::function<bool(double, const ShortRangeRow&)>& show) {
  return ShortRange(bench, show).measure();
}

}  // namespace orrery::pipeline
