// SPDX-License-Identifier: MIT
// A toy force law that is no power: u = −exp(−r/λ)/r within a cutoff and 0 beyond. Parameters: λ, the cutoff.
#pragma once

#include "sim/elementary.hpp"
#include "sim/force.hpp"
#include "sim/forces/shared.hpp"

namespace orrery::sim::testing {

class Yukawa {
 public:
  using Interaction = Yukawa;
  static constexpr bool is_inverse_square = false;

  ORRERY_EVERYWHERE explicit Yukawa(const LawParameters& parameters)
      : per_length_(1 / parameters.at[0]), cutoff2_(parameters.at[1] * parameters.at[1]) {}
  /// With x = r/λ: e^−x (1 + x) r⁻³.
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r(Real r2) const {
    const Real y = inverse_root(r2), x = lengths(r2, y);
    return within(r2, exponential(Real(0) - x) * (Real(1) + x) * (y * (y * y)));
  }
  /// −e^−x (3 + 3x + x²) r⁻⁵
  template <class Real>
  ORRERY_EVERYWHERE Real force_over_r_slope(Real r2) const {
    const Real y = inverse_root(r2), x = lengths(r2, y), y2 = y * y;
    const Real series = fma(x, Real(3) + x, Real(3));
    return within(r2, Real(0) - exponential(Real(0) - x) * series * (y2 * y2 * y));
  }
  template <class Real>
  ORRERY_EVERYWHERE Real u(Real r2) const {
    const Real y = inverse_root(r2);
    return within(r2, Real(0) - exponential(Real(0) - lengths(r2, y)) * y);
  }

  static const ForceLaw law;

 private:
  /// r/λ
  template <class Real>
  ORRERY_EVERYWHERE Real lengths(Real r2, Real y) const {
    return r2 * y * Real(per_length_);
  }
  template <class Real>
  ORRERY_EVERYWHERE Real within(Real r2, Real value) const {
    return select(less(r2, Real(cutoff2_)), value, Real(0));
  }

  double per_length_, cutoff2_;
};

inline constexpr Parameter yukawa_parameters[] = {
    softening_key,
    {.name = "screening_length", .fallback = "0.8", .meaning = "λ", .unit = "length", .range = positive},
    {.name = "cutoff", .fallback = "5.5", .meaning = "no force beyond it", .unit = "length", .range = positive},
    {.name = "strength", .fallback = "1.0", .meaning = "of two unit masses", .range = not_negative},
};

inline const ForceLaw Yukawa::law{
    .name = "yukawa",
    .meaning = "screened attraction",
    .parameters = yukawa_parameters,
    .coupling = Coupling::own,
    .coupling_key = "strength",
    .attracts_by_mass = true,
    .parameters_of =
        [](const Arguments& arguments) {
          return LawParameters{{arguments.number("screening_length"), arguments.number("cutoff")}};
        },
    .force_over_r = scalar_force_over_r<Yukawa>,
    .force_over_r_slope = scalar_force_over_r_slope<Yukawa>,
    .u = scalar_u<Yukawa>,
    .rescaled =
        [](const LawParameters& parameters, double length) {
          return LawParameters{{length * parameters.at[0], length * parameters.at[1]}};
        },
    .degree = [](const LawParameters&) { return std::optional(-1); },
    .potential_power = [](const LawParameters&) { return std::optional<int>(); },
    .min_r2 = [](const LawParameters&) { return min_r2_of_power(2); },
    .source = [](const Bodies& bodies) { return bodies.mass; },
    .target_factor = [](const Bodies& bodies, double coupling) { return std::vector<double>(bodies.size(), coupling); },
};

}  // namespace orrery::sim::testing
