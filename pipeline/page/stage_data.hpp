// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/page/engine_facts.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// What the stage of a page shows of a run, and steps.
struct StageData {
  nlohmann::json facts;      ///< Run of render/page/facts.d.ts
  std::string frames;        ///< packed positions (render/page/packed_frames.hpp)
  std::string velocities{};  ///< likewise, of few bodies whose velocities are in the file; else empty
  EngineFacts engine;        ///< the same as in `facts`, and its data
  std::string thinned{};     ///< what was left out, a sentence; empty: nothing
  std::string between{};     ///< what is not known between frames, a sentence; empty: nothing
};

/// Takes at most about `budget` bytes of the page: leaves out frames, then bodies, then bits of positions. `color_by`: what colours
/// stand for (see render::Coloring), "" for the default. Throws Error.
StageData stage_data(const TrajectoryReader& trajectory, double budget, const std::string& color_by,
                     const Context& context);

}  // namespace orrery::pipeline
