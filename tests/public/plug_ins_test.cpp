// SPDX-License-Identifier: MIT
// Laws, fields and integrators that a program registers: bits, files, failures, lifetimes.
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "pipeline/public/orrery.hpp"
#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Gravity with the powers of the library, as a program writes it; the user's data is a factor, whose sign tells it to fail.
int gravity(void* user, std::size_t n, const double* r2, double* c, double* u, double* slope, const double*) {
  if (user != nullptr && *static_cast<const double*>(user) < 0) return 7;
  std::vector<double> y(n);
  orrery_inverse_cube(n, r2, c);
  orrery_inverse_root(n, r2, y.data());
  for (std::size_t k = 0; k < n; ++k) {
    if (u != nullptr) u[k] = 0.0 - y[k];
    if (slope != nullptr) slope[k] = -3.0 * (c[k] * (y[k] * y[k]));
  }
  return 0;
}

int leap(void*, orrery_stepper* bodies, const orrery_step* step) {
  orrery_step_accelerate(bodies);
  orrery_step_kick(bodies, step->dt / 2);
  orrery_step_drift(bodies, step->dt);
  orrery_step_accelerate(bodies);
  orrery_step_kick(bodies, step->dt / 2);
  return 0;
}

orrery_law my_gravity() {
  orrery_law law = ORRERY_INIT(orrery_law);
  law.name = "my-gravity";
  law.slope = 1;
  law.pairs = gravity;
  return law;
}

orrery_integrator my_leapfrog() {
  orrery_integrator own = ORRERY_INIT(orrery_integrator);
  own.name = "my-leapfrog";
  own.order = 2;
  own.step = leap;
  return own;
}

void register_both(const Context& context) {
  const orrery_law law = my_gravity();
  const orrery_integrator method = my_leapfrog();
  EXPECT_DONE(context, orrery_register_law(context, &law));
  EXPECT_DONE(context, orrery_register_integrator(context, &method));
}

Model model_with(const Context& context, std::size_t n, const char* law, const char* integrator) {
  Model model = new_model(context);
  Bodies bodies(n);
  for (std::size_t i = 5; i < n; i += 7) bodies.mass[i] = 0;
  const orrery_bodies view = bodies.view();
  const auto soft = keys(orrery_number("softening", 0.1));
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  EXPECT_DONE(context, orrery_model_set_force(model.get(), law, soft.data(), 1));
  EXPECT_DONE(context, orrery_model_set_integrator(model.get(), integrator, nullptr, 0));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.01, 20));
  return model;
}

std::string hash_after(const Context& context, const Model& model, const char* backend) {
  const Simulation simulation = simulation_of(context, model, backend);
  EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 11));
  return hash_of(context, simulation);
}

TEST(PublicPlugIns, GravityAndLeapfrogHaveTheHashOfTheBuiltIns) {
  for (const int threads : {1, 3}) {
    const Context context(threads);
    register_both(context);
    for (const std::size_t n : {1U, 2U, 257U, 600U}) {
      const Model built_in = model_with(context, n, "gravity", "leapfrog");
      const Model own = model_with(context, n, "my-gravity", "my-leapfrog");
      for (const char* backend : {"cpu", "reference"}) {
        if (n > 300 && backend == std::string("reference")) continue;
        EXPECT_EQ(hash_after(context, own, backend), hash_after(context, built_in, backend)) << n << backend;
      }
    }
    EXPECT_EQ(hash_after(context, model_with(context, 33, "my-gravity", "hermite4"), "cpu"),
              hash_after(context, model_with(context, 33, "gravity", "hermite4"), "reference"));
  }
}

TEST(PublicPlugIns, RunsAreVerifiedAndResumedWhereTheyAreRegistered) {
  const Folder folder;
  const std::string file = folder / "own/run.h5";
  const Context context, without;
  register_both(context);
  ASSERT_DONE(context, orrery_run(model_with(context, 40, "my-gravity", "my-leapfrog").get(), nullptr, file.c_str()));
  int same = 0;
  ASSERT_DONE(context, orrery_verify(context, file.c_str(), &same));
  EXPECT_EQ(same, 1);
  EXPECT_EQ(orrery_verify(without, file.c_str(), &same), ORRERY_REFUSED);
  EXPECT_THAT(without.message(), HasSubstr("its law \"my-gravity\" was registered by the program that made the run"));
  EXPECT_EQ(program("info '" + file + "'"), 0);
  EXPECT_EQ(program("table '" + file + "'"), 0);
  EXPECT_EQ(program("verify '" + file + "'"), 2);
  EXPECT_EQ(program("resume '" + file + "' --set integrator.steps=40"), 2);
  EXPECT_EQ(program("diff '" + file + "' '" + file + "'"), 0);
}

