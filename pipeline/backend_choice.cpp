// SPDX-License-Identifier: MIT
// Which backend a scenario runs on, and how it is told to.
#include "pipeline/backend_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "pipeline/machine.hpp"

namespace orrery::pipeline {
namespace {

/// What [backend] says besides `kind`.
sim::BackendOptions options_of(const Section& section) {
  sim::BackendOptions options{
      .threads = section->has("threads") ? static_cast<int>(section->integer("threads")) : usable_threads(),
      .device = static_cast<int>(section->integer("device")),
      .block = static_cast<int>(section->integer("block")),
      .unroll = static_cast<int>(section->integer("unroll"))};
  if (section->text("kernel") != "auto") options.kernel = section->text("kernel");
  if (options.block % 32 != 0)
    section.complain("block", "`block` must be a multiple of 32, the threads of a warp");
  if ((options.unroll & (options.unroll - 1)) != 0)
    section.complain("unroll", "`unroll` must be 1, 2, 4 or 8");
  return options;
}

}  // namespace

std::unique_ptr<sim::Backend> make_backend(const Scenario& scenario, const Setup& setup) {
  const Section& section = scenario.backend;
  std::string kind = section->text("kind");
  if (kind.empty() || kind == "auto") kind = "cpu";
  const auto kinds = sim::backend_kinds();
  const sim::BackendKind& chosen = **std::ranges::find(kinds, kind, &sim::BackendKind::name);
  const sim::BackendOptions options = options_of(section);
  if (!options.kernel.empty() && std::ranges::find(chosen.kernels, options.kernel) == chosen.kernels.end()) {
    section.complain("kernel", fmt::format("the {} backend has no kernel `{}`: it has {}", kind,
                                           options.kernel, fmt::join(chosen.kernels, ", ")));
  }
  if (const std::string absence = chosen.absence(); !absence.empty()) {
    throw Error(fmt::format("{}: {}", section.where("kind"), absence), 2);
  }
  return chosen.make(make_system(scenario, setup), options);
}

}  // namespace orrery::pipeline
