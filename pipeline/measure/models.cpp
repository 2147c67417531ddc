// SPDX-License-Identifier: MIT
#include "pipeline/measure/models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/boundaries/list.hpp"
#include "sim/integrators/splitting.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

Arguments with_defaults(std::span<const Parameter> parameters, const Arguments& given) {
  return section_of({given, "measurement"}, "measurement", {parameters.begin(), parameters.end()}).values();
}

}  // namespace

sim::Model model_without_bodies(const sim::ForceLaw& law, const Arguments& of_law, const sim::Domain& domain) {
  return {.domain = domain,
          .force = {&law, with_defaults(law.parameters, of_law)},
          .solver = &sim::default_solver(law),
          .integrator = &sim::leapfrog,
          .dt = 1e-6,
          .steps = 1};
}

MadeModel with_bodies(sim::Model model, const sim::InitialState& state, const Arguments& of_state, bool recentred) {
  auto made = state.make(with_defaults(state.parameters, of_state), {.G = model.attraction(),
                                                                     .random = sim::Random(1, 0),
                                                                     .softening = sim::softening_in(model.force.values),
                                                                     .domain = model.domain});
  model.bodies = std::move(made.bodies);
  model.bodies.species.resize(model.bodies.size());
  model.components.assign(made.components.begin(), made.components.end());
  if (model.components.empty()) model.components.emplace_back(state.name);
  if (recentred && std::ranges::none_of(model.domain.boundary, &sim::Boundary::bounded)) sim::recentre(model.bodies);
  return {std::move(model), made.timescale};
}

sim::Model model_of(const sim::InitialState& state, std::size_t n, Arguments of_state, const sim::ForceLaw& law,
                    const Arguments& of_law, const sim::Domain& domain) {
  sim::Model model = model_without_bodies(law, of_law, domain);
  const double need = run_memory(model, {}, n), have = static_cast<double>(usable_memory());
  if (need > have) {
    throw Error(fmt::format("{} bodies need {} of memory, this machine has {}", n, in_bytes(need), in_bytes(have)),
                Fault::request);
  }
  of_state.set("n", static_cast<std::int64_t>(n));
  return with_bodies(std::move(model), state, of_state).model;
}

sim::Domain walled_plane(double edge) {
  return {.dimensions = 2,
          .boundary = {&sim::Reflecting::kind, &sim::Reflecting::kind, &sim::Open::kind},
          .edges = {edge, edge, 0}};
}

}  // namespace orrery::pipeline
