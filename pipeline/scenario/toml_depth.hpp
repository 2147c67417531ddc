// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::pipeline {

/// Maximum number of parts of a key, and depth of arrays and tables in each other. No scenario needs more than five.
inline constexpr std::size_t max_depth = 32;

/// A place in a TOML text, counted from 1.
struct TooDeep {
  std::size_t line, column;
  std::string what;
};

/// Returns the first place where a TOML text exceeds `max_depth`. To be called before it is parsed, since toml++ parses, moves
/// and destroys nested tables by recursion and would exhaust the stack.
std::optional<TooDeep> too_deep(std::string_view text);

}  // namespace orrery::pipeline
