// SPDX-License-Identifier: MIT
// orrery validate detects a wrong integrator: with one coefficient changed, each of them fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <iterator>
#include <limits>
#include <memory>
#include <thread>

#include "pipeline/validate/validation.hpp"
#include "sim/backends/cpu.hpp"
#include "sim/simulation.hpp"
#include "tests/pipeline/disturbed_backend.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<sim::Backend> cpu(sim::System system) {
  return sim::cpu_backend.make(std::move(system), {.threads = 1});
}

bool all_pass(const std::vector<Check>& checks) {
  return std::ranges::all_of(checks, &Check::passed);
}

/// The result of a suite for an integrator with a changed coefficient, up to the first task that detects it.
std::vector<Check> said_by(const std::string& suite, const sim::Integrator& integrator, const Site& site) {
  Context silent;
  const Conditions conditions{.context = silent, .quick = true, .make = [&](sim::System system) {
                                return std::make_unique<DisturbedBackend>(cpu(std::move(system)), site);
                              }};
  const auto tasks =
      planned({.suites = {suite}, .integrators = {std::string(integrator.name)}, .quick = conditions.quick});
  std::vector<Check> all;
  for (const Task& task : tasks) {
    std::ranges::move(carry_out({task}, conditions, 1, [](double) { return false; }).checks, std::back_inserter(all));
    if (!all_pass(all)) break;
  }
  return all;
}

std::vector<Check> orders_of(const sim::Integrator& integrator, const Site& site) {
  return said_by("order", integrator, site);
}

/// The number of combinations into that column per step, and of coefficients in the selected one.
struct Sentence {
  std::int64_t combinations, terms;
};
Sentence sentence(const sim::Integrator& integrator, const Site& site) {
  const auto setup = setup_of(sound);
  sim::System system = sim::system_of(setup.model);
  sim::add_requirements(system, integrator);
  DisturbedBackend bodies(cpu(std::move(system)), site);
  sim::Simulation(bodies, integrator, 0.01).advance(2);
  return {bodies.combinations(), bodies.terms()};
}

class EveryIntegratorValidated : public ::testing::TestWithParam<const sim::Integrator*> {};

/// The last coefficient by which positions move in a step; it never belongs to a predictor.
TEST_P(EveryIntegratorValidated, FailsWithOneWrongCoefficient) {
  const sim::Integrator& integrator = *GetParam();
  Site site;
  if (integrator.step != nullptr) site.nth = sentence(integrator, site).combinations - 1;
  const auto checks = orders_of(integrator, site);
  EXPECT_FALSE(all_pass(checks)) << table(checks);
}

/// Changes all moves of positions by very little: to stages, to the ends of steps, and to shown frames.
TEST_P(EveryIntegratorValidated, FailsInAdaptiveStepsWithOneWrongCoefficient) {
  if (GetParam()->advance_to == nullptr) GTEST_SKIP() << "it chooses none";
  Site site;
  site.factor = 1 + 1e-6;
  const auto checks = said_by("own-steps", *GetParam(), site);
  EXPECT_FALSE(all_pass(checks)) << table(checks);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegratorValidated,
                         ::testing::ValuesIn(sim::integrators().begin(), sim::integrators().end()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::erase(name, '-');
                           return name;
                         });

/// A coefficient that in theory does not affect the order.
struct Silent {
  std::string_view integrator;
  sim::Column target;
  std::int64_t combination, before_last;
};
constexpr auto position = sim::Column::position, velocity = sim::Column::velocity;
constexpr Silent silent[] = {
    // c₂: b₂ = 0, and the effect of the second stage on later ones cancels in the result.
    {"rk45", position, 0, 0},
    // The predictor, which is corrected twice, and the small terms of the second correction.
    {"hermite4", position, 0, 0},
    {"hermite4", position, 0, 1},
    {"hermite4", position, 0, 2},
    {"hermite4", velocity, 0, 0},
    {"hermite4", velocity, 0, 1},
    {"hermite4", velocity, 1, 2},
    {"hermite4", velocity, 1, 3}};

/// Every coefficient by which positions and velocities move.
TEST(Validate, DetectsAnyWrongCoefficientOfAnyIntegratorSlow) {
  for (const sim::Integrator* integrator : sim::integrators()) {
    if (integrator->step == nullptr) continue;  // its steps are no sentences of a fixed length
    for (const sim::Column target : {position, velocity}) {
      Site site{.target = target, .nth = 0};
      for (; *site.nth < sentence(*integrator, site).combinations; ++*site.nth) {
        for (site.before_last = 0; site.before_last < sentence(*integrator, site).terms; ++site.before_last) {
          const auto unheard = [&](const Silent& one) {
            return one.integrator == integrator->name && one.target == target && one.combination == site.nth &&
                   one.before_last == site.before_last;
          };
          if (std::ranges::any_of(silent, unheard)) continue;
          const auto checks = orders_of(*integrator, site);
          EXPECT_FALSE(all_pass(checks)) << integrator->name << ", combination " << *site.nth << ", term "
                                         << site.before_last << " from the last\n"
                                         << table(checks);
        }
      }
    }
  }
}

