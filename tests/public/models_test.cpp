// SPDX-License-Identifier: MIT
// Models that are given by keys are those of the scenarios with the same keys.
#include <cmath>

#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

/// A model by functions, and its scenario.
struct Pair {
  const char* name;
  void (*give)(orrery_model* model, const Context& context);
  const char* toml;
};

void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.name;
}

void initial(const Context& context, orrery_model* model, const char* kind, const std::vector<orrery_key>& all) {
  EXPECT_DONE(context, orrery_model_add_initial(model, kind, all.data(), all.size()));
}

const Pair pairs[] = {
    {"plummer",
     [](orrery_model* model, const Context& context) {
       initial(context, model, "plummer", keys(orrery_integer("n", 257)));
       EXPECT_DONE(context, orrery_model_set_seed(model, 7));
       const auto soft = keys(orrery_number("softening", 0.05));
       EXPECT_DONE(context, orrery_model_set_force(model, "gravity", soft.data(), soft.size()));
       EXPECT_DONE(context, orrery_model_set_integrator(model, "yoshida4", nullptr, 0));
       EXPECT_DONE(context, orrery_model_set_steps(model, 0.01, 21));
     },
     R"(seed = 7
[initial]
kind = "plummer"
n = 257
[[force]]
kind = "gravity"
softening = 0.05
[integrator]
kind = "yoshida4"
dt = 0.01
steps = 21
)"},
    {"tree and a field",
     [](orrery_model* model, const Context& context) {
       initial(context, model, "plummer", keys(orrery_integer("n", 1100)));
       const auto soft = keys(orrery_number("softening", 0.02)), accuracy = keys(orrery_number("accuracy", 1e-3));
       // The order does not matter: a solver stays when the law is set.
       EXPECT_DONE(context, orrery_model_set_solver(model, "tree", accuracy.data(), accuracy.size()));
       EXPECT_DONE(context, orrery_model_set_force(model, "gravity", soft.data(), soft.size()));
       const auto halo = keys(orrery_number("mass", 3), orrery_number("scale_length", 2));
       EXPECT_DONE(context, orrery_model_add_field(model, "plummer-halo", halo.data(), halo.size()));
       EXPECT_DONE(context, orrery_model_set_steps(model, 0.005, 5));
     },
     R"([initial]
kind = "plummer"
n = 1100
[[force]]
kind = "gravity"
softening = 0.02
method = "tree"
accuracy = 1e-3
[[force]]
kind = "plummer-halo"
mass = 3
scale_length = 2
[integrator]
dt = 0.005
steps = 5
)"},
    {"orbit with durations",
     [](orrery_model* model, const Context& context) {
       initial(context, model, "two-body", keys(orrery_number("eccentricity", 0.5)));
       const auto steps = keys(orrery_text("dt", "1/200 period"), orrery_text("time", "2 periods"));
       EXPECT_DONE(context, orrery_model_set_integrator(model, "hermite4", steps.data(), steps.size()));
     },
     R"([initial]
kind = "two-body"
eccentricity = 0.5
[integrator]
kind = "hermite4"
dt = "1/200 period"
time = "2 periods"
)"},
    {"adaptive steps",
     [](orrery_model* model, const Context& context) {
       initial(context, model, "pythagorean", {});
       EXPECT_DONE(context, orrery_model_set_integrator(model, "ias15", nullptr, 0));
       EXPECT_DONE(context, orrery_model_set_steps(model, 0.05, 40));
     },
     R"([initial]
kind = "pythagorean"
[integrator]
kind = "ias15"
dt = 0.05
steps = 40
)"},
};

class PublicModels : public ::testing::TestWithParam<Pair> {};

