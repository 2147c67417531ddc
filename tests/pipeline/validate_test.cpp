// SPDX-License-Identifier: MIT
// validate notices what is wrong with an integrator: with one coefficient disturbed, each of them fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "pipeline/validate/validation.hpp"
#include "sim/backends/cpu.hpp"
#include "tests/pipeline/disturbed_backend.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

std::unique_ptr<sim::Backend> cpu(sim::System system) {
  return sim::cpu_backend.make(std::move(system), {.threads = 1});
}

/// What the suite of orders says of an integrator with such a coefficient.
std::vector<Check> orders(const sim::Integrator& integrator, const Site& site) {
  const Laboratory laboratory{.quick = true, .make = [&](sim::System system) {
                                return std::make_unique<DisturbedBackend>(cpu(std::move(system)), site);
                              }};
  const auto tasks =
      planned({.suites = {"order"}, .integrators = {std::string(integrator.name)}, .quick = laboratory.quick});
  return carry_out(tasks, laboratory, 2, [](double) { return false; }).checks;
}

bool all_pass(const std::vector<Check>& checks) {
  return std::ranges::all_of(checks, &Check::passed);
}

/// How many combinations into that column a step has.
std::int64_t combinations(const sim::Integrator& integrator, sim::Column target) {
  const auto setup = setup_of(sound);
  sim::System system = make_system(parse_scenario(sound, "s.toml"), setup);
  sim::make_room(system, integrator);
  DisturbedBackend bodies(cpu(std::move(system)), {.target = target, .nth = -1});
  sim::Simulation(bodies, integrator, 0.01).advance(2);
  return bodies.combinations();
}

class EveryIntegratorValidated : public ::testing::TestWithParam<const sim::Integrator*> {};

/// The last coefficient by which positions are moved in a step: no predictor, whatever the method.
TEST_P(EveryIntegratorValidated, FailsWithOneCoefficientDisturbed) {
  const sim::Integrator& integrator = *GetParam();
  Site site;
  if (integrator.step != nullptr) site.nth = combinations(integrator, site.target) - 1;
  const auto checks = orders(integrator, site);
  EXPECT_FALSE(all_pass(checks)) << table(checks);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegratorValidated,
                         ::testing::ValuesIn(sim::integrators().begin(), sim::integrators().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::erase(name, '-');
                           return name;
                         });

/// Every other coefficient too. Those of a mere prediction, which forces correct twice, cannot show in the order.
TEST(Validate, NoticesAnyCoefficientOfAnyIntegratorSlow) {
  for (const sim::Integrator* integrator : sim::integrators()) {
    if (integrator->step == nullptr) continue;  // its steps are no sentences of a fixed length
    for (const sim::Column target : {sim::Column::position, sim::Column::velocity}) {
      for (std::int64_t k = integrator->jerk ? 1 : 0; k < combinations(*integrator, target); ++k) {
        const auto checks = orders(*integrator, {.target = target, .nth = k});
        EXPECT_FALSE(all_pass(checks)) << integrator->name << ", combination " << k << "\n" << table(checks);
      }
    }
  }
}

/// The backend of these tests is not what fails.
TEST(Validate, PassesWithNothingDisturbed) {
  const auto checks = orders(*sim::integrators()[1], {.nth = -1});
  EXPECT_EQ(checks.size(), 4U);
  EXPECT_TRUE(all_pass(checks)) << table(checks);
}

}  // namespace
}  // namespace orrery::pipeline::testing
