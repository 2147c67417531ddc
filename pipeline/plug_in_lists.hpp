// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// Something that can be named in a scenario, and its keys: those that all of its kind share last.
struct PlugIn {
  std::string name, meaning;
  std::vector<Parameter> parameters{};
  std::string note{};  ///< order of an integrator, why a backend is absent; then where it was published
};

// The lists of `orrery list` and of the library, in their order.

std::vector<PlugIn> initial_state_list();
std::vector<PlugIn> pair_force_list();
std::vector<PlugIn> field_list();
std::vector<PlugIn> solver_list();
std::vector<PlugIn> integrator_list();
std::vector<PlugIn> boundary_list();
std::vector<PlugIn> backend_list();
std::vector<PlugIn> unit_list();
/// `section` is "figure" or "film".
std::vector<PlugIn> figure_list(std::string_view section);
/// Tables without plug-ins, and keys at the top.
std::vector<PlugIn> table_list();

}  // namespace orrery::pipeline
