// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// The key `bodies`, with a description.
constexpr Parameter bodies_key(std::string_view meaning) {
  return {.name = "bodies", .kind = Kind::texts, .example = "[\"0\", \"1\"]", .meaning = meaning, .optional = true};
}
inline constexpr Parameter bodies_parameter =
    bodies_key("bodies that are shown, by name, number from 0, or range of numbers, \"0:9\"; default: all");
/// The key `components`, which all figures with `bodies` have.
inline constexpr Parameter components_parameter{.name = "components",
                                                .kind = Kind::texts,
                                                .example = "[\"disk\"]",
                                                .meaning = "components whose bodies are shown, besides `bodies`",
                                                .optional = true};

/// Returns whether `bodies` or `components` is given.
inline bool chooses_bodies(const Arguments& arguments) {
  return arguments.has("bodies") || arguments.has("components");
}

/// Returns the bodies of the key `bodies` in the order given, then those of `components`, without repetitions; empty if both
/// keys are absent, which means all. Throws ArgumentError for an unknown body or component, or if there is none.
std::vector<std::size_t> chosen_bodies(const Arguments& arguments, const RunInfo& info);

/// Returns the entries of the chosen bodies, of a list that has `each` for every body or is empty.
template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<std::size_t>& chosen, std::size_t each = 1) {
  std::vector<T> some;
  for (const std::size_t i : chosen) {
    for (std::size_t k = each * i; k < std::min(each * (i + 1), all.size()); ++k) some.push_back(all[k]);
  }
  return some;
}

template <class T>
SharedVector<T> picked(const SharedVector<T>& all, const std::vector<std::size_t>& chosen, std::size_t each = 1) {
  return picked<T>(static_cast<const std::vector<T>&>(all), chosen, each);
}

/// Returns the frame of the chosen bodies.
Frame picked(const Frame& frame, const std::vector<std::size_t>& chosen);

/// Returns the run info of the chosen bodies; samples, summaries and extent remain those of all.
RunInfo picked(const RunInfo& info, const std::vector<std::size_t>& chosen);

}  // namespace orrery::render
