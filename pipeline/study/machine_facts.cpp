// SPDX-License-Identifier: MIT
// The processor from /proc and a short loop, the GPU from its driver.
#include "pipeline/study/machine_facts.hpp"

#include <fmt/format.h>

#include <cctype>

#include "pipeline/machine.hpp"
#include "pipeline/measure/core_clock.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"

namespace orrery::pipeline {
namespace {

/// "NVIDIA H200 (sm_90)" → "nvidia-h200": letters and digits of the first words.
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

}  // namespace

MachineFacts machine_facts(const sim::BackendKind* gpu, const sim::BackendOptions& options) {
  MachineFacts machine{
      .name = fmt::format("{}-{}", file_name_of(processor()), options.threads), .has_gpu = false, .facts = {}};
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

}  // namespace orrery::pipeline
