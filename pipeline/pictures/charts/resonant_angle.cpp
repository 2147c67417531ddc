// SPDX-License-Identifier: MIT
#include "pipeline/pictures/charts/resonant_angle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace orrery::pipeline {

std::vector<AngleTerm> resonant_angle(const std::string& text,
                                      const std::function<std::size_t(const std::string&)>& body_of) {
  constexpr std::string_view form = "write it as \"3 l[Neptune] - 2 l[Pluto] - pomega[Pluto]\"";
  std::vector<AngleTerm> terms;
  std::string_view left = text;
  const auto skip = [&] { left.remove_prefix(std::min(left.find_first_not_of(' '), left.size())); };
  const auto take = [&](char c) {
    skip();
    const bool there = left.starts_with(c);
    if (there) left.remove_prefix(1);
    return there;
  };
  for (skip(); !left.empty(); skip()) {
    const bool negative = take('-');
    if (!negative && !take('+') && !terms.empty())
      throw std::invalid_argument(fmt::format("\"{}\" has no + or - before `{}`: {}", text, left, form));
    skip();
    int factor = 1;
    const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), factor);
    if (error == std::errc()) left.remove_prefix(static_cast<std::size_t>(end - left.data()));
    if (factor < 0 || factor > 1000)
      throw std::invalid_argument(fmt::format("\"{}\" has a factor out of range: {}", text, form));
    take('*');
    skip();
    const std::size_t open = std::min(left.find('['), left.size()), close = left.find(']', open);
    std::string_view symbol = left.substr(0, open);
    symbol = symbol.substr(0, symbol.find_last_not_of(' ') + 1);
    if (close == std::string_view::npos) throw std::invalid_argument(fmt::format("\"{}\": {}", text, form));
    const auto* angle = std::ranges::find(sim::orbital_element_list, symbol, &sim::OrbitalElement::symbol);
    constexpr std::string_view angles[] = {"Omega", "omega", "pomega", "M", "l"};
    if (std::ranges::find(angles, symbol) == std::end(angles)) {
      throw std::invalid_argument(
          fmt::format("\"{}\": `{}` is none of the angles l, pomega, Omega, omega, M: {}", text, symbol, form));
    }
    terms.push_back(
        {negative ? -1.0 * factor : factor, angle, body_of(std::string(left.substr(open + 1, close - open - 1)))});
    left.remove_prefix(close + 1);
  }
  if (terms.empty()) throw std::invalid_argument(fmt::format("the text is empty: {}", form));
  return terms;
}

double value_of(const std::vector<AngleTerm>& terms,
                const std::function<const sim::OrbitalElements&(std::size_t)>& orbit_of) {
  double sum = 0;
  for (const auto& [factor, angle, body] : terms) sum += std::remainder(factor * orbit_of(body).*angle->value, 360.0);
  const double within = std::remainder(sum, 360.0);
  return within < 0 ? within + 360 : within;
}

}  // namespace orrery::pipeline
