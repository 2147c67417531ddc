// SPDX-License-Identifier: MIT
#include "pipeline/study/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "pipeline/measure/forces.hpp"
#include "pipeline/progress.hpp"
#include "sim/random.hpp"

namespace orrery::pipeline {
namespace {

/// The time is ∝ bodies².
SweepPoint extrapolated(const SweepPoint& from, std::size_t bodies) {
  const double ratio = static_cast<double>(bodies) / static_cast<double>(from.bodies);
  return {.bodies = bodies, .timing = summary({from.timing.median * ratio * ratio}, 1), .extrapolated = true};
}

/// Whether the next size must be extrapolated. With few bodies the time is not ∝ bodies².
bool too_long(const std::vector<SweepPoint>& points, std::size_t bodies) {
  if (points.empty() || points.back().bodies < 512) return false;
  return extrapolated(points.back(), bodies).timing.median > longest_measured_step;
}

/// Calls measure(n, what, points so far) for each size that is not extrapolated; ends when it returns no repetitions.
template <class Measure>
SizeSweep sweep_with(std::string name, std::span<const std::size_t> sizes, const Measure& measure) {
  SizeSweep result{.name = std::move(name)};
  for (const std::size_t n : sizes) {
    if (too_long(result.points, n)) {
      result.points.push_back(extrapolated(result.points.back(), n));
      continue;
    }
    const Timing timing = measure(n, fmt::format("{}, {} bodies", result.name, n), result.points);
    if (timing.repetitions == 0) break;
    result.points.push_back({.bodies = n, .timing = timing});
  }
  return result;
}

}  // namespace

sim::Bodies bodies_of_study(std::size_t n) {
  sim::Bodies bodies;
  bodies.mass.assign(n, 1.0 / static_cast<double>(n));
  bodies.species.assign(n, 0);
  bodies.position = bodies.velocity = sim::Vectors(n);
  const sim::Random random(1, 0);
  std::uint64_t next = 0;
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x = 10 * random.uniform(next++);
  }
  return bodies;
}

sim::Bodies falling_bodies(std::size_t n) {
  sim::Bodies bodies = bodies_of_study(n);
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x = x / 5 - 1;
  }
  return bodies;
}

sim::System gravity_system(const sim::Bodies& bodies, double softening) {
  const sim::ForceLaw& gravity = **std::ranges::find(sim::force_laws(), "gravity", &sim::ForceLaw::name);
  sim::System system;
  system.bodies = bodies;
  system.forces.push_back(sim::make_pair_force(gravity, bodies, softening, 1));
  return system;
}

sim::study::Setting setting_of(const StudyRun& run) {
  return {.softening = study_softening, .dt = study_step, .threads = run.options.threads, .device = run.options.device};
}

SizeSweep sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
                const std::function<std::unique_ptr<sim::study::Work>(std::size_t)>& make) {
  return sweep_with(std::move(name), sizes, [&](std::size_t n, const std::string& what, const auto&) {
    const auto work = make(n);
    return work == nullptr ? Timing{} : run.time(what, *work);
  });
}

SizeSweep engine_sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
                       const sim::BackendKind& kind, sim::Precision precision, int threads, std::string_view kernel) {
  return sweep_with(std::move(name), sizes, [&](std::size_t n, const std::string& what, const auto& points) {
    // Long steps vary little, and bench takes some steps before it measures.
    const bool slow =
        !points.empty() && points.back().bodies >= 512 && extrapolated(points.back(), n).timing.median > 0.3;
    const ForceBench bench{.kinds = {&kind},
                           .options = run.options,
                           .sizes = {n},
                           .all = true,
                           .precisions = {precision},
                           .kernels = {kernel},
                           .threads = {threads},
                           .textbook = false,
                           .rates = false,
                           .patience = {.repetitions = slow          ? 1
                                                       : run.quick() ? 3
                                                                     : 5,
                                        .seconds = run.quick() ? 0.005 : 0.03},
                           .gpu_state = false};
    const ForceResult found = bench_forces(bench, [&](double, const BenchRow&) { return run.stopped(what); });
    return found.rows.empty() || !found.rows.front().failure.empty() ? Timing{} : found.rows.front().timing;
  });
}

const sim::BackendKind& cpu_kind() {
  return **std::ranges::find(sim::backend_kinds(), "cpu", &sim::BackendKind::name);
}

render::Curve curve_of(const SizeSweep& sweep) {
  render::Curve curve = marked_curve(sweep.name);
  for (const SweepPoint& point : sweep.points) {
    curve.x.push_back(static_cast<double>(point.bodies));
    curve.y.push_back(point.timing.median);
  }
  return curve;
}

Cell time_cell(const SizeSweep& sweep, std::size_t bodies, double factor) {
  const auto point = std::ranges::find(sweep.points, bodies, &SweepPoint::bodies);
  if (point == sweep.points.end()) return {};
  const double time = factor * point->timing.median;
  return point->extrapolated ? Cell(to_text(time, "s") + " (extrapolated)") : Cell(time);
}

ResultTable table_of(std::string name, std::string title, std::span<const SizeSweep> sweeps) {
  ResultTable table{.name = std::move(name), .title = std::move(title), .columns = {{"bodies"}}};
  std::set<std::size_t> sizes;
  for (const SizeSweep& sweep : sweeps) {
    table.columns.push_back({sweep.name, "s", Role::less_is_better});
    for (const SweepPoint& point : sweep.points) sizes.insert(point.bodies);
  }
  for (const std::size_t n : sizes) {
    std::vector<Cell> row{static_cast<double>(n)};
    for (const SizeSweep& sweep : sweeps) row.push_back(time_cell(sweep, n));
    table.add(std::move(row));
  }
  return table;
}

double time_at(const SizeSweep& sweep, std::size_t bodies) {
  const auto point = std::ranges::find(sweep.points, bodies, &SweepPoint::bodies);
  return point == sweep.points.end() ? 0 : point->timing.median;
}

std::string time_text(double seconds) {
  return to_text(std::chrono::duration<double>(seconds));
}

}  // namespace orrery::pipeline
