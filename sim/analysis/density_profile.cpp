// SPDX-License-Identifier: MIT
#include "sim/analysis/density_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "sim/models/king.hpp"
#include "sim/power.hpp"

namespace orrery::sim {
namespace {

using Form = DensityProfile::Form;

constexpr std::array<std::pair<Form, std::string_view>, 6> forms{{{Form::plummer, "plummer"},
                                                                  {Form::uniform, "uniform"},
                                                                  {Form::dehnen, "dehnen"},
                                                                  {Form::nfw, "nfw"},
                                                                  {Form::isochrone, "isochrone"},
                                                                  {Form::king, "king"}}};

/// 4π a³ρ/M at r = x a, of the profiles that are a formula.
double formula(Form form, double x, double gamma) {
  const double y = 1 + x, s = std::sqrt(1 + x * x);
  switch (form) {
    case Form::plummer:
      return 3 / (s * s * s * s * s);
    case Form::dehnen:
      return (3 - gamma) / (y * y * y * y) * to_power(y / x, gamma);
    case Form::nfw:
      return 1 / (x * y * y);
    case Form::isochrone:
      return (1 + 2 * s) / ((1 + s) * (1 + s) * s * s * s);
    default:
      return x > 1 ? 0 : 3;
  }
}

}  // namespace

std::function<double(double)> density_of(const DensityProfile& profile) {
  const double a = profile.length, unit = profile.mass / (a * a * a);
  if (profile.form == Form::king) {
    const auto king = std::make_shared<const KingModel>(profile.parameter);
    return [=](double r) { return unit / king->mass() * king->density(r / a); };
  }
  return [=, form = profile.form, gamma = profile.parameter, edge = profile.edge](double r) {
    const double without = unit / (4 * std::numbers::pi) * formula(form, r / a, gamma);
    if (edge == 0) return without;
    const double e = exponential(-r / edge);
    return without * 2 * e / (1 + e * e);
  };
}

std::string_view name_of(Form form) {
  return std::ranges::find(forms, form, &std::pair<Form, std::string_view>::first)->second;
}

std::optional<Form> density_form(std::string_view name) {
  const auto* found = std::ranges::find(forms, name, &std::pair<Form, std::string_view>::second);
  return found == forms.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace orrery::sim
