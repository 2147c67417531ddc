// SPDX-License-Identifier: MIT
#include "pipeline/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/file_format.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/domain.hpp"
#include "pipeline/scenario/key_homes.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view tables[] = {"initial",    "perturb",     "domain", "force", "integrator", "backend",
                                       "trajectory", "observables", "figure", "film",  "sweep"};

template <class List>
std::vector<std::string_view> names_of(const List& plugins) {
  std::vector<std::string_view> names;
  for (const auto* plugin : plugins) names.push_back(plugin->name);
  return names;
}

/// The keys of a section and its plug-in. A key of the plug-in replaces one of the same name.
std::vector<Parameter> joined(std::string_view section, std::span<const Parameter> own) {
  std::vector<Parameter> all;
  for (const Parameter& common : section_keys(section)) {
    if (std::ranges::find(own, common.name, &Parameter::name) == own.end()) all.push_back(common);
  }
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// The keys of a table of a new scenario, for Document::refuse_unknown.
std::optional<std::vector<Parameter>> keys_in_table(std::string_view table, std::string_view kind) {
  if (table == "sweep") return std::nullopt;
  auto keys = keys_of_kind(table, kind);
  if (keys && (table == "figure" || table == "film")) {  // refused with a reason where a kind does not have them
    for (const char* special : {"bodies", "trails", "width", "dpi"}) keys->push_back({.name = special, .meaning = ""});
  }
  return keys;
}

/// An archived scenario may have figures and other tables of earlier versions that are not read.
std::optional<std::vector<Parameter>> unknown_kinds(std::string_view /*table*/, std::string_view /*kind*/) {
  return std::nullopt;
}

template <class List>
auto* plugin_of(const Document& document, std::string_view section, std::size_t i, const List& list,
                std::string_view fallback) {
  const auto names = names_of(list);
  const std::string kind = document.kind(section, i, names, fallback);
  return list[static_cast<std::size_t>(std::ranges::find(names, kind) - names.begin())];
}

template <class Plugin>
Choice<Plugin> choice_of(const Document& document, std::string_view section, std::size_t i, const Plugin* plugin) {
  return {plugin, document.table(section, i, joined(section, plugin->parameters))};
}

const sim::ForceSolver& solver_of(const Choice<sim::ForceLaw>& force) {
  if (!force.section->has("method")) return sim::default_solver(*force.plugin);
  return **std::ranges::find(sim::force_solvers(), force.section->text("method"), &sim::ForceSolver::name);
}

/// A pair force, with the defaults of its solver's keys, so that files record them.
Choice<sim::ForceLaw> pair_force_of(const Document& document, std::size_t i, const sim::ForceLaw* law) {
  const auto force = choice_of(document, "force", i, law);
  const auto own = solver_of(force).parameters;
  std::vector<Parameter> keys = joined("force", law->parameters);
  for (Parameter& key : keys) {
    if (const auto found = std::ranges::find(own, key.name, &Parameter::name); found != own.end()) key = *found;
  }
  return {law, document.table("force", i, keys)};
}

/// A boolean counts as 0 or 1.
std::optional<double> as_number(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  if (const auto* yes = std::get_if<bool>(value)) return *yes ? 1 : 0;
  return std::get<double>(*value);
}

/// Does not set `units`.
Forces forces_of(const Document& document) {
  Forces forces{};
  const auto laws = sim::force_laws();
  const auto fields = sim::field_laws();
  auto names = names_of(laws);
  for (const auto* field : fields) names.push_back(field->name);
  const std::size_t count = document.count("force");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string kind = document.kind("force", i, names, "gravity");
    if (const auto law = std::ranges::find(laws, kind, &sim::ForceLaw::name); law != laws.end()) {
      forces.pairs.push_back(pair_force_of(document, i, *law));
    } else {
      forces.fields.push_back(choice_of(document, "force", i, *std::ranges::find(fields, kind, &sim::FieldLaw::name)));
    }
  }
  if (forces.pairs.empty()) forces.pairs.push_back(pair_force_of(document, count, laws.front()));
  if (forces.pairs.size() > 1) forces.pairs[1].section.complain("kind", "only one pair force is supported");
  return forces;
}

