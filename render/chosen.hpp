// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

inline constexpr Parameter bodies_parameter{.name = "bodies",
                                            .kind = Kind::texts,
                                            .example = "[\"0\", \"1\"]",
                                            .meaning = "bodies that are shown, by name or number from 0; default: all",
                                            .optional = true};

/// The same key with another description.
constexpr Parameter bodies_key(std::string_view meaning) {
  Parameter key = bodies_parameter;
  key.meaning = meaning;
  return key;
}

/// Returns the bodies of the key `bodies` without repetitions, in the order given; empty if the key is absent, which means all.
/// Throws ArgumentError for an unknown body or an empty list.
std::vector<std::size_t> chosen_bodies(const Arguments& arguments, const RunInfo& info);

/// Returns the chosen entries of a list with one entry per body, or of an empty list.
template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<std::size_t>& chosen) {
  std::vector<T> some;
  for (const std::size_t i : chosen) {
    if (i < all.size()) some.push_back(all[i]);
  }
  return some;
}

template <class T>
SharedVector<T> picked(const SharedVector<T>& all, const std::vector<std::size_t>& chosen) {
  return picked<T>(static_cast<const std::vector<T>&>(all), chosen);
}

/// Returns the frame of the chosen bodies.
Frame picked(const Frame& frame, const std::vector<std::size_t>& chosen);

/// Returns the run info of the chosen bodies; samples, summaries and extent remain those of all.
RunInfo picked(const RunInfo& info, const std::vector<std::size_t>& chosen);

}  // namespace orrery::render
