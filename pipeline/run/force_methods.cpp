// SPDX-License-Identifier: MIT
#include "pipeline/run/force_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/seconds_of.hpp"
#include "common/thread_pool.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t sample = 500;
/// With fewer bodies an approximate method is hardly faster.
constexpr std::size_t min_bodies = 2000;

}  // namespace

double evaluation_seconds(sim::Backend& backend) {
  const sim::Vectors position = backend.download(sim::Column::position);
  double seconds = 0;
  for (int k = 0; k < 2; ++k) {
    backend.upload(sim::Column::position, position);
    wait_for(backend, sim::Column::position);
    seconds = seconds_of([&] {
      backend.accelerate();
      wait_for(backend, sim::Column::acceleration);
    });
  }
  return seconds;
}

std::string to_text(const sim::ForceErrors& errors) {
  return fmt::format("median {:.1e}, 99 % {:.1e}, greatest {:.1e} of {} bodies", errors.median, errors.of_99,
                     errors.greatest, errors.bodies);
}

std::optional<sim::ForceErrors> force_errors(const sim::Model& model, sim::Backend& backend) {
  if (!model.solver->is_approximate() || model.bodies.size() == 0) return std::nullopt;
  backend.accelerate();
  sim::Vectors a = backend.download(sim::Column::acceleration);
  const sim::Vectors x = backend.download(sim::Column::position);
  const sim::System system = sim::system_of(model);
  // External fields are no part of the error.
  for (const sim::ExternalField& field : system.fields) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const sim::Vec3 g = field.law->acceleration(field.parameters, {x.x[i], x.y[i], x.z[i]});
      a.x[i] -= g.x, a.y[i] -= g.y, a.z[i] -= g.z;
    }
  }
  return sim::errors_of_sample(system, x, a, sample, loop_threads());
}

std::optional<sim::ForceErrors> force_errors_at_the_end(const TrajectoryReader& trajectory,
                                                        const std::filesystem::path& file) {
  const auto provenance = trajectory.record().provenance.find("force_error_start");
  const auto state = trajectory.restart();
  if (provenance == trajectory.record().provenance.end() || !state) return std::nullopt;
  const sim::Model model = set_up(scenario_of(trajectory, file, {})).model;
  const auto cpu = sim::make_cpu_backend(sim::system_of(model), loop_threads(), 0);
  cpu->upload(sim::Column::position, state->position);
  return force_errors(model, *cpu);
}

std::optional<OtherMethod> other_method(const sim::Model& model, const std::string& kind, sim::BackendOptions options,
                                        MostBodies most) {
  const bool approximate = !model.solver->is_approximate();
  const std::size_t n = model.bodies.size();
  const std::size_t measured = std::min(n, approximate ? most.approximate : most.exact);
  const double scale = static_cast<double>(n) / static_cast<double>(measured);
  sim::System system = sim::system_of(measured < n ? sim::first_bodies(model, measured) : model);
  if (n < min_bodies || system.forces.empty()) return {};
  system.solver_values.clear();
  const auto solvers = sim::force_solvers();
  const auto found = std::ranges::find_if(solvers, [&](const sim::ForceSolver* solver) {
    return solver->is_approximate() == approximate && (kind != "cuda" || solver->on_cuda != nullptr) &&
           sim::refusal_of(*solver, system, sim::Precision::float64).why.empty();
  });
  if (found == solvers.end()) return {};
  const sim::ForceSolver& other = **found;
  system.solver = &other;
  options.precision = sim::Precision::float64;
  system.fields.clear();
  const auto backend = sim::make_backend(kind_named(kind), system, options);
  OtherMethod result{
      std::string(other.name), (other.linear ? scale : scale * scale) * evaluation_seconds(*backend), {}};
  if (approximate) {
    result.errors = sim::errors_of_sample(system, system.bodies.position, backend->download(sim::Column::acceleration),
                                          sample, options.threads);
  }
  return result;
}

}  // namespace orrery::pipeline
