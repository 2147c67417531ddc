// SPDX-License-Identifier: MIT
// How much work a run is, in the words of the solver of its forces.
#include "pipeline/scenario/scenario.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {

double interactions_of_an_evaluation(const Scenario& scenario, const Setup& setup) {
  const sim::System system = make_system(scenario, setup);
  return sim::solver_of(system).interactions(system);
}

double interactions(const Scenario& scenario, const Setup& setup) {
  return interactions_of_an_evaluation(scenario, setup) * static_cast<double>(setup.steps) *
         static_cast<double>(scenario.integrator.plugin->evaluations);
}

}  // namespace orrery::pipeline
