// SPDX-License-Identifier: MIT
// What check and info say about the methods for forces.
#include "pipeline/run/force_methods.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/run/plan.hpp"
#include "sim/backends/cpu.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::string& force, std::size_t n, const std::string& integrator = "leapfrog") {
  return "[initial]\nkind = \"plummer\"\nn = " + std::to_string(n) + "\n[force]\nsoftening = 0.02\n" + force +
         "[integrator]\nkind = \"" + integrator + "\"\ndt = 0.01\nsteps = 3\n[backend]\nkind = \"cpu\"\nthreads = 2\n";
}

Scenario scenario_with(const std::string& force, std::size_t n = 2500) {
  return parse_scenario(text_of(force, n), "s.toml");
}

std::optional<sim::ForceErrors> errors_with(const std::string& force) {
  const Scenario scenario = scenario_with(force);
  const Setup setup = set_up(scenario);
  const auto cpu = sim::make_cpu_backend(sim::system_of(setup.model), 2, 0);
  return force_errors(setup.model, *cpu);
}

TEST(ForceMethods, ErrorsAreMeasuredForTheTreeOnly) {
  EXPECT_FALSE(errors_with(""));
  const auto usual = errors_with("method = \"tree\"\n"), fine = errors_with("method = \"tree\"\naccuracy = 1e-4\n");
  ASSERT_TRUE(usual && fine);
  EXPECT_EQ(usual->bodies, 500U);
  EXPECT_GT(usual->median, 1e-5);
  EXPECT_LT(usual->median, 1e-3);
  EXPECT_LE(usual->median, usual->of_99);
  EXPECT_LE(usual->of_99, usual->greatest);
  EXPECT_LT(fine->median, 0.3 * usual->median);
}

/// All bodies in one leaf: only rounding is left.
TEST(ForceMethods, ErrorsOfOneLeafAreRounding) {
  const auto errors = errors_with("method = \"tree\"\nleaf = 2500\n");
  ASSERT_TRUE(errors);
  EXPECT_LT(errors->greatest, 1e-11);
}

TEST(ForceMethods, TheOtherMethodIsMeasured) {
  const auto other = [](const std::string& force, std::size_t n) {
    const Scenario scenario = scenario_with(force, n);
    return other_method(set_up(scenario).model, "cpu", options_of(scenario.backend));
  };
  EXPECT_FALSE(other("", 100));
  const auto of_direct = other("", 2500), of_tree = other("method = \"tree\"\n", 2500);
  ASSERT_TRUE(of_direct && of_tree);
  EXPECT_EQ(of_direct->name, "tree");
  EXPECT_TRUE(of_direct->errors);
  EXPECT_GT(of_direct->seconds, 0);
  EXPECT_EQ(of_tree->name, "direct");
  EXPECT_FALSE(of_tree->errors);
}

TEST(ForceMethods, PlansWarnOfAdaptiveSteps) {
  const Scenario scenario = parse_scenario(text_of("method = \"tree\"\n", 300, "rk45"), "s.toml");
  const auto warnings = make_plan(scenario, set_up(scenario)).warnings;
  EXPECT_THAT(warnings, ::testing::Contains(HasSubstr("jump")));
}

/// The accuracy is recorded even if the scenario does not give it, and only for the tree.
TEST(ForceMethods, TheAccuracyIsRecorded) {
  EXPECT_THAT(resolved(scenario_with("method = \"tree\"\n")), HasSubstr("accuracy = 0.001"));
  EXPECT_THAT(resolved(scenario_with("")), ::testing::Not(HasSubstr("accuracy")));
  const auto values = [](const std::string& force) { return scenario_with(force).model.solver_values; };
  EXPECT_EQ(values("method = \"tree\"\ntheta = 0.4\norder = 6\nleaf = 7\n"), (sim::SolverValues{1e-3, 6, 0.4, 7}));
  EXPECT_EQ(values("method = \"tree\"\n"), (sim::SolverValues{1e-3, {}, {}, {}}));
  EXPECT_EQ(values(""), sim::SolverValues());
}

}  // namespace
}  // namespace orrery::pipeline::testing
