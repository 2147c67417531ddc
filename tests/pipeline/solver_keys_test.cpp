// SPDX-License-Identifier: MIT
// The keys of every solver: in [[force]], in what is recorded, and as the numbers of a system.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/solver.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

/// A law that the solver takes.
const sim::ForceLaw& law_for(const sim::ForceSolver& solver) {
  return **std::ranges::find_if(sim::force_laws(), [&](const sim::ForceLaw* law) {
    sim::System system;
    system.forces.emplace_back().law = law;
    return refusal_of(solver, system, sim::Precision::float64).why.empty();
  });
}

std::string force_of(const sim::ForceSolver& solver) {
  return fmt::format("[force]\nkind = \"{}\"\nmethod = \"{}\"", law_for(solver).name, solver.name);
}

std::string_view value_of(const Parameter& key) {
  return key.example.empty() ? key.fallback : key.example;
}

TEST(SolverKeys, AreNumbersOfOneSolver) {
  std::vector<std::string_view> names{"kind", "method", "softening"};
  const auto add = [&](const auto& plugins) {
    for (const auto* plugin : plugins)
      for (const Parameter& key : plugin->parameters) names.push_back(key.name);
  };
  add(sim::force_laws());
  add(sim::field_laws());
  for (const sim::ForceSolver* solver : sim::force_solvers()) {
    for (const Parameter& key : solver->parameters) {
      EXPECT_EQ(std::ranges::count(names, key.name), 0) << key.name;
      EXPECT_EQ(sim::solver_with(key.name), solver) << key.name;
      EXPECT_TRUE(key.kind == Kind::boolean || key.kind == Kind::integer || key.kind == Kind::number) << key.name;
      EXPECT_EQ(key.optional, key.fallback.empty()) << key.name;
    }
    add(std::span(&solver, 1));
    if (solver->is_approximate()) {
      EXPECT_FALSE(solver->parameters.empty() || solver->discontinuity.empty()) << solver->name;
    }
  }
  EXPECT_EQ(sim::solver_with("softening"), nullptr);
}

TEST(SolverKeys, AppearInListAndInWhatIsRecorded) {
  const Folder folder;
  const std::string listed = run(folder, {"list", "force", "gravity"}).output;
  std::size_t keys = 0;
  for (const sim::ForceSolver* solver : sim::force_solvers()) {
    EXPECT_THAT(listed, HasSubstr(fmt::format("{}: {};", solver->name, solver->meaning)));
    std::string given = force_of(*solver);
    const Scenario usual = parse_scenario(and_then(given), "s.toml");
    for (const Parameter& key : solver->parameters) {
      ++keys;
      EXPECT_THAT(listed, HasSubstr(fmt::format("# {} = {}", key.name, value_of(key))));
      EXPECT_THAT(listed, HasSubstr(std::string(key.meaning)));
      EXPECT_EQ(usual.tables.force->has(key.name), !key.fallback.empty()) << key.name;
      given += fmt::format("\n{} = {}", key.name, value_of(key));
    }
    const Scenario scenario = parse_scenario(and_then(given), "s.toml");
    const sim::Model& model = scenario.model;
    EXPECT_EQ(model.solver, solver);
    ASSERT_EQ(model.solver_values.size(), solver->parameters.size());
    const auto compared = recipe(scenario);
    for (std::size_t k = 0; k < solver->parameters.size(); ++k) {
      const std::string key(solver->parameters[k].name);
      EXPECT_TRUE(model.solver_values[k]) << key;
      EXPECT_THAT(resolved(scenario), HasSubstr(fmt::format("\n{} = ", key)));
      EXPECT_TRUE(compared.contains("force[0]." + key));
    }
    EXPECT_EQ(resolved(parse_scenario(resolved(scenario), "again.toml")), resolved(scenario));
  }
  EXPECT_GE(keys, 4U);
}

TEST(SolverKeys, OfAnotherMethodAreRefused) {
  for (const sim::ForceSolver* solver : sim::force_solvers()) {
    for (const sim::ForceSolver* other : sim::force_solvers()) {
      for (const Parameter& key : other->parameters) {
        const std::string text = and_then(fmt::format("{}\n{} = {}", force_of(*solver), key.name, value_of(key)));
        const std::string words = fmt::format("s.toml:14:{}: `{}` is for method = \"{}\": add that, or remove",
                                              key.name.size() + 4, key.name, other->name);
        EXPECT_THAT(refusal(text), HasSubstr(other == solver ? "" : words));
        EXPECT_EQ(refusal(text).empty(), other == solver);
        // Unless a flag asks for the other method, which drops them with a note.
        const std::string flag = fmt::format("force.method={}", solver->name);
        const std::string of_other = and_then(fmt::format("{}\n{} = {}", force_of(*other), key.name, value_of(key)));
        if (other != solver && &law_for(*solver) == &law_for(*other)) {
          EXPECT_EQ(parse_scenario(of_other, "s.toml", {flag}).document.notes().size(), 1U) << key.name;
        }
      }
    }
  }
}

/// 0 is a value like any other, not "not given".
TEST(SolverKeys, ValuesOutOfTheirSetAreRefused) {
  EXPECT_THAT(refusal(and_then("[force]\nmethod = \"tree\"\naccuracy = 0")),
              HasSubstr("s.toml:13:12: `accuracy` must be"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
