// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "sim/backend.hpp"
#include "sim/integrator.hpp"
#include "sim/units.hpp"

namespace orrery::sim {

class PlugIns;  // sim/foreign.hpp

/// A plug-in and the values of its parameters.
template <class Plugin>
struct Chosen {
  const Plugin* plugin = nullptr;
  Arguments values{};
};

/// Everything that determines the bits of a run, and nothing else. Plain values: whoever has one can run it.
struct Model {
  const Units* units = all_units().data();
  double G = 1;  ///< gravitational constant, of external fields too
  Domain domain{};
  Bodies bodies{};                        ///< at t = 0
  std::vector<std::string> components{};  ///< names of the species of the bodies
  Chosen<ForceLaw> force{};               ///< between pairs
  std::vector<Chosen<FieldLaw>> fields{};
  const ForceSolver* solver = nullptr;  ///< of the pair force
  SolverValues solver_values{};
  const Integrator* integrator = nullptr;
  KeyValues keys{};  ///< values of its parameters
  double dt = 0;     ///< < 0: the run goes backward in time; of the grid of outputs, if the steps are adaptive
  std::int64_t steps = 0;
  Precision precision = Precision::float64;  ///< of the pair force
  std::shared_ptr<const PlugIns>
      plug_ins{};  ///< no value: keeps those of these plug-ins that are foreign; null: there are none

  [[nodiscard]] double end() const { return static_cast<double>(steps) * dt; }
  /// The accuracy of adaptive steps; 0 for fixed steps of dt.
  [[nodiscard]] double accuracy() const { return integrator->advance_to == nullptr ? 0 : keys.at.front(); }
  /// Of the pair force, whose attraction is by masses or by something else.
  [[nodiscard]] double coupling() const { return force.values.number(force.plugin->coupling_key); }
  /// G if the pair force attracts by mass, else 0.
  [[nodiscard]] double attraction() const { return force.plugin->attracts_by_mass ? coupling() : 0; }
  [[nodiscard]] bool is_newtonian() const {
    return sim::is_newtonian(*force.plugin, force.plugin->parameters_of(force.values));
  }
};

/// Whether all values are the same bits: −0 differs from 0.
bool same(const Model& a, const Model& b);

/// The external fields with their numbers.
std::vector<ExternalField> fields_of(const Model& model);
/// What a backend is made from. Throws ArgumentError or BodyArgumentError if the pair force does not fit the bodies.
System system_of(const Model& model, Bodies bodies);
inline System system_of(const Model& model) {
  return system_of(model, model.bodies);
}
/// The model with only its first n bodies, without their names.
Model first_bodies(const Model& model, std::size_t n);

}  // namespace orrery::sim
