// SPDX-License-Identifier: MIT
// Systems of units: what they call things, and the constants of forces that follow.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/force.hpp"

namespace orrery::pipeline {

struct Units {
  std::string_view name;
  double G, k;                          ///< k: Coulomb's constant; 0 where there is no unit of charge
  std::string_view length, time, mass;  ///< as H5MD writes units (see PhysicalUnit); empty where numbers are pure

  /// The constant of a force law, where these units decide it.
  [[nodiscard]] std::optional<double> coupling(sim::Coupling constant) const;
};

/// Every system of units; the first is the one of scenarios that name none.
std::span<const Units> all_units();

}  // namespace orrery::pipeline
