// SPDX-License-Identifier: MIT
// Short-range forces: the design decisions of a student report, one by one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pipeline/measure/models.hpp"
#include "pipeline/measure/short_range.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/forces/repulsive.hpp"
#include "sim/initial_states/list.hpp"
#include "sim/integrators/splitting.hpp"
#include "sim/simulation.hpp"
#include "sim/study/short_range.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr std::size_t gpu_sizes[] = {1000, 10'000, 100'000, 300'000, 1'000'000, 3'000'000, 10'000'000};
constexpr std::size_t cpu_sizes[] = {1000, 10'000, 100'000};
constexpr std::size_t quick_sizes[] = {1000};
constexpr double steps_of_run = 1000;

/// The problem of the course CS267 with seed 1.
sim::Model course_problem(std::size_t n) {
  sim::Model model =
      model_of(sim::short_range_box, n, {}, sim::Repulsive::law, {}, walled_plane(RepulsiveBox::size(n)));
  model.integrator = &sim::symplectic_euler;
  model.dt = 0.0005;
  return model;
}

sim::Bodies particles(std::size_t n) {
  return course_problem(n).bodies;
}

/// Forces of all pairs, which every rung must reproduce up to the order of summation.
struct Reference {
  sim::Bodies bodies;
  sim::Vectors forces{};

  /// Maximum difference of a component / maximum component.
  [[nodiscard]] double error_of(const sim::Vectors& found) const {
    double difference = 0, greatest = 0;
    for (std::size_t i = 0; i < forces.x.size(); ++i) {
      difference = std::max({difference, std::abs(found.x[i] - forces.x[i]), std::abs(found.y[i] - forces.y[i])});
      greatest = std::max({greatest, std::abs(forces.x[i]), std::abs(forces.y[i])});
    }
    return difference / greatest;
  }
};

/// After a hundred steps, since initially no particles are within the cutoff.
Reference reference_at(std::size_t n) {
  Reference all{.bodies = particles(n)};
  const sim::BackendKind& kind = cpu_kind();
  const sim::Model model = course_problem(n);
  const auto backend = kind.make(sim::system_of(model), {});
  sim::Simulation simulation(*backend, model);
  simulation.advance(100);
  const sim::Snapshot state = simulation.state();
  all.bodies.position = state.position;
  all.bodies.velocity = state.velocity;
  all.forces = short_range_on_cpu().front().make(all.bodies, 1)->accelerations();
  return all;
}

/// Steps of the engine for the same problem, timed as in the suite short-range: in float64 and in float32.
std::array<SizeSweep, 2> engine_sweeps(const StudyRun& run, const sim::BackendKind& kind,
                                       std::span<const std::size_t> ns) {
  std::array<SizeSweep, 2> result{{{.name = fmt::format("orrery, {}, float64", kind.name)},
                                   {.name = fmt::format("orrery, {}, float32", kind.name)}}};
  for (const std::size_t n : ns) {
    const ShortRangeBench bench{
        .kinds = {&kind}, .options = run.options, .sizes = {n}, .all = true, .quick = run.quick(), .wca = false};
    const ShortRangeResult found = bench_short_range(
        bench, [&](double, const ShortRangeRow&) { return run.stopped(fmt::format("orrery, {} bodies", n)); });
    for (const ShortRangeRow& row : found.rows) {
      if (row.failure.empty())
        result[row.precision == sim::Precision::float64 ? 0 : 1].points.push_back({.bodies = n, .timing = row.timing});
    }
  }
  return result;
}

