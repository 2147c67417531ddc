// SPDX-License-Identifier: MIT
// Spherical density profiles in closed form, for comparison in pictures.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

namespace orrery::sim {

/// A profile of given total mass and length. For pictures: uses the C library.
struct DensityProfile {
  enum class Form {
    plummer,  ///< 3M/4πa³ (1 + r²/a²)^(−5/2), a the scale length (Plummer 1911, MNRAS 71, 460)
    uniform   ///< 3M/4πa³ within the radius a, 0 outside
  };
  Form form = Form::plummer;
  double mass = 0, length = 0;

  /// Mass density at this distance from the centre.
  [[nodiscard]] double operator()(double radius) const {
    const double mean = 3 * mass / (4 * std::numbers::pi * length * length * length);
    if (form == Form::uniform) return radius > length ? 0 : mean;
    const double s = radius / length, q = 1 + s * s;
    return mean / (q * q * std::sqrt(q));
  }
  friend bool operator==(const DensityProfile&, const DensityProfile&) = default;
};

/// "plummer" or "uniform".
inline std::string_view name_of(DensityProfile::Form form) {
  return form == DensityProfile::Form::plummer ? "plummer" : "uniform";
}
/// Empty for other names.
inline std::optional<DensityProfile::Form> density_form(std::string_view name) {
  for (const auto form : {DensityProfile::Form::plummer, DensityProfile::Form::uniform}) {
    if (name_of(form) == name) return form;
  }
  return std::nullopt;
}

}  // namespace orrery::sim
