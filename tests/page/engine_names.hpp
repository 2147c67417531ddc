// SPDX-License-Identifier: MIT
// The numbers by which the engine knows integrators and laws.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "tests/page/engine_kinds.hpp"

namespace orrery::page::testing {

inline constexpr std::string_view engine_methods[] = {
    "leapfrog", "leapfrog-dkd", "symplectic-euler", "yoshida4", "yoshida6", "yoshida8", "ruth3", "forest-ruth",
    "pefrl",    "rk4",          "hermite4"};
inline constexpr std::string_view engine_laws[] = {"gravity", "coulomb", "inverse-power", "logarithmic-halo",
                                                   "plummer-halo"};

/// Index of the name; the number of names if there is no such name.
inline std::ptrdiff_t number_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) - names.begin();
}

}  // namespace orrery::page::testing
