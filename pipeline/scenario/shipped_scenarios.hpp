// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace orrery::pipeline {

/// A scenario of the folder scenarios/, embedded in the program.
struct ShippedScenario {
  std::string_view name, text;
};

std::span<const ShippedScenario> shipped_scenarios();

}  // namespace orrery::pipeline
