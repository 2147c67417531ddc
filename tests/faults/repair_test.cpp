// SPDX-License-Identifier: MIT
// Repair is killed before every write call: it never makes anything worse, and can be repeated.
#include "pipeline/trajectory/trajectory_repair.hpp"

#include <fmt/format.h>

#include "tests/faults/children.hpp"
#include "tests/pipeline/trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

/// The file of a killed writer, and the result of the undisturbed run.
class Patient {
 public:
  /// `repaired`: it was killed, repaired and resumed before, so it contains an old view.
  Patient(const SyntheticRun& run, bool repaired) : run_(run) {
    run.write(whole_);
    std::int64_t at = 0;
    TrajectoryWriter writer(live_, run.initial_bodies(), run.record(), run.options);
    if (repaired) {
      at = run.last_step() / 3;
      run.write(writer, 0, at);
      writer.commit(run.at(at++));
      { const TrajectoryWriter closing(std::move(writer)); }
      (void)repair(live_);
      writer = TrajectoryWriter(live_, run.options);
    }
    const std::int64_t last = run.last_step() * 2 / 3;
    run.write(writer, at, last);
    writer.commit(run.at(last));
    std::filesystem::copy_file(live_, sick_);
    frames_ = TrajectoryReader(sick_).size();
  }

  /// Kills a repair by `what` ("kill" or "page") at every `step`-th call. Returns the number of kills.
  int operate(const std::string& what, std::size_t step) {
    reset();
    const auto calls = calls_of(path_, [&](const Report&) { (void)repair(path_); });
    int kills = 0;
    for (std::size_t at = 1; at <= calls.size(); at += step) {
      reset();
      const End end = in_child(path_, {.what = what, .at = static_cast<long>(at), .seed = static_cast<long>(at)},
                               [&](const Report&) { (void)repair(path_); });
      if (end.signal == 0) continue;
      ++kills;
      SCOPED_TRACE(::testing::Message() << what << " at call " << at);
      expect_alive();
      (void)repair(path_);
      expect_alive();
      EXPECT_FALSE(repair(path_).changed);
      EXPECT_TRUE(find_damage(path_).empty());
      if (at % 5 == 1) {
        run_.go_on(path_);
        expect_same_content(path_, whole_);
      }
      if (::testing::Test::HasFailure()) break;
    }
    return kills;
  }

 private:
  void reset() { std::filesystem::copy_file(sick_, path_, std::filesystem::copy_options::overwrite_existing); }
  void expect_alive() {
    EXPECT_EQ(complaint([&] {
                const TrajectoryReader reader(path_);
                EXPECT_EQ(reader.size(), frames_);
                EXPECT_EQ(reader.restart()->step, run_.last_step() * 2 / 3);
                expect_frames(run_, reader);
              }),
              "");
  }

  SyntheticRun run_;
  Folder folder_;
  std::filesystem::path live_ = folder_ / "live.h5", whole_ = folder_ / "whole.h5", sick_ = folder_ / "sick.h5",
                        path_ = folder_ / "run.h5";
  std::size_t frames_ = 0;
};

class RepairKills : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!faults_are_possible()) GTEST_SKIP() << "a sanitizer must be the first library: no faults here";
  }
};

const SyntheticRun kSmall{.bodies = 6, .frames = 60, .columns = 1, .commit_every = 2};
const SyntheticRun kRows{.bodies = 257, .frames = 300, .columns = 1, .commit_every = 37};
const SyntheticRun kLarge{.bodies = 70000, .frames = 12, .commit_every = 2};

TEST_F(RepairKills, OfAFewBodies) {
  EXPECT_GT(Patient(kSmall, false).operate("kill", 3), 10);
}

TEST_F(RepairKills, WithAnExistingView) {
  EXPECT_GT(Patient(kSmall, true).operate("kill", 3), 10);
}

TEST_F(RepairKills, EveryCallSlow) {
  int kills = 0;
  for (const SyntheticRun& run : {kSmall, kRows, kLarge}) {
    for (const bool repaired : {false, true}) {
      for (const char* what : {"kill", "page"}) kills += Patient(run, repaired).operate(what, 1);
    }
  }
  EXPECT_GT(kills, 200);
  RecordProperty("kills", fmt::format("{:<52} {:6}", "repair, killed before and inside its calls", kills));
}

}  // namespace
}  // namespace orrery::pipeline::testing
