// SPDX-License-Identifier: MIT
// One study after the other on this machine.
#include "pipeline/study/measuring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/named.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/study/study.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// null where there is none, or where it cannot be used; `absence` says why.
const sim::BackendKind* gpu_of(std::string& absence) {
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    if (kind->device == nullptr) continue;
    absence = kind->absence();
    if (absence.empty()) return kind;
  }
  return nullptr;
}

/// Those that were named, or all that this machine can do. Throws Error, exit code 2, for one that it cannot.
std::vector<const Study*> chosen(const StudyOptions& options, const sim::BackendKind* gpu, const std::string& absence) {
  std::vector<const Study*> all;
  for (const std::string& name : options.names) {
    const Study& study = named(studies(), name, "study");
    if (study.needs_gpu && gpu == nullptr) throw Error(fmt::format("the study {} needs a GPU: {}", name, absence), 2);
    all.push_back(&study);
  }
  for (const Study* study : studies()) {
    if (options.all && (gpu != nullptr || !study->needs_gpu)) all.push_back(study);
  }
  return all;
}

/// What makes this study again, wherever its files go.
std::string command_of(const Study& study, const StudyOptions& options) {
  return fmt::format("orrery study {}{}{}", study.name, options.quick ? " --quick" : "",
                     options.sizes.empty() ? "" : fmt::format(" --n {}", fmt::join(options.sizes, ",")));
}

}  // namespace

std::vector<StudyResult> measure(const StudyOptions& asked_for, Messages& messages) {
  const sim::BackendOptions options = options_of(backend_section(asked_for.overrides, "study"));
  std::string absence;
  const sim::BackendKind* gpu = gpu_of(absence);
  const std::vector<const Study*> asked = chosen(asked_for, gpu, absence);
  const MachineFacts machine = machine_facts(gpu, options);
  const Scratch scratch(asked_for.scratch);
  std::vector<StudyResult> results;
  Progress progress("study", messages);
  for (const Study* study : asked) {
    StudyResult result{.study = std::string(study->name),
                       .question = std::string(study->question),
                       .command = command_of(*study, asked_for),
                       .program = version_line(),
                       .quick = asked_for.quick,
                       .machine = machine,
                       .method = {},
                       .findings = {},
                       .limit = {},
                       .tables = {},
                       .charts = {},
                       .maps = {}};
    const double done = static_cast<double>(results.size()) / static_cast<double>(asked.size());
    StudyRun run(result, gpu, options, scratch.path(), [&](const std::string& what) {
      progress.show(done, [&] { return fmt::format("{}: {}", study->name, what); });
      return Interrupt::signal() != 0;
    });
    run.asked_sizes = asked_for.sizes;
    std::ranges::sort(run.asked_sizes);
    study->run(run);
    if (Interrupt::signal() != 0) break;  // half a study answers nothing
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace orrery::pipeline
