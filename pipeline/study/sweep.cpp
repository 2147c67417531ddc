// SPDX-License-Identifier: MIT
// Sizes upward, measured while a step is short enough.
#include "pipeline/study/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "pipeline/measure/forces.hpp"
#include "sim/random.hpp"

namespace orrery::pipeline {
namespace {

/// By the law of squares.
SweepPoint extrapolated(const SweepPoint& from, std::size_t bodies) {
  const double ratio = static_cast<double>(bodies) / static_cast<double>(from.bodies);
  return {.bodies = bodies, .timing = summary({from.timing.median * ratio * ratio}, 1), .extrapolated = true};
}

/// Whether the next size is to be extrapolated; where there are few bodies their number says little of the time.
bool too_long(const std::vector<SweepPoint>& points, std::size_t bodies) {
  if (points.empty() || points.back().bodies < 512) return false;
  return extrapolated(points.back(), bodies).timing.median > longest_measured_step;
}

class FunctionWork : public sim::study::Work {
 public:
  explicit FunctionWork(std::function<double(std::int64_t)> take) : take_(std::move(take)) {}
  double take(std::int64_t times) override { return take_(times); }

 private:
  std::function<double(std::int64_t)> take_;
};

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

sim::study::Setting setting_of(const StudyRun& run) {
  return {.softening = study_softening, .dt = study_step, .threads = run.options.threads, .device = run.options.device};
}

Sweep sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
            const std::function<std::unique_ptr<sim::study::Work>(std::size_t)>& make) {
  Sweep result{.name = std::move(name), .points = {}};
  for (const std::size_t n : sizes) {
    if (too_long(result.points, n)) {
      result.points.push_back(extrapolated(result.points.back(), n));
      continue;
    }
    const auto work = make(n);
    if (work == nullptr) break;
    const Timing timing = run.time(fmt::format("{}, {} bodies", result.name, n), *work);
    if (timing.repetitions == 0) break;
    result.points.push_back({.bodies = n, .timing = timing});
  }
  return result;
}

Sweep engine_sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
                   const sim::BackendKind& kind, sim::Precision precision, int threads, std::string_view kernel) {
  Sweep result{.name = std::move(name), .points = {}};
  for (const std::size_t n : sizes) {
    if (too_long(result.points, n)) {
      result.points.push_back(extrapolated(result.points.back(), n));
      continue;
    }
    // What takes long is steady enough, and bench takes some steps before it measures.
    const bool slow = !result.points.empty() && result.points.back().bodies >= 512 &&
                      extrapolated(result.points.back(), n).timing.median > 0.3;
    ForceBench bench{.kinds = {&kind},
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
    const std::string what = fmt::format("{}, {} bodies", result.name, n);
    const ForceResult found = bench_forces(bench, [&](double, const BenchRow&) { return run.stopped(what); });
    if (found.rows.empty() || !found.rows.front().failure.empty()) break;
    result.points.push_back({.bodies = n, .timing = found.rows.front().timing});
  }
  return result;
}

const sim::BackendKind& cpu_kind() {
  return **std::ranges::find(sim::backend_kinds(), "cpu", &sim::BackendKind::name);
}

std::unique_ptr<sim::study::Work> work_of(std::function<double(std::int64_t)> take) {
  return std::make_unique<FunctionWork>(std::move(take));
}

ResultCurve curve_of(const Sweep& sweep, const std::function<double(std::size_t)>& work) {
  ResultCurve curve{.name = sweep.name};
  for (const SweepPoint& point : sweep.points) {
    const auto value = [&](double seconds) { return work ? work(point.bodies) / seconds : seconds; };
    curve.x.push_back(static_cast<double>(point.bodies));
    curve.y.push_back(value(point.timing.median));
    curve.least.push_back(std::min(value(point.timing.least), value(point.timing.greatest)));
    curve.greatest.push_back(std::max(value(point.timing.least), value(point.timing.greatest)));
  }
  return curve;
}

ResultTable table_of(std::string name, std::string title, std::span<const Sweep> sweeps, const ResultColumn& column,
                     const std::function<double(std::size_t, double)>& value) {
  ResultTable table{.name = std::move(name), .title = std::move(title), .columns = {{.name = "bodies"}}, .rows = {}};
  std::set<std::size_t> sizes;
  for (const Sweep& sweep : sweeps) {
    table.columns.push_back({.name = sweep.name, .unit = column.unit, .role = column.role});
    for (const SweepPoint& point : sweep.points) sizes.insert(point.bodies);
  }
  for (const std::size_t n : sizes) {
    std::vector<Cell> row{static_cast<double>(n)};
    for (const Sweep& sweep : sweeps) {
      const auto point = std::ranges::find(sweep.points, n, &SweepPoint::bodies);
      if (point == sweep.points.end()) {
        row.emplace_back();
      } else if (point->extrapolated) {
        row.emplace_back(in_words(value(n, point->timing.median), column.unit) + " (extrapolated)");
      } else {
        row.emplace_back(value(n, point->timing.median));
      }
    }
    table.add(std::move(row));
  }
  return table;
}

double time_at(const Sweep& sweep, std::size_t bodies) {
  const auto point = std::ranges::find(sweep.points, bodies, &SweepPoint::bodies);
  return point == sweep.points.end() ? 0 : point->timing.median;
}

}  // namespace orrery::pipeline