TEST_P(PublicModels, HaveTheBitsOfTheirScenarios) {
  const Folder folder;
  const Context context;
  const Model given = new_model(context), read = model_from(context, GetParam().toml);
  GetParam().give(given.get(), context);
  int equal = 0;
  EXPECT_DONE(context, orrery_model_equal(given.get(), read.get(), &equal));
  EXPECT_EQ(equal, 1);
  const std::string file = folder / "library/run.h5";
  ASSERT_DONE(context, orrery_run(given.get(), nullptr, file.c_str()));
  write(folder / "model.toml", GetParam().toml);
  ASSERT_EQ(program("simulate " + folder / "model.toml" + " -o " + folder / "program"), 0);
  EXPECT_TRUE(same_files(context, file, folder / "program/run.h5")) << ::testing::PrintToString(context.lines);

  // A simulation takes the same steps as the run.
  Trajectory trajectory;
  orrery_trajectory* opened = nullptr;
  ASSERT_DONE(context, orrery_trajectory_open(context, file.c_str(), &opened));
  trajectory.reset(opened);
  orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
  ASSERT_DONE(context, orrery_trajectory_describe(opened, &info));
  const Simulation simulation = simulation_of(context, given, "reference");
  ASSERT_DONE(context, orrery_simulation_advance(simulation.get(), info.steps));
  EXPECT_EQ(orrery_simulation_step(simulation.get()), info.steps);
  std::vector<double> x(3 * info.bodies), v(3 * info.bodies);
  ASSERT_DONE(context, orrery_trajectory_read(opened, info.frames - 1, orrery_rows_of_three_out(x.data(), info.bodies),
                                              orrery_rows_of_three_out(v.data(), info.bodies)));
  orrery_state state = ORRERY_INIT(orrery_state);
  ASSERT_DONE(context, orrery_simulation_state(simulation.get(), &state));
  ASSERT_EQ(state.count, info.bodies);
  for (std::size_t i = 0; i < info.bodies; ++i) {
    EXPECT_EQ(x[3 * i + 1], state.position.y[i]);
    EXPECT_EQ(v[3 * i + 2], state.velocity.z[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublicModels, ::testing::ValuesIn(pairs));

TEST(PublicModel, FromTomlCanBeChanged) {
  const Context context;
  const Model model = model_from(context, pairs[0].toml);
  const auto soft = keys(orrery_number("softening", 0.2));
  EXPECT_DONE(context, orrery_model_set_force(model.get(), "gravity", soft.data(), soft.size()));
  const char* text = nullptr;
  ASSERT_DONE(context, orrery_model_toml(model.get(), &text));
  EXPECT_THAT(text, ::testing::HasSubstr("softening = 0.2"));
  EXPECT_THAT(text, ::testing::HasSubstr("n = 257"));
}

TEST(PublicModel, BodiesMayBeOnOrbits) {
  const Context context;
  const Model model = new_model(context);
  const double none = std::nan(""), mass[] = {1, 0.1, 0.01}, a[] = {none, 1.5, 0.1}, e[] = {none, 0.2, 0.3};
  const double places[] = {0.1, 0.2, 0.3, none, none, none, none, none, none};
  const orrery_element elements[] = {{"semi_major_axis", a, 0}, {"e", e, 0}};
  const char* const names[] = {"Sun", "planet", "moon"};
  const char* const around[] = {nullptr, "Sun", "planet"};
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  bodies.count = 3, bodies.mass = mass, bodies.names = names;
  bodies.position = orrery_rows_of_three(places, 3);
  bodies.elements = elements, bodies.element_count = 2, bodies.around = around;
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &bodies));
  orrery_bodies_view view = ORRERY_INIT(orrery_bodies_view);
  EXPECT_DONE(context, orrery_model_bodies(model.get(), &view));
  EXPECT_DOUBLE_EQ(view.position.x[view.position.stride], 0.1 + 1.5 * 0.8);
  EXPECT_DOUBLE_EQ(view.position.x[2 * view.position.stride], 0.1 + 1.5 * 0.8 + 0.1 * 0.7);
  EXPECT_DOUBLE_EQ(view.position.z[view.position.stride], 0.3);
}

TEST(PublicModel, OfEveryTableIsToldAndReadAgain) {
  const Context context;
  const Model model = new_model(context);
  const Bodies bodies(5);
  orrery_bodies given = bodies.view();
  const char* const names[] = {"Zoë", nullptr, "\"b\"", "c", ""};
  given.names = names;
  given.charge = bodies.mass.data();
  given.component = "probes";
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &given));
  const double offset[] = {1, -2, 0.5}, shift[] = {0, 1e-3, 0};
  initial(context, model.get(), "random-cube", keys(orrery_integer("n", 6), orrery_numbers("offset", offset, 3)));
  const auto moved = keys(orrery_text("body", "Zoë"), orrery_numbers("position", shift, 3));
  EXPECT_DONE(context, orrery_model_perturb(model.get(), moved.data(), moved.size()));
  EXPECT_DONE(context, orrery_model_set_units(model.get(), "astronomical"));
  EXPECT_DONE(context, orrery_model_set_seed(model.get(), 11));
  EXPECT_DONE(context, orrery_model_set_title(model.get(), "all \"tables\""));
  const auto halo = keys(orrery_number("mass", 3), orrery_number("scale_length", 2));
  EXPECT_DONE(context, orrery_model_add_field(model.get(), "plummer-halo", halo.data(), halo.size()));
  const auto soft = keys(orrery_number("softening", 1.0 / 3));
  EXPECT_DONE(context, orrery_model_set_force(model.get(), "gravity", soft.data(), soft.size()));
  const auto steps = keys(orrery_text("dt", "2 hours"), orrery_text("time", "3 days"));
  EXPECT_DONE(context, orrery_model_set_integrator(model.get(), "rk4", steps.data(), steps.size()));
  EXPECT_DONE(context, orrery_model_set_precision(model.get(), "mixed"));
  const char* toml = nullptr;
  ASSERT_DONE(context, orrery_model_toml(model.get(), &toml));
  const Model again = model_from(context, toml);
  int equal = 0;
  EXPECT_DONE(context, orrery_model_equal(model.get(), again.get(), &equal));
  EXPECT_EQ(equal, 1) << toml;
  orrery_bodies_view view = ORRERY_INIT(orrery_bodies_view);
  ASSERT_DONE(context, orrery_model_bodies(again.get(), &view));
  ASSERT_EQ(view.count, 11u);
  EXPECT_STREQ(view.names[2], "\"b\"");
  EXPECT_EQ(view.position.y[0], bodies.rows[1] + 1e-3);
}

