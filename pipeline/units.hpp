// SPDX-License-Identifier: MIT
// Systems of units: what they call things, and the G that follows.
#pragma once

#include <span>
#include <string_view>

namespace orrery::pipeline {

struct Units {
  std::string_view name;
  double G;
  std::string_view length, time, mass;  ///< labels; empty where numbers are pure
};

/// Every system of units; the first is the one of scenarios that name none.
std::span<const Units> all_units();

}  // namespace orrery::pipeline
