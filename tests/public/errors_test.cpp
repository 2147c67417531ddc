// SPDX-License-Identifier: MIT
// What the library says of requests that cannot be carried out, and of misuse.
#include <cmath>
#include <thread>

#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(PublicErrors, OfKeysSayTheWordsOfScenariosTheKeyAndThePlace) {
  const Context context;
  const Model model = new_model(context);
  const auto wrong = keys(orrery_number("softning", 0.1));
  EXPECT_EQ(orrery_model_set_force(model.get(), "gravity", wrong.data(), wrong.size()), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "[[force]] gravity: unknown key `softning`; did you mean `softening`?");
  EXPECT_EQ(context.key(), "softning");
  EXPECT_EQ(context.place(), "[[force]] gravity");

  orrery_model* other = nullptr;
  const char* toml = "[initial]\nkind = \"two-body\"\n[[force]]\nkind = \"gravity\"\nsoftning = 0.1\n";
  EXPECT_EQ(orrery_model_from_toml(context, toml, "x.toml", nullptr, nullptr, 0, &other), ORRERY_REFUSED);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(context.message(), "x.toml:5:1: unknown key `softning`; did you mean `softening`?");
  EXPECT_EQ(context.key(), "softning");
  EXPECT_EQ(context.place(), "x.toml:5:1");

  const auto negative = keys(orrery_number("softening", -0.1));
  EXPECT_EQ(orrery_model_set_force(model.get(), "gravity", negative.data(), negative.size()), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "[[force]] gravity: `softening` = -0.1 must be at least 0");
  EXPECT_EQ(context.key(), "softening");

  const auto text = keys(orrery_text("softening", "much"));
  EXPECT_EQ(orrery_model_set_force(model.get(), "gravity", text.data(), text.size()), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "[[force]] gravity: `softening` must be a number, or with a unit, \"149.6e6 km\"");

  EXPECT_EQ(orrery_model_set_integrator(model.get(), "leapfrg", nullptr, 0), ORRERY_REFUSED);
  EXPECT_THAT(context.message(),
              StartsWith("[integrator]: there is no integrator \"leapfrg\"; did you mean `leapfrog`?"));
  EXPECT_EQ(context.key(), "kind");
  EXPECT_DONE(context, orrery_model_set_seed(model.get(), 3));
  EXPECT_EQ(context.message(), "");
  EXPECT_EQ(context.key() + context.place(), "");
}

TEST(PublicErrors, ComeBeforeAFileIsWritten) {
  const Folder folder;
  const Context context;
  const Model model = new_model(context);
  const std::string file = folder / "a/run.h5";
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.1, 10));
  EXPECT_EQ(orrery_run(model.get(), nullptr, file.c_str()), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("there are no bodies"));
  orrery_simulation* simulation = nullptr;
  EXPECT_EQ(orrery_simulation_create(model.get(), nullptr, &simulation), ORRERY_REFUSED);

  const Bodies bodies(5);
  const orrery_bodies view = bodies.view();
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  EXPECT_EQ(orrery_run(model.get(), nullptr, (folder / "a/run.dat").c_str()), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("`file` must be a name with .h5"));
  const auto frames = keys(orrery_integer("frames", 0));
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  options.trajectory = frames.data();
  options.trajectory_count = 1;
  EXPECT_EQ(orrery_run(model.get(), &options, file.c_str()), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "[trajectory]: `frames` = 0 must be at least 1");
  EXPECT_DONE(context, orrery_model_set_solver(model.get(), "cells", nullptr, 0));
  EXPECT_EQ(orrery_run(model.get(), nullptr, file.c_str()), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), StartsWith("[[force]] gravity: "));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(PublicErrors, OfARunWithoutLength) {
  const Folder folder;
  const Context context;
  const Model model = new_model(context);
  const Bodies bodies(2);
  const orrery_bodies view = bodies.view();
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  const auto dt = keys(orrery_number("dt", 0.1));
  EXPECT_DONE(context, orrery_model_set_integrator(model.get(), "leapfrog", dt.data(), 1));
  EXPECT_EQ(orrery_run(model.get(), nullptr, (folder / "run.h5").c_str()), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("needs `time` or `steps`"));
  const Simulation simulation = simulation_of(context, model);  // which needs none
  EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 3));
  EXPECT_DOUBLE_EQ(orrery_simulation_time(simulation.get()), 0.3);
}

