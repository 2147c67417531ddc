// SPDX-License-Identifier: MIT
// From TOML to a checked scenario, and back to TOML with every default written out.
#include "pipeline/scenario/scenario.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "common/file_format.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/scenario/table_file.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view tables[] = {
    "initial",    "perturb",     "force",  "integrator", "backend",
    "trajectory", "observables", "figure", "film",       "sweep"};  // of which a member's own scenario knows nothing
constexpr std::string_view later_placements[] = {"rotate", "scale"};
constexpr std::string_view later_initial[] = {"short-range-box"};
constexpr std::string_view later_forces[] = {"repulsive", "lennard-jones", "wca", "soft"};

template <class List>
std::vector<std::string_view> names_of(const List& plugins) {
  std::vector<std::string_view> names;
  for (const auto* plugin : plugins) names.push_back(plugin->name);
  return names;
}

/// A section's own keys and those of the plug-in; where both have a key of that name, the plug-in's counts.
std::vector<Parameter> joined(std::string_view section, std::span<const Parameter> own) {
  std::vector<Parameter> all;
  for (const Parameter& common : section_keys(section)) {
    if (std::ranges::find(own, common.name, &Parameter::name) == own.end()) all.push_back(common);
  }
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

template <class List>
auto* plugin_of(const Document& document, std::string_view section, std::size_t i, const List& list, NotYet later,
                std::string_view fallback) {
  const auto names = names_of(list);
  const std::string kind = document.kind(section, i, names, later, fallback);
  return list[static_cast<std::size_t>(std::ranges::find(names, kind) - names.begin())];
}

template <class Plugin>
Choice<Plugin> choice_of(const Document& document, std::string_view section, std::size_t i, const Plugin* plugin,
                         NotYet later_keys = {}) {
  return {plugin, document.table(section, i, joined(section, plugin->parameters), later_keys)};
}

std::vector<Choice<sim::InitialState>> initial_of(const Document& document) {
  std::vector<Choice<sim::InitialState>> choices;
  for (std::size_t i = 0; i < document.count("initial"); ++i) {
    const auto* plugin = plugin_of(document, "initial", i, sim::initial_states(), later_initial, "");
    choices.push_back(choice_of(document, "initial", i, plugin, later_placements));
  }
  return choices;
}

std::vector<Section> perturbations_of(const Document& document) {
  std::vector<Section> all;
  for (std::size_t i = 0; i < document.count("perturb"); ++i)
    all.push_back(document.table("perturb", i, joined("perturb", {})));
  return all;
}

/// What the [[force]] tables name: forces of pairs, to which gravity belongs unless another is named, and
/// external fields.
struct Forces {
  std::vector<Choice<sim::ForceLaw>> pairs;
  std::vector<Choice<sim::FieldLaw>> fields;
};

Forces forces_of(const Document& document) {
  Forces forces;
  const auto laws = sim::force_laws();
  const auto fields = sim::field_laws();
  auto names = names_of(laws);
  for (const auto* field : fields) names.push_back(field->name);
  const std::size_t count = document.count("force");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string kind = document.kind("force", i, names, later_forces, "gravity");
    if (const auto law = std::ranges::find(laws, kind, &sim::ForceLaw::name); law != laws.end()) {
      forces.pairs.push_back(choice_of(document, "force", i, *law));
    } else {
      forces.fields.push_back(choice_of(document, "force", i, *std::ranges::find(fields, kind, &sim::FieldLaw::name)));
    }
  }
  if (forces.pairs.empty()) forces.pairs.push_back(choice_of(document, "force", count, laws.front()));
  if (forces.pairs.size() > 1) forces.pairs[1].section.complain("kind", "a second force of pairs is not available yet");
  return forces;
}

/// A long table by its hash.
std::string brief(const std::string& value) {
  if (value.size() <= 200) return value;
  return fmt::format("({} characters, XXH3 {:016x})", value.size(), XXH3_64bits(value.data(), value.size()));
}

/// The system of units; one that the scenario names decides the constant of the force, or that must be given.
const Units* units_of(const Section& top, Choice<sim::ForceLaw>& force) {
  if (!top.given("units")) return all_units().data();
  const Units& units = *std::ranges::find(all_units(), top->text("units"), &Units::name);
  const std::string_view key = force.plugin->coupling;
  const bool given = force.section.given(key), decided = units.coupling(key).has_value();
  if (given && decided) force.section.complain(key, fmt::format("`units` decides {}: give one of the two", key));
  if (!given && !decided) {
    force.section.complain("kind", fmt::format("units = \"{}\" has no `{}` of its own for {}: give it in [force]",
                                               units.name, key, force.plugin->name));
  }
  if (decided) force.section.erase(key);
  return &units;
}

