// SPDX-License-Identifier: MIT
// Every plug-in has a complete description, and its printed block can be pasted into a scenario.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "pipeline/commands/command.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "sim/force.hpp"
#include "sim/solver.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view sections[] = {"",           "initial", "perturb",    "domain",     "force",
                                         "integrator", "backend", "trajectory", "observables"};

/// The default of a key as read by the scenario reader, in a section with no other keys.
Arguments defaults(const std::vector<Parameter>& parameters) {
  return Document("", "defaults", {}).table("x", 0, parameters).values();
}

void expect_in_range(const Parameter& parameter, const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    EXPECT_TRUE(parameter.range.contains(*number));
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    EXPECT_TRUE(parameter.range.contains(static_cast<double>(*whole)));
  } else if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    for (const double entry : *numbers) EXPECT_TRUE(parameter.range.contains(entry));
    EXPECT_TRUE(parameter.count == 0 || parameter.count == numbers->size());
  }
}

void expect_well_described(std::span<const Parameter> parameters) {
  std::set<std::string_view> names;
  for (const Parameter& p : parameters) {
    SCOPED_TRACE(std::string(p.name));
    EXPECT_TRUE(names.insert(p.name).second) << "twice";
    EXPECT_THAT(std::string(p.name), ::testing::MatchesRegex("[A-Za-z][A-Za-z0-9_]*"));
    EXPECT_FALSE(p.meaning.empty());
    EXPECT_LE(p.range.low, p.range.high);
    expect_well_described(p.fields);
    if (p.fallback.empty()) continue;
    const Arguments values = defaults({p});  // the reader checks type, range and choices as for any value
    ASSERT_TRUE(values.has(p.name));
    expect_in_range(p, *values.find(p.name));
  }
}

template <class List>
void expect_good_list(const List& list) {
  std::set<std::string_view> names;
  for (const auto* plugin : list) {
    EXPECT_TRUE(names.insert(plugin->name).second) << plugin->name;
    EXPECT_THAT(std::string(plugin->name), ::testing::MatchesRegex("[a-z][a-z0-9-]*"));
    EXPECT_FALSE(plugin->meaning.empty()) << plugin->name;
  }
  EXPECT_FALSE(names.empty());
}

/// The output of `orrery list WHAT NAME`.
std::string block(const std::string& what, std::string_view name) {
  const Folder folder;
  const Outcome outcome = run(folder, {"list", what, std::string(name)});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  return outcome.output;
}

const std::string initial_block = "[[initial]]\nkind = \"two-body\"\n";
const std::string integrator_block = "[integrator]\ndt = 1.0\nsteps = 1\n";

TEST(PluginLists, NamesAndMeanings) {
  expect_good_list(sim::initial_states());
  expect_good_list(sim::force_laws());
  expect_good_list(sim::field_laws());
  expect_good_list(sim::force_solvers());
  expect_good_list(sim::boundaries());
  expect_good_list(sim::integrators());
  expect_good_list(sim::backend_kinds());
  expect_good_list(commands());
}

TEST(PluginLists, ParametersAreWellDescribed) {
  for (const std::string_view section : sections) expect_well_described(section_keys(section));
  for (const auto* plugin : sim::initial_states()) expect_well_described(plugin->parameters);
  for (const auto* plugin : sim::force_laws()) expect_well_described(plugin->parameters);
  for (const auto* plugin : sim::field_laws()) expect_well_described(plugin->parameters);
  for (const auto* plugin : sim::force_solvers()) expect_well_described(plugin->parameters);
}

TEST(PluginLists, ParametersWithoutDefaultHaveAnExample) {
  const auto expect_values = [](std::string_view of, std::span<const Parameter> parameters) {
    for (const Parameter& p : parameters)
      EXPECT_FALSE(p.fallback.empty() && p.example.empty() && p.choices.empty()) << of << "." << p.name;
  };
  for (const std::string_view section : sections) expect_values(section, section_keys(section));
  for (const auto* plugin : sim::initial_states()) expect_values(plugin->name, plugin->parameters);
  for (const auto* plugin : sim::force_laws()) expect_values(plugin->name, plugin->parameters);
  for (const auto* plugin : sim::field_laws()) expect_values(plugin->name, plugin->parameters);
  for (const auto* plugin : sim::integrators()) expect_values(plugin->name, plugin->parameters);
  for (const char* section : {"figure", "film"}) {
    for (const auto& kind : figure_descriptions(section)) expect_values(kind.name, kind.parameters);
  }
}

