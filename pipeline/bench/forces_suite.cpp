// SPDX-License-Identifier: MIT
// orrery bench --suite forces: whole steps of every backend.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "pipeline/bench/rows.hpp"
#include "pipeline/bench/suites.hpp"
#include "pipeline/measure/forces.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/report.hpp"
#include "pipeline/run/backend_choice.hpp"

namespace orrery::pipeline {
namespace {

/// The cores that this process may use; empty if unknown.
std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  (void)::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<unsigned>(core), &set)) cores.push_back(core);
  }
  return cores;
}

/// Threads that keep cores busy during their lifetime, to simulate other load. Each is bound to one core: the last that
/// this process may use, the one before it, and so on, cyclically.
class Neighbours {
 public:
  explicit Neighbours(int count) {
    const std::vector<int> cores = usable_cores();
    for (int k = 0; k < count; ++k) {
      std::jthread& thread = threads_.emplace_back([](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
        }
      });
      if (cores.empty()) continue;
      cores_.push_back(cores[cores.size() - 1 - static_cast<std::size_t>(k) % cores.size()]);
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(static_cast<unsigned>(cores_.back()), &one);
      (void)::pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
    }
  }
  /// "1 thread, spinning on core 3"
  [[nodiscard]] std::string to_text() const {
    return fmt::format("{} thread{}, spinning{}{}", threads_.size(), threads_.size() == 1 ? "" : "s",
                       cores_.empty()       ? ""
                       : cores_.size() == 1 ? " on core "
                                            : " on cores ",
                       fmt::join(cores_, ", "));
  }

 private:
  std::vector<int> cores_;  ///< of each thread
  std::vector<std::jthread> threads_;
};

std::string to_text(const std::vector<FmaRates>& rates) {
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

}  // namespace

std::string table(const std::vector<BenchRow>& rows) {
  return table_of(rows,
                  columns_of({"backend", "precision", "kernel"}, {"threads", "bodies", "interactions", "spread",
                                                                  "µs/step", "of fma rate", "× textbook", "clock"}),
                  cells_of_run<BenchRow>, [](const BenchRow& row) -> Cells {
                    return {rate(row.interactions),
                            percent(row.timing.spread()),
                            in_microseconds(row.timing.median),
                            row.fraction() > 0 ? percent(row.fraction()) : "",
                            row.times_textbook > 0 ? fmt::format("{:.1f}", row.times_textbook) : "",
                            row.gpu.clock > 0 ? with_prefix(row.gpu.clock) + "Hz" : ""};
                  });
}

namespace {

std::vector<Arguments> records(const std::vector<BenchRow>& rows) {
  return records_of(rows, record_of_run<BenchRow>, [](Arguments& record, const BenchRow& row) {
    record.set("interactions_per_second", row.interactions);
    add_timing(record, row.timing);
    record.set("instructions_per_interaction", instructions_per_interaction(row.precision));
    set_measured(record, "fma_per_second", row.fma_rate);
    set_measured(record, "fraction", row.fraction());
    set_measured(record, "times_textbook", row.times_textbook);
    set_measured(record, "gpu_clock", row.gpu.clock);
    set_measured(record, "gpu_greatest_clock", row.gpu.greatest_clock);
    set_measured(record, "gpu_power", row.gpu.power);
    set_measured(record, "gpu_temperature", row.gpu.temperature);
  });
}

std::vector<Arguments> records(const std::vector<FmaRates>& rates) {
  std::vector<Arguments> all;
  for (const FmaRates& rate : rates) {
    Arguments& record = all.emplace_back(record_of_backend(rate));
    record.set("float64_per_second", rate.in_double);
    record.set("float32_per_second", rate.in_float);
  }
  return all;
}

constexpr std::string_view legend =
    "\nWhole leapfrog steps. interactions: bodies² × force evaluations / time; median of 7 repetitions of at least 50 "
    "ms.\n"
    "spread: (maximum − minimum) / median. of fma rate: interactions × instructions per interaction (float64 {},\n"
    "mixed {}, float32 {}) / measured fused multiply-adds per second.\n\n";

BenchResult run(const BenchOptions& options, Context& context) {
  const BackendRequest backend = backend_request(options.overrides, "bench");
  std::vector<std::string> absences;
  ForceBench bench{.kinds = kinds_to_measure(backend, absences),
                   .options = options_of(backend, context.resources),
                   .all = options.all};
  bench.sizes = options.sizes;
  std::ranges::sort(bench.sizes);
  Report report = describe_machine(forces_suite.name, bench.kinds, bench.options);
  const Neighbours neighbours(options.neighbours);
  if (options.neighbours > 0) report.add("neighbours", std::int64_t{options.neighbours}, neighbours.to_text());
  ForceResult result;
  const Context::During orderly(context, Context::Phase::orderly);
  {
    Progress progress("bench", context);
    result = bench_forces(bench, [&](double done, const BenchRow& row) {
      progress.show(done,
                    [&] { return fmt::format("{} {}, {} bodies", row.backend, name_of(row.precision), row.bodies); });
      return context.stopped();
    });
  }
  if (!result.rates.empty()) report.add("fma_rates", records(result.rates), to_text(result.rates));
  add_absences(report, absences);
  const auto needed = [](sim::Precision p) { return instructions_per_interaction(p); };
  return finished(std::move(report), records(result.rows),
                  fmt::format(legend, needed(sim::Precision::float64), needed(sim::Precision::mixed),
                              needed(sim::Precision::float32)) +
                      table(result.rows),
                  std::ranges::all_of(result.rows, has_failed<BenchRow>), context);
}

}  // namespace

const Suite forces_suite{.name = "forces",
                         .meaning = "interactions per second of whole steps, and their share of the machine's maximum",
                         .run = run};

}  // namespace orrery::pipeline
