// SPDX-License-Identifier: MIT
#include "pipeline/run/force_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/usable_threads.hpp"
#include "pipeline/run/backend_choice.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/solvers/direct/direct.hpp"
#include "sim/solvers/tree/tree.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t sample = 500;
/// With fewer bodies the tree is hardly faster.
constexpr std::size_t least_bodies = 2000;

}  // namespace

double evaluation_seconds(sim::Backend& backend) {
  const sim::Vectors position = backend.download(sim::Column::position);
  double seconds = 0;
  for (int k = 0; k < 2; ++k) {
    backend.upload(sim::Column::position, position);
    wait_for(backend, sim::Column::position);
    const auto begin = std::chrono::steady_clock::now();
    backend.accelerate();
    wait_for(backend, sim::Column::acceleration);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return seconds;
}

std::string in_words(const sim::ForceErrors& errors) {
  return fmt::format("median {:.1e}, 99 % {:.1e}, greatest {:.1e} of {} bodies", errors.median, errors.of_99,
                     errors.greatest, errors.bodies);
}

std::optional<sim::ForceErrors> force_errors(const Scenario& scenario, const Setup& setup, sim::Backend& backend) {
  if (solver_of(scenario).name != sim::tree_solver.name || setup.bodies.size() == 0) return std::nullopt;
  backend.accelerate();
  sim::Vectors a = backend.download(sim::Column::acceleration);
  const sim::Vectors x = backend.download(sim::Column::position);
  sim::System system = make_system(scenario, setup);
  // External fields are no part of the error.
  for (const sim::ExternalField& field : system.fields) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const sim::Vec3 g = field.law->acceleration(field.numbers, {x.x[i], x.y[i], x.z[i]});
      a.x[i] -= g.x, a.y[i] -= g.y, a.z[i] -= g.z;
    }
  }
  return sim::errors_of_sample(system, x, a, sample, usable_threads());
}

std::optional<sim::ForceErrors> force_errors_at_the_end(const TrajectoryReader& trajectory,
                                                        const std::filesystem::path& file) {
  const auto provenance = trajectory.record().provenance.find("force_error_start");
  const auto state = trajectory.restart();
  if (provenance == trajectory.record().provenance.end() || !state) return std::nullopt;
  const Scenario scenario = scenario_of(trajectory, file, {});
  const Setup setup = set_up(scenario);
  const auto cpu = sim::make_cpu_backend(make_system(scenario, setup), usable_threads(), 0);
  cpu->upload(sim::Column::position, state->position);
  return force_errors(scenario, setup, *cpu);
}

std::optional<OtherMethod> other_method(const Scenario& scenario, const Setup& setup, const std::string& kind,
                                        MostBodies most) {
  const bool is_tree = solver_of(scenario).name == sim::tree_solver.name;
  const std::size_t n = setup.bodies.size();
  const std::size_t measured = std::min(n, is_tree ? most.direct : most.tree);
  const double scale = static_cast<double>(n) / static_cast<double>(measured);
  sim::System system = make_system(scenario, measured < n ? sample_of(setup, measured) : setup);
  const sim::ForceSolver& other = is_tree ? sim::direct_solver : sim::tree_solver;
  system.solver = &other;
  if (n < least_bodies || system.forces.empty() || !other.refusal(system, sim::Precision::float64).empty()) return {};
  if (!is_tree) system.tree = sim::tree_parameters(sim::default_tree_accuracy);
  sim::BackendOptions options = options_of(scenario.backend);
  options.precision = sim::Precision::float64;
  if (kind == "cuda" && other.on_cuda == nullptr) return {};
  system.fields.clear();
  const auto backend = sim::make_backend(kind_named(kind), system, options);
  OtherMethod result{std::string(other.name), (is_tree ? scale * scale : scale) * evaluation_seconds(*backend), {}};
  if (!is_tree) {
    result.errors = sim::errors_of_sample(system, system.bodies.position, backend->download(sim::Column::acceleration),
                                          sample, options.threads);
  }
  return result;
}

}  // namespace orrery::pipeline