TEST(PublicErrors, OfOtherRunsInAFile) {
  const Folder folder;
  const Context context;
  const Model model = new_model(context);
  const Bodies bodies(3);
  const orrery_bodies view = bodies.view();
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.01, 5));
  const std::string file = folder / "run.h5";
  ASSERT_DONE(context, orrery_run(model.get(), nullptr, file.c_str()));
  EXPECT_DONE(context, orrery_run(model.get(), nullptr, file.c_str())) << "the same run is used";
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.02, 5));
  EXPECT_EQ(orrery_run(model.get(), nullptr, file.c_str()), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("holds another run"));
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  options.replace = 1;
  EXPECT_DONE(context, orrery_run(model.get(), &options, file.c_str()));
}

TEST(PublicErrors, OfBodies) {
  const Context context;
  const Model model = new_model(context);
  Bodies bodies(4);
  bodies.rows[7] = NAN;
  orrery_bodies view = bodies.view();
  EXPECT_EQ(orrery_model_add_bodies(model.get(), &view), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "body 2: `position` must be finite");
  bodies.rows[7] = 0;
  bodies.mass[3] = -1;
  EXPECT_EQ(orrery_model_add_bodies(model.get(), &view), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "body 3: `mass` = -1 must be at least 0");
  bodies.mass[3] = 1;
  view.position.count = 3;
  EXPECT_EQ(orrery_model_add_bodies(model.get(), &view), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "`position` has 3 vectors, not 4");
  view.position.count = 4;
  const char* const names[] = {"a", "b", "b", nullptr};
  view.names = names;
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  orrery_bodies_view made = ORRERY_INIT(orrery_bodies_view);
  EXPECT_EQ(orrery_model_bodies(model.get(), &made), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "body 2: two bodies are named \"b\"");
}

TEST(PublicErrors, OfMisuse) {
  const Context context;
  EXPECT_EQ(orrery_context_create(nullptr, nullptr), ORRERY_MISUSED);
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  options.size = sizeof options + 8;
  orrery_context* refused = nullptr;
  EXPECT_EQ(orrery_context_create(&options, &refused), ORRERY_MISUSED);
  EXPECT_EQ(refused, nullptr);
  EXPECT_EQ(orrery_model_create(nullptr, nullptr), ORRERY_MISUSED);
  EXPECT_EQ(orrery_model_create(context, nullptr), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "`model` is null");
  EXPECT_EQ(orrery_run(nullptr, nullptr, "x.h5"), ORRERY_MISUSED);
  EXPECT_EQ(orrery_simulation_advance(nullptr, 1), ORRERY_MISUSED);
  orrery_context_free(nullptr);
  orrery_model_free(nullptr);
  orrery_simulation_free(nullptr);
  orrery_trajectory_free(nullptr);
  orrery_charts_free(nullptr);
  orrery_picture_free(nullptr);

  const Model model = new_model(context);
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  bodies.size = 0;
  EXPECT_EQ(orrery_model_add_bodies(model.get(), &bodies), ORRERY_MISUSED);
  EXPECT_THAT(context.message(), HasSubstr("`bodies` has size 0"));
  EXPECT_EQ(orrery_model_add_bodies(model.get(), nullptr), ORRERY_MISUSED);
  EXPECT_EQ(orrery_model_set_force(model.get(), nullptr, nullptr, 0), ORRERY_MISUSED);
  EXPECT_EQ(orrery_model_set_force(model.get(), "gravity", nullptr, 2), ORRERY_MISUSED);
  const auto twice = keys(orrery_number("softening", 1), orrery_number("softening", 2));
  EXPECT_EQ(orrery_model_set_force(model.get(), "gravity", twice.data(), 2), ORRERY_MISUSED);
  const auto null_text = keys(orrery_text("method", nullptr));
  EXPECT_EQ(orrery_model_set_force(model.get(), "gravity", null_text.data(), 1), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "`method` is null");
}

TEST(PublicErrors, OfCallsWithinCallbacks) {
  struct User {
    orrery_model* model = nullptr;
    int refused = 0;
  } user;
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  options.user = &user;
  options.progress = [](void* data, double, const char*) {
    auto& self = *static_cast<User*>(data);
    self.refused += orrery_model_set_seed(self.model, 3) == ORRERY_MISUSED ? 1 : 0;
    return 0;
  };
  orrery_context* context = nullptr;
  ASSERT_EQ(orrery_context_create(&options, &context), ORRERY_OK);
  ASSERT_EQ(orrery_model_create(context, &user.model), ORRERY_OK);
  const Bodies bodies(3);
  const orrery_bodies view = bodies.view();
  ASSERT_EQ(orrery_model_add_bodies(user.model, &view), ORRERY_OK);
  ASSERT_EQ(orrery_model_set_steps(user.model, 0.01, 9), ORRERY_OK);
  orrery_simulation* simulation = nullptr;
  ASSERT_EQ(orrery_simulation_create(user.model, nullptr, &simulation), ORRERY_OK);
  EXPECT_EQ(orrery_simulation_advance(simulation, 9), ORRERY_OK);
  EXPECT_GT(user.refused, 0);
  EXPECT_EQ(orrery_model_set_seed(user.model, 3), ORRERY_OK);
  orrery_simulation_free(simulation);
  orrery_model_free(user.model);
  orrery_context_free(context);
}

