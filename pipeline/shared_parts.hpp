// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "pipeline/pictures/render_run.hpp"
#include "pipeline/run/run_scenario.hpp"

namespace orrery::pipeline {

/// A part of a command that one rank carries out alone: a member of a sweep, or a piece of the films of a run.
using SharedPart = std::variant<ScenarioOptions, RenderOptions>;

enum class Outcome {
  not_begun,
  done,
  stopped,
  failed,
  refused  ///< Error, Fault::request
};

/// Carries out parts on all ranks of the context, each on the next rank that is free. What goes wrong with a part is a warning of
/// the rank that has it. Throws Error if a rank has ended.
std::vector<Outcome> share(const std::vector<SharedPart>& parts, Context& context);

/// For the other ranks: carries out the part in a message of `share`. Returns the answer.
std::vector<std::byte> carry_out(std::span<const std::byte> message, Context& context);

}  // namespace orrery::pipeline
