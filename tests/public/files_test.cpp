// SPDX-License-Identifier: MIT
// Trajectories read, followed and drawn; curves as arrays; the lists of plug-ins.
#include <cmath>

#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A run of two named bodies, and its trajectory.
class PublicFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    model = model_from(context, R"(title = "orbit"
[initial]
kind = "table"
bodies = [{ name = "sun", mass = 1, position = [0, 0, 0], velocity = [0, 0, 0] },
          { name = "earth", mass = 3e-6, position = [1, 0, 0], velocity = [0, 6.283185, 0] }]
[[force]]
kind = "gravity"
G = 39.47841760435743
[integrator]
dt = 1e-3
steps = 1000
[trajectory]
frames = 21
[observables]
every = 10
)");
    ASSERT_DONE(context, orrery_run(model.get(), nullptr, file.c_str()));
    orrery_trajectory* opened = nullptr;
    ASSERT_DONE(context, orrery_trajectory_open(context, file.c_str(), &opened));
    trajectory.reset(opened);
  }

  Folder folder{};
  Context context{};
  std::string file = folder / "run.h5";
  Model model{};
  Trajectory trajectory{};
};

TEST_F(PublicFiles, AreDescribed) {
  orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
  ASSERT_DONE(context, orrery_trajectory_describe(trajectory.get(), &info));
  EXPECT_EQ(info.frames, 21u);
  EXPECT_EQ(info.bodies, 2u);
  EXPECT_EQ(info.bodies_of_run, 2u);
  EXPECT_EQ(info.steps, 1000);
  EXPECT_EQ(info.dt, 1e-3);
  EXPECT_EQ(info.finished, 1);
  EXPECT_EQ(info.being_written, 0);
  EXPECT_STREQ(info.title, "orbit");
  EXPECT_THAT(info.toml, HasSubstr("frames = 21"));
  const char* const* names = nullptr;
  ASSERT_DONE(context, orrery_trajectory_names(trajectory.get(), &names));
  EXPECT_STREQ(names[1], "earth");
  orrery_numbers_view times{}, masses{};
  ASSERT_DONE(context, orrery_trajectory_times(trajectory.get(), &times));
  ASSERT_DONE(context, orrery_trajectory_masses(trajectory.get(), &masses));
  ASSERT_EQ(times.count, 21u);
  EXPECT_EQ(times.data[20], 1);
  EXPECT_EQ(masses.data[1], 3e-6);
  const std::int64_t* indices = nullptr;
  ASSERT_DONE(context, orrery_trajectory_indices(trajectory.get(), &indices));
  EXPECT_EQ(indices[1], 1);
}

TEST_F(PublicFiles, AreReadBySlices) {
  const std::int64_t bodies[] = {1, 0, 1};
  orrery_slice slice = ORRERY_INIT(orrery_slice);
  slice.part = ORRERY_PART_VELOCITY, slice.first = 17, slice.step = -5, slice.frames = 3;
  slice.bodies = bodies, slice.count = 3;
  double all[3][3][3], whole[2][3];
  ASSERT_DONE(context, orrery_trajectory_read_slice(trajectory.get(), &slice, &all[0][0][0]));
  for (std::size_t k = 0; k < 3; ++k) {
    ASSERT_DONE(context, orrery_trajectory_read(trajectory.get(), 17 - 5 * k, orrery_vectors_out{},
                                                orrery_rows_of_three_out(&whole[0][0], 2)));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(all[k][i][axis], whole[bodies[i]][axis]);
  }
  slice.bodies = nullptr, slice.count = 2, slice.frames = 1;  // the first two
  ASSERT_DONE(context, orrery_trajectory_read_slice(trajectory.get(), &slice, &whole[0][0]));
  EXPECT_EQ(whole[1][1], all[0][0][1]);
  slice.step = 4, slice.frames = 2;
  EXPECT_EQ(orrery_trajectory_read_slice(trajectory.get(), &slice, &all[0][0][0]), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "there is no frame 21: there are 21");
  slice.frames = 1, slice.count = 3;
  EXPECT_EQ(orrery_trajectory_read_slice(trajectory.get(), &slice, &all[0][0][0]), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "there is no body 2: frames have 2");
  slice.count = 2, slice.part = ORRERY_PART_IMAGE;
  EXPECT_EQ(orrery_trajectory_read_slice(trajectory.get(), &slice, &all[0][0][0]), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("no images"));
  slice.part = static_cast<orrery_part>(7);
  EXPECT_EQ(orrery_trajectory_read_slice(trajectory.get(), &slice, &all[0][0][0]), ORRERY_MISUSED);
  EXPECT_EQ(orrery_trajectory_read_slice(trajectory.get(), &slice, nullptr), ORRERY_MISUSED);
  slice.part = ORRERY_PART_POSITION, slice.first = 0, slice.frames = 21;
  slice.step = 1, context.stop_after = context.slices + 4;
  double many[21][2][3];
  EXPECT_EQ(orrery_trajectory_read_slice(trajectory.get(), &slice, &many[0][0][0]), ORRERY_STOPPED);
}