TEST(PublicModel, TakesNumbersWithUnits) {
  const Context context;
  const Model model = new_model(context);
  const auto far = keys(orrery_text("semi_major_axis", "1 au"));
  EXPECT_EQ(orrery_model_add_initial(model.get(), "two-body", far.data(), far.size()), ORRERY_REFUSED);
  EXPECT_DONE(context, orrery_model_set_units(model.get(), "si"));
  EXPECT_DONE(context, orrery_model_add_initial(model.get(), "two-body", far.data(), far.size()));
  double value = 0;
  EXPECT_DONE(context, orrery_model_quantity(model.get(), "29.78 km/s", "length/time", &value));
  EXPECT_EQ(value, 29780);
  EXPECT_EQ(orrery_model_quantity(model.get(), "29.78 km", "length/time", &value), ORRERY_REFUSED);
  EXPECT_EQ(orrery_model_set_units(model.get(), "cgs"), ORRERY_REFUSED) << "the length is in metres already";
  EXPECT_DONE(context, orrery_model_set_epoch(model.get(), "2026-11-27 UTC"));
  EXPECT_EQ(orrery_model_set_epoch(model.get(), "tomorrow"), ORRERY_REFUSED);
  const char* toml = nullptr;
  ASSERT_DONE(context, orrery_model_toml(model.get(), &toml));
  EXPECT_THAT(toml, ::testing::HasSubstr("semi_major_axis = 149597870700.0"));
  EXPECT_THAT(toml, ::testing::HasSubstr("epoch = \"2026-11-27 00:01:09.184 TDB\""));
}

TEST(PublicModel, IsCopied) {
  const Context context;
  const Model model = model_from(context, pairs[0].toml);
  orrery_model* made = nullptr;
  ASSERT_DONE(context, orrery_model_copy(model.get(), &made));
  const Model copy(made);
  int equal = 0;
  EXPECT_DONE(context, orrery_model_equal(model.get(), made, &equal));
  EXPECT_EQ(equal, 1);
  EXPECT_DONE(context, orrery_model_set_seed(made, 8));
  EXPECT_DONE(context, orrery_model_equal(model.get(), made, &equal));
  EXPECT_EQ(equal, 0);
}

TEST(PublicModel, OfAPlaneNeedsNoZ) {
  const Context context;
  const Model model = new_model(context);
  const double mass[] = {1, 2, 3}, xy[] = {0.1, 0.2, 1.1, 0.3, 2.5, 2.7}, v[] = {1, 0, 0, 1, 0.5, 0.5};
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  bodies.count = 3;
  bodies.mass = mass;
  bodies.position = {xy, xy + 1, nullptr, 2, 3};
  bodies.velocity = {v, v + 1, nullptr, 2, 3};
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &bodies));
  const double edges[] = {5, 4};
  const char* const walls[] = {"reflecting", "periodic"};
  const auto box =
      keys(orrery_integer("dimensions", 2), orrery_texts("boundary", walls, 2), orrery_numbers("edges", edges, 2));
  EXPECT_DONE(context, orrery_model_set_domain(model.get(), box.data(), box.size()));
  EXPECT_DONE(context, orrery_model_set_force(model.get(), "wca", nullptr, 0));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 0.01, 0));
  const Simulation simulation = simulation_of(context, model), reference = simulation_of(context, model, "reference");
  EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 500));
  EXPECT_DONE(context, orrery_simulation_advance(reference.get(), 500));
  EXPECT_EQ(hash_of(context, simulation), hash_of(context, reference));
  orrery_state state = ORRERY_INIT(orrery_state);
  ASSERT_DONE(context, orrery_simulation_state(simulation.get(), &state));
  ASSERT_NE(state.image.y, nullptr);
  EXPECT_TRUE(state.image.y[0] != 0 || state.image.y[1] != 0 || state.image.y[2] != 0);
  double x[3], y[3];
  EXPECT_DONE(context, orrery_simulation_download(simulation.get(), ORRERY_POSITION, {x, y, nullptr, 1, 3}));
  EXPECT_EQ(y[1], state.position.y[1]);
}

