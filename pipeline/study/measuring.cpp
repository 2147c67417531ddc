// SPDX-License-Identifier: MIT
#include "pipeline/study/measuring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "common/error.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/measure/core_clock.hpp"
#include "pipeline/measure/scratch.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/named.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/study/study.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// Null if no GPU can be used; `absence` is then the reason.
const sim::BackendKind* gpu_of(std::string& absence) {
  for (const sim::BackendKind* kind : sim::backend_kinds()) {
    if (kind->device == nullptr) continue;
    absence = kind->absence();
    if (absence.empty()) return kind;
  }
  return nullptr;
}

/// The studies named in `options`, or all that this machine can run. Throws Error, Fault::request, for one that it cannot
/// run.
std::vector<const Study*> chosen_studies(const StudyOptions& options, const sim::BackendKind* gpu,
                                         const std::string& absence) {
  std::vector<const Study*> all;
  for (const std::string& name : options.names) {
    const Study& study = named(studies(), name, "study");
    if (study.needs_gpu && gpu == nullptr)
      throw Error(fmt::format("the study {} needs a GPU: {}", name, absence), Fault::request);
    all.push_back(&study);
  }
  for (const Study* study : studies()) {
    if (options.all && (gpu != nullptr || !study->needs_gpu)) all.push_back(study);
  }
  return all;
}

/// "NVIDIA H200 (sm_90)" → "nvidia-h200"
std::string file_name_of(std::string_view words) {
  std::string name;
  for (const char c : words.substr(0, words.find('('))) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      name += static_cast<char>(std::tolower(letter));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "machine" : name.substr(0, 40);
}

MachineFacts machine_facts(const sim::BackendKind* gpu, const sim::BackendOptions& options) {
  MachineFacts machine{.name = fmt::format("{}-{}", file_name_of(processor()), options.threads)};
  const auto add = [&](std::string name, std::string value) {
    machine.facts.emplace_back(std::move(name), std::move(value));
  };
  add("processor", processor());
  add("threads", fmt::format("{}", options.threads));
  add("clock of a core, measured", with_prefix(core_clock()) + "Hz");
  add("memory that is free", in_bytes(static_cast<double>(usable_memory())));
  add("load over the minute before", fmt::format("{:.2f}", load_average()));
  if (gpu == nullptr) return machine;
  const sim::DeviceFacts device = gpu->device(options);
  machine.name = file_name_of(device.name);
  machine.has_gpu = true;
  add("GPU", device.name);
  add("multiprocessors", fmt::format("{}", device.multiprocessors));
  add("clock of the GPU at most", with_prefix(device.clock) + "Hz");
  for (const auto& [name, value] : device.limits) add(name, value);
  return machine;
}

/// The command that repeats this study, without its output folder.
std::string command_of(const Study& study, const StudyOptions& options) {
  return fmt::format("orrery study {}{}{}", study.name, options.quick ? " --quick" : "",
                     options.sizes.empty() ? "" : fmt::format(" --n {}", fmt::join(options.sizes, ",")));
}

}  // namespace

std::vector<StudyResult> measure(const StudyOptions& options, Context& context) {
  const sim::BackendOptions backend = options_of(backend_request(options.overrides, "study"), context.resources);
  std::string absence;
  const sim::BackendKind* gpu = gpu_of(absence);
  const std::vector<const Study*> chosen = chosen_studies(options, gpu, absence);
  const MachineFacts machine = machine_facts(gpu, backend);
  const Scratch scratch(options.scratch);
  std::vector<StudyResult> results;
  Progress progress("study", context);
  for (const Study* study : chosen) {
    StudyResult result{.study = std::string(study->name),
                       .question = std::string(study->question),
                       .command = command_of(*study, options),
                       .program = version_line(),
                       .quick = options.quick,
                       .machine = machine};
    const double done = static_cast<double>(results.size()) / static_cast<double>(chosen.size());
    StudyRun run{.result = result,
                 .gpu = gpu,
                 .options = backend,
                 .scratch = scratch.path(),
                 .requested_sizes = options.sizes,
                 .show = [&](const std::string& what) {
                   progress.show(done, [&] { return fmt::format("{}: {}", study->name, what); });
                   return context.stopped();
                 }};
    std::ranges::sort(run.requested_sizes);
    study->run(run);
    if (context.stopped()) break;  // the study is incomplete
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace orrery::pipeline
