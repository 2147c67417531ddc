// SPDX-License-Identifier: MIT
// What was simulated, in sentences made of the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "pipeline/page/known_run.hpp"
#include "pipeline/printable.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t names_listed = 12;

/// The description of a plug-in, which may be empty if the program that ran it had it.
std::string described(std::string_view meaning, std::string_view prefix = "") {
  if (!prefix.empty() && meaning.starts_with(prefix)) meaning.remove_prefix(prefix.size());
  return printable(meaning);
}

/// The keys of a plug-in with their values.
std::string keys_of(std::span<const Parameter> parameters, const Arguments& values, const RunUnits& units) {
  std::vector<std::pair<const Parameter*, const Value*>> keys;
  for (const Parameter& key : parameters) {
    if (key.name != "xxh3") keys.emplace_back(&key, values.find(key.name));
  }
  return keys_in_words(keys, units);
}

std::string masses(const KnownRun& run) {
  const std::vector<double>& mass = run.file.bodies().mass;
  if (!run.keeps_all() || mass.empty()) return "";
  const auto [least, most] = std::ranges::minmax(mass);
  if (most == 0) return ", without mass";
  if (least == most)
    return fmt::format(", {}of mass {}", mass.size() > 1 ? "each " : "", quantity(most, run.units.mass));
  const auto massless = std::ranges::count(mass, 0.0);
  double sum = 0, least_mass = most;
  for (const double m : mass) {
    sum += m;
    if (m > 0) least_mass = std::min(least_mass, m);
  }
  std::string words;
  if (least_mass == most) {
    words = fmt::format(", {} of mass {}", mass.size() - static_cast<std::size_t>(massless),
                        quantity(most, run.units.mass));
  } else {
    words = fmt::format(", of masses from {} to {}, {} in all", number(least_mass), quantity(most, run.units.mass),
                        quantity(sum, run.units.mass));
  }
  return massless == 0 ? words : fmt::format("{}, and {} without mass", words, massless);
}

std::string charges(const KnownRun& run) {
  const std::vector<double>& charge = run.file.bodies().charge;
  if (!run.keeps_all() || charge.empty()) return "";
  const auto [least, most] = std::ranges::minmax(charge);
  if (least == most) return fmt::format(", of charge {}", number(least));
  return fmt::format(", of charges from {} to {}", number(least), number(most));
}

/// ": 6963 of “disk” and 1229 of “bulge”"
std::string components(const KnownRun& run) {
  if (!run.keeps_all() || run.record.components.size() < 2) return "";
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < run.record.components.size(); ++k) {
    const auto count = std::ranges::count(run.file.bodies().species, static_cast<std::int32_t>(k));
    parts.push_back(fmt::format("{} of {}", count, in_quotes(run.record.components[k])));
  }
  return fmt::format(": {}", listed_briefly(std::move(parts), names_listed));
}

std::string names(const KnownRun& run) {
  const std::vector<std::string>& names = run.file.bodies().names;
  if (!run.keeps_all() || names.empty() || names.size() > names_listed) return "";
  if (std::ranges::any_of(names, &std::string::empty)) return "";
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(printable(name));
  return fmt::format(" ({})", listed(shown));
}

std::string bodies(const KnownRun& run) {
  const auto count = static_cast<std::int64_t>(run.file.whole());
  return fmt::format("The run follows {}{}{}{}{}.", counted_in_words(count, "body", "bodies"), names(run), masses(run),
                     charges(run), components(run));
}

std::string initial_state(const KnownRun& run, const InitialTable& table) {
  std::string words = fmt::format("{} ({})", in_quotes(table.plugin->name), described(table.plugin->meaning));
  std::string keys = keys_of(table.plugin->parameters, table.section.values(), run.units);
  for (const Parameter& shared : {Parameter{.name = "offset", .meaning = "", .unit = "length"},
                                  Parameter{.name = "velocity", .meaning = "", .unit = "length/time"}}) {
    const Value* value = table.section->find(shared.name);
    const auto* vector = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
    const bool own =
        std::ranges::find(table.plugin->parameters, shared.name, &Parameter::name) != table.plugin->parameters.end();
    if (own || vector == nullptr || std::ranges::all_of(*vector, [](double x) { return x == 0; })) continue;
    keys += fmt::format("{}{}", keys.empty() ? "" : "; ", key_in_words(shared, *value, run.units));
  }
  return keys.empty() ? words : fmt::format("{} with {}", words, keys);
}

