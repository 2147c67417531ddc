// SPDX-License-Identifier: MIT
// Steps that are written outside, by the operations of the engine; states, observables and what C99 makes of them.
#include <cmath>

#include "tests/public/support.hpp"

extern "C" {
std::size_t size_in_c99(void);
orrery_status steps_in_c99(orrery_context* context, char hash[17]);
}

namespace orrery_test {
namespace {

Model bodies_of(const Context& context, std::size_t n, const char* integrator, double dt) {
  Model model = new_model(context);
  const Bodies bodies(n);
  const orrery_bodies view = bodies.view();
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  const auto soft = keys(orrery_number("softening", 0.1));
  EXPECT_DONE(context, orrery_model_set_force(model.get(), "gravity", soft.data(), 1));
  EXPECT_DONE(context, orrery_model_set_integrator(model.get(), integrator, nullptr, 0));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), dt, 0));
  return model;
}

TEST(PublicSteps, OfLeapfrogByKicksAndDriftsHaveItsBits) {
  const Context context;
  for (const char* backend : {"reference", "cpu"}) {
    for (const std::size_t n : {1, 2, 3, 257}) {
      const double dt = 0.01;
      const Model model = bodies_of(context, n, "leapfrog", dt);
      const Simulation built_in = simulation_of(context, model, backend), own = simulation_of(context, model, backend);
      ASSERT_DONE(context, orrery_simulation_advance(built_in.get(), 13));
      for (int k = 0; k < 13; ++k) {
        EXPECT_DONE(context, orrery_simulation_accelerate(own.get()));
        EXPECT_DONE(context, orrery_simulation_kick(own.get(), 0.5 * dt));
        EXPECT_DONE(context, orrery_simulation_drift(own.get(), dt));
        EXPECT_DONE(context, orrery_simulation_accelerate(own.get()));
        EXPECT_DONE(context, orrery_simulation_kick(own.get(), 0.5 * dt));
      }
      EXPECT_EQ(hash_of(context, own), hash_of(context, built_in)) << n << " bodies on " << backend;
      EXPECT_EQ(orrery_simulation_step(own.get()), 0);
    }
  }
}

TEST(PublicSteps, OfRk4ByCombinations) {
  const Context context;
  const double dt = 0.02;
  const Model model = bodies_of(context, 33, "leapfrog", dt);
  orrery_backend_options options = ORRERY_INIT(orrery_backend_options);
  options.kind = "cpu";
  options.scratch_columns = 3;
  orrery_simulation* made = nullptr;
  ASSERT_DONE(context, orrery_simulation_create(model.get(), &options, &made));
  const Simulation simulation(made);
  const auto scratch = [](int k) { return ORRERY_SCRATCH + k; };
  // x, v and x + dt·v by columns that the caller keeps.
  EXPECT_DONE(context, orrery_simulation_accelerate(made));
  const orrery_term copy[] = {{1, ORRERY_POSITION}};
  EXPECT_DONE(context, orrery_simulation_combine(made, scratch(0), copy, 1));
  const orrery_term sum[] = {{1, scratch(0)}, {dt, ORRERY_VELOCITY}, {0.5 * dt * dt, ORRERY_ACCELERATION}};
  EXPECT_DONE(context, orrery_simulation_combine(made, scratch(2), sum, 3));
  std::vector<double> x(99), v(99), a(99), result(99);
  const auto get = [&](orrery_column column, std::vector<double>& to) {
    EXPECT_DONE(context, orrery_simulation_download(made, column, orrery_rows_of_three_out(to.data(), 33)));
  };
  get(ORRERY_POSITION, x), get(ORRERY_VELOCITY, v), get(ORRERY_ACCELERATION, a), get(scratch(2), result);
  for (std::size_t i = 0; i < 99; ++i)
    EXPECT_EQ(result[i], std::fma(0.5 * dt * dt, a[i], std::fma(dt, v[i], x[i]))) << i;
  EXPECT_DONE(context, orrery_simulation_upload(made, ORRERY_POSITION, orrery_rows_of_three(result.data(), 33)));
  orrery_state state = ORRERY_INIT(orrery_state);
  ASSERT_DONE(context, orrery_simulation_state(made, &state));
  EXPECT_EQ(state.position.y[32], result[3 * 32 + 1]);

  EXPECT_EQ(orrery_simulation_combine(made, scratch(3), copy, 1), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "there is no column 6: the simulation was created with 3 scratch columns");
  EXPECT_EQ(orrery_simulation_upload(made, ORRERY_ACCELERATION, orrery_rows_of_three(x.data(), 33)), ORRERY_MISUSED);
  EXPECT_EQ(orrery_simulation_download(made, ORRERY_POSITION, orrery_rows_of_three_out(x.data(), 32)), ORRERY_MISUSED);
  EXPECT_NE(orrery_simulation_accelerate_with_jerk(made, scratch(0)), ORRERY_OK);
}

