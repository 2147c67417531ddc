// SPDX-License-Identifier: MIT
// Spherical density profiles in closed form: those that bodies are drawn from, and that pictures compare with.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace orrery::sim {

/// A profile of given mass and length.
struct DensityProfile {
  enum class Form {
    plummer,  ///< 3M/4πa³ (1 + r²/a²)^(−5/2), a the scale length (Plummer 1911, MNRAS 71, 460)
    uniform,  ///< 3M/4πa³ within the radius a, 0 outside
    dehnen,   ///< (3 − γ)M/4π · a/(r^γ (r + a)^(4 − γ)) (Dehnen 1993, MNRAS 265, 250); Hernquist's with γ = 1
    nfw,  ///< M/4π · 1/(r (r + a)²) (Navarro, Frenk & White 1997, ApJ 490, 493); its mass without an edge is infinite
    isochrone,  ///< M/4π · a (a + 2s)/((a + s)² s³) with s = √(r² + a²) (Hénon 1959, Ann. Astrophys. 22, 126)
    king        ///< King's model with W₀ = γ and the core radius a, of mass M (King 1966, AJ 71, 64)
  };
  Form form = Form::plummer;
  double mass = 0, length = 0;
  double parameter = 0;  ///< γ of dehnen, W₀ of king
  double edge = 0;       ///< ≠ 0: times sech(r/edge), and M is the mass without it

  friend bool operator==(const DensityProfile&, const DensityProfile&) = default;
};

/// The mass density over r > 0; uses no function of the C library but sqrt.
std::function<double(double radius)> density_of(const DensityProfile& profile);

/// "plummer", "uniform", …
std::string_view name_of(DensityProfile::Form form);
/// Empty for other names.
std::optional<DensityProfile::Form> density_form(std::string_view name);

}  // namespace orrery::sim
