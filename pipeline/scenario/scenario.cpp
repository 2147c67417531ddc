// SPDX-License-Identifier: MIT
#include "pipeline/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/file_format.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/domain.hpp"
#include "pipeline/scenario/given_tables.hpp"
#include "pipeline/scenario/key_homes.hpp"
#include "pipeline/scenario/units.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view table_names[] = {"initial",    "perturb",     "domain", "force", "integrator", "backend",
                                            "trajectory", "observables", "figure", "film",  "sweep"};

template <class List>
std::vector<std::string_view> names_of(const List& plugins) {
  std::vector<std::string_view> names;
  for (const auto* plugin : plugins) names.push_back(plugin->name);
  return names;
}

/// The keys of a table of a new scenario, for Document::refuse_unknown.
std::optional<std::vector<Parameter>> keys_in_table(std::string_view table, std::string_view kind,
                                                    const sim::PlugIns& plug_ins) {
  if (table == "sweep") return std::nullopt;
  auto keys = keys_of_kind(table, kind, plug_ins);
  if (keys && (table == "figure" || table == "film")) {  // refused with a reason where a kind does not have them
    for (const char* special : {"bodies", "trails", "width", "dpi"}) keys->push_back({.name = special, .meaning = ""});
  }
  return keys;
}

template <class List>
auto* plugin_of(const Document& document, std::string_view section, std::size_t i, const List& list,
                std::string_view fallback) {
  const auto names = names_of(list);
  const std::string kind = document.kind(section, i, names, fallback);
  return list[static_cast<std::size_t>(std::ranges::find(names, kind) - names.begin())];
}

/// Table i, and the name of its plug-in as `kind`, however it was chosen.
Section table_of(const Document& document, std::string_view section, std::size_t i, std::string_view kind) {
  Section table = document.table(section, i, keys_of_kind(section, kind, *document.plug_ins()).value());
  table.set("kind", std::string(kind));
  return table;
}

/// A plug-in with the values of its own keys.
template <class Plugin>
sim::Chosen<Plugin> chosen(const Plugin& plugin, const Section& table) {
  sim::Chosen<Plugin> all{&plugin, {}};
  for (const Parameter& key : plugin.parameters) {
    if (const Value* value = table->find(key.name)) all.values.set(key.name, *value);
  }
  return all;
}

const sim::ForceSolver& solver_of(const sim::ForceLaw& law, const Section& force) {
  if (!force->has("method")) return sim::default_solver(law);
  return **std::ranges::find(sim::force_solvers(), force->text("method"), &sim::ForceSolver::name);
}

/// The keys of a pair force with the defaults of those of its solver, so that files record them. `force`: its table as read
/// without these.
std::vector<Parameter> pair_force_keys(const sim::ForceLaw& law, const Section& force, const sim::PlugIns& plug_ins) {
  const auto own = solver_of(law, force).parameters;
  std::vector<Parameter> keys = keys_of_kind("force", law.name, plug_ins).value();
  for (Parameter& key : keys) {
    if (const auto found = std::ranges::find(own, key.name, &Parameter::name); found != own.end()) key = *found;
  }
  return keys;
}

/// The table of a pair force.
Section pair_force_of(const Document& document, std::size_t i, const sim::ForceLaw& law) {
  Section force =
      document.table("force", i, pair_force_keys(law, table_of(document, "force", i, law.name), *document.plug_ins()));
  force.set("kind", std::string(law.name));
  return force;
}

/// A boolean counts as 0 or 1.
std::optional<double> as_number(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* yes = std::get_if<bool>(value)) return *yes ? 1 : 0;
  return number_in(*value);
}

/// The system of units. If `units` is given, it sets the constant of `force`; a constant in the scenario must then be equal.
const Units* units_of(const Section& top, const sim::ForceLaw& law, Section& force) {
  if (!top.given("units")) return all_units().data();
  const Units& units = units_in(top);
  const std::string_view key = law.coupling_key;
  const bool given = force.given(key);
  const std::optional<double> decided = units.coupling(law.coupling);
  if (given && decided && force->number(key) != *decided) {
    force.complain(key, fmt::format("`units` sets {} = {}: remove one of the two keys", key, to_toml(*decided)));
  }
  if (!given && !decided) {
    force.complain("kind", fmt::format("units = \"{}\" has no constant `{}` for {}: set it in [force]", units.name, key,
                                       law.name));
  }
  if (!given) force.set(key, *decided);
  return &units;
}

