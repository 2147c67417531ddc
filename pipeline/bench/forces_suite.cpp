// SPDX-License-Identifier: MIT
// orrery bench --suite forces: every backend, one row a number of bodies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pipeline/bench/measured.hpp"
#include "pipeline/bench/neighbours.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/bench/table.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/forces.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"

namespace orrery::pipeline {
namespace {

std::string in_words(const std::vector<FmaRates>& rates) {
  std::vector<std::string> words;
  for (const FmaRates& rate : rates) {
    words.push_back(fmt::format("{}: {}/s in double, {}/s in float", rate.hardware, with_prefix(rate.in_double),
                                with_prefix(rate.in_float)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

constexpr std::string_view legend =
    "\nWhole leapfrog steps: interactions = bodies² × force evaluations / time, the median of 7 repetitions of 50 ms "
    "at\n"
    "least; spread = (greatest − least) / median. Of fma rate = interactions × the instructions that one takes "
    "(float64 {},\n"
    "mixed {}, float32 {}) / the fused multiply-adds that this machine was measured to do.\n\n";

BenchResult run(const BenchOptions& options, Messages& messages) {
  const Section backend = backend_section(options.overrides, "bench");
  std::vector<std::string> absences;
  ForceBench bench{.kinds = kinds_to_measure(backend, absences), .options = options_of(backend), .all = options.all};
  bench.sizes = options.sizes;
  std::ranges::sort(bench.sizes);
  Report report;
  describe_machine(report, forces_suite.name, bench.kinds, bench.options);

  const Neighbours neighbours(options.neighbours);
  if (options.neighbours > 0) report.add("neighbours", std::int64_t{options.neighbours}, neighbours.in_words());
  ForceResult result;
  const Interrupt interrupt;
  {
    Progress progress("bench", messages);
    result = bench_forces(bench, [&](double done, const BenchRow& row) {
      progress.show(done,
                    [&] { return fmt::format("{} {}, {} bodies", row.backend, name_of(row.precision), row.bodies); });
      return Interrupt::signal() != 0;
    });
  }
  if (!result.rates.empty()) report.add("fma_rates", records(result.rates), in_words(result.rates));
  add_absences(report, absences);
  if (Interrupt::signal() != 0) report.add("interrupted", true, "rows are missing");
  report.add_to_json("rows", records(result.rows));
  const auto needed = [](sim::Precision p) { return instructions_per_interaction(p); };
  const auto failed = [](const BenchRow& row) { return !row.failure.empty(); };
  return {.report = std::move(report),
          .table = fmt::format(legend, needed(sim::Precision::float64), needed(sim::Precision::mixed),
                               needed(sim::Precision::float32)) +
                   table(result.rows),
          .failed = std::ranges::all_of(result.rows, failed),
          .signal = Interrupt::signal()};
}

}  // namespace

const Suite forces_suite{.name = "forces",
                         .meaning = "interactions a second of whole steps, and their share of what the machine can",
                         .run = run};

}  // namespace orrery::pipeline
