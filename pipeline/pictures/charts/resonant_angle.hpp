// SPDX-License-Identifier: MIT
// Angles such as 3 λ(Neptune) − 2 λ(Pluto) − ϖ(Pluto), which librate in a resonance.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/orbit.hpp"

namespace orrery::pipeline {

/// A multiple of an angle of one orbit.
struct AngleTerm {
  double factor;
  const sim::OrbitalElement* angle;
  std::size_t body;
};

/// The terms of a text such as "3 l[Neptune] - 2 l[Pluto] - pomega[Pluto]": whole factors, the symbols Omega, omega, pomega,
/// M and l, and bodies, for which `body_of` gives an index. Throws std::invalid_argument with what is wrong.
std::vector<AngleTerm> resonant_angle(const std::string& text,
                                      const std::function<std::size_t(const std::string&)>& body_of);

/// The sum in [0, 360); `orbit_of` gives the elements of a body. NaN if an angle is not defined.
double value_of(const std::vector<AngleTerm>& terms,
                const std::function<const sim::OrbitalElements&(std::size_t)>& orbit_of);

}  // namespace orrery::pipeline
