// SPDX-License-Identifier: MIT
// Several GPU threads per body, for few bodies.
#include <fmt/format.h>

#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr std::size_t sizes[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
constexpr std::size_t quick_sizes[] = {64, 1024};
constexpr int threads_a_body[] = {1, 2, 4, 8, 16, 32};

void run_small(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  std::vector<SizeSweep> sweeps;
  for (const int threads : threads_a_body) {
    sweeps.push_back(
        sweep(run, fmt::format("{} thread{} per body", threads, threads == 1 ? "" : "s"), ns, [&](std::size_t n) {
          return make_tile({.tiled = false, .unroll = 8, .block = 128, .threads_per_body = threads}, bodies_of_study(n),
                           setting_of(run));
        }));
  }
  const std::size_t own = sweeps.size();
  sweeps.push_back(engine_sweep(run, "orrery, float32", ns, *run.gpu, sim::Precision::float32, 0));
  sweeps.push_back(engine_sweep(run, "orrery, float64", ns, *run.gpu, sim::Precision::float64, 0));
  sweeps.push_back(engine_sweep(run, "cpu, 1 thread, float64", ns, cpu_kind(), sim::Precision::float64, 1));
  render::Chart chart{
      .title = "Time of a step with few bodies", .x = log_axis("bodies"), .y = log_axis("time of a step", "s")};
  for (const SizeSweep& one : sweeps) chart.curves.push_back(curve_of(one));
  const std::size_t n = ns.back() >= 1024 ? 1024 : ns.back();
  double best = 0;
  int with = 1;
  for (std::size_t k = 0; k < own; ++k) {
    const double time = time_at(sweeps[k], n);
    if (time > 0 && (best == 0 || time < best)) {
      best = time;
      with = threads_a_body[k];
    }
  }
  if (best > 0)
    run.result.findings.push_back(
        fmt::format("With {} bodies {} threads per body are best: {} per step, {:.1f} times as fast as one thread per "
                    "body; the engine takes {}.",
                    n, with, time_text(best), time_at(sweeps[0], n) / best, time_text(time_at(sweeps[own], n))));
  if (const double one = time_at(sweeps.back(), 64), gpu = time_at(sweeps[own], 64); one > 0 && gpu > 0)
    run.result.findings.push_back(
        fmt::format("With 64 bodies one thread of the processor takes {} and the GPU {}, which is spent on launching "
                    "kernels, not on pairs.",
                    time_text(one), time_text(gpu)));
  run.result.method.emplace_back(
      "A report did not try this. The lanes of a warp divide the interactions of one body among themselves and add "
      "their sums by shuffles; whole steps, float32. The engine replays steps as a graph.");
  run.result.tables.push_back(table_of("small", "Time of a step", sweeps));
  run.result.charts.push_back({"small", std::move(chart)});
}

}  // namespace

const Study small_study{.name = "small",
                        .question = "Do several threads per body help with few bodies?",
                        .needs_gpu = true,
                        .run = run_small};

}  // namespace orrery::pipeline
