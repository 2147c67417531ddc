// SPDX-License-Identifier: MIT
#include "render/chosen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace orrery::render {

namespace {

/// Parses "0:1699", both ends included; nullopt for any other text.
std::optional<std::array<std::size_t, 2>> range_in(const std::string& text) {
  std::array<std::size_t, 2> ends{};
  const char* at = text.data();
  const char* stop = at + text.size();
  for (std::size_t& end : ends) {
    const auto [after, error] = std::from_chars(at, stop, end);
    const bool is_last = &end == &ends.back();
    if (error != std::errc() || (is_last ? after != stop : after == stop || *after != ':')) return std::nullopt;
    at = is_last ? after : after + 1;
  }
  return ends[0] <= ends[1] ? std::optional(ends) : std::nullopt;
}

}  // namespace

std::vector<std::size_t> chosen_bodies(const Arguments& arguments, const RunInfo& info) {
  std::vector<std::size_t> chosen;
  if (!chooses_bodies(arguments)) return chosen;
  const std::size_t bodies = info.mass.size();
  std::vector<bool> there(bodies, false);
  const auto add = [&](std::size_t body) {
    if (!there[body]) chosen.push_back(body);
    there[body] = true;
  };
  for (const std::string& name : arguments.has("bodies") ? arguments.texts("bodies") : std::vector<std::string>{}) {
    if (const auto body = find_body(name, info)) {
      add(*body);
      continue;
    }
    const auto range = range_in(name);
    if (!range) {
      throw ArgumentError("bodies", "no body is named \"" + name + "\"; give a name, or an index from \"0\" to \"" +
                                        std::to_string(std::max<std::size_t>(bodies, 1) - 1) +
                                        "\", or a range of them, \"0:9\"" + known_bodies(info));
    }
    if ((*range)[1] >= bodies) {
      throw ArgumentError("bodies", "there is no body " + std::to_string((*range)[1]) + ": numbers are 0 to " +
                                        std::to_string(std::max<std::size_t>(bodies, 1) - 1));
    }
    for (std::size_t body = (*range)[0]; body <= (*range)[1]; ++body) add(body);
  }
  const auto& known = info.components;
  for (const std::string& name :
       arguments.has("components") ? arguments.texts("components") : std::vector<std::string>{}) {
    if (std::ranges::find(known, name) == known.end()) {
      throw ArgumentError("components",
                          fmt::format("no component is named \"{}\" (there are: {})", name, fmt::join(known, ", ")));
    }
    for (std::size_t body = 0; body < bodies; ++body) {
      const auto species = body < info.species.size() ? static_cast<std::size_t>(info.species[body]) : 0;
      if (species < known.size() && known[species] == name) add(body);
    }
  }
  if (chosen.empty()) {
    const std::string key = arguments.has("bodies") ? "bodies" : "components";
    throw ArgumentError(key, "`" + key + "` is empty: give at least one body, or remove the key");
  }
  return chosen;
}

Frame picked(const Frame& frame, const std::vector<std::size_t>& chosen) {
  return {.time = frame.time,
          .position = picked(frame.position, chosen, 3),
          .velocity = picked(frame.velocity, chosen, 3),
          .density = picked(frame.density, chosen),
          .image = picked(frame.image, chosen, 3)};
}

RunInfo picked(const RunInfo& info, const std::vector<std::size_t>& chosen) {
  RunInfo some = info;
  some.mass = picked(info.mass, chosen);
  some.radius = picked(info.radius, chosen);
  some.names = picked(info.names, chosen);
  some.species = picked(info.species, chosen);
  some.numbers.clear();
  for (const std::size_t i : chosen) some.numbers.push_back(number_of(info, i));
  return some;
}

}  // namespace orrery::render