/// Refuses a scenario without dt whose integrator takes steps of dt, or that counts steps.
void check_without_dt(const ScenarioTables& tables, const sim::Model& model) {
  const Section& steps = tables.integrator;
  if (model.accuracy() == 0)
    steps.complain("",
                   "[integrator] needs `dt`: time step, which only integrators with adaptive steps choose themselves");
  if (steps.given("steps")) steps.complain("steps", "`steps` are steps of dt: give `dt` too, or `time`");
  const std::pair<const Section*, const char*> schedules[] = {{&tables.trajectory, "frames"},
                                                              {&tables.observables, "rows"}};
  for (const auto& [section, count] : schedules) {
    if (section->given("every"))
      section->complain("every", fmt::format("`every` counts steps of dt: give [integrator] a `dt`, or `{}`", count));
    if ((*section)->text("spacing") == "log" && !section->given("first"))
      section->complain("spacing", "\"log\" begins after a step of dt: give [integrator] a `dt`, or `first`");
  }
}

/// Checks that involve several keys. `partial`: dt and the length of the run may be missing.
void check_together(const ScenarioTables& tables, const sim::Model& model, bool partial) {
  const Section& t = tables.trajectory;
  const std::filesystem::path name = t->text("file"), extension = name.extension();
  if (!is_plain_name(name.string()) || (extension != ".h5" && extension != ".hdf5" && extension != ".vtkhdf")) {
    t.complain("file",
               "`file` must be a name with .h5, .hdf5 or .vtkhdf and without folders: it is in the output folder");
  }
  const Section& steps = tables.integrator;
  if (!partial && !steps->has("dt")) check_without_dt(tables, model);
  const bool time = steps.given("time"), count = steps.given("steps");
  if (time && count) steps.complain("steps", "give `time` or `steps`, not both (set one to \"auto\" to ignore it)");
  if (!partial && !time && !count) steps.complain("", "[integrator] needs `time` or `steps`: the length of the run");
  const sim::Integrator& integrator = *model.integrator;
  if (const double accuracy = model.accuracy(); accuracy != 0 && accuracy < integrator.min_accuracy) {
    const std::string_view key = integrator.parameters.front().name;
    steps.complain(key, fmt::format("`{}` must be 0, for steps of dt, or at least {}, the precision of a double", key,
                                    shortest_text(integrator.min_accuracy)));
  }
  check_boundaries(tables.domain, model);
  if (!integrator.why_float64.empty() && model.precision != sim::Precision::float64) {
    tables.backend.complain(
        "precision", fmt::format("{} needs precision = \"float64\": {}", integrator.name, integrator.why_float64));
  }
}

/// Checks that a force has only keys of its `method`, and that this goes with the law, the integrator and the precision.
void check_forces(const ScenarioTables& tables, const sim::Model& model) {
  for (const auto& field : tables.fields) {
    for (const Parameter& key : section_keys("force")) {
      if (key.name != "kind" && field->has(key.name))
        field.complain(key.name, fmt::format("an external field has no `{}`: remove the key", key.name));
    }
  }
  for (const sim::ForceSolver* solver : sim::force_solvers()) {
    if (solver == model.solver) continue;
    for (const Parameter& key : solver->parameters) {
      if (tables.force->has(key.name)) {
        tables.force.complain(
            key.name, fmt::format("`{0}` is for method = \"{1}\": add that, or remove `{0}`", key.name, solver->name));
      }
    }
  }
  // Without bodies and numbers, which may be refused once they are there.
  sim::System system;
  system.forces.emplace_back().law = model.force.plugin;
  system.solver = model.solver;
  system.solver_values = model.solver_values;
  sim::add_requirements(system, *model.integrator);
  refuse_unsolvable(tables, system, model.precision);
}

}  // namespace

std::optional<Date> epoch_of(Section& top) {
  if (!top->has("epoch")) return std::nullopt;
  try {
    const Date date = parse_date(top->text("epoch"));
    top.set("epoch", to_text(date));
    return date;
  } catch (const std::invalid_argument& error) {
    top.complain("epoch", fmt::format("`epoch`: {}", error.what()));
  }
}

