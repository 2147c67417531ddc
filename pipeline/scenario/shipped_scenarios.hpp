// SPDX-License-Identifier: MIT
// The scenarios that came with the program, as text.
#pragma once

#include <span>
#include <string_view>

namespace orrery::pipeline {

struct ShippedScenario {
  std::string_view name, text;
};

std::span<const ShippedScenario> shipped_scenarios();

}  // namespace orrery::pipeline
