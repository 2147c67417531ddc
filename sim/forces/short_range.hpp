// SPDX-License-Identifier: MIT
// Common parts of the descriptions of laws with a cutoff.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "sim/body_error.hpp"
#include "sim/forces/shared.hpp"

namespace orrery::sim {

/// s_i = strength/m_i. Throws BodyArgumentError if a body has no mass.
inline std::vector<double> response_by_mass(const Bodies& bodies, double strength) {
  std::vector<double> s(bodies.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (bodies.mass[i] == 0)
      throw BodyArgumentError("kind", i,
                              bodies.label(i) + " has no mass: its acceleration would be infinite; give it a mass");
    s[i] = strength / bodies.mass[i];
  }
  return s;
}

/// The description of `Law`; `cutoff` is the index of the cutoff among its numbers.
template <class Law, std::size_t cutoff>
constexpr ForceLaw short_range_law(std::string_view name, std::string_view meaning,
                                   std::span<const Parameter> parameters, std::string_view coupling_key,
                                   LawParameters (*parameters_of)(const Arguments&),
                                   LawParameters (*rescaled)(const LawParameters&, double),
                                   const Citations& references = {}) {
  return {.name = name,
          .meaning = meaning,
          .references = references,
          .parameters = parameters,
          .coupling = Coupling::own,
          .coupling_key = coupling_key,
          .attracts_by_mass = false,
          .parameters_of = parameters_of,
          .force_over_r = scalar_force_over_r<Law>,
          .force_over_r_slope = nullptr,
          .u = scalar_u<Law>,
          .rescaled = rescaled,
          .degree = [](const LawParameters&) { return std::optional<int>(); },
          .potential_power = [](const LawParameters&) { return std::optional<int>(); },
          .min_r2 =
              [](const LawParameters& of) {
                // Assumes c ∝ r⁻¹⁴; no limit if c is finite at r = 0.
                const double rc = of.at[cutoff];
                if (std::isfinite(scalar_force_over_r<Law>(0, of))) return MinR2{0, 0};
                return MinR2{0x1p-144 * rc * rc, 0x1p-17 * rc * rc};
              },
          .source = [](const Bodies& bodies) { return std::vector<double>(bodies.size(), 1.0); },
          .target_factor = response_by_mass,
          .cutoff = [](const LawParameters& of) { return of.at[cutoff]; }};
}

}  // namespace orrery::sim
