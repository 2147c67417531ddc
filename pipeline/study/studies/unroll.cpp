// SPDX-License-Identifier: MIT
// Unrolling of the loop over a tile.
#include <fmt/format.h>

#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr std::size_t sizes[] = {1024, 4096, 16384, 65536};
constexpr std::size_t quick_sizes[] = {1024};
constexpr int unrolls[] = {1, 2, 4, 8, 16, 32};
constexpr double flops_of_a_pair = 20;  ///< by the usual count of the literature (Nyland, Harris & Prins 2007)

void run_unroll(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  ResultTable table{
      .name = "unroll",
      .title = "GFLOP/s by the loop over a tile of shared memory, blocks of 256 threads, 20 flops per pair",
      .columns = {{"bodies"},
                  {"unroll"},
                  {"step", "s", Role::less_is_better},
                  {"rate", "flop/s", Role::more_is_better},
                  {"spread", "%", Role::remark},
                  {"registers", "", Role::remark},
                  {"over unroll 1", "", Role::remark}}};
  render::Chart chart{.title = "Rate by the number of times that the inner loop is unrolled",
                      .x = log_axis("unroll"),
                      .y = {.name = "rate", .unit = "flop/s"}};
  double best_gain = 0, best_rate = 0;
  int best = 1;
  for (const std::size_t n : ns) {
    const sim::Bodies bodies = bodies_of_study(n);
    render::Curve curve = marked_curve(fmt::format("N = {}", n));
    std::vector<double> least, greatest;  // of the rate
    const double flops = flops_of_a_pair * pairs_of(n);
    double first = 0;
    for (const int unroll : unrolls) {
      const auto work = make_tile({.tiled = true, .unroll = unroll, .block = 256}, bodies, setting_of(run));
      if (work == nullptr) continue;
      const Timing timing = run.time(fmt::format("{} bodies, unroll {}", n, unroll), *work, 10);
      if (timing.repetitions == 0) return;
      if (first == 0) first = timing.median;
      table.add({static_cast<double>(n), static_cast<double>(unroll), timing.median, flops / timing.median,
                 timing.spread(), static_cast<double>(work->facts().registers), first / timing.median});
      curve.x.push_back(unroll);
      curve.y.push_back(flops / timing.median);
      least.push_back(flops / timing.greatest);
      greatest.push_back(flops / timing.least);
      if (n == ns.back() && first / timing.median > best_gain) {
        best_gain = first / timing.median;
        best_rate = flops / timing.median;
        best = unroll;
      }
    }
    chart.curves.insert(chart.curves.end(), {curve, bars_of(curve, least, greatest)});
  }
  sim::BackendOptions options = run.options;
  options.precision = sim::Precision::float32;
  const double peak = 2 * run.gpu->fma_rate(options);
  run.result.limit = fmt::format("{:.0f} % of the measured {}flop/s of fused multiply-adds, at 20 flops per pair",
                                 100 * best_rate / peak, with_prefix(peak));
  run.result.findings.push_back(
      fmt::format("With {} bodies unrolling {} times is best and gains {:.0f} % over not unrolling: {}flop/s.",
                  ns.back(), best, 100 * (best_gain - 1), with_prefix(best_rate)));
  run.result.method.emplace_back(
      "Whole steps in float32, ten repetitions; bars are the least and the greatest of them. 20 flops per pair are a "
      "convention: a pair takes 17 instructions here, of which some are fused.");
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"unroll", std::move(chart)});
}

}  // namespace

const Study unroll_study{.name = "unroll",
                         .question = "How many times should the inner loop be unrolled?",
                         .needs_gpu = true,
                         .run = run_unroll};

}  // namespace orrery::pipeline
