// SPDX-License-Identifier: MIT
// What was simulated, in sentences made of the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/page/model_words.hpp"
#include "pipeline/printable.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t names_listed = 12;

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

std::string initial_states(const KnownRun& run) {
  std::vector<std::string> states;
  std::set<const sim::InitialState*> introduced;
  const std::vector<InitialTable>& tables = run.scenario->tables.initial;
  for (std::size_t k = 0; k < tables.size(); ++k)
    states.push_back(initial_state_in_words(run, k, !introduced.insert(tables[k].plugin).second));
  const bool several = states.size() > 1;
  return fmt::format("{} initial state{} {}.", run.alone() ? "Its" : "Their", several ? "s are" : " is",
                     fmt::format("{}", fmt::join(states, "; ")));
}

/// What is done to the bodies of the initial states.
std::string afterwards(const KnownRun& run) {
  std::string words;
  if (has_random_bodies(*run.scenario)) words = fmt::format("Random numbers have the seed {}.", run.record.seed);
  std::vector<std::string> moved;
  for (const Section& section : run.scenario->tables.perturbations) {
    const Value* body = section->find("body");
    if (body == nullptr) continue;
    const auto index = number_in(*body);
    moved.push_back(index ? run.name_of(static_cast<std::int64_t>(*index)) : printable(std::get<std::string>(*body)));
  }
  if (moved.empty()) return words;
  const bool one = moved.size() == 1;
  return fmt::format("{}{}{} {} then perturbed.", words, words.empty() ? "" : " ",
                     at_start(listed_briefly(std::move(moved), names_listed)), one ? "is" : "are");
}

std::string pair_force(const KnownRun& run) {
  const bool fields = !run.scenario->model.fields.empty();
  if (run.alone()) return fields ? "" : "No force acts on it.";
  if (pairs_act(run)) return fmt::format("Between pairs of bodies acts {}.", pair_force_in_words(run));
  return fields ? "The bodies exert no forces on each other." : "No forces act on them.";
}

std::string fields(const KnownRun& run) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < run.scenario->model.fields.size(); ++k) all.push_back(field_in_words(run, k));
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

std::string method(const KnownRun& run) {
  if (!pairs_act(run)) return "";
  return fmt::format("Pair forces are computed by {}, {}.", solver_in_words(run), precision_in_words(run));
}

std::string integrator(const KnownRun& run) {
  return fmt::format("The equations of motion are integrated by {}, {}.", integrator_in_words(run),
                     steps_in_words(run));
}

std::string time_span(const KnownRun& run) {
  const double end = run.end();
  const std::string goal = end_in_words(run);
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

std::string simulated(const KnownRun& run) {
  std::vector<std::string> sentences{bodies(run), units(run), space(run)};
  if (run.scenario) {
    sentences.push_back(initial_states(run));
    sentences.push_back(afterwards(run));
    sentences.push_back(pair_force(run));
    sentences.push_back(fields(run));
    sentences.push_back(method(run));
    if (imported_from(run.record).empty()) sentences.push_back(integrator(run));
  } else {
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
