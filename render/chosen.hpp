// SPDX-License-Identifier: MIT
// The bodies that a figure was asked to show.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"

namespace orrery::render {

/// The key of every figure that shows bodies.
inline constexpr Parameter bodies_parameter{
    .name = "bodies",
    .kind = Kind::texts,
    .example = "[\"0\", \"1\"]",
    .meaning = "which ones are shown, [\"Sun\", \"2\"]: names, or numbers from 0; left out, all",
    .optional = true};

/// The same key with words of a figure's own.
constexpr Parameter bodies_key(std::string_view meaning) {
  Parameter key = bodies_parameter;
  key.meaning = meaning;
  return key;
}

/// The bodies of the key `bodies`, each once, in their order there; empty where the key is absent, which means all. Throws
/// ArgumentError for a body that is not there.
std::vector<std::size_t> chosen_bodies(const Arguments& arguments, const RunInfo& info);

/// Those entries of a list that has one for each body; a list without entries has none.
template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<std::size_t>& chosen) {
  std::vector<T> some;
  for (const std::size_t i : chosen) {
    if (i < all.size()) some.push_back(all[i]);
  }
  return some;
}

/// The frame of those bodies alone.
Frame picked(const Frame& frame, const std::vector<std::size_t>& chosen);

/// The run info of those bodies alone; its samples, summaries and extent are still of all.
RunInfo picked(const RunInfo& info, const std::vector<std::size_t>& chosen);

}  // namespace orrery::render