void refuse_unsolvable(const ScenarioTables& tables, const sim::System& system, sim::Precision precision) {
  const auto [key, why] = sim::refusal_of(sim::solver_of(system), system, precision);
  if (why.empty()) return;
  const auto dot = key.find('.');
  const std::string_view table = key.substr(0, dot);
  const Section& section = table == "integrator" ? tables.integrator
                           : table == "backend"  ? tables.backend
                           : table == "domain"   ? tables.domain
                                                 : tables.force;
  section.complain(key.substr(dot + 1), why);
}

Forces read_forces(const Document& document) {
  std::vector<Section> pairs, fields;
  const sim::PlugIns& plug_ins = *document.plug_ins();
  const auto laws = plug_ins.laws();
  auto names = names_of(laws);
  for (const auto* field : plug_ins.fields()) names.push_back(field->name);
  const std::size_t count = document.count("force");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string kind = document.kind("force", i, names, laws.front()->name);
    if (const sim::ForceLaw* law = plug_ins.law(kind)) {
      pairs.push_back(pair_force_of(document, i, *law));
    } else {
      fields.push_back(table_of(document, "force", i, kind));
    }
  }
  if (pairs.empty()) pairs.push_back(pair_force_of(document, count, *laws.front()));
  if (pairs.size() > 1) pairs[1].complain("kind", "only one pair force is supported");
  return forces_of(document.top(section_keys("")), std::move(pairs.front()), std::move(fields), document.plug_ins());
}

Forces forces_of(const Section& top, Section pair, std::vector<Section> fields,
                 std::shared_ptr<const sim::PlugIns> plug_ins) {
  sim::Model model;
  const sim::ForceLaw* law = plug_ins->law(kind_of(pair));
  for (const Section& field : fields) model.fields.push_back(chosen(*plug_ins->field(kind_of(field)), field));
  model.units = units_of(top, *law, pair);
  model.force = chosen(*law, pair);
  model.plug_ins = std::move(plug_ins);
  // External fields use G even if the pair force is another.
  model.G = law->coupling == sim::Coupling::gravitational ? model.coupling() : model.units->G;
  model.solver = &solver_of(*law, pair);
  for (const Parameter& key : model.solver->parameters) model.solver_values.push_back(as_number(pair->find(key.name)));
  return {.model = std::move(model), .pair = std::move(pair), .fields = std::move(fields)};
}

Section backend_table(const Document& document) {
  auto backends = names_of(sim::backend_kinds());
  backends.emplace_back("auto");
  return table_of(document, "backend", 0, document.kind("backend", 0, backends, "auto"));
}

Scenario parse_scenario(const ScenarioText& source, std::vector<std::string> overrides) {
  Document document(source, overrides);
  const sim::PlugIns& plug_ins = *document.plug_ins();
  document.refuse_unknown(section_keys(""), table_names, [&](std::string_view table, std::string_view kind) {
    // An archived scenario may have figures and other tables of earlier versions that are not read.
    return source.archived ? std::nullopt : keys_in_table(table, kind, plug_ins);
  });
  Section top = document.top(section_keys(""));
  if (document.count("initial") == 0 && !source.partial) {
    throw Error(fmt::format("{}:1:1: there are no bodies: add [initial] with a `kind` (see `orrery list initial`)",
                            source.name),
                Fault::request);
  }
  for (const char* single : {"domain", "integrator", "backend", "trajectory", "observables"})
    document.allow_one(single);
  const auto section = [&](std::string_view name) {
    return document.table(name, 0, keys_of_kind(name, "", plug_ins).value());
  };
  std::vector<InitialTable> initial;
  for (std::size_t i = 0; i < document.count("initial"); ++i) {
    const auto* plugin = plugin_of(document, "initial", i, sim::initial_states(), "");
    initial.push_back({plugin, table_of(document, "initial", i, plugin->name)});
  }
  std::vector<Section> perturbations;
  for (std::size_t i = 0; i < document.count("perturb"); ++i)
    perturbations.push_back(document.table("perturb", i, keys_of_kind("perturb", "", plug_ins).value()));
  Forces forces = read_forces(document);
  const auto* integrator = plugin_of(document, "integrator", 0, plug_ins.integrators(), "leapfrog");
  ScenarioTables tables{.top = std::move(top),
                        .initial = std::move(initial),
                        .perturbations = std::move(perturbations),
                        .force = std::move(forces.pair),
                        .fields = std::move(forces.fields),
                        .integrator = table_of(document, "integrator", 0, integrator->name),
                        .domain = section("domain"),
                        .backend = backend_table(document),
                        .trajectory = section("trajectory"),
                        .observables = section("observables")};
  Scenario scenario = scenario_of(std::move(tables), std::move(forces.model), std::move(document), source.text,
                                  std::move(overrides), source.partial);
  const FileUse use = file_use(scenario.tables.top, scenario.model.domain.dimensions == 2);
  for (std::size_t i = 0; i < scenario.tables.initial.size(); ++i) {
    auto& [plugin, table] = scenario.tables.initial[i];
    if (lists_bodies(*plugin)) load_bodies(table, i, source, use);
  }
  return scenario;
}

