// SPDX-License-Identifier: MIT
// Everything written is read back to the last bit, for every size, precision and kind of integrator.
#include "sim/boundaries/list.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

void expect_all_back(const SyntheticRun& run) {
  const Folder folder;
  const auto path = folder / "run.h5";
  run.write(path);
  const TrajectoryReader reader(path);
  EXPECT_TRUE(reader.finished());
  ASSERT_EQ(reader.size(), run.frames);
  ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));

  const sim::Snapshot last = run.at(run.last_step());
  const auto restart = reader.restart();
  ASSERT_TRUE(restart);
  EXPECT_EQ(restart->step, last.step);
  EXPECT_EQ(restart->time, last.time);
  EXPECT_TRUE(restart->position == last.position);
  EXPECT_TRUE(restart->velocity == last.velocity);
  EXPECT_TRUE(restart->columns == last.columns);
  EXPECT_TRUE(restart->observables == last.observables);
}

TEST(TrajectoryRoundTrip, EverySizePrecisionAndColumn) {
  for (const std::size_t bodies : {1u, 2u, 257u}) {
    for (const bool single : {false, true}) {
      for (const bool velocities : {false, true}) {
        for (const std::size_t columns : {0u, 1u, 3u}) {
          SCOPED_TRACE(::testing::Message() << bodies << " bodies, single " << single << ", velocities " << velocities
                                            << ", columns " << columns);
          ASSERT_NO_FATAL_FAILURE(expect_all_back({.bodies = bodies,
                                                   .frames = 10,
                                                   .columns = columns,
                                                   .options = {.single_precision = single, .velocities = velocities}}));
        }
      }
    }
  }
}

TEST(TrajectoryRoundTrip, SizesAroundTheChunkOfBodies) {
  for (const std::size_t bodies : {65535u, 65536u, 65537u}) {
    for (const bool single : {false, true}) {
      SCOPED_TRACE(::testing::Message() << bodies << " bodies, single " << single);
      ASSERT_NO_FATAL_FAILURE(expect_all_back(
          {.bodies = bodies, .frames = 3, .columns = 1, .options = {.single_precision = single, .velocities = true}}));
    }
  }
}