/// The system of units. If `units` is given, it sets the constant of `force`; a constant in the scenario must then be equal.
const Units* units_of(const Section& top, Choice<sim::ForceLaw>& force) {
  if (!top.given("units")) return all_units().data();
  const Units& units = *std::ranges::find(all_units(), top->text("units"), &Units::name);
  const std::string_view key = force.plugin->coupling_key;
  const bool given = force.section.given(key);
  const std::optional<double> decided = units.coupling(force.plugin->coupling);
  if (given && decided && force.section->number(key) != *decided) {
    force.section.complain(key,
                           fmt::format("`units` sets {} = {}: remove one of the two keys", key, to_toml(*decided)));
  }
  if (!given && !decided) {
    force.section.complain("kind", fmt::format("units = \"{}\" has no constant `{}` for {}: set it in [force]",
                                               units.name, key, force.plugin->name));
  }
  if (!given) force.section.set(key, *decided);
  return &units;
}

/// Refuses a scenario without dt whose integrator takes steps of dt, or that counts steps.
void check_without_dt(const Scenario& scenario) {
  const Section& steps = scenario.integrator.section;
  if (scenario.integrator.plugin->accuracy(steps.values()) == 0)
    steps.complain("",
                   "[integrator] needs `dt`: time step, which only integrators with adaptive steps choose themselves");
  if (steps.given("steps")) steps.complain("steps", "`steps` are steps of dt: give `dt` too, or `time`");
  const std::pair<const Section*, const char*> schedules[] = {{&scenario.trajectory, "frames"},
                                                              {&scenario.observables, "rows"}};
  for (const auto& [section, count] : schedules) {
    if (section->given("every"))
      section->complain("every", fmt::format("`every` counts steps of dt: give [integrator] a `dt`, or `{}`", count));
    if ((*section)->text("spacing") == "log" && !section->given("first"))
      section->complain("spacing", "\"log\" begins after a step of dt: give [integrator] a `dt`, or `first`");
  }
}

/// Checks that involve several keys.
void check_together(const Scenario& scenario) {
  const Section& t = scenario.trajectory;
  const std::filesystem::path name = t->text("file"), extension = name.extension();
  if (!is_plain_name(name.string()) || (extension != ".h5" && extension != ".hdf5" && extension != ".vtkhdf")) {
    t.complain("file",
               "`file` must be a name with .h5, .hdf5 or .vtkhdf and without folders: it is in the output folder");
  }
  const Section& steps = scenario.integrator.section;
  if (!steps->has("dt")) check_without_dt(scenario);
  const bool time = steps.given("time"), count = steps.given("steps");
  if (time && count) steps.complain("steps", "give `time` or `steps`, not both (set one to \"auto\" to ignore it)");
  if (!time && !count) steps.complain("", "[integrator] needs `time` or `steps`: the length of the run");
  const sim::Integrator& integrator = *scenario.integrator.plugin;
  if (const double accuracy = integrator.accuracy(steps.values());
      accuracy != 0 && accuracy < integrator.least_accuracy) {
    const std::string_view key = integrator.parameters.front().name;
    steps.complain(key, fmt::format("`{}` must be 0, for steps of dt, or at least {}, the precision of a double", key,
                                    shortest_text(integrator.least_accuracy)));
  }
  check_boundaries(scenario);
  if (!integrator.why_float64.empty() && scenario.backend->text("precision") != "float64") {
    scenario.backend.complain(
        "precision", fmt::format("{} needs precision = \"float64\": {}", integrator.name, integrator.why_float64));
  }
}

/// Checks that a force has only keys of its `method`, and that this goes with the law, the integrator and the precision.
void check_forces(const Scenario& scenario) {
  for (const auto& field : scenario.fields) {
    for (const Parameter& key : section_keys("force")) {
      if (key.name != "kind" && field.section->has(key.name))
        field.section.complain(key.name, fmt::format("an external field has no `{}`: remove the key", key.name));
    }
  }
  const auto& [law, section] = scenario.forces.front();
  for (const sim::ForceSolver* solver : sim::force_solvers()) {
    if (solver == &solver_of(scenario)) continue;
    for (const Parameter& key : solver->parameters) {
      if (section->has(key.name)) {
        section.complain(
            key.name, fmt::format("`{0}` is for method = \"{1}\": add that, or remove `{0}`", key.name, solver->name));
      }
    }
  }
  // Without bodies and numbers, which may be refused once they are there.
  sim::System system;
  system.forces.emplace_back().law = law;
  choose_methods(scenario, system);
  refuse_unsolvable(scenario, system);
}

}  // namespace

const sim::ForceSolver& solver_of(const Scenario& scenario) {
  return solver_of(scenario.forces.front());
}

