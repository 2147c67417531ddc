// SPDX-License-Identifier: MIT
// orrery bench --suite forces: every backend, one row a number of bodies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "pipeline/bench/measured.hpp"
#include "pipeline/bench/neighbours.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/columns.hpp"
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

std::string rate(double value) {
  return with_prefix(value) + (value < 999.5 ? " /s" : "/s");
}

void set(Arguments& record, std::string_view key, double value) {
  if (value != 0) record.set(key, value);
}

}  // namespace

std::string table(const std::vector<BenchRow>& rows) {
  enum { backend, precision, kernel, threads, bodies, interactions, spread, step, fraction, textbook, clock };
  std::vector<Column> columns{{"backend", true},      {"precision", true},     {"kernel", true},  {"threads", false},
                              {"bodies", false},      {"interactions", false}, {"spread", false}, {"µs a step", false},
                              {"of fma rate", false}, {"× textbook", false},   {"clock", false}};
  for (const BenchRow& row : rows) {
    const bool measured = row.failure.empty();
    const auto put = [&](int column, bool known, const auto& text) {
      columns[static_cast<std::size_t>(column)].cells.push_back(known ? std::string(text()) : "");
    };
    put(backend, true, [&] { return row.backend; });
    put(precision, true, [&] { return name_of(row.precision); });
    put(kernel, true, [&] { return row.kernel; });
    put(threads, row.threads > 0, [&] { return fmt::format("{}", row.threads); });
    put(bodies, true, [&] { return fmt::format("{}", row.bodies); });
    put(interactions, measured, [&] { return rate(row.interactions); });
    put(spread, measured, [&] { return percent(row.timing.spread()); });
    put(step, measured, [&] { return in_microseconds(row.timing.median); });
    put(fraction, measured && row.fraction() > 0, [&] { return percent(row.fraction()); });
    put(textbook, row.times_textbook > 0, [&] { return fmt::format("{:.1f}", row.times_textbook); });
    put(clock, row.gpu.clock > 0, [&] { return with_prefix(row.gpu.clock) + "Hz"; });
  }
  std::vector<std::string> failures;
  for (const BenchRow& row : rows) failures.push_back(row.failure);
  return aligned(std::move(columns), failures);
}

namespace {

std::vector<Arguments> records(const std::vector<BenchRow>& rows) {
  std::vector<Arguments> all;
  for (const BenchRow& row : rows) {
    Arguments record{{"backend", std::string(row.backend)},
                     {"precision", std::string(name_of(row.precision))},
                     {"kernel", row.kernel},
                     {"bodies", static_cast<std::int64_t>(row.bodies)}};
    if (row.threads > 0) record.set("threads", std::int64_t{row.threads});
    if (!row.hardware.empty()) record.set("hardware", row.hardware);
    if (!row.failure.empty()) {
      record.set("failure", row.failure);
    } else {
      record.set("interactions_per_second", row.interactions);
      record.set("seconds_per_step", row.timing.median);
      record.set("least_seconds_per_step", row.timing.least);
      record.set("greatest_seconds_per_step", row.timing.greatest);
      record.set("spread", row.timing.spread());
      record.set("repetitions", std::int64_t{row.timing.repetitions});
      record.set("steps_per_repetition", row.timing.steps);
      record.set("instructions_per_interaction", instructions_per_interaction(row.precision));
      set(record, "fma_per_second", row.fma_rate);
      set(record, "fraction", row.fraction());
      set(record, "times_textbook", row.times_textbook);
      set(record, "gpu_clock", row.gpu.clock);
      set(record, "gpu_greatest_clock", row.gpu.greatest_clock);
      set(record, "gpu_power", row.gpu.power);
      set(record, "gpu_temperature", row.gpu.temperature);
    }
    all.push_back(std::move(record));
  }
  return all;
}

std::vector<Arguments> records(const std::vector<FmaRates>& rates) {
  std::vector<Arguments> all;
  for (const FmaRates& rate : rates) {
    Arguments record{{"backend", std::string(rate.backend)},
                     {"hardware", rate.hardware},
                     {"float64_per_second", rate.in_double},
                     {"float32_per_second", rate.in_float}};
    if (rate.threads > 0) record.set("threads", std::int64_t{rate.threads});
    all.push_back(std::move(record));
  }
  return all;
}

constexpr std::string_view legend =
    "\nWhole leapfrog steps: interactions = bodies² × force evaluations / time, the median of 7 repetitions of 50 ms at\n"
    "least; spread = (greatest − least) / median. Of fma rate = interactions × the instructions that one takes (float64 {},\n"
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
