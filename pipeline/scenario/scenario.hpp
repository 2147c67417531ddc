// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/schedule.hpp"
#include "pipeline/scenario/schedule_keys.hpp"
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

/// One [[initial]], [[force]] or [integrator] table: the plug-in and its values.
template <class Plugin>
struct Choice {
  const Plugin* plugin;
  Section section;
};

/// The checked content of a scenario file, without figures and films: pictures.hpp reads those from `document`.
struct Scenario {
  std::string text;  ///< the TOML, verbatim
  std::vector<std::string> overrides;
  Document document;
  Section top;
  const Units* units;
  std::vector<Choice<sim::InitialState>> initial;
  std::vector<Section> perturbations;
  std::vector<Choice<sim::ForceLaw>> forces;  ///< pair forces; default: gravity
  std::vector<Choice<sim::FieldLaw>> fields;  ///< in the order of the file
  Choice<sim::Integrator> integrator;
  Section domain, backend, trajectory, observables;

  [[nodiscard]] const std::string& title() const { return top->text("title"); }
};

/// Reads and checks a scenario. `overrides` are the arguments of --set. Throws Error, exit code 2, with the position in the
/// file. Paths of CSV files are relative to the folder of the scenario. [sweep] is not read: sweep.hpp turns it into the overrides
/// of each member. An archived scenario may have figures that this version does not know.
Scenario parse_scenario(const ScenarioText& source, std::vector<std::string> overrides = {});
Scenario parse_scenario(std::string text, const std::string& file, std::vector<std::string> overrides = {});

/// The scenario of the run in `trajectory`; `file` is its name in error messages.
Scenario scenario_of(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                     std::vector<std::string> overrides = {});

/// A scenario ready to run: bodies at t = 0, time step, number of steps and output schedules.
struct Setup {
  sim::Domain domain{};
  sim::Bodies bodies;
  std::vector<std::string> components;
  double G;          ///< used by external fields
  double timescale;  ///< of the initial state; 0: it has none
  std::string timescale_name;
  double dt;  ///< < 0: the run goes backward in time; of the grid of outputs, if the scenario has none
  std::int64_t steps;
  double accuracy;  ///< tolerance of an adaptive integrator; 0: steps of dt
  Schedule frames, observations;
  std::vector<std::size_t> first_bodies{};      ///< index of the first body of each [[initial]]
  Adjusted adjusted_frames{}, adjusted_rows{};  ///< where the schedules are not as written
  double interactions = 0;                      ///< of pairs in one evaluation of the forces, as counted by the solver
  bool rounded_end = false;                     ///< `time` is no whole number of steps
  std::vector<std::string> notes{};             ///< what is not as written, a line each
  std::vector<std::int64_t> kept;               ///< sorted indices of the bodies in each frame; empty: all
  /// Position and velocity of the centre of mass, which were subtracted from all bodies; 0 if that changed only rounding.
  sim::Vec3 moved{}, slowed{};
  /// The initial state that is meant to make the whole stationary: no other one is beside it, or only about the same centre.
  std::string equilibrium{};

  [[nodiscard]] double end() const { return static_cast<double>(steps) * dt; }
  /// The first step after `step` with a frame or a row of observables, or the last step of the run.
  [[nodiscard]] std::int64_t next_output_step(std::int64_t step) const {
    return std::min({frames.from(step + 1), observations.from(step + 1), steps});
  }
};

/// Makes the bodies and resolves all times. Throws Error, exit code 2.
Setup set_up(const Scenario& scenario);

/// Where body i is listed, "file:line:column"; "" if no list of the scenario has it. `first_bodies` are those of Setup.
std::string where_body(const Scenario& scenario, const std::vector<std::size_t>& first_bodies, std::size_t i);

/// Whether [trajectory] has `frames`, `every` or `times`.
bool sets_frames(const Scenario& scenario);

/// The facts about the initial state that the trajectory file stores for pictures.
InitialFacts initial_facts(const Scenario& scenario, const Setup& setup);

/// What the trajectory file stores of each frame, and how often it is committed and synchronised.
TrajectoryOptions trajectory_options(const Scenario& scenario, const Setup& setup);
/// Pair interactions in the whole run.
double interactions(const Scenario& scenario, const Setup& setup);

/// The [[force]] tables of a scenario and its units. Without a pair force, `pairs` holds gravity.
struct Forces {
  const Units* units;
  std::vector<Choice<sim::ForceLaw>> pairs;
  std::vector<Choice<sim::FieldLaw>> fields;
};
/// Reads only [[force]] and `units`, so that a run can be drawn even if its [[initial]] is no longer valid. Throws Error, exit
/// code 2.
Forces read_forces(const Document& document);

/// Throws Error, exit code 2, if a force cannot act on these bodies; after `set_up` it cannot. `where` returns the place of a
/// body; without it, that of the force is named.
std::vector<sim::PairForce> pair_forces(const std::vector<Choice<sim::ForceLaw>>& choices, const sim::Bodies& bodies,
                                        const std::function<std::string(std::size_t)>& where = {});
/// `G` is the gravitational constant.
std::vector<sim::ExternalField> external_fields(const std::vector<Choice<sim::FieldLaw>>& choices, double G);

/// The solver for pair forces: the key `method`, else that of the law.
const sim::ForceSolver& solver_of(const Scenario& scenario);
/// Sets the solver of a system, the values of its parameters, and what the integrator needs.
void choose_methods(const Scenario& scenario, sim::System& system);
/// Throws Error, exit code 2, at the key for which the solver refuses a system.
void refuse_unsolvable(const Scenario& scenario, const sim::System& system);
/// The precision of pair forces that [backend] asks for.
sim::Precision precision_of(const Section& backend);

/// The initial state of a backend.
sim::System make_system(const Scenario& scenario, const Setup& setup);

/// A simulation from t = 0 on a backend made from make_system().
sim::Simulation simulation_of(const Scenario& scenario, const Setup& setup, sim::Backend& backend);

/// The scenario as TOML with all defaults. Listed bodies are replaced by their source and hash; given these bodies, it reads
/// back the same.
std::string resolved(const Scenario& scenario);
/// The same with the schedules as `setup` adjusted them.
std::string resolved(const Scenario& scenario, const Setup& setup);
/// The keys that determine the bits and the content of the trajectory: dotted name → value as TOML.
std::map<std::string, std::string> physics(const Scenario& scenario, const Setup& setup);
/// The same without a Setup. `frames` is the number of frames as TOML.
struct KnownSteps {
  double G;  ///< used by external fields
  double dt;
  std::int64_t steps;
  std::string frames;
};
std::map<std::string, std::string> physics(const Scenario& scenario, const KnownSteps& known);

/// The keys of a section that all its plug-ins share; "" is the top of the file.
std::span<const Parameter> section_keys(std::string_view section);

/// The tables that can hold `key`: "belongs to [integrator]", "belongs at the top of the file, before the first table",
/// "belongs to [initial] with kind = \"plummer\"" if only some kinds have the key; "" if none. `within` is the table in which the key
/// was found; "" is the top.
std::string where_key_belongs(std::string_view key, std::string_view within);

}  // namespace orrery::pipeline