TEST(PublicErrors, OfStructsOfOtherSizes) {
  const Context context;
  const Model model = new_model(context);
  const Bodies bodies(3);
  orrery_bodies given = bodies.view();
  given.component = reinterpret_cast<const char*>(1);  // beyond the size of an earlier version
  given.size = offsetof(orrery_bodies, component);
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &given));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.1, 0));
  const Simulation simulation = simulation_of(context, model);
  orrery_state state = ORRERY_INIT(orrery_state);
  state.image.stride = 77;
  state.size = offsetof(orrery_state, image);
  EXPECT_DONE(context, orrery_simulation_state(simulation.get(), &state));
  EXPECT_EQ(state.count, 3u);
  EXPECT_EQ(state.image.stride, 77);
  for (const std::size_t size : {std::size_t{0}, sizeof(orrery_state) + 8}) {
    state.size = size;
    EXPECT_EQ(orrery_simulation_state(simulation.get(), &state), ORRERY_MISUSED);
    EXPECT_THAT(context.message(), HasSubstr("ORRERY_INIT"));
  }
  EXPECT_EQ(orrery_simulation_state(simulation.get(), nullptr), ORRERY_MISUSED);
}

TEST(PublicErrors, OfFilesThatAreNone) {
  const Folder folder;
  const Context context;
  orrery_trajectory* trajectory = nullptr;
  const std::string absent = folder / "absent.h5";
  EXPECT_EQ(orrery_trajectory_open(context, absent.c_str(), &trajectory), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr(absent));
  write(folder / "text.h5", "no trajectory");
  EXPECT_NE(orrery_trajectory_open(context, (folder / "text.h5").c_str(), &trajectory), ORRERY_OK);
  EXPECT_EQ(trajectory, nullptr);
  orrery_model* model = nullptr;
  EXPECT_EQ(orrery_model_from_file(context, (folder / "x.toml").c_str(), nullptr, 0, &model), ORRERY_REFUSED);
}

TEST(PublicErrors, BodiesThatLeaveTheRangeOfNumbersAreNamed) {
  const Context context;
  const Model model = new_model(context);
  const double mass[] = {1, 1, 1}, rows[] = {0, 0, 0, 0, 0, 0, 3, 0, 0};
  const char* const names[] = {"p", "q", "r"};
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  bodies.count = 3;
  bodies.mass = mass;
  bodies.position = orrery_rows_of_three(rows, 3);
  bodies.names = names;
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &bodies));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.01, 1));
  orrery_simulation* simulation = nullptr;
  EXPECT_NE(orrery_simulation_create(model.get(), nullptr, &simulation), ORRERY_OK);
  EXPECT_THAT(context.message(), HasSubstr("p and q"));
}

TEST(PublicErrors, ExceptionsInCallbacksFailTheCall) {
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  options.progress = [](void*, double, const char*) -> int { throw std::runtime_error("thrown by the callback"); };
  orrery_context* context = nullptr;
  ASSERT_EQ(orrery_context_create(&options, &context), ORRERY_OK);
  orrery_model* model = nullptr;
  ASSERT_EQ(orrery_model_create(context, &model), ORRERY_OK);
  const Bodies bodies(2);
  const orrery_bodies view = bodies.view();
  ASSERT_EQ(orrery_model_add_bodies(model, &view), ORRERY_OK);
  ASSERT_EQ(orrery_model_set_steps(model, 0.01, 5), ORRERY_OK);
  orrery_simulation* simulation = nullptr;
  ASSERT_EQ(orrery_simulation_create(model, nullptr, &simulation), ORRERY_OK);
  EXPECT_EQ(orrery_simulation_advance(simulation, 5), ORRERY_FAILED);
  EXPECT_STREQ(orrery_context_message(context), "thrown by the callback");
  orrery_context_free(context);  // before the handles that need it
  orrery_model_free(model);
  orrery_simulation_free(simulation);
}

}  // namespace
}  // namespace orrery_test