TEST(TrajectoryRoundTrip, LargeFramesForPictures) {
  for (const bool single : {false, true}) {
    for (const bool velocities : {true, false}) {
      const SyntheticRun run{.bodies = 131'001,
                             .frames = 3,
                             .options = {.single_precision = single, .velocities = velocities},
                             .expected_frames = 3};
      const Folder folder;
      run.write(folder / "run.h5");
      const TrajectoryReader reader(folder / "run.h5");
      render::Frame frame;
      const float* memory = nullptr;
      for (std::size_t i = 0; i < reader.size(); ++i) {
        frame = reader.frame(i, std::move(frame));
        if (memory == nullptr) memory = frame.position.data();
        EXPECT_EQ(frame.position.data(), memory) << "takes the memory of the frame before";
        const sim::Snapshot stored = reader.snapshot(i);
        EXPECT_EQ(frame.time, stored.time);
        ASSERT_EQ(frame.size(), run.bodies);
        ASSERT_EQ(frame.velocity.size(), velocities ? 3 * run.bodies : 0);
        for (const std::size_t n : {std::size_t{0}, std::size_t{65'501}, run.bodies - 1}) {
          EXPECT_EQ(frame.position[3 * n + 1], static_cast<float>(stored.position.y[n]));
          EXPECT_EQ(frame.position[3 * n + 2], static_cast<float>(stored.position.z[n]));
          if (velocities) {
            EXPECT_EQ(frame.velocity[3 * n], static_cast<float>(stored.velocity.x[n]));
          }
        }
      }
    }
  }
}

TEST(TrajectoryRoundTrip, MillionBodies) {
  ASSERT_NO_FATAL_FAILURE(expect_all_back({.bodies = 1000000, .frames = 2}));
}

TEST(TrajectoryRoundTrip, FramesAroundTheChunkRow) {
  // 257 bodies in double: 128 frames a chunk row; in single 256
  for (const std::size_t frames : {1u, 127u, 128u, 129u, 259u}) {
    for (const int commit_every : {0, 1, 50, 128}) {
      SCOPED_TRACE(::testing::Message() << frames << " frames, commit every " << commit_every);
      ASSERT_NO_FATAL_FAILURE(expect_all_back({.bodies = 257, .frames = frames, .commit_every = commit_every}));
    }
  }
  ASSERT_NO_FATAL_FAILURE(expect_all_back({.bodies = 1, .frames = 2 * 4096 + 3, .commit_every = 1000}));
}

TEST(TrajectoryRoundTrip, FramesInAnyOrder) {
  const Folder folder;
  const SyntheticRun run{.bodies = 257, .frames = 300};
  run.write(folder / "run.h5");
  const TrajectoryReader reader(folder / "run.h5");
  for (const std::size_t i : {299u, 0u, 128u, 127u, 255u, 256u, 1u}) {
    const render::Frame frame = reader.frame(i);
    const sim::Snapshot told = run.at(static_cast<std::int64_t>(i));
    EXPECT_EQ(frame.time, told.time);
    ASSERT_EQ(frame.size(), 257u);
    ASSERT_EQ(frame.velocity.size(), 3 * 257u);
    EXPECT_EQ(frame.position[3 * 256 + 1], static_cast<float>(told.position.y[256]));
    EXPECT_EQ(frame.velocity[3 * 200 + 2], static_cast<float>(told.velocity.z[200]));
  }
  EXPECT_NE(complaint([&] { (void)reader.frame(300); }).find("there is no frame 300"), std::string::npos);
}

TEST(TrajectoryRoundTrip, ObservablesHaveTheirOwnSchedule) {
  const Folder folder;
  const SyntheticRun run{.frames = 500, .rows_a_frame = 5, .commit_every = 7};
  run.write(folder / "run.h5");
  const TrajectoryReader reader(folder / "run.h5");
  EXPECT_EQ(reader.size(), 500u);
  const History history = reader.history();
  ASSERT_EQ(history.time.size(), 2496u);
  for (std::size_t i = 0; i < history.time.size(); ++i) {
    const sim::Snapshot told = run.at(static_cast<std::int64_t>(i));
    ASSERT_EQ(history.time[i], told.time);
    ASSERT_EQ(history.kinetic_energy[i], told.observables.kinetic_energy);
    ASSERT_EQ(history.potential_energy[i], told.observables.potential_energy);
    ASSERT_EQ(history.total_energy[i], told.observables.total_energy());
    ASSERT_EQ(history.momentum[i][1], told.observables.momentum.y);
    ASSERT_EQ(history.angular_momentum[i][2], told.observables.angular_momentum.z);
    ASSERT_EQ(history.center_of_mass[i][0], told.observables.center_of_mass.x);
  }
}

TEST(TrajectoryRoundTrip, RecordAndBodies) {
  const Folder folder;
  const SyntheticRun run{.bodies = 5,
                         .frames = 2,
                         .columns = 2,
                         .options = {.velocities = true, .commit = 3, .sync = 7},
                         .domain = {.dimensions = 2,
                                    .boundary = {&sim::Periodic::kind, &sim::Open::kind, &sim::Open::kind},
                                    .edges = {3, 4}},
                         .virial = true};
  sim::Bodies made = run.initial_bodies();
  made.charge = {1, -1, 0, 2, 0.1};
  RunRecord told = run.record();
  told.resolved = std::string(100000, 'p');
  told.frames = 3;
  told.provenance["long"] = std::string(70000, 'q');
  {
    TrajectoryWriter writer(folder / "run.h5", made, told, run.options);
    run.write(writer, 0, 1);
    writer.finish(run.at(1));
  }
  const TrajectoryReader reader(folder / "run.h5");
  const RunRecord& record = reader.record();
  EXPECT_EQ(record.title, told.title);
  EXPECT_EQ(record.author, told.author);
  EXPECT_EQ(record.scenario, told.scenario);
  EXPECT_EQ(record.resolved, told.resolved);
  EXPECT_EQ(record.frames, told.frames);
  EXPECT_EQ(record.seed, told.seed);
  EXPECT_EQ(record.dt, told.dt);
  EXPECT_EQ(record.steps, told.steps);
  EXPECT_EQ(record.provenance, told.provenance);
  EXPECT_EQ(record.components, told.components);
  EXPECT_EQ(record.length_unit, "au");
  EXPECT_EQ(record.time_unit, "yr");
  EXPECT_EQ(record.mass_unit, "Msun");
  EXPECT_EQ(record.units, "astronomical");
  EXPECT_EQ(record.initial_facts.G, 0.1);
  EXPECT_EQ(record.initial_facts.timescale, 2.5);
  EXPECT_EQ(record.initial_facts.timescale_name, "crossing time");
  EXPECT_EQ(record.initial_facts.mass, 3);
  EXPECT_EQ(record.initial_facts.density, (sim::DensityProfile{sim::DensityProfile::Form::uniform, 2, 0.3}));
  EXPECT_EQ(record.columns, told.columns);
  EXPECT_EQ(record.domain, told.domain);
  EXPECT_TRUE(record.virial);
  EXPECT_EQ(reader.options().commit, 3);
  EXPECT_EQ(reader.options().sync, 7);
  const sim::Bodies& bodies = reader.bodies();
  EXPECT_EQ(bodies.mass, made.mass);
  EXPECT_EQ(bodies.charge, made.charge);
  EXPECT_EQ(bodies.species, made.species);
  EXPECT_EQ(bodies.names, made.names);
  EXPECT_EQ(bodies.size(), made.size());
}

TEST(TrajectoryRoundTrip, EmptyRecordAndNoFrames) {
  const Folder folder;
  const SyntheticRun run{};
  sim::Bodies made = run.initial_bodies();
  made.names.clear();
  {
    TrajectoryWriter writer(folder / "run.h5", made, RunRecord{}, {});
    writer.finish(run.at(0));
  }
  const TrajectoryReader reader(folder / "run.h5");
  EXPECT_EQ(reader.size(), 0u);
  EXPECT_TRUE(reader.times().empty());
  EXPECT_EQ(reader.record().title, "");
  EXPECT_TRUE(reader.record().provenance.empty());
  EXPECT_TRUE(reader.record().components.empty());
  EXPECT_TRUE(reader.bodies().names.empty());
  EXPECT_EQ(reader.bodies().size(), 3u);
}

TEST(TrajectoryRoundTrip, InvalidRequestsAreRefused) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.columns = 1};
  TrajectoryWriter writer(path, run.initial_bodies(), run.record(), {});
  writer.append(run.at(5), true);
  const SyntheticRun other{.bodies = 4, .columns = 2};
  EXPECT_EQ(complaint([&] { writer.append(run.at(5), true); }), path.string() + ": steps must increase");
  EXPECT_NE(complaint([&] { writer.append(other.at(6), true); }).find("as many bodies"), std::string::npos);
  EXPECT_NE(complaint([&] { writer.commit(other.at(6)); }).find("as many columns"), std::string::npos);
  EXPECT_NE(complaint([&] { writer.commit(run.at(4)); }).find("older"), std::string::npos);
  EXPECT_EQ(complaint([&] { const TrajectoryWriter again(path, run.initial_bodies(), {}, {}); }),
            path.string() + ": it exists already: give another name");
  EXPECT_NE(complaint([&] { const TrajectoryWriter none(folder / "n.h5", {}, {}, {}); }).find("at least one body"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "n.h5"));
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    EXPECT_FALSE(entry.path().filename().string().starts_with("n.h5")) << entry.path();
  EXPECT_NE(complaint([&] {
              const TrajectoryWriter none(folder / "no/n.h5", run.initial_bodies(), {}, {});
            }).find("No such file or directory"),
            std::string::npos);
  writer.finish(run.at(5));
  EXPECT_NE(complaint([&] { writer.append(run.at(6), true); }).find("the run is finished"), std::string::npos);
}

}  // namespace
}  // namespace orrery::pipeline::testing
