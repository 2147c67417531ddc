// SPDX-License-Identifier: MIT
#include "sim/model.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "sim/ranks/message.hpp"

namespace orrery::sim {
namespace {

template <class Plugin>
void add(MessageWriter& to, const Chosen<Plugin>& choice) {
  to(choice.plugin);
  for (const auto& [key, value] : choice.values) {
    to(key)(value.index());
    std::visit(
        [&]<class T>(const T& x) {  // laws have neither tables nor columns
          if constexpr (!std::is_same_v<T, std::vector<Arguments>> && !std::is_same_v<T, SharedColumns>) to(x);
        },
        value);
  }
}

/// All bits of a model.
MessageWriter bits_of(const Model& model) {
  MessageWriter to;
  const auto& [mass, charge, radius, position, velocity, species, names] = model.bodies;
  to(model.units)(model.G)(model.domain.dimensions)(model.domain.boundary)(model.domain.low)(model.domain.edges);
  to(mass)(charge)(radius)(position)(velocity)(species)(names)(model.components);
  add(to, model.force);
  to(model.fields.size());
  for (const auto& field : model.fields) add(to, field);
  to(model.solver)(model.solver_values.size());
  for (const auto& value : model.solver_values) to(value.has_value())(value.value_or(0));
  return to(model.integrator)(model.keys)(model.dt)(model.steps)(model.precision);
}

}  // namespace

bool same(const Model& a, const Model& b) {
  const MessageWriter of_a = bits_of(a), of_b = bits_of(b);
  return std::ranges::equal(of_a.bytes(), of_b.bytes());
}

std::vector<ExternalField> fields_of(const Model& model) {
  std::vector<ExternalField> fields;
  for (const auto& [law, values] : model.fields) fields.push_back({law, law->parameters_of(values, model.G)});
  return fields;
}

System system_of(const Model& model, Bodies bodies) {
  System system;
  system.forces.push_back(make_pair_force(*model.force.plugin, bodies, model.force.values));
  system.bodies = std::move(bodies);
  system.fields = fields_of(model);
  system.domain = model.domain;
  system.solver = model.solver;
  system.solver_values = model.solver_values;
  if (model.integrator != nullptr) add_requirements(system, *model.integrator);
  return system;
}

Model first_bodies(const Model& model, std::size_t n) {
  Model some = model;
  n = std::min(n, model.bodies.size());
  Bodies& bodies = some.bodies;
  bodies.mass.resize(n);
  if (!bodies.charge.empty()) bodies.charge.resize(n);
  if (!bodies.radius.empty()) bodies.radius.resize(n);
  bodies.species.resize(n);
  bodies.names.clear();
  for (Vectors* v : {&bodies.position, &bodies.velocity}) {
    for (auto* axis : {&v->x, &v->y, &v->z}) axis->resize(n);
  }
  return some;
}

}  // namespace orrery::sim
