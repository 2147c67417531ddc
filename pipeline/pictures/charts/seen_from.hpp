// SPDX-License-Identifier: MIT
// Bodies as another one sees them: geometric directions, without light time and aberration.
#pragma once

#include <algorithm>
#include <vector>

#include "pipeline/pictures/charts.hpp"
#include "render/view/place.hpp"

namespace orrery::pipeline {

inline constexpr Parameter from_parameter = render::optional_key(
    "from", Kind::number_or_text, "\"0\"", "body from which the others are seen, by name or number; default: body 0");

/// The key `line_of_sight`.
constexpr Parameter line_of_sight_key(std::string_view meaning) {
  return {
      .name = "line_of_sight", .kind = Kind::numbers, .fallback = "[1.0, 0.0, 0.0]", .meaning = meaning, .count = 3};
}

/// Its direction, of length 1. Throws Error for [0, 0, 0].
inline render::Place line_of_sight(const ChartRequest& request) {
  const auto& given = request.keys->numbers("line_of_sight");
  const render::Place sight{given[0], given[1], given[2]};
  const double length = render::length(sight);
  if (!(length > 0)) request.keys.complain("line_of_sight", "a direction has a length: give [x, y, z]");
  return render::plus({}, 1 / length, sight);
}

/// The chosen bodies, at most `most`; by default the heaviest.
inline std::vector<std::size_t> chosen_or_heaviest(const ChartRequest& request, std::size_t most) {
  if (render::chooses_bodies(request.keys.values())) return selected_bodies(request, most);
  const std::vector<double>& mass = request.info.mass;
  return {static_cast<std::size_t>(std::ranges::max_element(mass) - mass.begin())};
}

inline std::size_t observer(const ChartRequest& request) {
  const Value* from = request.keys->find("from");
  return from == nullptr ? 0 : body_named(request, "from", text_of(*from));
}

/// The selected bodies without the observer.
inline std::vector<std::size_t> seen_from(const ChartRequest& request, std::size_t from, std::size_t most) {
  std::vector<std::size_t> bodies = selected_bodies(request, most + 1);
  std::erase(bodies, from);
  if (bodies.size() > most) bodies.resize(most);
  return bodies;
}

/// Position of a body relative to the observer, in the nearest periodic image; and velocity, 0 if frames have none.
struct Sight {
  render::Place r{}, v{};
};
inline Sight sight(const render::RunInfo& info, const sim::Snapshot& at, std::size_t from, std::size_t body) {
  const auto difference = [&](const sim::Vectors& of) {
    return render::Place{of.x[body] - of.x[from], of.y[body] - of.y[from], of.z[body] - of.z[from]};
  };
  Sight seen{.r = difference(at.position)};
  for (std::size_t k = 0; k < 3; ++k) seen.r[k] = render::nearest(seen.r[k], info.bounds.period(k));
  if (!at.velocity.x.empty()) seen.v = difference(at.velocity);
  return seen;
}

}  // namespace orrery::pipeline
