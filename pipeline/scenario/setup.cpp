// SPDX-License-Identifier: MIT
// From a scenario to bodies, whole steps and schedules.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pipeline/scenario/duration.hpp"
#include "pipeline/scenario/kept_bodies.hpp"
#include "pipeline/scenario/perturb.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/schedule_keys.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::int64_t usual_frames = 600;

/// The constant of a force: the key's value, unless units decided it.
double coupling(const Scenario& scenario, const Choice<sim::ForceLaw>& force) {
  const std::string_view key = force.plugin->coupling;
  return force.section->has(key) ? force.section->number(key) : scenario.units->coupling(key).value();
}

/// That of gravity, which external fields count with even where the bodies have another force between them.
double gravitational_constant(const Scenario& scenario) {
  const auto& force = scenario.forces.front();
  return force.plugin->coupling == "G" ? coupling(scenario, force) : scenario.units->G;
}

/// What masses attract each other with, which orbits are made for: nothing where charges do.
double attraction(const Scenario& scenario) {
  const auto& force = scenario.forces.front();
  return force.plugin->coupling == "k" ? 0 : coupling(scenario, force);
}

std::vector<sim::ExternalField> external_fields(const Scenario& scenario, double G) {
  std::vector<sim::ExternalField> fields;
  for (const auto& choice : scenario.fields)
    fields.push_back({choice.plugin, choice.plugin->numbers(choice.section.values(), G)});
  return fields;
}

sim::InitialConditions make(const Choice<sim::InitialState>& choice, const sim::Environment& environment) {
  try {
    return choice.plugin->make(choice.section.values(), environment);
  } catch (const ArgumentError& error) {
    choice.section.complain(error.name(), error.what());
  }
}

/// `plugin`'s own key of that name means something else.
bool has_own(const Choice<sim::InitialState>& choice, std::string_view key) {
  return std::ranges::find(choice.plugin->parameters, key, &Parameter::name) != choice.plugin->parameters.end();
}

void append(sim::Vectors& to, const sim::Vectors& from, const std::vector<double>& shift) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    to.push_back(from.x[i] + shift[0], from.y[i] + shift[1], from.z[i] + shift[2]);
  }
}

/// Puts one list behind the other where either has entries; `n` and `more` are the bodies of each.
template <class T>
void append(std::vector<T>& to, std::size_t n, const std::vector<T>& from, std::size_t more) {
  if (to.empty() && from.empty()) return;
  to.resize(n);
  to.insert(to.end(), from.begin(), from.end());
  to.resize(n + more);
}

/// Adds the bodies of one [[initial]], moved to their place; their species, where they have several, begin at
/// `species`.
void add(sim::Bodies& all, const sim::Bodies& some, const Choice<sim::InitialState>& choice, std::int32_t species) {
  const std::vector<double> none{0, 0, 0};
  append(all.position, some.position, choice.section->numbers("offset"));
  append(all.velocity, some.velocity, has_own(choice, "velocity") ? none : choice.section->numbers("velocity"));
  append(all.names, all.size(), some.names, some.size());
  append(all.charge, all.size(), some.charge, some.size());
  all.mass.insert(all.mass.end(), some.mass.begin(), some.mass.end());
  for (std::size_t i = 0; i < some.size(); ++i)
    all.species.push_back(species + (some.species.empty() ? 0 : some.species[i]));
}

/// What the species of one [[initial]] are called: by its `component`, and by names of their own where it has several.
void name_components(std::vector<std::string>& components, const std::vector<std::string_view>& own,
                     const Choice<sim::InitialState>& choice) {
  const std::string given = choice.section->has("component") ? choice.section->text("component") : "";
  if (own.empty()) components.push_back(given.empty() ? std::string(choice.plugin->name) : given);
  for (const std::string_view name : own)
    components.push_back(given.empty() ? std::string(name) : fmt::format("{} {}", given, name));
}

/// `seen` are the names of the bodies before these.
void refuse_double_names(const sim::Bodies& bodies, const Section& section, std::set<std::string>& seen) {
  for (std::size_t i = 0; i < bodies.names.size(); ++i) {
    const std::string& name = bodies.names[i];
    if (name.empty() || seen.insert(name).second) continue;
    section.complain(fmt::format("bodies[{}]", i), fmt::format("two bodies are named \"{}\"", name));
  }
}

