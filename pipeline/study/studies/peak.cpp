// SPDX-License-Identifier: MIT
// Measured limits of this machine, and the roofline of all kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/measure/forces.hpp"
#include "pipeline/measure/short_range.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/ladder.hpp"
#include "sim/study/peak.hpp"
#include "sim/study/tiles.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr double flops_of_a_pair = 20;
/// Points that are labelled in the figure; all are in the table.
constexpr std::string_view labelled[] = {"naive",           "naive, -O0",      "tiles",
                                         "fast root",       "pair-once",       "threads",
                                         "orrery, float32", "orrery, float64", "short range, float64"};

struct PeakPoint {
  std::string group, name;
  double intensity;  ///< flops per byte that the source reads
  double rate;       ///< flops per second
};

/// The rungs of the ladder at n bodies.
void add_rungs(const StudyRun& run, std::span<const Rung> rungs, std::size_t n, std::vector<PeakPoint>& points) {
  const sim::Bodies bodies = bodies_of_study(n);
  const double flops = flops_of_a_pair * pairs_of(n);
  for (const Rung& rung : rungs) {
    if (rung.broken) continue;
    const auto work = rung.make(bodies, setting_of(run));
    const Timing timing = run.time(std::string(rung.name), *work, 3);
    if (timing.repetitions > 0)
      points.push_back(
          {"ladder", std::string(rung.name), flops_of_a_pair / rung.bytes_per_pair, flops / timing.median});
  }
}

void add_engine(const StudyRun& run, const sim::BackendKind& kind, std::size_t n, std::vector<PeakPoint>& points) {
  const std::size_t one[] = {n};
  for (const sim::Precision precision : {sim::Precision::float32, sim::Precision::float64}) {
    const std::string name = fmt::format("orrery, {}", name_of(precision));
    const SizeSweep sweep = engine_sweep(run, name, one, kind, precision, run.options.threads);
    // Each body is read once per tile of 128 bodies.
    const double bytes = (precision == sim::Precision::float32 ? 16.0 : 32.0) / 128;
    if (!sweep.points.empty())
      points.push_back(
          {"orrery", name, flops_of_a_pair / bytes, flops_of_a_pair * pairs_of(n) / sweep.points[0].timing.median});
  }
}

/// A step of the course problem: per particle some 7 candidates of 5 flops, and one within the cutoff of 20.
void add_short_range(const StudyRun& run, const sim::BackendKind& kind, std::vector<PeakPoint>& points) {
  const std::size_t n = run.quick() ? 1000 : kind.device != nullptr ? 1'000'000 : 100'000;
  const ShortRangeBench bench{
      .kinds = {&kind}, .options = run.options, .sizes = {n}, .all = true, .quick = run.quick(), .wca = false};
  for (const ShortRangeRow& row :
       bench_short_range(bench, [&](double, const ShortRangeRow&) { return run.stopped("short range"); }).rows) {
    if (row.problem == ShortRangeProblem::repulsive && row.failure.empty())
      points.push_back({"short range", fmt::format("short range, {}", name_of(row.precision)), 55 / row.min_bytes(),
                        55 * static_cast<double>(n) / row.timing.median});
  }
}

