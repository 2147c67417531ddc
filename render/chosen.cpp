// SPDX-License-Identifier: MIT
// Lists of bodies become shorter lists.
#include "render/chosen.hpp"

#include <algorithm>

namespace orrery::render {
namespace {

/// Of lists of three numbers a body.
template <class T>
std::vector<T> triples(const std::vector<T>& all, const std::vector<std::size_t>& chosen) {
  std::vector<T> some;
  for (const std::size_t i : chosen) {
    for (std::size_t k = 3 * i; k < std::min(3 * i + 3, all.size()); ++k) some.push_back(all[k]);
  }
  return some;
}

}  // namespace

std::vector<std::size_t> chosen_bodies(const Arguments& arguments, const Cast& cast) {
  std::vector<std::size_t> chosen;
  if (!arguments.has("bodies")) return chosen;
  for (const std::string& name : arguments.texts("bodies")) {
    const auto body = find_body(name, cast);
    if (!body) throw ArgumentError("bodies", "no body is called \"" + name + "\"" + who_is(cast));
    if (std::ranges::find(chosen, *body) == chosen.end()) chosen.push_back(*body);
  }
  if (chosen.empty()) throw ArgumentError("bodies", "names nobody: give one body at least, or leave the key out");
  return chosen;
}

Frame picked(const Frame& frame, const std::vector<std::size_t>& chosen) {
  return {.time = frame.time,
          .position = triples(frame.position, chosen),
          .velocity = triples(frame.velocity, chosen),
          .density = picked(frame.density, chosen),
          .image = triples(frame.image, chosen)};
}

Cast picked(const Cast& cast, const std::vector<std::size_t>& chosen) {
  Cast some = cast;
  some.mass = picked(cast.mass, chosen);
  some.names = picked(cast.names, chosen);
  some.species = picked(cast.species, chosen);
  some.numbers.clear();
  for (const std::size_t i : chosen) some.numbers.push_back(number_of(cast, i));
  return some;
}

}  // namespace orrery::render