/// Words for whoever meets a key of the file with --set.
constexpr std::string_view one_of_them = " (a key that is \"auto\" counts as absent)";

/// What no single key can get wrong.
void check_together(const Scenario& scenario) {
  const Section& t = scenario.trajectory;
  const std::filesystem::path name = t->text("file"), extension = name.extension();
  if (!is_plain_name(name.string()) || (extension != ".h5" && extension != ".hdf5" && extension != ".vtkhdf")) {
    t.complain("file", "`file` must be a plain name with .h5, .hdf5 or .vtkhdf: it lies in the output folder");
  }
  const Section& steps = scenario.integrator.section;
  const bool time = steps.given("time"), count = steps.given("steps");
  if (time && count)
    steps.complain("steps",
                   fmt::format("`time` and `steps` both say how long to run: give one of them{}", one_of_them));
  if (!time && !count) steps.complain("", "[integrator] needs `time` or `steps`: how long to run");
  const sim::Integrator& integrator = *scenario.integrator.plugin;
  if (const double accuracy = integrator.accuracy(steps.values());
      accuracy != 0 && accuracy < integrator.least_accuracy) {
    const std::string_view key = integrator.parameters.front().name;
    steps.complain(key, fmt::format("`{}` must be 0, for steps of dt, or at least {}: a double has no more digits", key,
                                    in_digits(integrator.least_accuracy)));
  }
  if (!integrator.why_float64.empty() && scenario.backend->text("precision") != "float64") {
    scenario.backend.complain(
        "precision", fmt::format("{} needs precision = \"float64\": {}", integrator.name, integrator.why_float64));
  }
}

}  // namespace

Scenario parse_scenario(std::string text, const std::string& file, std::vector<std::string> overrides) {
  Document document(text, file, overrides);
  document.allow(section_keys(""), tables);
  Section top = document.top(section_keys(""));
  if (document.count("initial") == 0) {
    throw Error(
        fmt::format("{}:1:1: there are no bodies: add [initial] with a `kind` (see `orrery list initial`)", file), 2);
  }
  for (const char* single : {"integrator", "backend", "trajectory", "observables"}) document.allow_one(single);
  auto initial = initial_of(document);
  auto perturbations = perturbations_of(document);
  Forces forces = forces_of(document);
  const auto* integrator = plugin_of(document, "integrator", 0, sim::integrators(), {}, "leapfrog");
  auto backends = names_of(sim::backend_kinds());
  backends.emplace_back("auto");
  (void)document.kind("backend", 0, backends, {}, "auto");
  const Units* units = units_of(top, forces.pairs.front());
  const auto section = [&](std::string_view name) { return document.table(name, 0, joined(name, {})); };
  Choice<sim::Integrator> steps = choice_of(document, "integrator", 0, integrator);
  Section backend = section("backend");
  Section trajectory = section("trajectory"), observables = section("observables");
  Scenario scenario{.text = std::move(text),
                    .overrides = std::move(overrides),
                    .document = std::move(document),
                    .top = std::move(top),
                    .units = units,
                    .initial = std::move(initial),
                    .perturbations = std::move(perturbations),
                    .forces = std::move(forces.pairs),
                    .fields = std::move(forces.fields),
                    .integrator = std::move(steps),
                    .backend = std::move(backend),
                    .trajectory = std::move(trajectory),
                    .observables = std::move(observables)};
  check_together(scenario);
  for (auto& choice : scenario.initial) load_table_file(choice.section, file);
  return scenario;
}

std::string scenario_text(const std::filesystem::path& file) {
  std::error_code error;
  const auto type = std::filesystem::status(file, error).type();
  if (type == std::filesystem::file_type::directory || type == std::filesystem::file_type::character) {
    const char* what = type == std::filesystem::file_type::directory ? "folder" : "device";
    throw Error(fmt::format("{}: is a {}, not a scenario", file.string(), what), 2);
  }
  if (is_picture(file)) return told_by_picture(file).scenario;
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    const std::string longer = file.string() + ".toml";
    throw Error(fmt::format("{}: cannot be read; {}", file.string(),
                            std::filesystem::exists(longer, error) ? fmt::format("did you mean `{}`?", longer)
                                                                   : "`orrery new` writes a scenario to start from"),
                2);
  }
  std::string text(4, '\0');
  in.read(text.data(), 4);
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text == "\x89HDF") {
    throw Error(
        fmt::format("{}: is a trajectory: `orrery resume` goes on with it, `orrery render` draws it", file.string()),
        2);
  }
  text.append(std::istreambuf_iterator<char>(in), {});
  return text;
}

