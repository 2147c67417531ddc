// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <xxhash.h>

#include <map>
#include <span>
#include <string>

#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/domain.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t longest = 200;  // characters

/// Replaces a long value by its hash.
std::string brief(const std::string& value) {
  if (value.size() <= longest) return value;
  return fmt::format("({} characters, XXH3 {:016x})", value.size(), XXH3_64bits(value.data(), value.size()));
}

/// Bodies as TOML if that is short, else their hash.
std::string brief(const SharedColumns& bodies) {
  constexpr std::size_t few = 4;
  std::string text = bodies->rows > few ? "" : to_toml(bodies);
  if (!text.empty() && text.size() <= longest) return text;
  return fmt::format("({} bodies, XXH3 {})", bodies->rows, hash_text(*bodies));
}

std::string text_of(const Scenario& scenario, const Section& trajectory, const Section& observables) {
  std::string text;
  const auto add = [&](std::string_view header, const Section& section, std::string_view kind = "",
                       std::span<const std::string_view> without = {}) {
    if (!header.empty()) text += fmt::format("\n{}\n", header);
    for (const std::string& line : section.lines(without)) {
      const bool is_kind = line.starts_with("kind = ");
      text += (is_kind ? fmt::format("kind = \"{}\"", kind) : line) + "\n";
    }
  };
  add("", scenario.top);
  for (const auto& choice : scenario.initial) {
    constexpr std::string_view kept_elsewhere[] = {"bodies"};
    add("[[initial]]", choice.section, choice.plugin->name,
        lists_bodies(*choice.plugin) ? std::span<const std::string_view>(kept_elsewhere)
                                     : std::span<const std::string_view>());
  }
  for (const Section& table : scenario.perturbations) add("[[perturb]]", table);
  if (scenario.document.count("domain") > 0) add("[domain]", scenario.domain);  // absent in earlier versions
  for (const auto& choice : scenario.forces) add("[[force]]", choice.section, choice.plugin->name);
  for (const auto& choice : scenario.fields) add("[[force]]", choice.section, choice.plugin->name);
  add("[integrator]", scenario.integrator.section, scenario.integrator.plugin->name);
  const std::string backend = scenario.backend->text("kind");
  add("[backend]", scenario.backend, backend.empty() ? "auto" : backend);
  add("[trajectory]", trajectory);
  add("[observables]", observables);
  return text;
}

Section adjusted(Section section, const Adjusted& by) {
  for (const auto& [key, value] : by.keys) section.set(key, value);
  return section;
}

}  // namespace

std::string resolved(const Scenario& scenario) {
  return text_of(scenario, scenario.trajectory, scenario.observables);
}

std::string resolved(const Scenario& scenario, const Setup& setup) {
  return text_of(scenario, adjusted(scenario.trajectory, setup.adjusted_frames),
                 adjusted(scenario.observables, setup.adjusted_rows));
}

std::map<std::string, std::string> physics(const Scenario& scenario, const Setup& setup) {
  auto keys = physics(scenario, {setup.G, setup.dt, setup.steps, to_toml(setup.frames.size())});
  for (const auto& [key, value] : setup.adjusted_frames.keys) keys["trajectory." + key] = brief(to_toml(value));
  for (const auto& [key, value] : setup.adjusted_rows.keys) keys["observables." + key] = brief(to_toml(value));
  return keys;
}

std::map<std::string, std::string> physics(const Scenario& scenario, const KnownSteps& known) {
  std::map<std::string, std::string> keys;
  const auto add = [&](const std::string& prefix, const Section& section, std::string_view kind = "",
                       std::span<const std::string_view> without = {}) {
    for (const std::string& line : section.lines(without)) {
      const auto equals = line.find(" = ");
      const std::string name = prefix + line.substr(0, equals);
      keys[name] = line.starts_with("kind = ") ? fmt::format("\"{}\"", kind) : brief(line.substr(equals + 3));
    }
  };
  keys["seed"] = std::to_string(scenario.top->integer("seed"));
  keys["units"] = fmt::format("\"{}\"", scenario.units->name);
  for (std::size_t i = 0; i < scenario.initial.size(); ++i) {
    const auto& choice = scenario.initial[i];
    const std::string prefix = fmt::format("initial[{}].", i);
    if (!lists_bodies(*choice.plugin)) {
      add(prefix, choice.section, choice.plugin->name);
      continue;
    }
    constexpr std::string_view where_bodies_are[] = {"bodies", "file", "frame", "xxh3"};
    add(prefix, choice.section, choice.plugin->name, where_bodies_are);
    if (const Value* bodies = choice.section->find("bodies"))
      keys[prefix + "bodies"] = brief(std::get<SharedColumns>(*bodies));
  }
  for (std::size_t i = 0; i < scenario.perturbations.size(); ++i)
    add(fmt::format("perturb[{}].", i), scenario.perturbations[i]);
  if (domain_of(scenario.domain) != sim::Domain()) add("domain.", scenario.domain);
  // The pair force comes first: the order in the file changes no bit.
  std::size_t force = 0;
  for (const auto& choice : scenario.forces)
    add(fmt::format("force[{}].", force++), choice.section, choice.plugin->name);
  for (const auto& choice : scenario.fields)
    add(fmt::format("force[{}].", force++), choice.section, choice.plugin->name);
  // Fields use G even if the pair force is not gravity.
  if (!scenario.fields.empty() && scenario.forces.front().plugin->coupling != sim::Coupling::gravitational)
    keys["G"] = to_toml(known.G);
  // Resolved numbers, however the scenario gives them.
  keys["integrator.kind"] = fmt::format("\"{}\"", scenario.integrator.plugin->name);
  keys["integrator.dt"] = to_toml(known.dt);
  for (const Parameter& own : scenario.integrator.plugin->parameters) {
    keys[fmt::format("integrator.{}", own.name)] = to_toml(*scenario.integrator.section->find(own.name));
  }
  keys["integrator.steps"] = to_toml(known.steps);
  const std::string precision = scenario.backend->text("precision");
  keys["backend.precision"] = to_toml(precision);
  if (precision == "float32") keys["backend.inverse_root"] = to_toml(scenario.backend->text("inverse_root"));
  add("trajectory.", scenario.trajectory);
  add("observables.", scenario.observables);
  if (!scenario.trajectory.given("every") && !scenario.trajectory.given("times")) {
    keys["trajectory.frames"] = known.frames;
  }
  for (const char* free : {"trajectory.commit", "trajectory.sync", "trajectory.file"}) keys.erase(free);
  return keys;
}

}  // namespace orrery::pipeline