TEST(PublicSteps, WithJerk) {
  const Context context;
  const Model model = bodies_of(context, 5, "hermite4", 0.01);
  orrery_backend_options options = ORRERY_INIT(orrery_backend_options);
  options.kind = "reference";
  options.scratch_columns = 1;
  options.jerk = 1;
  orrery_simulation* made = nullptr;
  ASSERT_DONE(context, orrery_simulation_create(model.get(), &options, &made));
  const Simulation simulation(made);
  const double h = 1e-5;
  std::vector<double> before(15), after(15), jerk(15);
  EXPECT_DONE(context, orrery_simulation_accelerate_with_jerk(made, ORRERY_SCRATCH));
  EXPECT_DONE(context, orrery_simulation_download(made, ORRERY_SCRATCH, orrery_rows_of_three_out(jerk.data(), 5)));
  EXPECT_DONE(context, orrery_simulation_drift(made, -h));
  EXPECT_DONE(context, orrery_simulation_accelerate(made));
  EXPECT_DONE(context,
              orrery_simulation_download(made, ORRERY_ACCELERATION, orrery_rows_of_three_out(before.data(), 5)));
  EXPECT_DONE(context, orrery_simulation_drift(made, 2 * h));
  EXPECT_DONE(context, orrery_simulation_accelerate(made));
  EXPECT_DONE(context,
              orrery_simulation_download(made, ORRERY_ACCELERATION, orrery_rows_of_three_out(after.data(), 5)));
  for (std::size_t i = 0; i < 15; ++i) EXPECT_NEAR(jerk[i], (after[i] - before[i]) / (2 * h), 1e-7);
  // The integrator's own columns are not touched by the caller's.
  const Simulation plain = simulation_of(context, model, "reference");
  orrery_simulation* mixed = nullptr;
  ASSERT_DONE(context, orrery_simulation_create(model.get(), &options, &mixed));
  const Simulation with_scratch(mixed);
  const orrery_term copy[] = {{2.5, ORRERY_VELOCITY}};
  for (int k = 0; k < 3; ++k) {
    EXPECT_DONE(context, orrery_simulation_combine(mixed, ORRERY_SCRATCH, copy, 1));
    EXPECT_DONE(context, orrery_simulation_advance(mixed, 4));
  }
  EXPECT_DONE(context, orrery_simulation_advance(plain.get(), 12));
  EXPECT_EQ(hash_of(context, with_scratch), hash_of(context, plain));
}

TEST(PublicSteps, AreObservedWithoutAChange) {
  const Context context;
  for (const std::size_t n : {2, 257}) {
    const Model model = bodies_of(context, n, "yoshida4", 0.01);
    const Simulation watched = simulation_of(context, model), alone = simulation_of(context, model);
    orrery_observables first = ORRERY_INIT(orrery_observables), last = first;
    ASSERT_DONE(context, orrery_simulation_observe(watched.get(), &first));
    EXPECT_EQ(first.energy_error, 0);
    EXPECT_EQ(first.total_energy, first.kinetic_energy + first.potential_energy);
    for (int k = 0; k < 10; ++k) {
      EXPECT_DONE(context, orrery_simulation_advance(watched.get(), 3));
      EXPECT_DONE(context, orrery_simulation_observe(watched.get(), &last));
      EXPECT_NEAR(last.momentum[1], first.momentum[1], 1e-13);
    }
    EXPECT_NE(last.energy_error, 0);
    EXPECT_LT(std::abs(last.energy_error), 0.5);
    EXPECT_DONE(context, orrery_simulation_advance(alone.get(), 30));
    EXPECT_EQ(hash_of(context, watched), hash_of(context, alone));
  }
}

TEST(PublicSteps, InC99) {
  EXPECT_EQ(size_in_c99(), sizeof(orrery_run_options));
  const Context context;
  char hash[17] = "";
  EXPECT_DONE(context, steps_in_c99(context, hash));
  EXPECT_EQ(std::string(hash).size(), 16u);
}

}  // namespace
}  // namespace orrery_test