TEST(PublicBoxFiles, HaveImagesChargesComponentsAndTheBox) {
  const Folder folder;
  const Context context;
  const Model model = model_from(context, R"([[initial]]
kind = "table"
recentre = false
bodies = [{ mass = 1, position = [0.5, 1, 1], velocity = [3, 0, -5], charge = 2, radius = 0.25, component = "a" },
          { mass = 1, position = [0.5, 1.5, 1.5], velocity = [0, 0, 0], charge = -1, component = "b" }]
[domain]
boundary = "periodic"
edges = [1, 2, 3]
low = [0, 0.5, -1]
[force]
kind = "soft"
cutoff = 0.1
[integrator]
dt = 0.25
steps = 4
)");
  const std::string file = folder / "run.h5";
  ASSERT_DONE(context, orrery_run(model.get(), nullptr, file.c_str()));
  orrery_trajectory* opened = nullptr;
  ASSERT_DONE(context, orrery_trajectory_open(context, file.c_str(), &opened));
  const Trajectory trajectory(opened);
  orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
  ASSERT_DONE(context, orrery_trajectory_describe(trajectory.get(), &info));
  EXPECT_EQ(info.dimensions, 3);
  EXPECT_EQ(info.periodic[2], 1);
  EXPECT_EQ(info.low[1], 0.5);
  EXPECT_EQ(info.edges[2], 3);
  EXPECT_EQ(info.G, 1);
  orrery_numbers_view charges{};
  ASSERT_DONE(context, orrery_trajectory_charges(trajectory.get(), &charges));
  ASSERT_EQ(charges.count, 2u);
  EXPECT_EQ(charges.data[1], -1);
  orrery_numbers_view radii{};
  ASSERT_DONE(context, orrery_trajectory_radii(trajectory.get(), &radii));
  ASSERT_EQ(radii.count, 2u);
  EXPECT_EQ(radii.data[0], 0.25);
  EXPECT_EQ(radii.data[1], 0);
  const char* const* components = nullptr;
  ASSERT_DONE(context, orrery_trajectory_components(trajectory.get(), &components));
  EXPECT_STREQ(components[0], "a");
  EXPECT_STREQ(components[1], "b");
  orrery_slice slice = ORRERY_INIT(orrery_slice);
  slice.part = ORRERY_PART_IMAGE, slice.first = 4, slice.step = 1, slice.frames = 1, slice.count = 1;
  double image[3];
  ASSERT_DONE(context, orrery_trajectory_read_slice(trajectory.get(), &slice, image));
  EXPECT_THAT(image, ::testing::ElementsAre(3, 0, -1));
}

TEST_F(PublicFiles, AreReadIntoArraysWithStrides) {
  double rows[6], x[4], y[4], z[4];
  const orrery_vectors_out none{}, apart{x, y, z, 2, 2};
  for (const std::size_t frame : {0, 7, 20}) {
    ASSERT_DONE(context, orrery_trajectory_read(trajectory.get(), frame, orrery_rows_of_three_out(rows, 2), none));
    ASSERT_DONE(context, orrery_trajectory_read(trajectory.get(), frame, apart, none));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(rows[3 * i], x[2 * i]);
      EXPECT_EQ(rows[3 * i + 1], y[2 * i]);
    }
  }
  EXPECT_NEAR(std::hypot(rows[3], rows[4]), 1, 0.02);
  EXPECT_EQ(orrery_trajectory_read(trajectory.get(), 21, orrery_rows_of_three_out(rows, 2), none), ORRERY_MISUSED);
  EXPECT_EQ(context.message(), "there is no frame 21: there are 21");
}

