// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/calendar.hpp"
#include "pipeline/scenario/backend_request.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/schedule.hpp"
#include "pipeline/scenario/schedule_keys.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "sim/initial_state.hpp"
#include "sim/model.hpp"

namespace orrery::pipeline {

/// One [[initial]] table: the plug-in and its keys.
struct InitialTable {
  const sim::InitialState* plugin;
  Section section;
};

/// The tables of a scenario as written, with the locations of their keys: what is recorded of it, and where messages point.
/// Their values are in Scenario and Setup.
struct ScenarioTables {
  Section top;
  std::vector<InitialTable> initial;
  std::vector<Section> perturbations;
  Section force;                ///< between pairs; default: gravity
  std::vector<Section> fields;  ///< in the order of the file
  Section integrator, domain, backend, trajectory, observables;
};

/// The checked content of a scenario file, without figures and films: pictures.hpp reads those from `document`.
struct Scenario {
  std::string text;  ///< the TOML, verbatim
  std::vector<std::string> overrides;
  Document document;
  ScenarioTables tables;
  std::string title;
  std::string file;  ///< name of the trajectory in its folder
  std::uint64_t seed = 0;
  std::optional<Date> epoch{};  ///< date of t = 0
  sim::Model model;             ///< without bodies, steps and what follows from them: see set_up
  BackendRequest backend;
};

/// Reads and checks a scenario. `overrides` are the arguments of --set. Throws Error, Fault::request, with the position in the
/// file. Paths of CSV files are relative to the folder of the scenario. [sweep] is not read: sweep.hpp turns it into the overrides
/// of each member. An archived scenario may have figures that this version does not know.
Scenario parse_scenario(const ScenarioText& source, std::vector<std::string> overrides = {});
Scenario parse_scenario(std::string text, const std::string& file, std::vector<std::string> overrides = {});

/// The scenario of the run in `trajectory`; `file` is its name in error messages. `plug_ins`: see scenario_text.
Scenario scenario_of(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                     std::vector<std::string> overrides = {}, std::shared_ptr<const sim::PlugIns> plug_ins = {});

/// The date of t = 0. `epoch` of the table becomes its one form in TDB, so that two that are the same do not differ. Throws Error,
/// Fault::request.
std::optional<Date> epoch_of(Section& top);

/// What a run stores, and when.
struct OutputPlan {
  Schedule frames{Evenly{1}, 0}, rows{Evenly{1}, 0};
  TrajectoryOptions stored{};

  /// The first step after `step` with a frame or a row of observables, or `last`, the last step of the run.
  [[nodiscard]] std::int64_t next_step(std::int64_t step, std::int64_t last) const {
    return std::min({frames.from(step + 1), rows.from(step + 1), last});
  }
};

/// A scenario ready to run, and what was found on the way.
struct Setup {
  sim::Model model;
  OutputPlan output{};
  InitialFacts facts{};                     ///< what pictures need to know of the initial state
  double interactions = 0;                  ///< of pairs in one evaluation of the forces, as counted by the solver
  bool dt_of_outputs = false;               ///< the integrator chooses all steps, and dt is that of the outputs
  bool default_frames = false;              ///< the scenario does not say which frames to keep
  std::vector<std::size_t> first_bodies{};  ///< index of the first body of each [[initial]]
  Keys adjusted{};                          ///< keys of the schedules with other values than those written
  bool rounded_end = false;                 ///< `time` is no whole number of steps
  std::vector<std::string> notes{};         ///< what is not as written, a line each
  /// Position and velocity of the centre of mass, which were subtracted from all bodies; 0 if that changed only rounding.
  sim::Vec3 moved{}, slowed{};
  /// The initial state that is meant to make the whole stationary: no other one is beside it, or only about the same centre.
  std::string equilibrium{};

