// SPDX-License-Identifier: MIT
// Runs that are stopped by a callback, and go on; contexts on several threads; many handles.
#include <thread>

#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

Model cluster(const Context& context, int n, std::int64_t seed = 1) {
  Model model = new_model(context);
  const auto number = keys(orrery_integer("n", n));
  EXPECT_DONE(context, orrery_model_add_initial(model.get(), "plummer", number.data(), 1));
  EXPECT_DONE(context, orrery_model_set_seed(model.get(), seed));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 1e-3, 400));
  return model;
}

TEST(PublicStop, LeavesAFileThatGoesOnWithTheSameBits) {
  const Folder folder;
  const Context undisturbed;
  const std::string whole = folder / "whole/run.h5", parts = folder / "parts/run.h5";
  ASSERT_DONE(undisturbed, orrery_run(cluster(undisturbed, 65).get(), nullptr, whole.c_str()));
  Context context;
  context.stop_after = 3;
  const Model model = cluster(context, 65);
  ASSERT_EQ(orrery_run(model.get(), nullptr, parts.c_str()), ORRERY_STOPPED) << context.message();
  EXPECT_LT(context.done, 1);
  orrery_trajectory* opened = nullptr;
  ASSERT_DONE(context, orrery_trajectory_open(context, parts.c_str(), &opened));
  orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
  ASSERT_DONE(context, orrery_trajectory_describe(opened, &info));
  EXPECT_EQ(info.finished, 0);
  orrery_trajectory_free(opened);
  context.slices = 0;  // the same call goes on
  ASSERT_EQ(orrery_run(model.get(), nullptr, parts.c_str()), ORRERY_STOPPED) << context.message();
  context.stop_after = 0;
  ASSERT_DONE(context, orrery_resume(context, parts.c_str(), nullptr));
  EXPECT_TRUE(same_files(context, whole, parts)) << ::testing::PrintToString(context.lines);
}

TEST(PublicStop, AFreedContextIsNotToldAnyMore) {
  auto told = std::make_unique<Context>();
  const Model model = cluster(*told, 7);
  orrery_simulation* made = nullptr;
  ASSERT_DONE(*told, orrery_simulation_create(model.get(), nullptr, &made));
  const Simulation simulation(made);
  int calls = 0;
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  options.user = &calls;
  options.progress = [](void* user, double, const char*) { return ++*static_cast<int*>(user), 1; };
  orrery_context* freed = nullptr;
  ASSERT_EQ(orrery_context_create(&options, &freed), ORRERY_OK);
  orrery_model* other = nullptr;
  ASSERT_EQ(orrery_model_from_toml(freed, "[[initial]]\nkind = \"two-body\"\n[integrator]\ndt = 0.01\nsteps = 5\n",
                                   nullptr, nullptr, nullptr, 0, &other),
            ORRERY_OK);
  const Model left(other);
  ASSERT_EQ(orrery_simulation_create(other, nullptr, &made), ORRERY_OK);
  const Simulation stopping(made);
  EXPECT_EQ(orrery_simulation_advance(made, 3), ORRERY_STOPPED);
  EXPECT_EQ(calls, 1);
  orrery_context_free(freed);
  EXPECT_EQ(orrery_simulation_advance(made, 3), ORRERY_OK);
  EXPECT_EQ(calls, 1);
  told.reset();  // with the memory that its callbacks would use
  EXPECT_EQ(orrery_simulation_advance(simulation.get(), 3), ORRERY_OK);
}

TEST(PublicStop, ByTheObserver) {
  const Folder folder;
  const Context context;
  const std::string file = folder / "run.h5";
  const Model model = cluster(context, 33);
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  options.observe_every = 37;
  options.observe = [](void*, const orrery_state* state, const orrery_observables*) {
    return state->step >= 111 ? 1 : 0;
  };
  ASSERT_EQ(orrery_run(model.get(), &options, file.c_str()), ORRERY_STOPPED);
  orrery_trajectory* opened = nullptr;
  ASSERT_DONE(context, orrery_trajectory_open(context, file.c_str(), &opened));
  const Trajectory trajectory(opened);
  const std::int64_t* steps = nullptr;
  ASSERT_DONE(context, orrery_trajectory_steps(opened, &steps));
  orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
  ASSERT_DONE(context, orrery_trajectory_describe(opened, &info));
  ASSERT_GT(info.frames, 0u);
  EXPECT_EQ(steps[info.frames - 1], 111);
}

TEST(PublicStop, OfASimulationStaysAtTheStepThatWasReached) {
  Context context;
  const Model model = cluster(context, 40);
  const Simulation simulation = simulation_of(context, model), other = simulation_of(context, model);
  context.stop_after = 2;
  ASSERT_EQ(orrery_simulation_advance(simulation.get(), 1'000'000), ORRERY_STOPPED);
  const std::int64_t reached = orrery_simulation_step(simulation.get());
  EXPECT_GT(reached, 0);
  context.stop_after = 0;
  ASSERT_DONE(context, orrery_simulation_advance(other.get(), reached));
  EXPECT_EQ(hash_of(context, simulation), hash_of(context, other));
}

TEST(PublicContexts, OnTwoThreadsAreIndependent) {
  const auto work = [](int n, std::int64_t seed) {
    const Context context(1);
    const Model model = cluster(context, n, seed);
    const Simulation simulation = simulation_of(context, model);
    EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 50));
    EXPECT_EQ(orrery_model_set_integrator(model.get(), "none", nullptr, 0), ORRERY_REFUSED);
    EXPECT_THAT(context.message(), ::testing::HasSubstr("\"none\""));
    return hash_of(context, simulation);
  };
  const std::string a = work(65, 3), b = work(257, 4);
  std::string at_once[2];
  std::thread one([&] { at_once[0] = work(65, 3); }), two([&] { at_once[1] = work(257, 4); });
  one.join();
  two.join();
  EXPECT_EQ(at_once[0], a);
  EXPECT_EQ(at_once[1], b);
}

TEST(PublicHandles, AreMadeAndFreedManyTimesInAnyOrder) {
  std::string first;
  for (int k = 0; k < 40; ++k) {
    orrery_context* context = nullptr;
    ASSERT_EQ(orrery_context_create(nullptr, &context), ORRERY_OK);
    orrery_model* model = nullptr;
    ASSERT_EQ(orrery_model_create(context, &model), ORRERY_OK);
    const Bodies bodies(3);
    const orrery_bodies view = bodies.view();
    ASSERT_EQ(orrery_model_add_bodies(model, &view), ORRERY_OK);
    ASSERT_EQ(orrery_model_set_steps(model, 0.01, 5), ORRERY_OK);
    orrery_backend_options options = ORRERY_INIT(orrery_backend_options);
    options.kind = "cpu";
    options.threads = 1 + k % 2;
    orrery_simulation* simulation = nullptr;
    ASSERT_EQ(orrery_simulation_create(model, &options, &simulation), ORRERY_OK);
    if (k % 3 == 0) orrery_context_free(context);
    if (k % 2 == 0) orrery_model_free(model);
    ASSERT_EQ(orrery_simulation_advance(simulation, 7), ORRERY_OK);
    char hash[17];
    ASSERT_EQ(orrery_simulation_hash(simulation, hash), ORRERY_OK);
    if (first.empty()) first = hash;
    EXPECT_EQ(hash, first);
    if (k % 3 != 0) orrery_context_free(context);
    orrery_simulation_free(simulation);
    if (k % 2 != 0) orrery_model_free(model);
  }
}

}  // namespace
}  // namespace orrery_test
