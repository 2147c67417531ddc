// SPDX-License-Identifier: MIT
// The C++ wrapper: objects, exceptions, callbacks that throw.
#include "pipeline/public/orrery.hpp"

#include "tests/public/support.hpp"

namespace {

using orrery_test::Folder;

orrery::Model three_bodies(const orrery::Context& context) {
  orrery::Model model(context);
  const std::vector<double> mass{1, 1e-3, 1e-4};
  const std::vector<orrery::Vec3> position{{0, 0, 0}, {1, 0, 0}, {0, -2, 0.1}};
  const std::vector<orrery::Vec3> velocity{{0, 0, 0}, {0, 1, 0}, {0.7, 0, 0}};
  model.add_bodies({.mass = mass, .position = position, .velocity = velocity, .names = {"A", "B", "C"}});
  model.set_force("gravity", {{"softening", 0.01}});
  model.set_integrator("yoshida4");
  model.set_steps(0.01, 300);
  return model;
}

TEST(Wrapper, RunsStepsReadsAndDraws) {
  const Folder folder;
  const orrery::Context context;
  const orrery::Model model = three_bodies(context);
  EXPECT_EQ(model.bodies().position[2], (orrery::Vec3{0, -2, 0.1}));
  std::vector<std::int64_t> steps;
  const std::string file = folder / "run.h5";
  ASSERT_TRUE(orrery::run(model, file,
                          {.trajectory = {{"every", 50}},
                           .observe =
                               [&](const orrery::State& state, const orrery::Observables&) {
                                 steps.push_back(state.step);
                                 return true;
                               },
                           .observe_every = 100}));
  EXPECT_THAT(steps, ::testing::ElementsAre(0, 100, 200, 300));
  orrery::Simulation simulation(model, {.kind = "cpu"});
  ASSERT_TRUE(simulation.advance(300));
  const orrery::Trajectory trajectory(context, file);
  EXPECT_EQ(trajectory.size(), 7u);
  EXPECT_EQ(std::string(trajectory.names()[1]), "B");
  const orrery::Frame last = trajectory.frame(6);
  EXPECT_EQ(last.step, 300);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(last.position[i], simulation.state().position[i]);
  const std::int64_t second[] = {1};
  EXPECT_EQ(trajectory.read(ORRERY_PART_POSITION, 6, -6, 2, second)[0], last.position[1]);
  EXPECT_EQ(std::string(trajectory.components()[0]), "table");
  EXPECT_TRUE(trajectory.charges().empty());
  EXPECT_EQ(trajectory.column("energy_error").size(), 7u);
  EXPECT_TRUE(orrery::verify(context, file));
  EXPECT_TRUE(orrery::same(context, file, file));
  const orrery::Charts charts(context, file, "energy-error");
  EXPECT_GE(charts.curve(0, 0).y.size(), 6u);
  EXPECT_TRUE(orrery::draw_figure(context, file, "energy-error", folder / "e.csv"));
  EXPECT_FALSE(orrery::Picture(context, file, "energy-error", "json").bytes().empty());
  orrery::Simulation written(model);
  orrery::Writer writer(written, folder / "written.h5", {{"store", "float32"}});
  written.advance(300);
  writer.append(written);
  writer.finish();
  EXPECT_TRUE(orrery::verify(context, folder / "written.h5"));
  EXPECT_TRUE(orrery::Model::of_file(context, file) == model);
  EXPECT_TRUE(orrery::Model::of_toml(context, model.toml()) == model);
  model.save(folder / "model.toml");
  EXPECT_TRUE(orrery::Model::of_file(context, folder / "model.toml") == model);
}

TEST(Wrapper, StepsByItsOwnOperations) {
  const orrery::Context context;
  const orrery::Model model = three_bodies(context);
  orrery::Simulation simulation(model, {.kind = "reference", .scratch_columns = 1});
  simulation.accelerate();
  simulation.combine(orrery::scratch(0), {{1, ORRERY_POSITION}, {0.5, ORRERY_VELOCITY}});
  const auto x = simulation.download(ORRERY_POSITION), moved = simulation.download(orrery::scratch(0));
  EXPECT_EQ(moved[1][1], x[1][1] + 0.5);
  simulation.upload(ORRERY_POSITION, moved);
  EXPECT_EQ(simulation.state().position[1], moved[1]);
  EXPECT_EQ(simulation.hash().size(), 16u);
}

TEST(Wrapper, ThrowsErrorsWithKeyAndPlace) {
  const orrery::Context context;
  orrery::Model model(context);
  try {
    model.set_force("gravity", {{"softning", 0.01}});
    FAIL();
  } catch (const orrery::Error& error) {
    EXPECT_EQ(error.status(), ORRERY_REFUSED);
    EXPECT_EQ(error.key(), "softning");
    EXPECT_EQ(error.place(), "[[force]] gravity");
    EXPECT_THAT(error.what(), ::testing::HasSubstr("did you mean `softening`?"));
  }
  EXPECT_THROW(orrery::Trajectory(context, "/nowhere.h5"), orrery::Error);
  const orrery::Model moved = std::move(model);
  EXPECT_THROW(model.set_seed(1), orrery::Error);  // NOLINT: on purpose
}

struct Odd {
  int number;
};

TEST(Wrapper, ThrowsAgainWhatCallbacksThrow) {
  const Folder folder;
  const orrery::Context context;
  const orrery::Model model = three_bodies(context);
  const std::string file = folder / "run.h5";
  try {
    orrery::run(model, file,
                {.observe = [](const orrery::State& state, const orrery::Observables&) -> bool {
                   if (state.step >= 120) throw Odd{17};
                   return true;
                 },
                 .observe_every = 60});
    FAIL();
  } catch (const Odd& odd) {
    EXPECT_EQ(odd.number, 17);
  }
  EXPECT_EQ(orrery::Trajectory(context, file).steps().back(), 120) << "the file is consistent";
  EXPECT_TRUE(orrery::resume(context, file)) << "the context is of use again";
  EXPECT_TRUE(orrery::verify(context, file));

  const orrery::Context throwing({.progress = [](double, std::string_view) -> bool { throw Odd{4}; }});
  orrery::Simulation simulation{three_bodies(throwing)};
  EXPECT_THROW(simulation.advance(1'000'000), Odd);
  EXPECT_LT(simulation.step(), 1'000'000);
}

TEST(Wrapper, IsStoppedByItsCallbacks) {
  int slices = 0;
  std::vector<std::string> lines;
  const orrery::Context context({.log = [&](orrery_log_kind, std::string_view text) { lines.emplace_back(text); },
                                 .progress = [&](double, std::string_view) { return ++slices < 2; }});
  orrery::Simulation simulation{three_bodies(context)};
  EXPECT_FALSE(simulation.advance(100'000'000));
  EXPECT_GT(simulation.step(), 0);
}

TEST(Wrapper, GivesLists) {
  bool found = false;
  for (const orrery_plug_in* one : orrery::plug_ins(ORRERY_INTEGRATORS)) {
    if (std::string(one->name) != "ias15") continue;
    found = !orrery::parameters(*one).empty();
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(orrery::plug_ins(ORRERY_UNITS).size(), 8u);
}

TEST(Wrapper, TakesEveryKindOfKey) {
  const orrery::Context context;
  orrery::Model model(context);
  model.add_initial("random-cube", {{"n", 5}, {"offset", std::vector<double>{1, 2, 3}}, {"recentre", false}});
  model.set_domain({{"boundary", std::vector<std::string>{"reflecting", "reflecting", "open"}},
                    {"edges", std::vector<double>{20, 20, 0}},
                    {"low", std::vector<double>{-9, -9, 0}}});
  model.set_steps(0.5, 1);
  EXPECT_EQ(model.bodies().mass.size(), 5u);
  EXPECT_THROW(model.perturb({{"body", 2.5}, {"mass", "heavy"}}), orrery::Error);
}

}  // namespace