Scenario read_scenario(const std::filesystem::path& file, std::vector<std::string> overrides) {
  return parse_scenario(scenario_text(file), file.string(), std::move(overrides));
}

Scenario scenario_of(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                     std::vector<std::string> overrides) {
  return parse_scenario(trajectory.record().resolved, file.string() + ":scenario", std::move(overrides));
}

std::string resolved(const Scenario& scenario) {
  std::string text;
  const auto add = [&](std::string_view header, const Section& section, std::string_view kind = "") {
    if (!header.empty()) text += fmt::format("\n{}\n", header);
    for (const std::string& line : section.lines()) {
      const bool is_kind = line.starts_with("kind = ");
      text += (is_kind ? fmt::format("kind = \"{}\"", kind) : line) + "\n";
    }
  };
  add("", scenario.top);
  for (const auto& choice : scenario.initial) add("[[initial]]", choice.section, choice.plugin->name);
  for (const Section& table : scenario.perturbations) add("[[perturb]]", table);
  for (const auto& choice : scenario.forces) add("[[force]]", choice.section, choice.plugin->name);
  for (const auto& choice : scenario.fields) add("[[force]]", choice.section, choice.plugin->name);
  add("[integrator]", scenario.integrator.section, scenario.integrator.plugin->name);
  const std::string backend = scenario.backend->text("kind");
  add("[backend]", scenario.backend, backend.empty() ? "auto" : backend);
  add("[trajectory]", scenario.trajectory);
  add("[observables]", scenario.observables);
  return text;
}

std::map<std::string, std::string> physics(const Scenario& scenario, const Setup& setup) {
  std::map<std::string, std::string> keys;
  const auto add = [&](const std::string& prefix, const Section& section, std::string_view kind = "") {
    for (const std::string& line : section.lines()) {
      const auto equals = line.find(" = ");
      const std::string name = prefix + line.substr(0, equals);
      keys[name] = line.starts_with("kind = ") ? fmt::format("\"{}\"", kind) : brief(line.substr(equals + 3));
    }
  };
  keys["seed"] = std::to_string(scenario.top->integer("seed"));
  keys["units"] = fmt::format("\"{}\"", scenario.units->name);
  for (std::size_t i = 0; i < scenario.initial.size(); ++i) {
    add(fmt::format("initial[{}].", i), scenario.initial[i].section, scenario.initial[i].plugin->name);
  }
  for (std::size_t i = 0; i < scenario.perturbations.size(); ++i)
    add(fmt::format("perturb[{}].", i), scenario.perturbations[i]);
  // The force of pairs first, whatever the order in the file: it changes nothing.
  std::size_t force = 0;
  for (const auto& choice : scenario.forces)
    add(fmt::format("force[{}].", force++), choice.section, choice.plugin->name);
  for (const auto& choice : scenario.fields)
    add(fmt::format("force[{}].", force++), choice.section, choice.plugin->name);
  // However they were written, it is the numbers that count.
  keys["integrator.kind"] = fmt::format("\"{}\"", scenario.integrator.plugin->name);
  keys["integrator.dt"] = to_toml(setup.dt);
  for (const Parameter& own : scenario.integrator.plugin->parameters) {
    keys[fmt::format("integrator.{}", own.name)] = to_toml(*scenario.integrator.section->find(own.name));
  }
  keys["integrator.steps"] = to_toml(setup.steps);
  const std::string precision = scenario.backend->text("precision");
  keys["backend.precision"] = to_toml(precision);
  if (precision == "float32") keys["backend.inverse_root"] = to_toml(scenario.backend->text("inverse_root"));
  add("trajectory.", scenario.trajectory);
  add("observables.", scenario.observables);
  if (!scenario.trajectory.given("every") && !scenario.trajectory.given("times")) {
    keys["trajectory.frames"] = to_toml(setup.frames.size());
  }
  for (const char* free : {"trajectory.commit", "trajectory.sync", "trajectory.file"}) keys.erase(free);
  return keys;
}

}  // namespace orrery::pipeline