TEST(PublicPlugIns, AFailureNamesThePlugInAndLeavesAFileThatIsResumed) {
  const Folder folder;
  const std::string file = folder / "own/run.h5", whole = folder / "whole/run.h5";
  const Context context;
  static double factor;
  static std::atomic<int> left;
  factor = 1, left = 0;
  orrery_law law = my_gravity();
  law.user = &factor;
  law.pairs = [](void* user, std::size_t n, const double* r2, double* c, double* u, double* slope, const double* p) {
    if (left > 0 && --left == 0) *static_cast<double*>(user) = -1;
    return gravity(user, n, r2, c, u, slope, p);
  };
  ASSERT_DONE(context, orrery_register_law(context, &law));
  const Model model = model_with(context, 40, "my-gravity", "leapfrog");
  ASSERT_DONE(context, orrery_run(model.get(), nullptr, whole.c_str()));
  left = 25;
  EXPECT_EQ(orrery_run(model.get(), nullptr, file.c_str()), ORRERY_FAILED);
  EXPECT_THAT(context.message(), AllOf(HasSubstr("the law \"my-gravity\" of the program ended the work: it returned 7"),
                                       HasSubstr("(the file holds everything up to step")));
  factor = 1;
  ASSERT_DONE(context, orrery_resume(context, file.c_str(), nullptr));
  EXPECT_TRUE(same_files(context, file, whole));
}

TEST(PublicPlugIns, ExceptionsEndTheCallWithTheirText) {
  const Context context;
  orrery_integrator throwing = my_leapfrog();
  throwing.name = "throwing";
  throwing.step = [](void*, orrery_stepper*, const orrery_step*) -> int { throw std::runtime_error("no more steps"); };
  ASSERT_DONE(context, orrery_register_integrator(context, &throwing));
  orrery_integrator wrong = my_leapfrog();
  wrong.name = "wrong";
  wrong.step = [](void*, orrery_stepper* bodies, const orrery_step*) {
    const orrery_term one = {1, static_cast<orrery_column>(ORRERY_SCRATCH + 2)};
    EXPECT_EQ(orrery_step_combine(bodies, ORRERY_VELOCITY, &one, 1), ORRERY_FAILED);
    EXPECT_EQ(orrery_step_kick(bodies, 1), ORRERY_FAILED);  // nothing more is done
    return 0;
  };
  ASSERT_DONE(context, orrery_register_integrator(context, &wrong));
  orrery_integrator same = my_leapfrog();
  same.name = "same", same.same_each_step = 1;
  same.step = [](void*, orrery_stepper* bodies, const orrery_step*) {
    double place[9];
    EXPECT_EQ(orrery_step_download(bodies, ORRERY_POSITION, orrery_rows_of_three_out(place, 3)), ORRERY_FAILED);
    return 0;
  };
  ASSERT_DONE(context, orrery_register_integrator(context, &same));
  orrery_integrator walls = my_leapfrog();
  walls.name = "walls";
  walls.step = [](void*, orrery_stepper* bodies, const orrery_step*) {
    const orrery_term one = {1, ORRERY_VELOCITY};
    return static_cast<int>(orrery_step_combine(bodies, ORRERY_POSITION, &one, 1));
  };
  ASSERT_DONE(context, orrery_register_integrator(context, &walls));
  for (const auto& [name, text] :
       {std::pair("throwing", "the integrator \"throwing\" of the program failed: no more steps"),
        {"wrong", "the integrator \"wrong\" of the program misuses an operation: there is no column 5"},
        {"same", "it can neither download nor upload"},
        {"walls", "in a box only drifts may change positions"}}) {
    const Model model = model_with(context, 3, "gravity", name);
    if (name == std::string("walls")) {
      const double edges[] = {100, 100, 100}, low[] = {-50, -50, -50};
      const auto box =
          keys(orrery_text("boundary", "reflecting"), orrery_numbers("edges", edges, 3), orrery_numbers("low", low, 3));
      ASSERT_DONE(context, orrery_model_set_domain(model.get(), box.data(), box.size()));
    }
    const Simulation simulation = simulation_of(context, model);
    EXPECT_EQ(orrery_simulation_advance(simulation.get(), 1), ORRERY_FAILED);
    EXPECT_THAT(context.message(), HasSubstr(text));
  }
}

