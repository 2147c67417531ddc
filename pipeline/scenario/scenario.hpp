// SPDX-License-Identifier: MIT
// A scenario: what a TOML file says, checked key by key; and the set-up that follows from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/schedule.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/scenario/units.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/backend.hpp"
#include "sim/initial_state.hpp"
#include "sim/integrator.hpp"
#include "sim/simulation.hpp"

namespace orrery::sim {
struct ForceSolver;
}

namespace orrery::pipeline {

/// One [[initial]] or [[force]]: which plug-in, and its values.
template <class Plugin>
struct Choice {
  const Plugin* plugin;
  Section section;
};

/// Everything a scenario file says about the run. Figures and films are read by pictures.hpp from `document`.
struct Scenario {
  std::string text;  ///< the TOML, verbatim
  std::vector<std::string> overrides;
  Document document;
  Section top;
  const Units* units;
  std::vector<Choice<sim::InitialState>> initial;
  std::vector<Section> perturbations;
  std::vector<Choice<sim::ForceLaw>> forces;  ///< those of pairs; gravity where the file names none
  std::vector<Choice<sim::FieldLaw>> fields;  ///< in the order of the file
  Choice<sim::Integrator> integrator;
  Section domain, backend, trajectory, observables;

  [[nodiscard]] const std::string& title() const { return top->text("title"); }
};

/// Reads a scenario. Its name stands in complaints, which are all Error with exit code 2; a CSV file that it names is looked
/// for beside it. A [sweep] stays unread: sweep.hpp makes the overrides of each member of it. In an archived one retired keys
/// are passed over (Document::notes), and constants of forces that it names count more than those of its units.
Scenario parse_scenario(const ScenarioText& source, std::vector<std::string> overrides = {});
Scenario parse_scenario(std::string text, const std::string& file, std::vector<std::string> overrides = {});
Scenario read_scenario(const std::filesystem::path& file, std::vector<std::string> overrides = {});

/// The scenario that a trajectory was made from; `file` names it in complaints.
Scenario scenario_of(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                     std::vector<std::string> overrides = {});

/// What a scenario comes to, with every duration resolved: bodies at t = 0, the step, how many, and when to look.
struct Setup {
  sim::Domain domain{};
  sim::Bodies bodies;
  std::vector<std::string> components;
  double G;          ///< of the external fields
  double timescale;  ///< 0: none
  std::string timescale_name;
  double dt;  ///< below 0: the run goes backward, and its times fall
  std::int64_t steps;
  double accuracy;  ///< the integrator's own key; 0: it has none, or takes steps of dt
  Schedule frames, observations;
  std::vector<std::int64_t> kept;  ///< bodies that frames keep, ascending; empty: all
  /// What was taken from every position and velocity to put the centre of mass to rest at the origin; 0 where it was there
  /// but for rounding.
  sim::Vec3 moved{}, slowed{};

  [[nodiscard]] double end() const { return static_cast<double>(steps) * dt; }
  /// The next step after `step` at which there is something to keep; the last step is always one.
  [[nodiscard]] std::int64_t next_look(std::int64_t step) const {
    return std::min({frames.from(step + 1), observations.from(step + 1), steps});
  }
};

Setup set_up(const Scenario& scenario);

/// Whether the scenario says when frames are kept.
bool says_frames(const Scenario& scenario);

/// Where neither `scenario` nor that of the file of this record says when frames are kept, and an earlier version began the
/// file, which took 600 of them whatever the steps: makes `setup` keep those.
void keep_frames_of(const RunRecord& record, const Scenario& scenario, Setup& setup);

/// What pictures of it will count with, as its file keeps it.
InitialFacts initial_facts(const Scenario& scenario, const Setup& setup);

/// What its file keeps of every frame, and how often it is made safe.
TrajectoryOptions trajectory_options(const Scenario& scenario, const Setup& setup);
/// Of one evaluation of the forces, as their solver counts its work; and those of the whole run.
double interactions_of_an_evaluation(const Scenario& scenario, const Setup& setup);
double interactions(const Scenario& scenario, const Setup& setup);

/// What acts on bodies: the [[force]] tables of a scenario and its units. Forces of pairs come first, gravity where none is named.
struct Forces {
  const Units* units;
  std::vector<Choice<sim::ForceLaw>> pairs;
  std::vector<Choice<sim::FieldLaw>> fields;
};
/// Reads nothing else of the document: a run can be drawn whatever its bodies began as. Throws Error, exit code 2.
Forces read_forces(const Document& document, bool archived);

/// Forces between bodies. Throws Error, exit code 2, where one cannot act on them; `set_up` has asked.
std::vector<sim::PairForce> pair_forces(const std::vector<Choice<sim::ForceLaw>>& forces, const sim::Bodies& bodies);
/// External fields, where the gravitational constant is G.
std::vector<sim::ExternalField> external_fields(const std::vector<Choice<sim::FieldLaw>>& fields, double G);

/// The solver of its forces of pairs: that which it names, else cells for a law with a cutoff and all pairs for others.
const sim::ForceSolver& solver_of(const Scenario& scenario);

/// The system that a backend starts from.
sim::System make_system(const Scenario& scenario, const Setup& setup);

/// A run of it from the start, on a backend made with that system.
sim::Simulation simulation_of(const Scenario& scenario, const Setup& setup, sim::Backend& backend);

/// The whole scenario with every default written out, as TOML. Bodies of a table stand there by their source and hash: with
/// them it reads back the same.
std::string resolved(const Scenario& scenario);
/// Those of its keys that decide the bits of the trajectory and what is kept of it, by their dotted names.
std::map<std::string, std::string> physics(const Scenario& scenario, const Setup& setup);
/// The same without making its bodies, of a run whose steps are known. `frames` is the number of them as a text.
struct KnownSteps {
  double G;  ///< of the external fields
  double dt;
  std::int64_t steps;
  std::string frames;
};
std::map<std::string, std::string> physics(const Scenario& scenario, const KnownSteps& known);

/// The description of the keys of a section that do not belong to a plug-in; "" is the top of the file.
std::span<const Parameter> section_keys(std::string_view section);

}  // namespace orrery::pipeline
