// SPDX-License-Identifier: MIT
// The backends that can be used here, the processor and the GPU.
#include "pipeline/bench/measured.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::vector<const sim::BackendKind*> kinds_to_measure(const Section& section, std::vector<std::string>& absences) {
  const std::string asked = section->text("kind") == "auto" ? "" : section->text("kind");
  std::vector<const sim::BackendKind*> kinds;
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    if (asked.empty() ? kind->name == "reference" : kind->name != asked) continue;
    const std::string absence = kind->absence();
    if (absence.empty()) {
      kinds.push_back(kind);
    } else {
      absences.push_back(absence);
    }
  }
  if (kinds.empty()) throw Error(absences.front(), 2);
  return kinds;
}

void describe_machine(Report& report, std::string_view suite, const std::vector<const sim::BackendKind*>& kinds,
                      const sim::BackendOptions& options) {
  report.add("program", version_line());
  report.add("suite", std::string(suite));
  const double clock = core_clock(), load = load_average();
  report.add("processor", processor());
  report.add("processor_clock", clock, fmt::format("{}, measured at the start on one core", in_hertz(clock)));
  report.add("threads", std::int64_t{options.threads});
  const bool busy = load > 0.2;
  report.add("load_average", load,
             fmt::format("{:.2f} over the minute before{}", load,
                         busy ? ": others were at work here; if they go on, numbers are too low" : ""));
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
}

void add_absences(Report& report, const std::vector<std::string>& absences) {
  if (absences.empty()) {
    report.add_to_json("absent", absences);
  } else {
    report.add("absent", absences, fmt::format("{}", fmt::join(absences, "; ")));
  }
}

}  // namespace orrery::pipeline