std::string initial_states(const KnownRun& run) {
  const std::vector<InitialTable>& tables = run.scenario->tables.initial;
  std::vector<std::string> states;
  for (const InitialTable& table : tables) states.push_back(initial_state(run, table));
  const bool several = states.size() > 1, random = has_random_bodies(*run.scenario);
  std::string words =
      fmt::format("{} initial state{} {} {}", run.alone() ? "Its" : "Their", several ? "s" : "", several ? "are" : "is",
                  several ? fmt::format("{}", fmt::join(states, "; ")) : states.front());
  if (random) words += fmt::format("; bodies are drawn at random with seed {}", run.record.seed);
  std::vector<std::string> moved;
  for (const Section& section : run.scenario->tables.perturbations) {
    const Value* body = section->find("body");
    if (body == nullptr) continue;
    const auto index = number_in(*body);
    moved.push_back(index ? run.name_of(static_cast<std::int64_t>(*index)) : in_quotes(std::get<std::string>(*body)));
  }
  if (!moved.empty())
    words +=
        fmt::format("; {} {} then perturbed", listed_briefly(moved, names_listed), moved.size() == 1 ? "is" : "are");
  return words + ".";
}

/// Whether the pair force acts between any of the bodies.
bool acts(const KnownRun& run) {
  const sim::Model& model = run.scenario->model;
  if (run.alone() || model.coupling() == 0) return false;
  if (!run.keeps_all() || model.force.plugin->source == nullptr) return true;
  const std::vector<double> weights = model.force.plugin->source(run.file.bodies());
  return std::ranges::any_of(weights, [](double w) { return w != 0; });
}

std::string pair_force(const KnownRun& run) {
  const sim::Model& model = run.scenario->model;
  const sim::ForceLaw& law = *model.force.plugin;
  if (run.alone()) return model.fields.empty() ? "No force acts on it." : "";
  if (!acts(run)) {
    if (!model.fields.empty()) return "The bodies exert no forces on each other.";
    return "No forces act: the bodies move in straight lines.";
  }
  const std::string keys = keys_of(law.parameters, model.force.values, run.units);
  return fmt::format("Between pairs of bodies acts {} ({}){}.", in_quotes(law.name), described(law.meaning),
                     keys.empty() ? "" : " with " + keys);
}

std::string fields(const KnownRun& run) {
  std::vector<std::string> all;
  for (const auto& [law, values] : run.scenario->model.fields) {
    std::string keys = keys_of(law->parameters, values, run.units);
    all.push_back(fmt::format("{} ({}){}", in_quotes(law->name), described(law->meaning, "external field: "),
                              keys.empty() ? "" : " with " + keys));
  }
  if (all.empty()) return "";
  const char* target = run.alone() ? "it" : "every body";
  if (all.size() == 1) return fmt::format("An external field acts on {}: {}.", target, all.front());
  return fmt::format("External fields act on {}: {}.", target, fmt::join(all, "; "));
}

/// "x from −5 to 5 (periodic)"
std::string axis_in_words(const sim::Domain& domain, std::size_t axis, const RunUnits& units) {
  const double low = domain.low[axis], length = domain.edges[axis];
  const std::string name(1, "xyz"[axis]);
  if (!domain.boundary[axis]->bounded) return fmt::format("{} is unbounded", name);
  return fmt::format("{} from {} to {} ({})", name, number(low), quantity(low + length, units.length),
                     domain.boundary[axis]->name);
}

std::string space(const KnownRun& run) {
  const sim::Domain& domain = run.record.domain;
  const bool plane = domain.dimensions == 2;
  if (domain.is_open()) return plane ? "The motion is confined to a plane without bounds." : "Space is unbounded.";
  std::vector<std::string> axes;
  for (std::size_t axis = 0; axis < (plane ? 2U : 3U); ++axis) axes.push_back(axis_in_words(domain, axis, run.units));
  return fmt::format("The motion is confined to a {}: {}.", plane ? "rectangle" : "box", listed(axes));
}

std::string units(const KnownRun& run) {
  const sim::Model* model = run.scenario ? &run.scenario->model : nullptr;
  if (run.units.length.empty() && run.units.time.empty() && run.units.mass.empty())
    return "Quantities are without dimensions.";
  return fmt::format("Lengths are in {}, times in {} and masses in {}{}.", run.units.length.readable(),
                     run.units.time.readable(), run.units.mass.readable(),
                     model != nullptr ? fmt::format(" (system {})", in_quotes(model->units->name)) : "");
}

/// How forces are computed: the method of pairs and its accuracy, and the precision.
std::string method(const KnownRun& run) {
  const sim::Model& model = run.scenario->model;
  const std::string precision = precision_in_words(run);
  if (!acts(run)) return "";
  const sim::ForceSolver& solver = model.solver != nullptr ? *model.solver : sim::default_solver(*model.force.plugin);
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < solver.parameters.size() && k < model.solver_values.size(); ++k) {
    if (model.solver_values[k])
      keys.push_back(fmt::format("{} = {}", solver.parameters[k].name, number(*model.solver_values[k])));
  }
  return fmt::format("Pair forces are computed by the method {} ({}){}, {}.", in_quotes(solver.name),
                     described(solver.meaning), keys.empty() ? "" : " with " + listed(keys), precision);
}

/// "of second order, symplectic and symmetric in time"
std::string integrator_properties(const sim::Integrator& integrator) {
  std::vector<std::string> words;
  if (integrator.symplectic) words.emplace_back("symplectic");
  if (integrator.symmetric) words.emplace_back("symmetric in time");
  return fmt::format("of {} order{}{}{}", ordinal(integrator.order), integrator.bath ? " without friction" : "",
                     words.empty() ? "" : ", ", listed(words));
}