  /// Pair interactions in the whole run.
  [[nodiscard]] double work() const {
    return interactions * static_cast<double>(model.steps) * static_cast<double>(model.integrator->evaluations);
  }
};

/// Makes the bodies and resolves all times. Throws Error, Fault::request. `memory` returns the bytes that a run of so many bodies
/// needs; it is refused before they are made, if this machine has less.
Setup set_up(const Scenario& scenario, const std::function<double(std::size_t)>& memory = {});

/// Sets dt and steps of `model`. Returns false if dt is that of the outputs, because the integrator chooses all steps. `notes` gets
/// a line if `time` is no whole number of steps. Throws Error, Fault::request.
bool set_steps(const Scenario& scenario, const TimeUnits& units, sim::Model& model, std::vector<std::string>& notes);

/// Where body i is listed, "file:line:column"; "" if no list of the scenario has it. `first_bodies` are those of Setup.
std::string where_body(const Scenario& scenario, const std::vector<std::size_t>& first_bodies, std::size_t i);

/// The bodies that [[initial]] tables list, by index of the table.
std::map<std::size_t, SharedColumns> listed_bodies(const Scenario& scenario);

/// The orbit of two bodies alone that attract each other as Newton says; empty for any other scenario.
std::optional<sim::KeplerStart> kepler_start(const Scenario& scenario);
/// Whether the initial state draws bodies at random, which may be arbitrarily close to each other.
bool has_random_bodies(const Scenario& scenario);
/// Whether any bodies are listed, with their numbers, in the scenario or a file.
bool has_listed_bodies(const Scenario& scenario);

/// The model of the [[force]] tables and `units` of a document, without anything else, and its pair force.
struct Forces {
  sim::Model model;
  Section pair;
  std::vector<Section> fields;
};
/// Reads only [[force]] and `units`, so that a run can be drawn even if its [[initial]] is no longer valid. Throws Error, exit
/// code 2.
Forces read_forces(const Document& document);

/// What a backend is made from. Throws Error, Fault::request, at the key of `force` for which it cannot act on these bodies, or at
/// the place of a body, which `where` returns. After set_up, sim::system_of cannot fail.
sim::System system_at(const Section& force, const sim::Model& model, sim::Bodies bodies,
                      const std::function<std::string(std::size_t)>& where = {});

/// Throws Error, Fault::request, at the key for which the solver refuses a system.
void refuse_unsolvable(const ScenarioTables& tables, const sim::System& system, sim::Precision precision);

/// The scenario as TOML with all defaults, and with the values of the keys in `adjusted`. Listed bodies are replaced by their
/// source and hash; given these bodies, it reads back the same.
std::string resolved(const Scenario& scenario, const Keys& adjusted = {});
/// The keys that determine the bits and the content of the trajectory, as they are written: times are not converted to steps.
Keys recipe(const Scenario& scenario);
/// The same as the file of a run has them, whether or not this version can read its scenario. Throws Error if it is no TOML.
Keys recorded_recipe(const TrajectoryReader& run);
/// A recipe with times as steps, the G of fields and, unless it says otherwise, the number of frames, if that is known (≠ 0).
Keys physics(Keys recipe, double G, double dt, std::int64_t steps, std::int64_t frames);
Keys physics(const Scenario& scenario, const Setup& setup);

/// Overrides that make a run longer: frames (now so many; 0: unknown) and rows go on at their distances from step `from` to `to`.
/// Where the integrator chooses all steps, its grid of outputs stays.
std::vector<std::string> continued_outputs(const Scenario& scenario, std::int64_t frames, const StepPlan& plan,
                                           std::int64_t to);

/// The table [backend] of a document.
Section backend_table(const Document& document);

/// The keys that a scenario could have in [[initial]] or [[force]], or those that all plug-ins of another table share.
std::vector<Parameter> keys_in(const Scenario& scenario, std::string_view table);

/// The keys of a section that all its plug-ins share; "" is the top of the file.
std::span<const Parameter> section_keys(std::string_view section);

/// The tables that can hold `key`: "belongs to [integrator]", "belongs at the top of the file, before the first table",
/// "belongs to [initial] with kind = \"plummer\"" if only some kinds have the key; "" if none. `within` is the table in which the key
/// was found; "" is the top.
std::string where_key_belongs(std::string_view key, std::string_view within);

}  // namespace orrery::pipeline
