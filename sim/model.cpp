// SPDX-License-Identifier: MIT
#include "sim/model.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

namespace orrery::sim {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <class A, class B>
bool same(const A& a, const B& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return same(x, y); });
}

bool same(const Vectors& a, const Vectors& b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

bool same(const Bodies& a, const Bodies& b) {
  return same(a.mass, b.mass) && same(a.charge, b.charge) && same(a.position, b.position) &&
         same(a.velocity, b.velocity) && a.species == b.species && a.names == b.names;
}

bool same(const Value& a, const Value& b) {
  const auto of_type = [&]<class T>(const T& x) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::vector<double>>) {
      return same(x, std::get<T>(b));
    } else if constexpr (std::is_same_v<T, std::vector<Arguments>>) {
      return false;  // laws have no tables
    } else {
      return x == std::get<T>(b);
    }
  };
  return a.index() == b.index() && std::visit(of_type, a);
}

template <class Plugin>
bool same(const Chosen<Plugin>& a, const Chosen<Plugin>& b) {
  return a.plugin == b.plugin &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
}

bool same(const SolverValues& a, const SolverValues& b) {
  return std::ranges::equal(
      a, b, [](const auto& x, const auto& y) { return x.has_value() == y.has_value() && (!x || same(*x, *y)); });
}

}  // namespace

bool same(const Model& a, const Model& b) {
  return a.units == b.units && same(a.G, b.G) && a.domain.dimensions == b.domain.dimensions &&
         a.domain.boundary == b.domain.boundary && same(a.domain.low, b.domain.low) &&
         same(a.domain.edges, b.domain.edges) && same(a.bodies, b.bodies) && a.components == b.components &&
         same(a.force, b.force) &&
         std::ranges::equal(a.fields, b.fields, [](const auto& x, const auto& y) { return same(x, y); }) &&
         a.solver == b.solver && same(a.solver_values, b.solver_values) && a.integrator == b.integrator &&
         same(a.keys.at, b.keys.at) && same(a.dt, b.dt) && a.steps == b.steps && a.precision == b.precision;
}

std::vector<ExternalField> fields_of(const Model& model) {
  std::vector<ExternalField> fields;
  for (const auto& [law, values] : model.fields) fields.push_back({law, law->numbers(values, model.G)});
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
  bodies.species.resize(n);
  bodies.names.clear();
  for (Vectors* v : {&bodies.position, &bodies.velocity}) {
    for (auto* axis : {&v->x, &v->y, &v->z}) axis->resize(n);
  }
  return some;
}

}  // namespace orrery::sim
