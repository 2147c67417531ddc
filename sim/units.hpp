// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/force.hpp"

namespace orrery::sim {

/// A system of units and its constants.
struct Units {
  std::string_view name;
  double G, k;                          ///< k: Coulomb's constant; 0: no unit of charge
  std::string_view length, time, mass;  ///< as H5MD writes units; empty: dimensionless
  std::string_view charge{};            ///< empty: without a unit

  /// The constant of a force law, if these units determine it.
  [[nodiscard]] std::optional<double> coupling(Coupling constant) const;
};

/// All systems of units; the first is the default, without dimensions.
std::span<const Units> all_units();

}  // namespace orrery::sim