TEST_F(PublicFiles, HaveRowsAsColumns) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < orrery_trajectory_column_count(trajectory.get()); ++k)
    names.emplace_back(orrery_trajectory_column_name(trajectory.get(), k));
  EXPECT_THAT(names, ::testing::IsSupersetOf({"step", "time", "energy_error", "momentum_x", "center_of_mass_z"}));
  EXPECT_EQ(orrery_trajectory_column_name(trajectory.get(), names.size()), nullptr);
  orrery_numbers_view steps{}, errors{};
  ASSERT_DONE(context, orrery_trajectory_column(trajectory.get(), "step", &steps));
  ASSERT_DONE(context, orrery_trajectory_column(trajectory.get(), "energy_error", &errors));
  ASSERT_EQ(steps.count, 101u);
  ASSERT_EQ(errors.count, 101u);
  EXPECT_EQ(steps.data[100], 1000);
  EXPECT_EQ(errors.data[0], 0);
  EXPECT_LT(std::abs(errors.data[50]), 1e-4);
  EXPECT_EQ(orrery_trajectory_column(trajectory.get(), "energy_eror", &errors), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("did you mean `energy_error`?"));
}

TEST_F(PublicFiles, AreModelsAgain) {
  orrery_model* again = nullptr;
  ASSERT_DONE(context, orrery_model_from_file(context, file.c_str(), nullptr, 0, &again));
  const Model owned(again);
  int equal = 0;
  EXPECT_DONE(context, orrery_model_equal(model.get(), again, &equal));
  EXPECT_EQ(equal, 1);
}

TEST_F(PublicFiles, AreFollowedWhileTheyAreWritten) {
  const std::string growing = folder / "growing/run.h5";
  struct Follower {
    const Context* other;
    const std::string* file;
    std::vector<std::size_t> frames{};
  };
  const Context other;
  Follower follower{&other, &growing};
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  const auto commits = keys(orrery_integer("every", 5), orrery_number("commit", 0));
  options.trajectory = commits.data();
  options.trajectory_count = commits.size();
  options.observe_every = 250;
  options.user = &follower;
  options.observe = [](void* user, const orrery_state* state, const orrery_observables*) {
    auto& self = *static_cast<Follower*>(user);
    if (state->step == 0 || state->step == 1000) return 0;
    orrery_trajectory* opened = nullptr;
    if (orrery_trajectory_open(*self.other, self.file->c_str(), &opened) != ORRERY_OK) return 0;
    orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
    EXPECT_DONE(*self.other, orrery_trajectory_refresh(opened));
    EXPECT_DONE(*self.other, orrery_trajectory_describe(opened, &info));
    EXPECT_EQ(info.finished, 0);
    self.frames.push_back(info.frames);
    orrery_trajectory_free(opened);
    return 0;
  };
  ASSERT_DONE(context, orrery_run(model.get(), &options, growing.c_str()));
  ASSERT_FALSE(follower.frames.empty());
  EXPECT_TRUE(std::is_sorted(follower.frames.begin(), follower.frames.end()));
  EXPECT_LT(follower.frames.front(), 201u);
}

TEST_F(PublicFiles, GiveTheCurvesOfCharts) {
  const auto nothing = keys();
  orrery_charts* made = nullptr;
  ASSERT_DONE(context, orrery_charts_create(context, file.c_str(), "energy-error", nothing.data(), 0, &made));
  const Charts charts(made);
  ASSERT_GE(orrery_charts_count(made), 1u);
  orrery_chart chart = ORRERY_INIT(orrery_chart);
  ASSERT_DONE(context, orrery_charts_chart(made, 0, &chart));
  EXPECT_STREQ(chart.x.name, "t");
  ASSERT_GE(chart.curves, 1u);
  orrery_curve curve = ORRERY_INIT(orrery_curve);
  ASSERT_DONE(context, orrery_charts_curve(made, 0, 0, &curve));
  ASSERT_GT(curve.count, 50u);
  EXPECT_GT(curve.x[curve.count - 1], curve.x[0]);
  EXPECT_EQ(orrery_charts_curve(made, 0, chart.curves, &curve), ORRERY_MISUSED);
  EXPECT_EQ(orrery_charts_chart(made, 9, &chart), ORRERY_MISUSED);
  EXPECT_EQ(orrery_charts_create(context, file.c_str(), "projection", nullptr, 0, &made), ORRERY_REFUSED);
  EXPECT_EQ(context.message(), "figure projection: it shows bodies, and has no curves");
  EXPECT_EQ(orrery_charts_create(context, file.c_str(), "energy-eror", nullptr, 0, &made), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("there is no such figure"));
}