TEST(PluginLists, InitialBlocksReadBackToTheirDefaults) {
  for (const auto* plugin : sim::initial_states()) {
    const std::string printed = block("initial", plugin->name);
    SCOPED_TRACE(printed);
    const Scenario pasted = parse_scenario(printed + integrator_block, "pasted.toml");
    EXPECT_EQ(pasted.tables.initial.front().plugin, plugin);
    EXPECT_GE(set_up(pasted).model.bodies.size(), 1U);
    if (plugin->name == "table") continue;  // has no default bodies
    const Scenario bare =
        parse_scenario(fmt::format("[initial]\nkind = \"{}\"\n", plugin->name) + integrator_block, "bare");
    EXPECT_EQ(resolved(pasted), resolved(bare));
    EXPECT_EQ(set_up(pasted).model.bodies.position, set_up(bare).model.bodies.position);
  }
}

TEST(PluginLists, ForceBlocksReadBackToTheirDefaults) {
  std::vector<std::string_view> names;
  for (const auto* plugin : sim::force_laws()) names.push_back(plugin->name);
  for (const auto* plugin : sim::field_laws()) names.push_back(plugin->name);
  for (const std::string_view name : names) {
    const std::string printed = block("force", name);
    const Scenario pasted = parse_scenario(initial_block + printed + integrator_block, "pasted.toml");
    const Scenario bare =
        parse_scenario(initial_block + fmt::format("[force]\nkind = \"{}\"\n", name) + integrator_block, "bare");
    EXPECT_EQ(resolved(pasted), resolved(bare)) << printed;
  }
}

TEST(PluginLists, IntegratorAndBackendBlocksReadBack) {
  for (const auto* plugin : sim::integrators()) {
    const std::string printed = block("integrator", plugin->name);
    const Scenario pasted = parse_scenario(initial_block + printed, "pasted.toml");
    EXPECT_EQ(pasted.model.integrator, plugin);
    const bool needs_dt = pasted.model.accuracy() == 0;
    EXPECT_EQ(set_up(pasted).model.steps, needs_dt ? 10'000 : 600);
    EXPECT_THAT(printed, HasSubstr(fmt::format("order {}", plugin->order)));
  }
  for (const auto* kind : sim::backend_kinds()) {
    const Scenario pasted =
        parse_scenario(initial_block + integrator_block + block("backend", kind->name), "pasted.toml");
    EXPECT_EQ(pasted.backend.kind, kind->name);
  }
}

/// A block gives the meaning, unit and range of each key; its commented lines are keys too.
TEST(PluginLists, BlocksExplainEveryKey) {
  for (const auto* plugin : sim::initial_states()) {
    const std::string printed = block("initial", plugin->name);
    for (const Parameter& p : plugin->parameters) EXPECT_THAT(printed, HasSubstr(p.meaning));
    for (const char* key : {"# component = ", "# offset = ", "# recentre = "}) EXPECT_THAT(printed, HasSubstr(key));
  }
  EXPECT_THAT(block("integrator", "leapfrog"), HasSubstr("# steps = "));
}

TEST(PluginLists, CommandsAreConsistent) {
  for (const auto* command : commands()) {
    EXPECT_LE(command->min_operands, command->max_operands) << command->name;
    EXPECT_NE(command->add, nullptr) << command->name;
    const Folder folder;
    const Outcome help = run(folder, {std::string(command->name), "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.output, HasSubstr(command->meaning));
    EXPECT_THAT(help.output, HasSubstr(command->operands));
    const Outcome many = run(folder, {std::string(command->name), "a", "b", "c", "d"});
    EXPECT_TRUE(command->max_operands >= 4 || many.code == 2) << command->name;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