void choose_methods(const Scenario& scenario, sim::System& system) {
  const sim::ForceSolver& solver = solver_of(scenario);
  system.solver = &solver;
  system.solver_values.clear();
  for (const Parameter& key : solver.parameters)
    system.solver_values.push_back(as_number(scenario.forces.front().section->find(key.name)));
  sim::add_requirements(system, *scenario.integrator.plugin);
}

void refuse_unsolvable(const Scenario& scenario, const sim::System& system) {
  const auto [key, why] = sim::solver_of(system).refusal(system, precision_of(scenario.backend));
  if (why.empty()) return;
  const auto dot = key.find('.');
  const std::string_view table = key.substr(0, dot);
  const Section& section = table == "integrator" ? scenario.integrator.section
                           : table == "backend"  ? scenario.backend
                           : table == "domain"   ? scenario.domain
                                                 : scenario.forces.front().section;
  section.complain(key.substr(dot + 1), why);
}

sim::Precision precision_of(const Section& backend) {
  const std::string& name = backend->text("precision");
  if (name == "float64") return sim::Precision::float64;
  if (name == "mixed") return sim::Precision::mixed;
  return backend->text("inverse_root") == "sqrt" ? sim::Precision::float32_exact_root : sim::Precision::float32;
}

Forces read_forces(const Document& document) {
  Forces forces = forces_of(document);
  forces.units = units_of(document.top(section_keys("")), forces.pairs.front());
  return forces;
}

Scenario parse_scenario(const ScenarioText& source, std::vector<std::string> overrides) {
  Document document(source.text, source.name, overrides);
  document.refuse_unknown(section_keys(""), tables, source.archived ? unknown_kinds : keys_in_table);
  Section top = document.top(section_keys(""));
  if (document.count("initial") == 0) {
    throw Error(fmt::format("{}:1:1: there are no bodies: add [initial] with a `kind` (see `orrery list initial`)",
                            source.name),
                2);
  }
  for (const char* single : {"domain", "integrator", "backend", "trajectory", "observables"})
    document.allow_one(single);
  std::vector<Choice<sim::InitialState>> initial;
  for (std::size_t i = 0; i < document.count("initial"); ++i)
    initial.push_back(choice_of(document, "initial", i, plugin_of(document, "initial", i, sim::initial_states(), "")));
  std::vector<Section> perturbations;
  for (std::size_t i = 0; i < document.count("perturb"); ++i)
    perturbations.push_back(document.table("perturb", i, joined("perturb", {})));
  Forces forces = read_forces(document);
  const auto* integrator = plugin_of(document, "integrator", 0, sim::integrators(), "leapfrog");
  auto backends = names_of(sim::backend_kinds());
  backends.emplace_back("auto");
  (void)document.kind("backend", 0, backends, "auto");
  const auto section = [&](std::string_view name) { return document.table(name, 0, joined(name, {})); };
  Choice<sim::Integrator> steps = choice_of(document, "integrator", 0, integrator);
  Section domain = section("domain"), backend = section("backend");
  Section trajectory = section("trajectory"), observables = section("observables");
  Scenario scenario{.text = source.text,
                    .overrides = std::move(overrides),
                    .document = std::move(document),
                    .top = std::move(top),
                    .units = forces.units,
                    .initial = std::move(initial),
                    .perturbations = std::move(perturbations),
                    .forces = std::move(forces.pairs),
                    .fields = std::move(forces.fields),
                    .integrator = std::move(steps),
                    .domain = std::move(domain),
                    .backend = std::move(backend),
                    .trajectory = std::move(trajectory),
                    .observables = std::move(observables)};
  check_together(scenario);
  check_forces(scenario);
  for (std::size_t i = 0; i < scenario.initial.size(); ++i) {
    if (lists_bodies(*scenario.initial[i].plugin))
      load_bodies(scenario.initial[i].section, i, source, scenario.domain->integer("dimensions") == 2);
  }
  return scenario;
}

Scenario parse_scenario(std::string text, const std::string& file, std::vector<std::string> overrides) {
  return parse_scenario({.text = std::move(text), .name = file, .folder = std::filesystem::path(file).parent_path()},
                        std::move(overrides));
}

Scenario scenario_of(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                     std::vector<std::string> overrides) {
  return parse_scenario(scenario_text(trajectory, file), std::move(overrides));
}

}  // namespace orrery::pipeline