TEST_F(PublicFiles, AreDrawnToFilesAndBytes) {
  const std::string numbers = folder / "e.csv", same = folder / "f.csv";
  ASSERT_DONE(context, orrery_draw(context, file.c_str(), ORRERY_FIGURE, "energy-error", nullptr, 0, numbers.c_str()));
  ASSERT_EQ(program("render " + file + " --figure energy-error -o " + same), 0);
  EXPECT_EQ(read(numbers), read(same));
  orrery_picture* picture = nullptr;
  ASSERT_DONE(context,
              orrery_picture_create(context, file.c_str(), ORRERY_FIGURE, "energy-error", nullptr, 0, "csv", &picture));
  std::size_t count = 0;
  const auto* bytes = reinterpret_cast<const char*>(orrery_picture_bytes(picture, &count));
  EXPECT_EQ(std::string(bytes, count), read(numbers));
  orrery_picture_free(picture);
  EXPECT_EQ(orrery_draw(context, file.c_str(), ORRERY_FIGURE, "energy-error", nullptr, 0, (folder / "e.doc").c_str()),
            ORRERY_REFUSED);
  const auto wrong = keys(orrery_text("colour", "red"));
  EXPECT_EQ(orrery_draw(context, file.c_str(), ORRERY_FIGURE, "energy-error", wrong.data(), 1, numbers.c_str()),
            ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("unknown key `colour`"));

  const orrery_status drawn =
      orrery_draw(context, file.c_str(), ORRERY_FIGURE, "energy-error", nullptr, 0, (folder / "e.svg").c_str());
  if (drawn != ORRERY_OK) GTEST_SKIP() << context.message();  // a build without pictures
  EXPECT_THAT(read(folder / "e.svg"), HasSubstr("<svg"));
  const double pixels[] = {320, 180};
  const auto small = keys(orrery_numbers("size", pixels, 2));
  ASSERT_DONE(context, orrery_picture_create(context, file.c_str(), ORRERY_FIGURE, "projection", small.data(), 1, "png",
                                             &picture));
  bytes = reinterpret_cast<const char*>(orrery_picture_bytes(picture, &count));
  ASSERT_GT(count, 1000u);
  EXPECT_THAT(std::string(bytes, 8), StartsWith("\x89PNG"));
  orrery_picture_free(picture);
}

