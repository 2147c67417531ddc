// SPDX-License-Identifier: MIT
// Speed-up over threads: the OpenMP loops of a student report, and the engine.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/openmp.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t sizes[] = {32768, 65536, 131072, 262144};
constexpr std::size_t quick_sizes[] = {2048};
constexpr double rate_of_report = 14.87e9;  ///< interactions/s on 56 threads of two CPUs

/// 1, 2, 4, 8, 14, 28, 56, … and all.
std::vector<int> thread_counts(int most) {
  std::vector<int> counts;
  for (const int count : {1, 2, 4, 8, 14, 28, 56, 112, 224}) {
    if (count < most) counts.push_back(count);
  }
  counts.push_back(most);
  return counts;
}

struct Way {
  std::string name;
  std::vector<SizeSweep> at{};  ///< by number of threads
};

void run_threads(StudyRun& run) {
  const std::vector<int> counts = thread_counts(run.options.threads);
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  std::vector<Way> ways;
  for (const sim::study::OpenMpLoop& loop : sim::study::openmp_loops()) {
    Way way{.name = std::string(loop.name)};
    for (const int threads : counts) {
      way.at.push_back(sweep(run, fmt::format("{}, {} threads", loop.name, threads), ns,
                             [&](std::size_t n) { return loop.make(bodies_of_study(n), study_softening, threads); }));
    }
    ways.push_back(std::move(way));
  }
  Way ours{.name = "orrery"};
  for (const int threads : counts)
    ours.at.push_back(engine_sweep(run, fmt::format("orrery, {} threads", threads), ns, cpu_kind(),
                                   sim::Precision::float64, threads));
  ways.push_back(std::move(ours));

  const SizeSweep &ours_at_one = ways.back().at.front(), &ours_at_all = ways.back().at.back();
  const std::size_t n = ns.front();
  const double pairs = pairs_of(n);
  ResultTable table{.name = "threads",
                    .title = "Time of a force evaluation in double, and speed-up with threads",
                    .columns = {{"way"},
                                {"bodies"},
                                {"threads"},
                                {"time", "s", Role::less_is_better},
                                {"interactions", "/s", Role::more_is_better},
                                {"speed-up", "", Role::remark},
                                {"efficiency", "%", Role::remark},
                                {"", "", Role::remark}}};
  render::Chart chart{.title = fmt::format("Interactions per second, {} bodies in double", n),
                      .x = log_axis("threads"),
                      .y = log_axis("interactions per second")};
  double best_openmp = 0, best_ours = 0;
  for (const Way& way : ways) {
    render::Curve curve = marked_curve(way.name);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      for (const SweepPoint& point : way.at[k].points) {
        const double threads = counts[k], time = point.timing.median, one = time_at(way.at[0], point.bodies);
        const double interactions = pairs_of(point.bodies) / time;
        table.add({way.name, static_cast<double>(point.bodies), threads, time, interactions, one / time,
                   one / time / threads, point.extrapolated ? Cell("extrapolated") : Cell()});
        (way.name == "orrery" ? best_ours : best_openmp) =
            std::max(way.name == "orrery" ? best_ours : best_openmp, interactions);
      }
      if (const double time = time_at(way.at[k], n); time > 0) {
        curve.x.push_back(counts[k]);
        curve.y.push_back(pairs / time);
      }
    }
    chart.curves.push_back(std::move(curve));
  }
  chart.curves.push_back(
      {.name = "report, 56 threads", .x = {56}, .y = {rate_of_report}, .stroke = render::Curve::Stroke::marks});
  if (const double one = time_at(ways.back().at[0], n); one > 0)
    chart.curves.push_back(
        guide({1, static_cast<double>(counts.back())}, {pairs / one, pairs / one * counts.back()}, "linear"));
  run.result.method.emplace_back(
      "Gravity in double with a root and a division per pair; interactions are N² whether each pair is computed once "
      "or twice. The first two ways are those of a report: both are one-sided and differ only in private and reduction "
      "clauses. For comparison, that report's result: 56 threads, 14.87 G interactions per second.");
  if (ways.size() > 1) {
    const double a = time_at(ways[0].at.back(), n), b = time_at(ways[1].at.back(), n),
                 c = time_at(ways[2].at.back(), n);
    run.result.findings.push_back(fmt::format(
        "The report's second way takes {:.3f} of the time of its first: private and reduction clauses give the same "
        "loop. Pair symmetry with private sums is {:.2f} times as fast as the first on {} threads.",
        b / a, a / c, counts.back()));
  }
  run.result.findings.push_back(
      fmt::format("On {} threads the best OpenMP loop reaches {}/s, the engine {}/s, {:.1f} times as much; the report "
                  "reached {}/s on 56.",
                  counts.back(), with_prefix(best_openmp), with_prefix(best_ours),
                  best_ours / std::max(best_openmp, 1.0), with_prefix(rate_of_report)));
  const double efficiency = time_at(ours_at_one, n) / time_at(ours_at_all, n) / counts.back();
  run.result.limit = fmt::format("{:.0f} % of {} times one thread", 100 * efficiency, counts.back());
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"speed-up", std::move(chart)});
}

}  // namespace

const Study threads_study{
    .name = "threads",
    .question = "How does the speed scale with threads, and do OpenMP's data-sharing clauses matter?",
    .needs_gpu = false,
    .run = run_threads};

}  // namespace orrery::pipeline
