// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// [backend] as values: where a run is computed, which decides no bit in float64. Reading it touches no device.
struct BackendRequest {
  std::string kind = "auto";     ///< a name of backend_kinds(), or "auto"
  std::string_view kernel{};     ///< of the pair loop, one of BackendKind::kernels; empty: the default
  std::optional<int> threads{};  ///< default: all that are usable
  std::optional<int> device{};   ///< index of the GPU; default: the first, or that of the rank
  bool all_devices = false;      ///< all GPUs share the forces
  std::vector<int> devices{};    ///< these GPUs share them
  sim::Precision precision = sim::Precision::float64;
  /// Locations, for messages, of what asks for the kind of backend, for the kernel and for the precision.
  std::string kind_place{}, kernel_place{}, precision_place{};
};

/// Throws Error, Fault::request, at `devices` that are no list of GPUs.
BackendRequest backend_request(const Section& backend);
/// A request made of overrides of [backend] only, for commands without a scenario; messages begin with `name`.
BackendRequest backend_request(const std::vector<std::string>& overrides, const std::string& name);

/// The options of a backend, on the devices that are there, and on these resources where the request does not say. Throws Error.
sim::BackendOptions options_of(const BackendRequest& request, const Resources& resources = {});

/// Returns the kind with this name, which must exist.
const sim::BackendKind& kind_named(std::string_view name);

}  // namespace orrery::pipeline