TEST(PublicPlugIns, FieldsColumnsAndParameters) {
  const Context context;
  orrery_own_parameter stiffness = ORRERY_INIT(orrery_own_parameter);
  stiffness.name = "stiffness", stiffness.fallback = 0.5, stiffness.high = 10;
  orrery_field well = ORRERY_INIT(orrery_field);
  well.name = "well", well.parameters = &stiffness, well.parameter_count = 1;
  well.bodies = [](void*, std::size_t n, const double* const* x, double* const* g, double* phi, const double* p) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t q = 0; q < 3; ++q) g[q][i] = -p[0] * x[q][i];
      if (phi != nullptr) phi[i] = 0.5 * p[0] * (x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i]);
    }
    return 0;
  };
  ASSERT_DONE(context, orrery_register_field(context, &well));
  // Euler's method, which keeps the velocities before each step and counts its steps there.
  orrery_own_column before = ORRERY_INIT(orrery_own_column);
  before.name = "before", before.persistent = 1;
  orrery_own_parameter damping = ORRERY_INIT(orrery_own_parameter);
  damping.name = "damping", damping.required = 1;
  orrery_integrator euler = ORRERY_INIT(orrery_integrator);
  euler.name = "euler", euler.columns = &before, euler.column_count = 1;
  euler.parameters = &damping, euler.parameter_count = 1;
  euler.start = [](void*, orrery_stepper* bodies) {
    const std::size_t n = orrery_step_count(bodies);
    const std::vector<double> rows(3 * n, 7.0);
    return static_cast<int>(orrery_step_upload(bodies, ORRERY_SCRATCH, orrery_rows_of_three(rows.data(), n)));
  };
  euler.step = [](void*, orrery_stepper* bodies, const orrery_step* step) {
    std::vector<double> rows(3 * orrery_step_count(bodies));
    EXPECT_EQ(orrery_step_download(bodies, ORRERY_SCRATCH, orrery_rows_of_three_out(rows.data(), rows.size() / 3)),
              ORRERY_OK);
    EXPECT_EQ(rows[1], 7.0 + static_cast<double>(step->number));
    for (double& each : rows) each += 1;
    EXPECT_EQ(orrery_step_upload(bodies, ORRERY_SCRATCH, orrery_rows_of_three(rows.data(), rows.size() / 3)),
              ORRERY_OK);
    EXPECT_EQ(step->time, static_cast<double>(step->number) * step->dt);
    const orrery_term terms[] = {{1 - step->parameters[0], ORRERY_VELOCITY}, {step->dt, ORRERY_ACCELERATION}};
    orrery_step_accelerate(bodies);
    orrery_step_drift(bodies, step->dt);
    orrery_step_combine(bodies, ORRERY_VELOCITY, terms, 2);
    return 0;
  };
  ASSERT_DONE(context, orrery_register_integrator(context, &euler));
  Model model = new_model(context);
  const Bodies one(1);
  const orrery_bodies view = one.view();
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  EXPECT_EQ(orrery_model_set_integrator(model.get(), "euler", nullptr, 0), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("damping"));
  const auto damped = keys(orrery_number("damping", 0.25));
  EXPECT_DONE(context, orrery_model_set_integrator(model.get(), "euler", damped.data(), 1));
  const auto stiff = keys(orrery_number("stiffness", 2));
  const auto too_stiff = keys(orrery_number("stiffness", 11));
  EXPECT_EQ(orrery_model_add_field(model.get(), "well", too_stiff.data(), 1), ORRERY_REFUSED);
  EXPECT_EQ(context.key(), "stiffness");
  EXPECT_DONE(context, orrery_model_add_field(model.get(), "well", stiff.data(), 1));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.5, 4));
  const Simulation simulation = simulation_of(context, model);
  ASSERT_DONE(context, orrery_simulation_advance(simulation.get(), 1));
  orrery_state state = ORRERY_INIT(orrery_state);
  EXPECT_DONE(context, orrery_simulation_state(simulation.get(), &state));
  EXPECT_EQ(state.velocity.z[0], std::fma(0.5, -2 * one.rows[2], 0.75 * one.velocities[2]));
  EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 3));
}

TEST(PublicPlugIns, DataIsReleasedOnceAndWhenNothingNeedsItAnyMore) {
  static int released;
  released = 0;
  orrery_law law = my_gravity();
  static double factor = 1;
  law.user = &factor;
  law.release = [](void*) { ++released; };
  auto context = std::make_unique<Context>();
  ASSERT_DONE(*context, orrery_register_law(*context, &law));
  Model model = model_with(*context, 3, "my-gravity", "leapfrog");
  Simulation simulation = simulation_of(*context, model);
  // A context with another law of this name does not see the first one.
  Context other;
  const orrery_law second = my_gravity();
  EXPECT_DONE(other, orrery_register_law(other, &second));
  model.reset();
  EXPECT_EQ(released, 0);
  EXPECT_DONE(*context, orrery_simulation_advance(simulation.get(), 2));
  context.reset();
  EXPECT_EQ(orrery_simulation_advance(simulation.get(), 2), ORRERY_OK);
  EXPECT_EQ(released, 0);
  simulation.reset();
  EXPECT_EQ(released, 1);
}

