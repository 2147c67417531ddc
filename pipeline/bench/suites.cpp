// SPDX-License-Identifier: MIT
#include "pipeline/bench/suites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "common/error.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/measure/core_clock.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

std::string in_hertz(double clock) {
  return clock > 0 ? with_prefix(clock) + "Hz" : "unknown";
}

}  // namespace

std::vector<const sim::BackendKind*> kinds_to_measure(const BackendRequest& request,
                                                      std::vector<std::string>& absences) {
  const std::string name = request.kind == "auto" ? "" : request.kind;
  std::vector<const sim::BackendKind*> kinds;
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    if (name.empty() ? kind->name == "reference" : kind->name != name) continue;
    const std::string absence = kind->absence();
    if (absence.empty()) {
      kinds.push_back(kind);
    } else {
      absences.push_back(absence);
    }
  }
  if (kinds.empty()) throw Error(absences.front(), Fault::request);
  return kinds;
}

Report begin_report(std::string_view suite) {
  Report report;
  report.add("program", version_line());
  report.add("suite", std::string(suite));
  report.add("processor", processor());
  return report;
}

void add_load(Report& report) {
  report.add("load_average", load_average(), fmt::format("{:.2f} over the minute before", load_average()));
}

Report describe_machine(std::string_view suite, const std::vector<const sim::BackendKind*>& kinds,
                        const sim::BackendOptions& options) {
  Report report = begin_report(suite);
  const double clock = core_clock(), load = load_average();
  report.add("processor_clock", clock, fmt::format("{}, measured at the start on one core", in_hertz(clock)));
  report.add("threads", std::int64_t{options.threads});
  const bool busy = load > 0.2;
  report.add("load_average", load,
             fmt::format("{:.2f} over the minute before{}", load,
                         busy ? ": other processes are running; if they continue, the rates are too low" : ""));
  report.add_to_json("busy", busy);
  for (const sim::BackendKind* kind : kinds) {
    if (kind->device == nullptr) continue;
    const sim::DeviceFacts device = kind->device(options);
    report.add(
        "device", device.name,
        fmt::format("{}, {} multiprocessors, {} at most", device.name, device.multiprocessors, in_hertz(device.clock)));
    report.add_to_json("multiprocessors", std::int64_t{device.multiprocessors});
    report.add_to_json("device_clock", device.clock);
  }
  return report;
}

void add_absences(Report& report, const std::vector<std::string>& absences) {
  if (absences.empty()) {
    report.add_to_json("absent", absences);
  } else {
    report.add("absent", absences, fmt::format("{}", fmt::join(absences, "; ")));
  }
}

void add_timing(Arguments& record, const Timing& timing) {
  record.set("seconds_per_step", timing.median);
  record.set("least_seconds_per_step", timing.least);
  record.set("greatest_seconds_per_step", timing.greatest);
  record.set("spread", timing.spread());
  record.set("repetitions", std::int64_t{timing.repetitions});
  record.set("steps_per_repetition", timing.steps);
}

BenchResult finished(Report report, std::vector<Arguments> rows, std::string table, bool failed,
                     const Context& context) {
  if (context.stopped()) report.add("interrupted", true, "rows are missing");
  report.add_to_json("rows", std::move(rows));
  return {.report = std::move(report), .table = std::move(table), .failed = failed, .stopped = context.stopped()};
}

std::span<const Suite* const> suites() {
  static constexpr const Suite* list[] = {&forces_suite,  &short_range_suite, &tree_suite,
                                          &scaling_suite, &trajectory_suite,  &render_suite};
  return list;
}

}  // namespace orrery::pipeline