/// The bodies of all [[initial]] tables, and the first timescale that one of them knows.
void make_bodies(const Scenario& scenario, Setup& setup) {
  bool to_centre = true;
  std::uint32_t stream = 0;
  std::set<std::string> names;
  const auto fields = external_fields(scenario, setup.G);
  for (const auto& choice : scenario.initial) {
    const auto seed = static_cast<std::uint64_t>(scenario.top->integer("seed"));
    const auto& offset = choice.section->numbers("offset");
    const auto made = make(choice, {.G = attraction(scenario),
                                    .random = sim::Random(seed, stream++),
                                    .softening = scenario.forces.front().section->number("softening"),
                                    .fields = fields,
                                    .origin = {offset[0], offset[1], offset[2]}});
    refuse_double_names(made.bodies, choice.section, names);
    add(setup.bodies, made.bodies, choice, static_cast<std::int32_t>(setup.components.size()));
    name_components(setup.components, made.components, choice);
    if (setup.timescale == 0) {
      setup.timescale = made.timescale;
      setup.timescale_name = made.timescale_name;
    }
    // A fixed field says where things are: unless asked to, nothing moves away from there.
    const bool asked = choice.section->has("recentre") ? choice.section->boolean("recentre") : fields.empty();
    to_centre = to_centre && asked;
  }
  if (to_centre) recentre(setup.bodies);
  perturb(setup.bodies, scenario.perturbations);
}

}  // namespace

Setup set_up(const Scenario& scenario) {
  Setup setup{.bodies = {},
              .components = {},
              .G = gravitational_constant(scenario),
              .timescale = 0,
              .timescale_name = "",
              .dt = 0,
              .steps = 0,
              .accuracy = scenario.integrator.plugin->accuracy(scenario.integrator.section.values()),
              .frames = {Evenly{1}, 0},
              .observations = {Evenly{1}, 0},
              .kept = {}};
  make_bodies(scenario, setup);
  setup.kept = kept_bodies(scenario.trajectory, setup.bodies, setup.components);
  (void)pair_forces(scenario, setup);

  const Section& integrator = scenario.integrator.section;
  setup.dt = time_of(integrator, "dt", setup.timescale);
  if (setup.dt != 0 && !std::isnormal(setup.dt))
    integrator.complain("dt", "`dt` is too small for a double to hold all its digits");
  if (setup.dt == 0) integrator.complain("dt", "`dt` must not be 0: above it a run goes forward, below it backward");
  if (integrator.given("steps")) {
    setup.steps = integrator->integer("steps");
  } else {
    setup.steps = whole_steps(integrator, "time", time_of(integrator, "time", setup.timescale), setup.dt);
  }
  const Course course{setup.dt, setup.steps, setup.timescale};
  const Schedule usual(Evenly{std::min(usual_frames, setup.steps + 1)}, setup.steps);
  setup.frames = schedule_of(scenario.trajectory, "frames", course, usual);
  setup.observations = schedule_of(scenario.observables, "rows", course, setup.frames);
  return setup;
}

TrajectoryOptions trajectory_options(const Scenario& scenario, const Setup& setup) {
  const Section& trajectory = scenario.trajectory;
  return {.single_precision = trajectory->text("store") == "float32",
          .velocities = trajectory->boolean("velocities"),
          .bodies = setup.kept,
          .commit = trajectory->number("commit"),
          .sync = trajectory->number("sync")};
}

double interactions(const Scenario& scenario, const Setup& setup) {
  const auto n = static_cast<double>(setup.bodies.size());
  return n * n * static_cast<double>(setup.steps) * static_cast<double>(scenario.integrator.plugin->evaluations);
}

std::vector<sim::PairForce> pair_forces(const Scenario& scenario, const Setup& setup) {
  std::vector<sim::PairForce> forces;
  for (const auto& choice : scenario.forces) {
    const auto& [law, section] = choice;
    try {
      forces.push_back(sim::make_pair_force(*law, setup.bodies, section->number("softening"),
                                            coupling(scenario, choice), law->number(section.values())));
    } catch (const ArgumentError& error) {
      section.complain(error.name(), error.what());
    }
  }
  return forces;
}

sim::System make_system(const Scenario& scenario, const Setup& setup) {
  sim::System system;
  system.bodies = setup.bodies;
  system.forces = pair_forces(scenario, setup);
  system.fields = external_fields(scenario, setup.G);
  sim::make_room(system, *scenario.integrator.plugin);
  return system;
}

sim::Simulation simulation_of(const Scenario& scenario, const Setup& setup, sim::Backend& backend) {
  return {backend, *scenario.integrator.plugin, setup.dt, setup.accuracy, setup.bodies.names};
}

}  // namespace orrery::pipeline
