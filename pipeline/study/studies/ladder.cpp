// SPDX-License-Identifier: MIT
// The optimisation ladder: minimal kernels, each with one more optimisation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/measure/textbook.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/study/sweep.hpp"
#include "sim/study/ladder.hpp"

namespace orrery::pipeline {
namespace {

using namespace sim::study;

constexpr std::size_t sizes[] = {32768, 65536, 131072, 262144};
constexpr std::size_t cpu_sizes[] = {4096, 8192, 16384};
constexpr std::size_t quick_sizes[] = {1024};
constexpr double bound_of_report = 0.005, bound = 1e-5;
constexpr double gain_of_report = 171;

/// Accelerations in double, and Σⱼ |f| of each body.
struct Reference {
  sim::Vectors forces;
  std::vector<double> sizes;
};

Reference reference_of(const sim::Bodies& bodies, std::size_t checked) {
  const std::size_t n = bodies.size();
  Reference all{.forces = sim::Vectors(n), .sizes = std::vector<double>(n)};
  for (std::size_t i = 0; i < std::min(n, checked); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = bodies.position.x[j] - bodies.position.x[i], dy = bodies.position.y[j] - bodies.position.y[i],
                   dz = bodies.position.z[j] - bodies.position.z[i];
      const double r2 = dx * dx + dy * dy + dz * dz + study_softening * study_softening,
                   s = bodies.mass[j] / (r2 * std::sqrt(r2));
      all.forces.x[i] += s * dx;
      all.forces.y[i] += s * dy;
      all.forces.z[i] += s * dz;
      all.sizes[i] += s * std::sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return all;
}

/// Maximum error as a share of Σ|f|, and maximum absolute error of a component, which the student report checks.
struct ForceError {
  double relative = 0, absolute = 0;
};
ForceError error_of(const sim::Vectors& found, const Reference& reference, std::size_t checked) {
  ForceError worst;
  for (std::size_t i = 0; i < std::min(checked, found.x.size()); ++i) {
    const double dx = found.x[i] - reference.forces.x[i], dy = found.y[i] - reference.forces.y[i],
                 dz = found.z[i] - reference.forces.z[i];
    const double size = std::max({std::abs(dx), std::abs(dy), std::abs(dz)}),
                 share = std::hypot(dx, dy, dz) / reference.sizes[i];
    worst.absolute = std::isnan(size) ? size : std::max(worst.absolute, size);
    worst.relative = std::isnan(share) ? share : std::max(worst.relative, share);
  }
  return worst;
}

struct Climb {
  const Rung* rung;
  std::vector<Timing> timings{};  ///< by size; no repetitions if not measured
  ForceError error{};
  KernelFacts facts{};
};

void add_table(StudyRun& run, const std::vector<Climb>& climbs, const std::vector<std::size_t>& ns, std::size_t at,
               bool gpu) {
  ResultTable table{.name = gpu ? "gpu" : "cpu",
                    .title = fmt::format("Rungs on {}: time of a step, and their checks after one evaluation",
                                         gpu ? "the GPU" : "the processor"),
                    .columns = {{"rung"}, {"idea", "", Role::remark}}};
  for (const std::size_t n : ns) table.columns.push_back({fmt::format("N = {}", n), "s", Role::less_is_better});
  for (const char* name : {"± at the table's N", "gain over the last", "over the first", "registers", "occupancy",
                           "bytes per pair", "error of Σ|f|", "ours, 1e-5", "greatest error", "the report's, 0.005"})
    table.columns.push_back({name, "", Role::remark});
  table.columns[2 + ns.size()].unit = "%";
  table.columns[6 + ns.size()].unit = "%";
  double first = 0, last = 0;
  for (const Climb& climb : climbs) {
    std::vector<Cell> row{std::string(climb.rung->name), std::string(climb.rung->idea)};
    for (const Timing& timing : climb.timings) row.emplace_back(timing.repetitions > 0 ? Cell(timing.median) : Cell());
    const Timing& timing = climb.timings[at];
    const bool known = timing.repetitions > 0;
    row.emplace_back(known ? Cell(timing.spread() / 2) : Cell());
    row.emplace_back(known && last > 0 ? Cell(last / timing.median) : Cell());
    if (known && first == 0) first = timing.median;
    row.emplace_back(known ? Cell(first / timing.median) : Cell());
    if (known) last = timing.median;
    row.emplace_back(gpu ? Cell(static_cast<double>(climb.facts.registers)) : Cell());
    row.emplace_back(gpu ? Cell(climb.facts.occupancy) : Cell());
    row.emplace_back(climb.rung->bytes_per_pair);
    row.emplace_back(climb.error.relative);
    row.emplace_back(climb.error.relative <= bound ? "passes" : "**fails**");
    row.emplace_back(climb.error.absolute);
    row.emplace_back(climb.error.absolute <= bound_of_report ? "passes" : "**fails**");
    table.add(std::move(row));
  }
  run.result.tables.push_back(std::move(table));
}

/// False if stopped.
bool climb_all(StudyRun& run, std::span<const Rung> rungs, const std::vector<std::size_t>& ns, bool gpu,
               std::vector<Climb>& climbs) {
  constexpr std::size_t checked = 512;  // bodies whose forces are checked
  const std::size_t at = ns.size() > 2 ? ns.size() - 2 : ns.size() - 1;
  for (const Rung& rung : rungs) climbs.push_back({.rung = &rung});
  for (std::size_t s = 0; s < ns.size(); ++s) {
    const sim::Bodies bodies = bodies_of_study(ns[s]);
    const Reference reference = s == at ? reference_of(bodies, checked) : Reference{};
    for (Climb& climb : climbs) {
      const auto work = climb.rung->make(bodies, setting_of(run));
      if (s == at) {
        climb.error = error_of(work->accelerations(), reference, checked);
        climb.facts = work->facts();
      }
      const double before =
          climb.timings.empty() || climb.timings.back().repetitions == 0 ? 0 : climb.timings.back().median;
      const double ratio = s == 0 ? 0 : static_cast<double>(ns[s]) / static_cast<double>(ns[s - 1]);
      const bool too_long = before * ratio * ratio > (gpu ? 1 : longest_measured_step);
      climb.timings.push_back(too_long ? Timing{}
                                       : run.time(fmt::format("{}, {} bodies", climb.rung->name, ns[s]), *work));
      if (!too_long && climb.timings.back().repetitions == 0) return false;
    }
  }
  add_table(run, climbs, ns, at, gpu);
  return true;
}

void run_ladder(StudyRun& run) {
  const std::vector<std::size_t> few = run.sizes(cpu_sizes, quick_sizes);
  std::vector<Climb> on_cpu, on_gpu;
  if (!climb_all(run, cpu_ladder(), few, false, on_cpu)) return;
  const std::vector<std::size_t> ns = run.sizes(sizes, quick_sizes);
  if (run.gpu != nullptr && !climb_all(run, gpu_ladder(), ns, true, on_gpu)) return;

  const auto fastest = [](const std::vector<Climb>& climbs, std::size_t at) {
    const Climb* best = nullptr;
    for (const Climb& climb : climbs) {
      if (climb.rung->broken || climb.timings[at].repetitions == 0) continue;
      if (best == nullptr || climb.timings[at].median < best->timings[at].median) best = &climb;
    }
    return best;
  };
  render::Chart chart{.title = "Interactions per second, rungs in the order of the tables",
                      .x = {.name = "rung"},
                      .y = log_axis("interactions per second")};
  const auto add_curve = [&](const std::vector<Climb>& climbs, const std::vector<std::size_t>& all, std::size_t at,
                             const std::string& name) {
    render::Curve curve = marked_curve(fmt::format("{}, N = {}", name, all[at]));
    for (std::size_t k = 0; k < climbs.size(); ++k) {
      if (climbs[k].timings[at].repetitions == 0 || climbs[k].rung->broken) continue;
      curve.x.push_back(static_cast<double>(k + 1));
      curve.y.push_back(pairs_of(all[at]) / climbs[k].timings[at].median);
    }
    chart.curves.push_back(std::move(curve));
  };
  const std::size_t cpu_at = few.size() > 2 ? few.size() - 2 : few.size() - 1,
                    gpu_at = ns.size() > 2 ? ns.size() - 2 : ns.size() - 1;
  add_curve(on_cpu, few, cpu_at, "processor");
  const Climb* best_cpu = fastest(on_cpu, cpu_at);
  if (run.gpu != nullptr) {
    add_curve(on_gpu, ns, gpu_at, "GPU");
    const Climb* best = fastest(on_gpu, gpu_at);
    const double serial = on_cpu.front().timings[cpu_at].median / std::pow(static_cast<double>(few[cpu_at]), 2) *
                          std::pow(static_cast<double>(ns[gpu_at]), 2);
    run.result.findings.push_back(fmt::format(
        "With {} bodies the best rung, {}, takes {} per step: {:.0f} times as fast as the baseline with copies, {:.0f} "
        "times the naive serial loop (by its {} bodies); a report reached {:.0f} times over its own.",
        ns[gpu_at], best->rung->name, time_text(best->timings[gpu_at].median),
        on_gpu.front().timings[gpu_at].median / best->timings[gpu_at].median, serial / best->timings[gpu_at].median,
        few[cpu_at], gain_of_report));
    const auto named = [&](std::string_view name) -> const Climb& {
      return *std::ranges::find_if(on_gpu, [&](const Climb& climb) { return climb.rung->name == name; });
    };
    const auto gain = [&](std::string_view from, std::string_view to) {
      return named(from).timings[gpu_at].median / named(to).timings[gpu_at].median;
    };
    run.result.findings.push_back(
        fmt::format("Registers gain {:.2f} over naive (the report's 0.99): the compiler keeps the sums of "
                    "`bodies[i].ax +=` in registers already, since fields of one structure cannot overlap. A structure "
                    "of arrays gains {:.2f} (0.947 there): all threads of a warp read the same body j, so nothing is "
                    "gained by its neighbours in memory, and what changes is the number of loads and of addresses.",
                    gain("naive", "registers"), gain("registers", "structure of arrays")));
    run.result.findings.push_back(
        fmt::format("The fast root gains most, {:.2f}; flushing denormals to zero gains {:.2f} alone, and {:.2f} with "
                    "the fast root, which then does not rescale denormals.",
                    gain("unrolled", "fast root"), gain("unrolled", "flush to zero"), gain("fast root", "both")));
    for (const Climb& climb : on_gpu) {
      if (!climb.rung->broken) continue;
      const bool ours = climb.error.relative <= bound, theirs = climb.error.absolute <= bound_of_report;
      run.result.findings.push_back(fmt::format(
          "The report's last rung as printed lets every thread fill the tile, without barriers: {:.2f} times the time "
          "of the tiles. Its error is {:.1e} of Σ|f| and {:.1e} in the greatest component: our check {}, and the "
          "report's, 0.005 absolute, {}.{}",
          gain("as printed", "tiles"), climb.error.relative, climb.error.absolute, ours ? "passes" : "fails",
          theirs ? "passes" : "fails",
          ours     ? " The race has no effect on this device, so neither check detects it. A data race need not give a "
                     "wrong result; racecheck of compute-sanitizer detects it. With masses of 1/N, forces are so small "
                     "that an absolute bound of 0.005 would detect nothing."
          : theirs ? " With masses of 1/N forces are small, and an absolute bound lets large relative errors through."
                   : ""));
    }
    sim::BackendOptions options = run.options;
    options.precision = sim::Precision::float32;
    const double pairs = std::pow(static_cast<double>(ns[gpu_at]), 2) / best->timings[gpu_at].median;
    const double instructions = best->rung->name == "pair-once" ? 8.5 : 17;
    run.result.limit = fmt::format("{:.0f} % of the measured rate of fma, at {} instructions per interaction",
                                   100 * pairs * instructions / run.gpu->fma_rate(options), instructions);
  }
  if (best_cpu != nullptr)
    run.result.findings.push_back(
        fmt::format("On the processor the best rung, {}, is {:.0f} times as fast as the first.", best_cpu->rung->name,
                    on_cpu.front().timings[cpu_at].median / best_cpu->timings[cpu_at].median));
  run.result.method.emplace_back(
      "Gravity in float32, whole steps of symplectic Euler, the median of seven repetitions of which the first "
      "iterations do not count. Rungs are checked after one evaluation against sums in double: ours is the error of a "
      "body's force as a share of Σ|f| of its pairs, at most 1e-5; the report's, that no component is off by more than "
      "0.005.");
  run.result.charts.push_back({"ladder", std::move(chart)});
}

}  // namespace

const Study ladder_study{.name = "ladder",
                         .question = "What does each optimisation gain over the last, on a GPU and on a processor?",
                         .needs_gpu = false,
                         .run = run_ladder};

}  // namespace orrery::pipeline
