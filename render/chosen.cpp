// SPDX-License-Identifier: MIT
#include "render/chosen.hpp"

namespace orrery::render {

std::vector<std::size_t> chosen_bodies(const Arguments& arguments, const RunInfo& info) {
  std::vector<std::size_t> chosen;
  if (!arguments.has("bodies")) return chosen;
  for (const std::string& name : arguments.texts("bodies")) {
    const auto body = find_body(name, info);
    if (!body) throw ArgumentError("bodies", "no body is named \"" + name + "\"" + known_bodies(info));
    if (std::ranges::find(chosen, *body) == chosen.end()) chosen.push_back(*body);
  }
  if (chosen.empty()) throw ArgumentError("bodies", "is empty: give at least one body, or omit the key");
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
  some.names = picked(info.names, chosen);
  some.species = picked(info.species, chosen);
  some.numbers.clear();
  for (const std::size_t i : chosen) some.numbers.push_back(number_of(info, i));
  return some;
}

}  // namespace orrery::render