void run_peak(StudyRun& run) {
  const bool gpu = run.gpu != nullptr;
  const sim::BackendKind& kind = gpu ? *run.gpu : cpu_kind();
  sim::BackendOptions options = run.options;
  options.precision = sim::Precision::float64;
  const double in_double = kind.fma_rate(options);
  options.precision = sim::Precision::float32;
  const double in_float = kind.fma_rate(options), copies = kind.copy_rate(options);
  ResultTable limits{.name = "limits",
                     .title = "Measured peak rates of this machine",
                     .columns = {{"what"}, {"per second", "/s", Role::more_is_better}}};
  const auto add = [&](const char* what, double rate) {
    if (rate > 0) limits.add({what, rate});
  };
  add("fused multiply-adds, float32", in_float);
  add("fused multiply-adds, float64", in_double);
  add("memory, copies, read and written, bytes", copies);
  GpuPeaks peaks;
  if (gpu) {
    peaks = gpu_peaks(run.options.device);
    add("memory, filled, bytes", peaks.fill_bytes);
    add("memory, read, bytes", peaks.read_bytes);
    add("shared memory, read, bytes", peaks.shared_bytes);
    add("1/√x, float32, approximate", peaks.roots);
    add("1/√x, float32, correctly rounded", peaks.exact_roots);
    add("1/√x, float64, correctly rounded", peaks.double_roots);
  } else {
    add("1/√x, float32, correctly rounded, one thread", cpu_roots());
  }
  const std::size_t n = run.quick() ? 1024 : gpu ? 65536 : 8192;
  std::vector<PeakPoint> points;
  add_rungs(run, gpu ? gpu_ladder() : cpu_ladder(), n, points);
  add_engine(run, kind, n, points);
  add_short_range(run, kind, points);
  if (gpu) {
    const std::size_t side = run.quick() ? 1024 : 16384;
    const auto work = make_matrix_tiles(256, true, bodies_of_study(side), setting_of(run));
    const Timing timing = run.time("matrix", *work, 3);
    if (timing.repetitions > 0)
      points.push_back({"matrix", "matrix of all pairs", flops_of_an_element / 4,
                        flops_of_an_element * pairs_of(side) / timing.median});
  }

  render::Chart chart{.title = "Roofline of all kernels",
                      .x = log_axis("arithmetic intensity", "flop/byte"),
                      .y = log_axis("rate", "flop/s")};
  ResultTable table{
      .name = "roofline",
      .title = fmt::format("Kernels with {} bodies: 20 flops per pair, bytes as read in the source, without caches", n),
      .columns = {{"kernel"},
                  {"flop/byte", "", Role::remark},
                  {"rate", "flop/s", Role::more_is_better},
                  {"of the memory roof", "%", Role::remark},
                  {"of fma", "%", Role::remark}}};
  double best = 0;
  for (const PeakPoint& point : points) {
    const bool is_double = point.name.ends_with("float64");
    const double top = 2 * (is_double ? in_double : in_float), roof = std::min(top, point.intensity * copies);
    table.add({point.name, point.intensity, point.rate, point.rate / roof, point.rate / top});
    const bool is_labelled = std::ranges::find(labelled, point.name) != std::end(labelled);
    chart.curves.push_back({.name = point.group,
                            .x = {point.intensity},
                            .y = {point.rate},
                            .stroke = render::Curve::Stroke::marks,
                            .note = is_labelled ? point.name : ""});
    best = std::max(best, point.rate / top);
  }
  const auto roof = [&](std::vector<double> x, std::vector<double> y, const char* note) {
    chart.curves.push_back(guide(std::move(x), std::move(y), note));
  };
  const double low = 0.3, high = 3000;
  roof({low, 2 * in_float / copies}, {low * copies, 2 * in_float}, "memory");
  roof({low, high}, {2 * in_float, 2 * in_float}, "fma, float32");
  roof({low, high}, {2 * in_double, 2 * in_double}, "fma, float64");
  if (peaks.shared_bytes > 0)
    roof({low, 2 * in_float / peaks.shared_bytes}, {low * peaks.shared_bytes, 2 * in_float}, "shared memory");
  run.result.findings.push_back(fmt::format(
      "{}: {} fused multiply-adds per second in float32, {} in float64, {}B/s copied. The best kernel reaches {:.0f} % "
      "of the rate of its precision, at 20 flops per pair.",
      gpu ? "GPU" : "Processor", with_prefix(in_float), with_prefix(in_double), with_prefix(copies), 100 * best));
  run.result.findings.emplace_back(
      "Kernels above the memory roof get most of their bytes from caches: in naive kernels of all pairs, all threads "
      "read the same bodies at about the same time.");
  run.result.limit = fmt::format("{:.0f} % of two flops per fused multiply-add", 100 * best);
  run.result.method.emplace_back(
      "Rates are measured as by `bench`: chains of fused multiply-adds in registers, and copies too large for caches. "
      "Arithmetic intensity counts the memory accesses in the source. A pair counts as 20 flops, of which only some "
      "are fused and one is a root, so no kernel of pairs can reach 100 %.");
  run.result.tables.push_back(std::move(limits));
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"roofline", std::move(chart)});
}

}  // namespace

const Study peak_study{.name = "peak",
                       .question = "What are the peak rates of this machine, and how close to them is each kernel?",
                       .needs_gpu = false,
                       .run = run_peak};

}  // namespace orrery::pipeline