Scenario scenario_of(ScenarioTables tables, sim::Model forces, Document document, std::string text,
                     std::vector<std::string> overrides, bool partial) {
  sim::Model model = std::move(forces);
  BackendRequest backend = backend_request(tables.backend);
  model.integrator = document.plug_ins()->integrator(kind_of(tables.integrator));
  model.keys = model.integrator->keys(tables.integrator.values());
  model.precision = backend.precision;
  model.domain = domain_of(tables.domain);
  check_together(tables, model, partial);
  check_forces(tables, model);
  const std::string title = tables.top->text("title"), file = tables.trajectory->text("file");
  const auto seed = static_cast<std::uint64_t>(tables.top->integer("seed"));
  const std::optional<Date> epoch = epoch_of(tables.top);
  return {.text = std::move(text),
          .overrides = std::move(overrides),
          .document = std::move(document),
          .tables = std::move(tables),
          .title = title,
          .file = file,
          .seed = seed,
          .epoch = epoch,
          .model = std::move(model),
          .backend = std::move(backend)};
}

Scenario scenario_of(ScenarioTables tables, Document document, std::string text, std::vector<std::string> overrides) {
  Forces forces = forces_of(tables.top, std::move(tables.force), std::move(tables.fields), document.plug_ins());
  tables.force = std::move(forces.pair);
  tables.fields = std::move(forces.fields);
  return scenario_of(std::move(tables), std::move(forces.model), std::move(document), std::move(text),
                     std::move(overrides));
}

const sim::Units& units_in(const Section& top) {
  if (!top.given("units")) return all_units().front();
  return *std::ranges::find(all_units(), top->text("units"), &Units::name);
}

FileUse file_use(const Section& top, bool plane) {
  const bool dated = top->has("epoch");
  return {.plane = plane, .epoch = dated ? std::optional(parse_date(top->text("epoch")).julian_date()) : std::nullopt};
}

Section given_table(std::string_view table, std::string_view kind, Arguments values, const std::string& place,
                    const sim::PlugIns& plug_ins, const sim::Units& units) {
  auto keys = keys_of_kind(table, kind, plug_ins);
  const std::string header = fmt::format("[{}]", table);
  const auto read = [&] { return section_of({values, place, &units}, header, *keys); };
  if (const auto* law = table == "force" ? plug_ins.law(kind) : nullptr) keys = pair_force_keys(*law, read(), plug_ins);
  Section section = read();
  if (!kind.empty()) section.set("kind", std::string(kind));
  return section;
}

std::vector<Parameter> keys_in(const Scenario& scenario, std::string_view table) {
  const auto common = section_keys(table);
  std::vector<Parameter> keys(common.begin(), common.end());
  const auto add = [&](std::span<const Parameter> own) { keys.insert(keys.end(), own.begin(), own.end()); };
  if (table == "force") add(scenario.model.force.plugin->parameters);
  for (const auto& choice : scenario.tables.initial) {
    if (table == "initial") add(choice.plugin->parameters);
  }
  return keys;
}

Scenario parse_scenario(std::string text, const std::string& file, std::vector<std::string> overrides) {
  return parse_scenario({.text = std::move(text), .name = file, .folder = std::filesystem::path(file).parent_path()},
                        std::move(overrides));
}

Scenario scenario_of(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                     std::vector<std::string> overrides, std::shared_ptr<const sim::PlugIns> plug_ins) {
  return parse_scenario(scenario_text(trajectory, file, std::move(plug_ins)), std::move(overrides));
}

}  // namespace orrery::pipeline
