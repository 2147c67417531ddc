// SPDX-License-Identifier: MIT
#include "sim/ranks/message.hpp"

#include <algorithm>

#include "sim/boundary.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {
namespace {

/// The index of a plug-in in its list; the length of the list if it is null.
template <class Plugin>
std::size_t index_in(std::span<const Plugin* const> list, const Plugin* one) {
  return static_cast<std::size_t>(std::ranges::find(list, one) - list.begin());
}
template <class Plugin>
const Plugin* at_index(std::span<const Plugin* const> list, std::size_t index) {
  return index < list.size() ? list[index] : nullptr;
}

}  // namespace

MessageWriter& write(MessageWriter& to, const System& system, const BackendOptions& options) {
  const Bodies& bodies = system.bodies;  // backends do not know their names
  to(bodies.mass)(bodies.charge)(bodies.position)(bodies.velocity)(bodies.species)(system.forces.size());
  for (const PairForce& force : system.forces) {
    to(index_in(force_laws(), force.law))(force.softening2)(force.parameters)(force.source)(force.target_factor);
  }
  to(system.fields.size());
  for (const ExternalField& field : system.fields) to(index_in(field_laws(), field.law))(field.parameters);
  to(system.scratch_columns)(system.jerk)(system.bath)(index_in(force_solvers(), system.solver))(system.solver_values);
  to(system.domain.dimensions)(system.domain.low)(system.domain.edges);
  for (const Boundary* boundary : system.domain.boundary) to(boundary_index(*boundary));
  return to(options.threads)(options.device)(options.helpers)(options.kernel)(options.precision);
}

void read(MessageReader& from, System& system, BackendOptions& options) {
  Bodies& bodies = system.bodies;
  from(bodies.mass)(bodies.charge)(bodies.position)(bodies.velocity)(bodies.species);
  system.forces.resize(from.next<std::size_t>());
  for (PairForce& force : system.forces) {
    force.law = at_index(force_laws(), from.next<std::size_t>());
    from(force.softening2)(force.parameters)(force.source)(force.target_factor);
  }
  system.fields.resize(from.next<std::size_t>());
  for (ExternalField& field : system.fields) {
    field.law = at_index(field_laws(), from.next<std::size_t>());
    from(field.parameters);
  }
  from(system.scratch_columns)(system.jerk)(system.bath);
  system.solver = at_index(force_solvers(), from.next<std::size_t>());
  from(system.solver_values)(system.domain.dimensions)(system.domain.low)(system.domain.edges);
  for (const Boundary*& boundary : system.domain.boundary) boundary = at_index(boundaries(), from.next<std::size_t>());
  std::string kernel;
  from(options.threads)(options.device)(options.helpers)(kernel)(options.precision);
  for (const BackendKind* kind : backend_kinds()) {
    const auto found = std::ranges::find(kind->kernels, kernel);
    if (found != kind->kernels.end()) options.kernel = *found;
  }
}

}  // namespace orrery::sim
