// SPDX-License-Identifier: MIT
// Numbers with a unit as scenarios write them in texts: "1/500 period", "30 days", "2 Myr".
#pragma once

#include <optional>
#include <string_view>

namespace orrery::pipeline {

/// A number and what it counts: numerator / denominator times `unit`.
struct Quantity {
  double numerator = 0, denominator = 1;
  std::string_view unit{};  ///< the words behind the number, without blanks around them; empty: a pure number
};

/// Reads number [/ number] [unit]; the unit is any text. Nothing where that is no number, not finite, or divided by 0.
std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace orrery::pipeline
