// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/force.hpp"
#include "sim/initial_state.hpp"

namespace orrery::pipeline {

struct Units {
  std::string_view name;
  double G, k;                          ///< k: Coulomb's constant; 0: no unit of charge
  std::string_view length, time, mass;  ///< as H5MD writes units (see PhysicalUnit); empty: dimensionless

  /// The constant of a force law, if these units determine it.
  [[nodiscard]] std::optional<double> coupling(sim::Coupling constant) const;
  /// The units in SI; nullopt if they are dimensionless.
  [[nodiscard]] std::optional<sim::SystemOfUnits> in_si() const;
};

/// All systems of units; the first is the default.
std::span<const Units> all_units();

}  // namespace orrery::pipeline
