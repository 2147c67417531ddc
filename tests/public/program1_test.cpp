// SPDX-License-Identifier: MIT
// Three bodies, made, run with a callback, compared and drawn; and the same of a scenario.
#include <sstream>

#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

constexpr const char* scenario = R"(
title = "three bodies"
[initial]
kind = "table"
recentre = false
bodies = [
  { name = "A", mass = 1.0, position = [0.0, 0.0, 0.0], velocity = [0.0, 0.0, 0.0] },
  { name = "B", mass = 1e-3, position = [1.0, 0.0, 0.0], velocity = [0.0, 1.0, 0.0] },
  { name = "C", mass = 1e-4, position = [0.0, -2.0, 0.1], velocity = [0.7, 0.0, 0.0] },
]
[integrator]
kind = "leapfrog"
dt = 0.01
steps = 1050
[trajectory]
every = 10
[backend]
kind = "cpu"
)";

Model three_bodies(const Context& context) {
  const double mass[] = {1, 1e-3, 1e-4};
  const double position[] = {0, 0, 0, 1, 0, 0, 0, -2, 0.1}, velocity[] = {0, 0, 0, 0, 1, 0, 0.7, 0, 0};
  const char* const names[] = {"A", "B", "C"};
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  bodies.count = 3;
  bodies.mass = mass;
  bodies.position = orrery_rows_of_three(position, 3);
  bodies.velocity = orrery_rows_of_three(velocity, 3);
  bodies.names = names;
  Model model = new_model(context);
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &bodies));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.01, 1050));
  EXPECT_DONE(context, orrery_model_set_title(model.get(), "three bodies"));
  return model;
}

struct Seen {
  std::vector<std::int64_t> steps{};
  std::vector<double> energies{};
  double x = 0;
};

int look(void* user, const orrery_state* state, const orrery_observables* observables) {
  auto& seen = *static_cast<Seen*>(user);
  seen.steps.push_back(state->step);
  seen.energies.push_back(observables->energy_error);
  EXPECT_EQ(state->count, 3u);
  EXPECT_EQ(state->mass.data[1], 1e-3);
  seen.x = state->position.x[1];
  return 0;
}

TEST(PublicProgram, OfThreeBodiesIsTheRunOfTheScenario) {
  const Folder folder;
  write(folder / "three.toml", scenario);
  ASSERT_EQ(program("simulate " + folder / "three.toml" + " -o " + folder / "toml"), 0);
  const Context context;
  const Model model = three_bodies(context);
  const orrery_key every = orrery_integer("every", 10);
  Seen seen;
  orrery_backend_options cpu = ORRERY_INIT(orrery_backend_options);
  cpu.kind = "cpu";
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  options.trajectory = &every;
  options.trajectory_count = 1;
  options.backend = &cpu;
  options.observe = look;
  options.observe_every = 100;
  options.user = &seen;
  const std::string file = folder / "library/run.h5";
  ASSERT_DONE(context, orrery_run(model.get(), &options, file.c_str()));
  EXPECT_THAT(seen.steps, ::testing::ElementsAre(0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1050));
  EXPECT_EQ(seen.energies.front(), 0);
  EXPECT_NE(seen.energies.back(), 0);
  EXPECT_TRUE(same_files(context, file, folder / "toml/run.h5")) << ::testing::PrintToString(context.lines);
  EXPECT_EQ(program("diff " + file + " " + folder / "toml/run.h5"), 0);
  EXPECT_EQ(program("diff " + file + " " + folder / "three.toml"), 0);
  EXPECT_EQ(program("verify " + file), 0);
  int same = 0;
  EXPECT_DONE(context, orrery_verify(context, file.c_str(), &same));
  EXPECT_EQ(same, 1);
}

TEST(PublicProgram, WatchedAtAnyStepsWritesTheSameFile) {
  const Folder folder;
  const Context context;
  const Model model = three_bodies(context);
  std::string first;
  for (const std::int64_t every : {0, 1, 7, 64}) {
    Seen seen;
    orrery_run_options options = ORRERY_INIT(orrery_run_options);
    orrery_backend_options cpu = ORRERY_INIT(orrery_backend_options);
    cpu.kind = "cpu";
    options.backend = &cpu;
    options.observe = look;
    options.observe_every = every;
    options.user = &seen;
    const std::string file = folder / (std::to_string(every) + "/run.h5");
    ASSERT_DONE(context, orrery_run(model.get(), &options, file.c_str()));
    EXPECT_EQ(seen.steps.size(), every == 0 ? 2 : static_cast<std::size_t>((1050 + every - 1) / every) + 1);
    if (first.empty()) first = file;
    EXPECT_TRUE(same_files(context, first, file)) << ::testing::PrintToString(context.lines);
  }
}