TEST(PublicModel, TakesOverrides) {
  const Context context;
  const char* const overrides[] = {"initial.n=64", "integrator.dt=0.5"};
  orrery_model* made = nullptr;
  ASSERT_DONE(context, orrery_model_from_toml(context, pairs[0].toml, nullptr, nullptr, overrides, 2, &made));
  const Model model(made);
  orrery_bodies_view bodies = ORRERY_INIT(orrery_bodies_view);
  ASSERT_DONE(context, orrery_model_bodies(made, &bodies));
  EXPECT_EQ(bodies.count, 64u);
}

TEST(PublicModel, KeepsBodiesFromStridedArrays) {
  const Context context;
  for (const std::size_t n : {1, 2, 257}) {
    const Bodies bodies(n);
    std::vector<double> x(n), y(n), z(n), pairs_of_mass(2 * n, -5);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = bodies.rows[3 * i], y[i] = bodies.rows[3 * i + 1], z[i] = bodies.rows[3 * i + 2];
      pairs_of_mass[2 * i] = bodies.mass[i];
    }
    orrery_bodies given = bodies.view();
    given.mass = pairs_of_mass.data();
    given.mass_stride = 2;
    given.position = {x.data(), y.data(), z.data(), 1, n};
    given.radius = bodies.mass.data();
    given.charge = bodies.mass.data();
    const Model model = new_model(context);
    ASSERT_DONE(context, orrery_model_add_bodies(model.get(), &given));
    std::fill(x.begin(), x.end(), 77);  // the model has copies
    orrery_bodies_view view = ORRERY_INIT(orrery_bodies_view);
    ASSERT_DONE(context, orrery_model_bodies(model.get(), &view));
    ASSERT_EQ(view.count, n);
    ASSERT_EQ(view.charge.count, n);
    ASSERT_EQ(view.radius.count, n);
    EXPECT_EQ(view.radius.data[n - 1], bodies.mass.back());
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(view.mass.data[i], bodies.mass[i]);
      EXPECT_EQ(view.position.x[i], bodies.rows[3 * i]);
      EXPECT_EQ(view.position.z[i], bodies.rows[3 * i + 2]);
      EXPECT_EQ(view.velocity.y[i], bodies.velocities[3 * i + 1]);
      EXPECT_STREQ(view.names[i], "");
    }
    EXPECT_DONE(context, orrery_model_set_steps(model.get(), 1e-3, 3));
    const Simulation simulation = simulation_of(context, model);
    ASSERT_DONE(context, orrery_simulation_advance(simulation.get(), 3));
    const Simulation reference = simulation_of(context, model, "reference");
    ASSERT_DONE(context, orrery_simulation_advance(reference.get(), 3));
    EXPECT_EQ(hash_of(context, simulation), hash_of(context, reference)) << n;
  }
}

/// Bodies whose bits a text could lose, and names that CSV must quote.
void add_awkward_bodies(const Context& context, orrery_model* model, std::size_t count) {
  std::vector<double> mass(count), rows(3 * count);
  std::vector<std::string> names(count);
  std::vector<const char*> texts;
  for (std::size_t i = 0; i < count; ++i) {
    mass[i] = 1.0 / static_cast<double>(i + 3);
    rows[3 * i] = std::ldexp(1.0 / 3, static_cast<int>(i % 900) - 450);
    names[i] = i % 3 == 0 ? "b,\"" + std::to_string(i) : "";
    texts.push_back(names[i].c_str());
  }
  rows[4] = -0.0, rows[5] = 5e-324;
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  bodies.count = count, bodies.mass = mass.data(), bodies.names = texts.data();
  bodies.position = bodies.velocity = orrery_rows_of_three(rows.data(), count);
  ASSERT_DONE(context, orrery_model_add_bodies(model, &bodies));
}