/// The step as the scenario writes it, " (1/500 period)", if that is not its number.
std::string step_as_written(const KnownRun& run) {
  const Value* dt = run.scenario ? run.scenario->tables.integrator->find("dt") : nullptr;
  const auto* text = dt == nullptr ? nullptr : std::get_if<std::string>(dt);
  return text == nullptr ? "" : fmt::format(" ({})", printable(*text));
}

std::string steps(const KnownRun& run) {
  const RunRecord& record = run.record;
  const std::string dt = quantity(std::abs(record.dt), run.units.time);
  if (run.own_steps()) {
    const sim::Clock& clock = run.state->clock;
    return fmt::format("which chooses its steps; {} taken and {} refused",
                       clock.steps == 1 ? "1 step was" : counted(clock.steps, "step") + " were", clock.refused);
  }
  return fmt::format("in {} of {}{}", counted(record.steps, "step"), dt, step_as_written(run));
}

std::string integrator(const KnownRun& run) {
  const sim::Integrator& method = *run.scenario->model.integrator;
  const std::string meaning = described(method.meaning);
  std::string words = fmt::format("The equations of motion are integrated by {}{}, {}", in_quotes(method.name),
                                  meaning.empty() ? "" : fmt::format(" ({})", meaning), integrator_properties(method));
  Arguments values;
  const sim::KeyValues& keys = run.scenario->model.keys;
  for (std::size_t k = 0; k < method.parameters.size(); ++k) values.set(method.parameters[k].name, keys.at.at(k));
  if (const std::string set = keys_of(method.parameters, values, run.units); !set.empty()) words += ", with " + set;
  return fmt::format("{}, {}.", words, steps(run));
}

std::string time_span(const KnownRun& run) {
  const double end = run.end();
  const std::string scales = in_timescales(end, run.record.initial_facts);
  const std::string goal = fmt::format("{}{}", time_in_words(end, run.record), scales.empty() ? "" : ", " + scales);
  const char* backward = end < 0 ? ", backward in time" : "";
  if (run.file.finished()) return fmt::format("The run goes from t = 0 to {}{}.", goal, backward);
  const double reached = run.state ? run.state->time : 0;
  return fmt::format("The run is to go from t = 0 to {}{}, and has reached {}.", goal, backward,
                     time_in_words(reached, run.record));
}

/// The distance in steps of frames that are equidistant; 0 if they are not.
std::int64_t stride_of(const std::vector<std::int64_t>& steps) {
  if (steps.size() < 2) return 0;
  const std::int64_t first = steps[1] - steps[0];
  for (std::size_t k = 2; k < steps.size(); ++k) {
    if (steps[k] - steps[k - 1] != first) return 0;
  }
  return first;
}

std::string stored(const KnownRun& run) {
  const TrajectoryOptions& options = run.file.options();
  const auto frames = static_cast<std::int64_t>(run.file.size());
  if (frames == 0) return "The file has no frames.";
  std::string words = fmt::format("The file keeps {}", counted(frames, "frame"));
  if (const std::int64_t stride = stride_of(run.file.steps()); stride > 0) {
    const std::string apart = quantity(static_cast<double>(stride) * std::abs(run.record.dt), run.units.time);
    words += run.own_steps() ? fmt::format(", {} apart", apart)
             : stride == 1   ? ", one of every step"
                             : fmt::format(", one every {}", counted(stride, "step"));
  }
  const auto kept = static_cast<std::int64_t>(run.file.bodies().size());
  if (!run.keeps_all()) words += fmt::format(", of {} of the bodies", kept);
  words += fmt::format(", as {} numbers with{} velocities", options.single_precision ? "float32" : "float64",
                       options.velocities ? "" : "out");
  const auto rows = static_cast<std::int64_t>(run.history.time.size());
  return fmt::format("{}, and {} of energies and momenta.", words, rows == 0 ? "no rows" : counted(rows, "row"));
}

}  // namespace

std::string precision_in_words(const KnownRun& run) {
  const sim::Precision precision = run.scenario->model.precision;
  if (precision == sim::Precision::float64) return "in float64";
  return fmt::format("in {}, while positions and velocities are float64", sim::name_of(precision));
}

std::string simulated(const KnownRun& run) {
  std::vector<std::string> sentences{bodies(run)};
  if (run.scenario) {
    sentences.push_back(initial_states(run));
    sentences.push_back(pair_force(run));
    sentences.push_back(fields(run));
    sentences.push_back(units(run));
    sentences.push_back(space(run));
    sentences.push_back(method(run));
    sentences.push_back(integrator(run));
  } else {
    sentences.push_back(units(run));
    sentences.push_back(space(run));
    sentences.push_back(
        fmt::format("What else its scenario says cannot be read by this version: {}.", printable(run.unreadable)));
  }
  sentences.push_back(time_span(run));
  sentences.push_back(stored(run));
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

}  // namespace orrery::pipeline
