// SPDX-License-Identifier: MIT
// Texts that are one number.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace orrery::pipeline {

/// The number that all of the text is, the same double everywhere; none where it is anything else. Infinities and NaN are
/// numbers here.
inline std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace orrery::pipeline
