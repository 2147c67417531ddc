// SPDX-License-Identifier: MIT
// The gain of computing each pair once, by Newton's third law.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/measure/forces.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/openmp.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t sizes[] = {256, 1024, 4096, 16384, 65536, 262144};
constexpr std::size_t quick_sizes[] = {256, 1024};

struct Pair {
  std::string where;
  SizeSweep one_sided, pair_once;
};

void run_symmetry(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  std::vector<Pair> pairs;
  const auto loops = sim::study::openmp_loops();
  if (loops.size() == 3) {
    const auto on_threads = [&](std::size_t loop, int threads) {
      return sweep(run, fmt::format("{}, {} threads", loops[loop].name, threads), ns,
                   [&](std::size_t n) { return loops[loop].make(bodies_of_study(n), study_softening, threads); });
    };
    pairs.push_back({"plain loop, 1 thread, float64", on_threads(0, 1), on_threads(2, 1)});
    if (run.options.threads > 1)
      pairs.push_back({fmt::format("plain loop, {} threads, float64", run.options.threads),
                       on_threads(0, run.options.threads), on_threads(2, run.options.threads)});
  }
  if (run.gpu != nullptr) {
    for (const sim::Precision precision : {sim::Precision::float64, sim::Precision::mixed, sim::Precision::float32}) {
      const std::string name = fmt::format("GPU, {}", name_of(precision));
      pairs.push_back({name, engine_sweep(run, name + ", one-sided", ns, *run.gpu, precision, 0, "tiled"),
                       engine_sweep(run, name + ", pair-once", ns, *run.gpu, precision, 0, "pair-once")});
    }
  }
  ResultTable table{.name = "symmetry",
                    .title = "Time of a step one-sided and with each pair computed once",
                    .columns = {{"where"},
                                {"bodies"},
                                {"one-sided", "s", Role::less_is_better},
                                {"pair-once", "s", Role::less_is_better},
                                {"gain", "", Role::remark},
                                {"", "", Role::remark}}};
  render::Chart chart{.title = "Gain of pair symmetry: one-sided time / pair-once time",
                      .x = log_axis("bodies"),
                      .y = {.name = "gain"}};
  std::string gains;
  for (const Pair& pair : pairs) {
    render::Curve curve = marked_curve(pair.where);
    double greatest = 0;
    std::size_t at = 0;
    for (const SweepPoint& point : pair.one_sided.points) {
      const double once = time_at(pair.pair_once, point.bodies);
      if (!(once > 0)) continue;
      const double gain = point.timing.median / once;
      const auto other = std::ranges::find(pair.pair_once.points, point.bodies, &SweepPoint::bodies);
      const bool guessed = point.extrapolated || other->extrapolated;
      table.add({pair.where, static_cast<double>(point.bodies), point.timing.median, once, gain,
                 guessed ? Cell("extrapolated") : Cell()});
      if (guessed) continue;
      curve.x.push_back(static_cast<double>(point.bodies));
      curve.y.push_back(gain);
      if (gain > greatest) {
        greatest = gain;
        at = point.bodies;
      }
    }
    chart.curves.push_back(std::move(curve));
    if (greatest > 0) gains += fmt::format("{}{} {:.2f} (N = {})", gains.empty() ? "" : "; ", pair.where, greatest, at);
  }
  run.result.findings.push_back(fmt::format("Computing each pair once gains at most: {}.", gains));
  chart.curves.push_back(
      guide({static_cast<double>(ns.front()), static_cast<double>(ns.back())}, {2, 2}, "half of the pairs"));
  run.result.method.emplace_back(
      "On a CPU, the plain double loop in double, with a root and a division per pair: one-sided, and with j > i only "
      "and separate sums for each thread. A report found a gain of 2 there and did not try the GPU. On a GPU each pair "
      "is computed once in tiles of registers whose sums are passed from lane to lane (docs/canonical-order.md), "
      "compared with one thread per body and tiles in shared memory; both give the same bits in float64.");
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"gain", std::move(chart)});
}

}  // namespace

const Study symmetry_study{
    .name = "symmetry",
    .question = "How much faster is computing each pair once (Newton's third law), on a CPU and on a GPU?",
    .needs_gpu = false,
    .run = run_symmetry};

}  // namespace orrery::pipeline