TEST(PublicProgram, OfAnyIntegratorIsWatchedWithoutAChange) {
  // Samples of every step, every second one, and some; steps of its own; and energies that go wrong on the way.
  struct Case {
    const char* integrator;
    int bodies;
    double dt;
  };
  int wrong = 0;
  for (const Case& one : {Case{"leapfrog-dkd", 5, 0.3}, Case{"leapfrog", 100, 0.02}, Case{"yoshida4", 70, 0.2},
                          Case{"ias15", 6, 0.1}, Case{"rk45", 3, 0.2}, Case{"langevin", 66, 0.01}}) {
    const Folder folder;
    const Context context;
    const Model model = new_model(context);
    const auto number = keys(orrery_integer("n", one.bodies));
    EXPECT_DONE(context, orrery_model_add_initial(model.get(), "plummer", number.data(), 1));
    EXPECT_DONE(context, orrery_model_set_integrator(model.get(), one.integrator, nullptr, 0));
    EXPECT_DONE(context, orrery_model_set_steps(model.get(), one.dt, 90));
    std::vector<std::string> files;
    std::string first;
    for (const std::int64_t every : {0, 1, 11}) {
      const auto frames = keys(orrery_integer("every", 20));
      orrery_run_options options = ORRERY_INIT(orrery_run_options);
      orrery_backend_options cpu = ORRERY_INIT(orrery_backend_options);
      cpu.kind = "cpu";
      options.backend = &cpu;
      options.trajectory = frames.data();
      options.trajectory_count = 1;
      options.observe = [](void*, const orrery_state*, const orrery_observables*) { return 0; };
      if (every == 0) options.observe = nullptr;
      options.observe_every = every;
      files.push_back(folder / (std::to_string(every) + "/run.h5"));
      ASSERT_DONE(context, orrery_run(model.get(), &options, files.back().c_str())) << one.integrator;
      // Energies, and the step and the bodies at which they went wrong.
      const auto energies = [](const std::string& file) {
        std::istringstream lines(output_of("info " + file + " --json"));
        std::string all;
        for (std::string line; std::getline(lines, line);)
          if (line.find("energy") != std::string::npos) all += line + "\n";
        return all;
      };
      if (every == 0) {
        first = energies(files.front());
        EXPECT_THAT(first, ::testing::HasSubstr("greatest_energy_error"));
        wrong += first.find("energy_off_step") != std::string::npos ? 1 : 0;
        continue;
      }
      EXPECT_TRUE(same_files(context, files.front(), files.back()))
          << one.integrator << " " << ::testing::PrintToString(context.lines);
      EXPECT_EQ(first, energies(files.back())) << one.integrator;
    }
  }
  EXPECT_GE(wrong, 3) << "runs whose energy went wrong";
}

TEST(PublicProgram, OfOneTwoAndManyBodies) {
  const Folder folder;
  const Context context;
  for (const std::size_t n : {1, 2, 257}) {
    const Model model = new_model(context);
    const Bodies bodies(n);
    const orrery_bodies view = bodies.view();
    EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
    EXPECT_DONE(context, orrery_model_set_integrator(model.get(), "rk4", nullptr, 0));
    EXPECT_DONE(context, orrery_model_set_steps(model.get(), -1e-3, 7));
    const std::string file = folder / (std::to_string(n) + "/run.h5");
    ASSERT_DONE(context, orrery_run(model.get(), nullptr, file.c_str()));
    int same = 0;
    EXPECT_DONE(context, orrery_verify(context, file.c_str(), &same));
    EXPECT_EQ(same, 1) << n;
    const Simulation simulation = simulation_of(context, model);
    EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 7));
    EXPECT_DOUBLE_EQ(orrery_simulation_time(simulation.get()), -7e-3);
  }
}

TEST(PublicProgram, TellsItsModelAsTheScenarioThatMakesTheSameRun) {
  const Folder folder;
  const Context context;
  const Model model = three_bodies(context);
  const char* toml = nullptr;
  ASSERT_DONE(context, orrery_model_toml(model.get(), &toml));
  write(folder / "told.toml", toml);
  ASSERT_EQ(program("simulate " + folder / "told.toml" + " -o " + folder / "told"), 0) << toml;
  ASSERT_DONE(context, orrery_run(model.get(), nullptr, (folder / "library/run.h5").c_str()));
  EXPECT_TRUE(same_files(context, folder / "library/run.h5", folder / "told/run.h5"))
      << ::testing::PrintToString(context.lines);
  const Model again = model_from(context, toml);
  int equal = 0;
  EXPECT_DONE(context, orrery_model_equal(model.get(), again.get(), &equal));
  EXPECT_EQ(equal, 1);
  EXPECT_DONE(context, orrery_model_set_steps(again.get(), 0.02, 1050));
  EXPECT_DONE(context, orrery_model_equal(model.get(), again.get(), &equal));
  EXPECT_EQ(equal, 0);
}

}  // namespace
}  // namespace orrery_test
