// SPDX-License-Identifier: MIT
// Numbers are read by from_chars, which gives the same double everywhere.
#include "pipeline/scenario/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace orrery::pipeline {
namespace {

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
}

std::optional<double> take_number(std::string_view& rest) {
  skip_blanks(rest);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  skip_blanks(rest);
  return value;
}

}  // namespace

std::optional<Quantity> parse_quantity(std::string_view text) {
  const auto numerator = take_number(text);
  std::optional<double> denominator = 1.0;
  if (numerator && text.starts_with('/')) {
    text.remove_prefix(1);
    denominator = take_number(text);
  }
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  return Quantity{*numerator, *denominator, text.substr(0, text.find_last_not_of(' ') + 1)};
}

}  // namespace orrery::pipeline