TEST(PublicPlugIns, OneThatIsRegisteredAgainReplacesTheFirstForLaterModels) {
  static int released;
  released = 0;
  auto context = std::make_unique<Context>();
  const auto register_with = [&](double* factor) {
    orrery_law law = my_gravity();
    law.user = factor;
    law.release = [](void*) { ++released; };
    EXPECT_DONE(*context, orrery_register_law(*context, &law));
  };
  const auto status_of_a_step = [](const Model& model) {
    orrery_simulation* simulation = nullptr;
    orrery_status status = orrery_simulation_create(model.get(), nullptr, &simulation);
    if (status == ORRERY_OK) status = orrery_simulation_advance(simulation, 1);
    orrery_simulation_free(simulation);
    return status;
  };
  static double works = 1, fails = -1;
  register_with(&works);
  Model first = model_with(*context, 3, "my-gravity", "leapfrog");
  register_with(&fails);
  EXPECT_EQ(released, 0);
  EXPECT_EQ(status_of_a_step(model_with(*context, 3, "my-gravity", "leapfrog")), ORRERY_FAILED);
  EXPECT_EQ(status_of_a_step(first), ORRERY_OK);
  EXPECT_DONE(*context, orrery_model_set_force(first.get(), "my-gravity", nullptr, 0));
  EXPECT_EQ(status_of_a_step(first), ORRERY_FAILED);
  context.reset();
  EXPECT_EQ(released, 0);
  first.reset();
  EXPECT_EQ(released, 2);
}

TEST(PublicPlugIns, InCpp) {
  const orrery::Context context({.threads = 3});
  const auto calls = std::make_shared<std::atomic<int>>(0);
  orrery::register_law(context, {.name = "picky",
                                 .parameters = {{.name = "most", .fallback = 5}},
                                 .slope = true,
                                 .pairs = [calls](const orrery::Pairs& pairs) {
                                   if (++*calls > pairs.parameters[0]) throw std::runtime_error("enough is enough");
                                   orrery_inverse_cube(pairs.r2.size(), pairs.r2.data(), pairs.c.data());
                                   for (double& u : pairs.u) u = 0;
                                   for (double& slope : pairs.slope) slope = 0;
                                 }});
  EXPECT_EQ(calls.use_count(), 2);
  const auto advance = [&](const char* most) {
    orrery::Model model = orrery::Model::of_toml(
        context, std::string("[initial]\nkind = \"random-cube\"\nn = 700\n[force]\nkind = \"picky\"\nsoftening = 0.1\n"
                             "most = ") +
                     most + "\n[integrator]\ndt = 1e-3\nsteps = 4\n[backend]\nkind = \"cpu\"\n");
    orrery::Simulation(model).advance(4);
  };
  advance("1e9");
  EXPECT_GT(*calls, 5);
  try {
    advance("5");
    ADD_FAILURE() << "the function threw";
  } catch (const orrery::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the law \"picky\" of the program failed: enough is enough"));
  }
}

TEST(PublicPlugIns, WhatCannotBeIsRefused) {
  static int released;
  released = 0;
  const Context context;
  orrery_law law = my_gravity();
  law.release = [](void*) { ++released; };
  law.name = "gravity";
  EXPECT_EQ(orrery_register_law(context, &law), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("there is a force \"gravity\" already"));
  law.name = "Gravity!";
  EXPECT_EQ(orrery_register_law(context, &law), ORRERY_REFUSED);
  law.name = nullptr;
  EXPECT_EQ(orrery_register_law(context, &law), ORRERY_MISUSED);
  law.name = "mine", law.pairs = nullptr;
  EXPECT_EQ(orrery_register_law(context, &law), ORRERY_MISUSED);
  law.pairs = gravity, law.acts_by = static_cast<orrery_acts_by>(3);
  EXPECT_EQ(orrery_register_law(context, &law), ORRERY_MISUSED);
  EXPECT_EQ(orrery_register_law(context, nullptr), ORRERY_MISUSED);
  EXPECT_EQ(orrery_register_law(nullptr, &law), ORRERY_MISUSED);
  EXPECT_EQ(released, 0);
  orrery_integrator leapfrog = my_leapfrog();
  leapfrog.name = "leapfrog";
  EXPECT_EQ(orrery_register_integrator(context, &leapfrog), ORRERY_REFUSED);
  EXPECT_EQ(orrery_step_kick(nullptr, 1), ORRERY_MISUSED);

  orrery_law without_slope = my_gravity();
  without_slope.slope = 0;
  ASSERT_DONE(context, orrery_register_law(context, &without_slope));
  const Model model = model_with(context, 3, "my-gravity", "hermite4");
  orrery_simulation* none = nullptr;
  EXPECT_EQ(orrery_simulation_create(model.get(), nullptr, &none), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("the law \"my-gravity\" gives no slope"));
}

}  // namespace
}  // namespace orrery_test