TEST(PublicModels, AreSavedWithEveryBit) {
  for (const std::size_t count : {1000, 1001}) {
    const Folder folder;
    const Context context;
    const Model model = new_model(context);
    const auto n = keys(orrery_integer("n", 7));
    add_awkward_bodies(context, model.get(), count);
    ASSERT_DONE(context, orrery_model_add_initial(model.get(), "plummer", n.data(), n.size()));
    ASSERT_DONE(context, orrery_model_set_seed(model.get(), 5));
    const std::string file = folder / "x.toml";
    ASSERT_DONE(context, orrery_model_save(model.get(), file.c_str(), 0));
    EXPECT_EQ(std::filesystem::exists(folder / "x.csv"), count > 1000);
    orrery_model* read_back = nullptr;
    ASSERT_DONE(context, orrery_model_from_file(context, file.c_str(), nullptr, 0, &read_back));
    const Model other(read_back);
    int equal = 0;
    ASSERT_DONE(context, orrery_model_equal(model.get(), other.get(), &equal));
    EXPECT_EQ(equal, 1);
    ASSERT_DONE(context, orrery_model_save(other.get(), (folder / "y.toml").c_str(), 0));  // from another folder
    EXPECT_EQ(std::filesystem::exists(folder / "y.csv"), count > 1000);

    ASSERT_DONE(context, orrery_model_save(model.get(), file.c_str(), 0));  // the same content
    ASSERT_DONE(context, orrery_model_set_seed(model.get(), 6));
    EXPECT_EQ(orrery_model_save(model.get(), file.c_str(), 0), ORRERY_REFUSED);
    EXPECT_THAT(context.message(), ::testing::HasSubstr("x.toml: exists and is another one; `replace` replaces it"));
    EXPECT_DONE(context, orrery_model_save(model.get(), file.c_str(), 1));
    EXPECT_EQ(orrery_model_save(model.get(), (folder / "x.csv").c_str(), 1), ORRERY_REFUSED);
    EXPECT_EQ(orrery_model_save(model.get(), (folder / "absent/x.toml").c_str(), 0), ORRERY_FAILED);
  }
}

TEST(PublicModels, OfATextWithOverridesHaveThemInTheirText) {
  const Context context;
  const char* const overrides[] = {"initial.n=9"};
  orrery_model* made = nullptr;
  ASSERT_DONE(context, orrery_model_from_toml(context,
                                              "[initial]\nkind = \"plummer\"\n[[figure]]\nkind = \"energy\"\n"
                                              "file = \"e.svg\"\n",
                                              nullptr, nullptr, overrides, 1, &made));
  const Model model(made);
  const char* text = nullptr;
  ASSERT_DONE(context, orrery_model_toml(model.get(), &text));
  EXPECT_THAT(text, ::testing::HasSubstr("n = 9"));
  EXPECT_THAT(text, ::testing::HasSubstr("[[figure]]"));
}

TEST(PublicModels, KeepTheirIntegratorWithoutAName) {
  const Context context;
  const Model model = model_from(context,
                                 "[initial]\nkind = \"plummer\"\n[integrator]\nkind = \"ias15\"\ntolerance = 1e-8\n"
                                 "time = 3\n");
  const auto dt = keys(orrery_number("dt", 0.25)), steps = keys(orrery_integer("steps", 5));
  ASSERT_DONE(context, orrery_model_set_integrator(model.get(), nullptr, dt.data(), dt.size()));
  ASSERT_DONE(context, orrery_model_set_integrator(model.get(), nullptr, steps.data(), steps.size()));
  const char* text = nullptr;
  ASSERT_DONE(context, orrery_model_toml(model.get(), &text));
  EXPECT_THAT(text, ::testing::HasSubstr("kind = \"ias15\"\ndt = 0.25\nsteps = 5\ntolerance = 1e-08\n"));
}

TEST(PublicModels, OfATextWithoutBodiesAndLengthAreCompletedLater) {
  const Context context;
  const Model model = model_from(context, "[force]\nkind = \"gravity\"\nsoftening = 0.1\n");
  orrery_simulation* made = nullptr;
  EXPECT_EQ(orrery_simulation_create(model.get(), nullptr, &made), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), ::testing::HasSubstr("there are no bodies"));
  const auto n = keys(orrery_integer("n", 7));
  ASSERT_DONE(context, orrery_model_add_initial(model.get(), "plummer", n.data(), n.size()));
  const Folder folder;
  EXPECT_EQ(orrery_run(model.get(), nullptr, (folder / "run.h5").c_str()), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), ::testing::HasSubstr("needs `dt`"));
  ASSERT_DONE(context, orrery_model_set_steps(model.get(), 0.01, 3));
  EXPECT_DONE(context, orrery_run(model.get(), nullptr, (folder / "run.h5").c_str()));
}

}  // namespace
}  // namespace orrery_test