void run_cells(StudyRun& run) {
  const bool gpu = run.gpu != nullptr;
  const std::vector<std::size_t> ns = gpu ? run.sizes(gpu_sizes, quick_sizes) : run.sizes(cpu_sizes, quick_sizes);
  std::map<std::size_t, sim::Bodies> placed;  // placing ten million takes longer than moving them
  for (const std::size_t n : ns) placed.emplace(n, particles(n));
  std::vector<SizeSweep> sweeps;
  std::vector<std::string_view> ideas;
  std::vector<Cell> errors;
  const Reference reference = reference_at(1000);
  for (const ShortRangeRung& rung : gpu ? short_range_on_gpu() : short_range_on_cpu()) {
    sweeps.push_back(sweep(run, std::string(rung.name), ns, [&](std::size_t n) -> std::unique_ptr<Work> {
      if (n > rung.max_bodies) return nullptr;
      return rung.make(placed.at(n), gpu ? run.options.device : run.options.threads);
    }));
    ideas.push_back(rung.idea);
    errors.emplace_back(reference.error_of(
        rung.make(reference.bodies, gpu ? run.options.device : run.options.threads)->accelerations()));
  }
  const sim::BackendKind& kind = gpu ? *run.gpu : cpu_kind();
  for (SizeSweep& one : engine_sweeps(run, kind, ns)) sweeps.push_back(std::move(one));
  ideas.emplace_back("cells, sorted now and then, in original order of sums; the same bits on every backend");
  ideas.emplace_back("the same in float32");

  ResultTable table{.name = "rungs",
                    .title = "Seconds of 1000 steps of the course's problem, and what each decision gains",
                    .columns = {{"rung"}, {"idea", "", Role::remark}}};
  for (const std::size_t n : ns) table.columns.push_back({fmt::format("n = {}", n), "s", Role::less_is_better});
  const std::size_t big = ns.back() >= 1'000'000 ? 1'000'000 : ns.back();
  table.columns.push_back({fmt::format("gain over the last at {}", big), "", Role::remark});
  table.columns.push_back({"error of forces", "", Role::remark});
  double last = 0;
  for (std::size_t k = 0; k < sweeps.size(); ++k) {
    std::vector<Cell> row{sweeps[k].name, std::string(ideas[k])};
    for (const std::size_t n : ns) row.push_back(time_cell(sweeps[k], n, steps_of_run));
    const double time = time_at(sweeps[k], big);
    row.emplace_back(last > 0 && time > 0 ? Cell(last / time) : Cell());
    row.push_back(k < errors.size() ? errors[k] : Cell());
    if (time > 0) last = time;
    table.add(std::move(row));
  }
  render::Chart chart{.title = "Time of a particle-step over the number of particles",
                      .x = log_axis("particles"),
                      .y = log_axis("time per particle-step", "s")};
  for (const SizeSweep& one : sweeps) {
    render::Curve curve = marked_curve(one.name);
    for (const SweepPoint& point : one.points) {
      if (point.extrapolated) continue;
      curve.x.push_back(static_cast<double>(point.bodies));
      curve.y.push_back(point.timing.median / static_cast<double>(point.bodies));
    }
    chart.curves.push_back(std::move(curve));
  }
  if (gpu) {
    using Stroke = render::Curve::Stroke;
    chart.curves.push_back(
        {.name = "report, V100", .x = {1000, 1e6}, .y = {0.038 / 1e6, 2.6 / 1e9}, .stroke = Stroke::marks});
    chart.curves.push_back(
        {.name = "A100, course solutions", .x = {1e6, 1e7}, .y = {1.0 / 1e9, 7.46 / 1e10}, .stroke = Stroke::marks});
  }
  const SizeSweep& best = sweeps[sweeps.size() - 2];
  const double time = time_at(best, big) * steps_of_run;
  run.result.findings.push_back(
      fmt::format("{} particles and 1000 steps take {} in float64{}.", big, time_text(time),
                  gpu ? fmt::format(": {:.0f} times as fast as the report's V100 (2.6 s), {:.0f} times an A100 (1.0 s)",
                                    2.6 / time, 1.0 / time)
                      : ""));
  if (const double small = time_at(best, 100'000), large = time_at(best, 1'000'000); gpu && small > 0 && large > 0) {
    const auto plain = std::ranges::find(sweeps, "counts reused", &SizeSweep::name);
    const auto sorted = std::ranges::find(sweeps, "sorted particles", &SizeSweep::name);
    const auto growth = [&](const SizeSweep& one, std::size_t from) {
      return time_at(one, 10 * from) / time_at(one, from);
    };
    if (time_at(best, 10'000'000) > 0 && plain != sweeps.end() && sorted != sweeps.end())
      run.result.findings.push_back(
          fmt::format("The report asked why time grows faster than n from 10⁵ to 10⁶: its V100 has a second-level "
                      "cache of 6 MB, which unsorted particles exceed between the two. This GPU has more, and the same "
                      "kind of program, `counts reused`, grows {:.1f} times from 10⁵ to 10⁶ and {:.1f} times from 10⁶ "
                      "to 10⁷, where it exceeds this cache. So the range in which time grows faster than n depends on "
                      "the size of the cache. A step touches {:.0f} MB at 10⁵, {:.0f} MB at 10⁶ and {:.1f} GB at 10⁷. "
                      "Sorted particles are read side by side and grow {:.1f} times there; ours {:.1f}.",
                      growth(*plain, 100'000), growth(*plain, 1'000'000), working_set_bytes(100'000) / 1e6,
                      working_set_bytes(1'000'000) / 1e6, working_set_bytes(10'000'000) / 1e9,
                      growth(*sorted, 1'000'000), growth(best, 1'000'000)));
    const double rate = run.gpu->copy_rate(run.options);
    run.result.limit = fmt::format("{:.0f} % of the time that copying positions and velocities takes at 10⁶",
                                   100 * 64e6 / rate / large);
  }
  run.result.method.emplace_back(
      "The course's problem in double (docs/boxes.md): particles of area 0.0005 in a square with walls, cutoff 0.01, "
      "symplectic Euler. Each rung is a short program that shows one decision. The rows of orrery are measured as by "
      "`bench --suite short-range`.");
  run.result.tables.push_back(std::move(table));
  run.result.charts.push_back({"particle-step", std::move(chart)});
}

}  // namespace

const Study cells_study{
    .name = "cells",
    .question =
        "Which decisions make short-range forces fast, and why does time grow faster than n between 10⁵ and 10⁶?",
    .needs_gpu = false,
    .run = run_cells};

}  // namespace orrery::pipeline
