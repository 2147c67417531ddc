// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/model.hpp"

namespace orrery::pipeline {

/// What the engine of a page (render/page/engine) needs to step a run itself.
struct EngineFacts {
  std::string why_not{};  ///< completes "This page cannot step the run: "; empty: it can
  nlohmann::json json{};  ///< EngineFacts of render/page/facts.d.ts
  std::string
      state{};  ///< at step 0: masses, charges if there are any, x, y, z, vx, vy, vz of all bodies, each a double
  std::string checksums{};  ///< of the frames, 8 bytes each; empty: frames do not hold all bodies
};

/// The names that the engine knows, as tests compare them with it.
struct EngineCapabilities {
  std::vector<std::string_view> laws, fields, integrators;
  std::size_t bodies;  ///< at most so many
};
const EngineCapabilities& engine_capabilities();

/// Why the engine cannot step a model; empty: it can.
std::string why_not_stepped(const sim::Model& model);

/// `frames` are those of the page.
EngineFacts engine_facts(const TrajectoryReader& trajectory, const std::vector<std::size_t>& frames,
                         const Context& context);

}  // namespace orrery::pipeline