/// The wrapped backend itself causes no failure.
TEST(Validate, PassesWithRightCoefficients) {
  const auto checks = orders_of(*sim::integrators()[1], {.nth = -1});
  EXPECT_EQ(checks.size(), 3U);
  EXPECT_TRUE(all_pass(checks)) << table(checks);
}

TEST(Validate, BoundsCompareValues) {
  EXPECT_TRUE(Bound::at_most(1).holds(1));
  EXPECT_FALSE(Bound::at_most(1).holds(1.0001));
  EXPECT_TRUE(Bound::at_least(4).holds(4.2));
  EXPECT_FALSE(Bound::at_least(4).holds(3.99));
  EXPECT_TRUE(Bound::within(4, 0.1).holds(3.91));
  EXPECT_FALSE(Bound::within(4, 0.1).holds(4.11));
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const Bound& bound : {Bound::at_most(1), Bound::at_least(1), Bound::within(1, 9)})
    EXPECT_FALSE(bound.holds(none));
  EXPECT_EQ(Bound::within(15.8299, 5e-5).text(), "15.8299 ± 5e-05");
}

TEST(Validate, ErrorInATaskIsAFailedCheck) {
  const std::vector<Task> tasks{
      {"suite", "none", "nowhere", [](const Conditions&) -> Findings { throw Error("it broke"); }},
      {"suite", "other", "nowhere", [](const Conditions&) {
         return Findings{{{"fine", 1, Bound::at_most(2), ""}}, {}};
       }}};
  Context nobody;
  const auto checks = carry_out(tasks, {.context = nobody, .make = {}}, 2, [](double) { return false; }).checks;
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_FALSE(checks[0].passed());
  EXPECT_EQ(checks[0].why, "it broke");
  EXPECT_TRUE(checks[1].passed());
  EXPECT_EQ(checks[1].integrator, "other");
}

TEST(ValidateCommand, QuickChecksPass) {
  const Folder folder;
  const Outcome outcome = run(folder, {"validate", "--quick", "--threads", "2", "--quiet", "--json", "v.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(outcome.errors, "");
  EXPECT_THAT(outcome.output, HasSubstr("all within their bounds"));
  const std::string json = read(folder / "v.json");
  EXPECT_TRUE(is_json(json));
  for (const auto* integrator : sim::integrators())
    EXPECT_THAT(json, HasSubstr("\"integrator\": \"" + std::string(integrator->name) + "\""));
  for (const Task& task : planned({.quick = true})) EXPECT_THAT(json, HasSubstr("\"suite\": \"" + task.suite + "\""));
}

TEST(ValidateCommand, RefusesUnknownArguments) {
  const Folder folder;
  for (const auto& [flag, name, words] : std::vector<std::array<std::string, 3>>{
           {"--integrator", "leapfrg", "no integrator `leapfrg`; did you mean `leapfrog`?"},
           {"--orbit", "figure-nine", "no orbit `figure-nine`"},
           {"--suite", "orders", "no suite `orders`; did you mean `order`?"}}) {
    const Outcome outcome = run(folder, {"validate", flag, name});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr(words));
  }
  for (const auto& [flag, name, words] : std::vector<std::array<std::string, 3>>{
           {"--integrator", "leapfrog", "nothing is validated with leapfrog on pythagorean; leave one of them out"},
           {"--suite", "order", "nothing is validated in suite order on pythagorean; leave one of them out"}}) {
    const Outcome none = run(folder, {"validate", flag, name, "--orbit", "pythagorean"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.errors, HasSubstr(words));
  }
}

/// Refused before any work, since all of it takes minutes.
TEST(ValidateCommand, RefusesAnUnwritableFile) {
  const Folder folder;
  const Outcome outcome = run(folder, {"validate", "--json", "nowhere/v.json"});
  EXPECT_LT(outcome.seconds, 2);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("nowhere/v.json: cannot be written"));
}

/// A single order takes seconds to measure.
TEST(ValidateCommand, StopsSoonAfterASignal) {
  const Folder folder;
  Running running(folder, {"validate", "--suite", "order", "--integrator", "symplectic-euler", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return running.heeds(SIGINT); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const double share = share_of_a_core();
  const auto begin = std::chrono::steady_clock::now();
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_LT(share * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 2);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.output, HasSubstr("checks are missing"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
