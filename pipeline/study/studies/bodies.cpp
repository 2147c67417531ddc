// SPDX-License-Identifier: MIT
// Time of a step over the number of bodies: CPU and GPU, one-sided and pair-once, and their crossover.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/measure/forces.hpp"
#include "pipeline/measure/textbook.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t sizes[] = {2,    6,    16,   32,    64,    128,   256,    512,    1024,
                                 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 1000000};
constexpr std::size_t quick_sizes[] = {6, 64, 512, 2048};

class Textbook : public sim::study::Work {
 public:
  explicit Textbook(std::size_t n) : bodies_(bodies_of_study(n)), accelerations_(n) {}
  double take(std::int64_t times) override {
    return sim::study::seconds_of(times, [&] {
      textbook_accelerations(bodies_, study_softening * study_softening, 0, bodies_.size(), accelerations_);
    });
  }

 private:
  sim::Bodies bodies_;
  sim::Vectors accelerations_;
};

/// One-sided kernels of a GPU: without tiles, with tiles, and with the run-time checks of a student report's tiled
/// kernel.
struct TileRung {
  const char* name;
  sim::study::TileShape shape;
  bool drawn;
};
constexpr const char *untiled = "GPU, untiled", *tiled = "GPU, tiled", *tiled_checked = "GPU, tiled, bounds checked",
                     *tiled_run_time = "GPU, tiled, run-time block", *tiled_both = "GPU, tiled, both";
constexpr TileRung tile_rungs[] = {
    {untiled, {.tiled = false}, true},
    {tiled, {}, true},
    {tiled_checked, {.bounds_check = true}, false},
    {tiled_run_time, {.unroll = 1, .run_time = true}, false},
    {tiled_both, {.unroll = 1, .bounds_check = true, .run_time = true}, false},
};

/// Number of bodies from which b is faster, interpolated by a power law between two sizes; 0 if it never is.
double crossover(const SizeSweep& a, const SizeSweep& b) {
  double before_n = 0, before = 0;
  for (const SweepPoint& point : a.points) {
    const double other = time_at(b, point.bodies), n = static_cast<double>(point.bodies);
    if (!(other > 0)) continue;
    const double ratio = std::log(other / point.timing.median);
    if (before > 0 && ratio <= 0)
      return std::exp(std::log(before_n) + std::log(n / before_n) * before / (before - ratio));
    before_n = n;
    before = ratio;
  }
  return 0;
}