TEST_F(PublicFiles, BecomeAPage) {
  const std::string page = folder / "p.html";
  const char* const runs[] = {file.c_str(), nullptr};
  ASSERT_DONE(context, orrery_write_page(context, runs, 1, page.c_str(), 0));
  EXPECT_THAT(read(page), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<h1>orbit</h1>"), HasSubstr("earth")));
  EXPECT_EQ(orrery_write_page(context, runs, 0, page.c_str(), 0), ORRERY_MISUSED);
  EXPECT_EQ(orrery_write_page(context, runs, 2, page.c_str(), 0), ORRERY_MISUSED);
  EXPECT_EQ(orrery_write_page(context, runs, 1, page.c_str(), NAN), ORRERY_MISUSED);
  EXPECT_EQ(orrery_write_page(context, runs, 1, nullptr, 0), ORRERY_MISUSED);
  Context stopping;
  stopping.stop_after = 1;
  const std::string none = folder / "q.html";
  EXPECT_EQ(orrery_write_page(stopping, runs, 1, none.c_str(), 0), ORRERY_STOPPED);
  EXPECT_FALSE(std::filesystem::exists(none));
}

TEST_F(PublicFiles, AreFilmedUntilACallbackStops) {
  const double pixels[] = {160, 90};
  const auto film = keys(orrery_numbers("size", pixels, 2), orrery_integer("fps", 10), orrery_number("duration", 2));
  const std::string target = folder / "orbit.gif";
  Context stopping;
  stopping.stop_after = 3;
  const orrery_status status =
      orrery_draw(stopping, file.c_str(), ORRERY_FILM, "projection", film.data(), film.size(), target.c_str());
  if (status == ORRERY_REFUSED && stopping.message().find("cannot be drawn") != std::string::npos)
    GTEST_SKIP() << stopping.message();
  EXPECT_EQ(status, ORRERY_STOPPED) << stopping.message();
  EXPECT_FALSE(std::filesystem::exists(target));
  stopping.stop_after = 0;
  EXPECT_DONE(stopping,
              orrery_draw(stopping, file.c_str(), ORRERY_FILM, "projection", film.data(), film.size(), target.c_str()));
  EXPECT_EQ(stopping.done, 1);
  EXPECT_THAT(read(target), StartsWith("GIF8"));
}

TEST(PublicWriter, WritesFramesWhereTheCallerLikes) {
  const Folder folder;
  const Context context;
  const Model model = new_model(context);
  const Bodies bodies(5);
  const orrery_bodies view = bodies.view();
  EXPECT_DONE(context, orrery_model_add_bodies(model.get(), &view));
  EXPECT_DONE(context, orrery_model_set_integrator(model.get(), "hermite4", nullptr, 0));
  EXPECT_DONE(context, orrery_model_set_steps(model.get(), 1e-3, 50));
  const Simulation simulation = simulation_of(context, model);
  for (const bool whole : {false, true}) {
    const Simulation stepped = simulation_of(context, model);
    const std::string file = folder / (whole ? "whole.h5" : "part.h5");
    orrery_writer* writer = nullptr;
    ASSERT_DONE(context, orrery_writer_create(stepped.get(), nullptr, 0, file.c_str(), &writer));
    for (const std::int64_t steps : {1, 2, 14, 16}) {
      EXPECT_DONE(context, orrery_simulation_advance(stepped.get(), steps));
      EXPECT_DONE(context, orrery_writer_append(writer, stepped.get()));
    }
    if (whole) {
      EXPECT_DONE(context, orrery_simulation_advance(stepped.get(), 17));
      EXPECT_DONE(context, orrery_writer_append(writer, stepped.get()));
      EXPECT_DONE(context, orrery_writer_finish(writer));
      EXPECT_EQ(orrery_writer_append(writer, stepped.get()), ORRERY_MISUSED);
    }
    orrery_writer_free(writer);
    EXPECT_EQ(program("verify " + file), 0);
    if (!whole) {
      EXPECT_DONE(context, orrery_resume(context, file.c_str(), nullptr));
    }
    orrery_trajectory* opened = nullptr;
    ASSERT_DONE(context, orrery_trajectory_open(context, file.c_str(), &opened));
    const Trajectory trajectory(opened);
    orrery_trajectory_info info = ORRERY_INIT(orrery_trajectory_info);
    ASSERT_DONE(context, orrery_trajectory_describe(opened, &info));
    EXPECT_EQ(info.finished, 1);
    const std::int64_t* steps = nullptr;
    ASSERT_DONE(context, orrery_trajectory_steps(opened, &steps));
    EXPECT_THAT(std::vector<std::int64_t>(steps, steps + 5), ::testing::ElementsAre(0, 1, 3, 17, 33));
    EXPECT_EQ(steps[info.frames - 1], 50);
  }
  orrery_writer* writer = nullptr;
  EXPECT_NE(orrery_writer_create(simulation.get(), nullptr, 0, (folder / "whole.h5").c_str(), &writer), ORRERY_OK);
  EXPECT_DONE(context, orrery_simulation_advance(simulation.get(), 1));
  EXPECT_EQ(orrery_writer_create(simulation.get(), nullptr, 0, (folder / "x.h5").c_str(), &writer), ORRERY_REFUSED);
  EXPECT_THAT(context.message(), HasSubstr("a file begins at step 0"));
  orrery_writer_free(nullptr);
}

TEST(PublicLists, SayWhatThereIs) {
  for (orrery_topic of = ORRERY_INITIAL_STATES; of <= ORRERY_TABLES; ++of) {
    ASSERT_GT(orrery_plug_in_count(of), 0u) << of;
    EXPECT_EQ(orrery_plug_in_at(of, orrery_plug_in_count(of)), nullptr);
    for (std::size_t k = 0; k < orrery_plug_in_count(of); ++k) {
      const orrery_plug_in* one = orrery_plug_in_at(of, k);
      EXPECT_STRNE(one->name, "");
      EXPECT_STRNE(one->meaning, "");
      EXPECT_EQ(orrery_plug_in_named(of, one->name), one);
      for (std::size_t j = 0; j < one->parameter_count; ++j) {
        const orrery_parameter* parameter = orrery_parameter_at(one, j);
        ASSERT_NE(parameter, nullptr);
        EXPECT_STRNE(parameter->name, "");
        EXPECT_LE(parameter->low, parameter->high);
      }
      EXPECT_EQ(orrery_parameter_at(one, one->parameter_count), nullptr);
    }
  }
  EXPECT_EQ(orrery_plug_in_count(99), 0u);
  EXPECT_EQ(orrery_plug_in_named(ORRERY_INTEGRATORS, "none"), nullptr);
  const orrery_plug_in* gravity = orrery_plug_in_named(ORRERY_PAIR_FORCES, "gravity");
  ASSERT_NE(gravity, nullptr);
  bool found = false;
  for (std::size_t j = 0; j < gravity->parameter_count; ++j) {
    const orrery_parameter& p = *orrery_parameter_at(gravity, j);
    if (std::string(p.name) != "softening") continue;
    found = true;
    EXPECT_EQ(p.kind, ORRERY_NUMBER);
    EXPECT_EQ(p.low, 0);
    EXPECT_EQ(p.low_open, 0);
    EXPECT_STREQ(p.unit, "length");
    EXPECT_EQ(p.optional, 1);
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(orrery_version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
}

}  // namespace
}  // namespace orrery_test
