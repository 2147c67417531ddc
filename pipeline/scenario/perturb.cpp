// SPDX-License-Identifier: MIT
#include "pipeline/scenario/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::pipeline {
namespace {

/// The index of the body that key `body` names or counts from 0.
std::size_t body_of(const Section& table, const sim::Bodies& bodies) {
  const Value& body = *table->find("body");
  if (const auto* name = std::get_if<std::string>(&body)) {
    const auto named = std::ranges::find(bodies.names, *name);
    if (!name->empty() && named != bodies.names.end()) return static_cast<std::size_t>(named - bodies.names.begin());
    const std::vector<std::string_view> names(bodies.names.begin(), bodies.names.end());
    table.complain("body", fmt::format("no body is named \"{}\"{}; give a name, or an index: body = 0", *name,
                                       suggestion(*name, names)));
  }
  const double number = std::get<double>(body);
  if (number != std::floor(number) || number < 0 || number >= static_cast<double>(bodies.size())) {
    table.complain("body",
                   fmt::format("there is no body {}: indices are 0 to {}", shortest_text(number), bodies.size() - 1));
  }
  return static_cast<std::size_t>(number);
}

void add(sim::Vectors& to, std::size_t i, const std::vector<double>& change) {
  to.x[i] += change[0];
  to.y[i] += change[1];
  to.z[i] += change[2];
}

}  // namespace

void perturb(sim::Bodies& bodies, const std::vector<Section>& tables) {
  for (const Section& table : tables) {
    const std::size_t i = body_of(table, bodies);
    if (!table->has("position") && !table->has("velocity") && !table->has("mass"))
      table.complain("body", "[[perturb]] changes nothing: give `position`, `velocity` or `mass`");
    if (table->has("position")) add(bodies.position, i, table->numbers("position"));
    if (table->has("velocity")) add(bodies.velocity, i, table->numbers("velocity"));
    if (!table->has("mass")) continue;
    const double mass = bodies.mass[i] + table->number("mass");
    if (mass < 0) {
      table.complain("mass",
                     fmt::format("`mass` is added to that of the body, {}, which would become {}: add at least {}",
                                 bodies.mass[i], mass, -bodies.mass[i]));
    }
    bodies.mass[i] = mass;
  }
}

}  // namespace orrery::pipeline