void run_bodies(StudyRun& run) {
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  const int threads = run.options.threads;
  std::vector<SizeSweep> sweeps;
  sweeps.push_back(sweep(run, "1 thread, one-sided", ns, [](std::size_t n) { return std::make_unique<Textbook>(n); }));
  sweeps.push_back(engine_sweep(run, "1 thread, pair-once", ns, cpu_kind(), sim::Precision::float64, 1));
  if (threads > 1)
    sweeps.push_back(engine_sweep(run, fmt::format("{} threads, pair-once", threads), ns, cpu_kind(),
                                  sim::Precision::float64, threads));
  const std::size_t best_cpu = sweeps.size() - 1;
  if (run.gpu != nullptr) {
    for (const TileRung& rung : tile_rungs)
      sweeps.push_back(sweep(run, rung.name, ns, [&](std::size_t n) {
        return make_tile(rung.shape, bodies_of_study(n), setting_of(run));
      }));
    sweeps.push_back(
        engine_sweep(run, "GPU, pair-once, float64", ns, *run.gpu, sim::Precision::float64, 0, "pair-once"));
    sweeps.push_back(
        engine_sweep(run, "GPU, pair-once, float32", ns, *run.gpu, sim::Precision::float32, 0, "pair-once"));
    sweeps.push_back(engine_sweep(run, "GPU, default kernel, float32", ns, *run.gpu, sim::Precision::float32, 0));
  }

  render::Chart chart{.title = "Time of a step over the number of bodies",
                      .x = log_axis("bodies"),
                      .y = log_axis("time of a step", "s")};
  for (const SizeSweep& one : sweeps) {
    const auto hidden = [&](const TileRung& rung) { return !rung.drawn && rung.name == one.name; };
    if (std::ranges::none_of(tile_rungs, hidden)) chart.curves.push_back(curve_of(one));
  }
  using Stroke = render::Curve::Stroke;
  chart.curves.push_back({.name = "report, T4", .x = {65536}, .y = {0.021}, .stroke = Stroke::marks});
  chart.curves.push_back(
      {.name = "report, CPU", .x = {6, 65536, 65536}, .y = {2.94 * 60 / 5e6, 18, 9}, .stroke = Stroke::marks});
  const double first = time_at(sweeps[0], ns.back());
  const auto last = static_cast<double>(ns.back());
  chart.curves.push_back(guide({last / 300, last}, {first * 3 / 9e4, first * 3}, "N²"));
  const sim::BackendKind& limit = run.gpu != nullptr ? *run.gpu : cpu_kind();
  sim::BackendOptions options = run.options;
  options.precision = run.gpu != nullptr ? sim::Precision::float32 : sim::Precision::float64;
  const double each = instructions_per_interaction(options.precision) / limit.fma_rate(options);
  chart.curves.push_back(guide({last / 300, last}, {last * last / 9e4 * each, last * last * each}, "arithmetic limit"));
  run.result.charts.push_back({"time", std::move(chart)});
  run.result.tables.push_back(table_of("time", "Time of a step", sweeps));
  run.result.method.emplace_back(
      "Gravity with Plummer softening among bodies of equal mass in a cube. One-sided on one thread: the double loop "
      "of textbooks with a root and a division per pair, in double. Tiled and untiled: one-sided kernels of a GPU in "
      "float32. Pair-once and default kernel: whole leapfrog steps of the engine, measured as by `orrery bench`. "
      "Arithmetic limit: N² × minimum number of instructions per interaction / measured fused multiply-adds per "
      "second. Times of a report: 65,536 bodies and 1000 steps took a T4 21 s, a processor almost 5 h, and 2.5 h with "
      "pair symmetry; six bodies and 5 million steps took the processor 2.94 min.");
  const SizeSweep& fastest = run.gpu != nullptr ? sweeps.back() : sweeps[best_cpu];
  if (!fastest.points.empty()) {
    const auto most = static_cast<double>(fastest.points.back().bodies);
    run.result.limit = fmt::format("{:.0f} % of the measured rate of fused multiply-adds at N = {:.0f}",
                                   100 * most * most * each / fastest.points.back().timing.median, most);
  }
  auto& findings = run.result.findings;
  const std::size_t n = run.quick() ? 2048 : std::min<std::size_t>(65536, ns.back());
  const double serial = time_at(sweeps[0], n), once = time_at(sweeps[1], n), all = time_at(sweeps[best_cpu], n);
  if (serial > 0 && all > 0)
    findings.push_back(
        fmt::format("With {} bodies one thread takes {} per step one-sided and {} with each pair computed once; {} "
                    "threads take {}.",
                    n, time_text(serial), time_text(once), threads, time_text(all)));
  if (run.gpu != nullptr) {
    const double on_gpu = time_at(sweeps.back(), n);
    if (on_gpu > 0)
      findings.insert(findings.begin(), fmt::format("With {} bodies the GPU takes {} per step in float32: {:.0f} times "
                                                    "as fast as the one-sided loop on one thread.",
                                                    n, time_text(on_gpu), serial / on_gpu));
    const auto tiles_take = [&](std::string_view name) {
      return time_at(*std::ranges::find(sweeps, name, &SizeSweep::name), n) /
             time_at(*std::ranges::find(sweeps, untiled, &SizeSweep::name), n);
    };
    if (std::isfinite(tiles_take(tiled_both)))
      findings.push_back(fmt::format(
          "A report found its tiled kernel slower than the untiled one. With {} bodies the tiled kernel takes {:.2f} "
          "of the untiled time with a compile-time block size, {:.2f} with a bounds check in the inner loop, {:.2f} "
          "with a run-time block size and trip count, {:.2f} with both{}.",
          n, tiles_take(tiled), tiles_take(tiled_checked), tiles_take(tiled_run_time), tiles_take(tiled_both),
          tiles_take(tiled) < 1 && tiles_take(tiled_both) > 1
              ? ": the bounds check and the run-time trip count of the report's inner loop cost more than tiles gain"
              : ""));
    const double where = crossover(sweeps[best_cpu], sweeps.back()), of_one = crossover(sweeps[1], sweeps.back());
    if (where > 0)
      findings.push_back(
          fmt::format("The GPU is faster than {} threads of the processor from {:.0f} bodies on, and than one thread "
                      "from {:.0f} on.",
                      threads, where, of_one));
  }
}

}  // namespace

const Study bodies_study{
    .name = "bodies",
    .question =
        "How does the time of a step grow with the number of bodies, and from how many on is a GPU faster than a CPU?",
    .needs_gpu = false,
    .run = run_bodies};

}  // namespace orrery::pipeline
