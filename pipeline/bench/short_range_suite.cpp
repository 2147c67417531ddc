// SPDX-License-Identifier: MIT
// orrery bench --suite short-range: forces that end at a cutoff, one row a number of bodies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pipeline/bench/measured.hpp"
#include "pipeline/bench/short_range_table.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/forces.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view legend =
    "\nFrom the first to the last step, without frames: of repulsive 1000 steps from the beginning, of wca steps after it has melted;\nthe median of as many as 7 repetitions. Set-up: until two steps are done; wall = set-up + 1000 steps. Of copy rate = the bytes of\npositions and velocities, read and written once (repulsive 64 in float64 and 32 in float32, wca 96 and 48) / time / the bytes\na second that copies in memory read and write here. Where the bodies fit into caches it can be more than 100 %.\n";

/// "Elsewhere, as others publish it: V100: a student report on a V100; …"
std::string sources(const std::vector<ShortRangeRow>& rows) {
  std::vector<std::string> words;
  for (const Published& theirs : published_times()) {
    const auto same = [&](const ShortRangeRow& row) {
      return row.problem == theirs.problem && row.bodies == theirs.bodies;
    };
    std::string text = fmt::format("{} with {} bodies, {}", name_of(theirs.problem), theirs.bodies, theirs.source);
    if (std::ranges::any_of(rows, same)) words.push_back(fmt::format("{} ({})", theirs.words, text));
  }
  return words.empty() ? "" : fmt::format("Elsewhere, not measured here:\n  {}\n", fmt::join(words, "\n  "));
}

std::string in_words(const std::vector<CopyRate>& rates) {
  std::vector<std::string> words;
  for (const CopyRate& rate : rates)
    words.push_back(fmt::format("{}: {}/s", rate.hardware, in_bytes(rate.bytes_per_second)));
  return fmt::format("{}", fmt::join(words, "; "));
}

BenchResult run(const BenchOptions& options, Messages& messages) {
  const Section backend = backend_section(options.overrides, "bench");
  std::vector<std::string> absences;
  ShortRangeBench bench{.kinds = kinds_to_measure(backend, absences),
                        .options = options_of(backend),
                        .all = options.all,
                        .quick = options.quick};
  bench.sizes = options.sizes;
  std::ranges::sort(bench.sizes);
  Report report;
  describe_machine(report, short_range_suite.name, bench.kinds, bench.options);
  ShortRangeResult result;
  const Interrupt interrupt;
  {
    Progress progress("bench", messages);
    result = bench_short_range(bench, [&](double done, const ShortRangeRow& row) {
      progress.show(done, [&] {
        return fmt::format("{} {} {}, {} bodies", name_of(row.problem), row.backend, name_of(row.precision),
                           row.bodies);
      });
      return Interrupt::signal() != 0;
    });
  }
  if (!result.rates.empty()) report.add("copy_rates", records(result.rates), in_words(result.rates));
  add_absences(report, absences);
  if (Interrupt::signal() != 0) report.add("interrupted", true, "rows are missing");
  report.add_to_json("rows", records(result.rows));
  report.add_to_json("published", published_records(result.rows));
  const auto failed = [](const ShortRangeRow& row) { return !row.failure.empty(); };
  return {.report = std::move(report),
          .table = fmt::format("{}{}\n{}", legend, sources(result.rows), table(result.rows)),
          .failed = std::ranges::all_of(result.rows, failed),
          .signal = Interrupt::signal()};
}

}  // namespace

const Suite short_range_suite{.name = "short-range",
                              .meaning = "runs whose forces end at a cutoff, beside copies in memory and others' times",
                              .run = run,
                              .has_quick = true};

}  // namespace orrery::pipeline
