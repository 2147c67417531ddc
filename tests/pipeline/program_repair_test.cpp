// SPDX-License-Identifier: MIT
// orrery repair on the command line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ProgramRepair : public ::testing::Test {
 protected:
  ProgramRepair() { write(folder_ / "s.toml", sound); }

  /// Kills a run on its way; returns its file.
  std::string killed() {
    write(folder_ / "k.toml",
          "[initial]\nkind = \"random-cube\"\nn = 257\n[force]\nsoftening = 0.1\n"
          "[integrator]\ndt = 1e-7\nsteps = 3000\n[trajectory]\nevery = 2\ncommit = 0.01\n");
    Running running(folder_, {"simulate", "k.toml", "--quiet"});
    EXPECT_TRUE(wait_until_read("k/run.h5", [](const TrajectoryReader& run) { return run.size() > 10; }));
    running.send(SIGKILL);
    (void)running.wait();
    return "k/run.h5";
  }

  /// A file that is being created cannot be read at every moment.
  bool wait_until_read(const std::string& file, const std::function<bool(const TrajectoryReader&)>& ready) {
    return wait_until([&] {
      try {
        return ready(TrajectoryReader(folder_ / file));
      } catch (const Error&) {
        return false;
      }
    });
  }

  Folder folder_;
};

TEST_F(ProgramRepair, KilledRunsAreMadeReadableAndResume) {
  const std::string file = killed();
  const Outcome first = run(folder_, {"repair", file});
  EXPECT_EQ(first.code, 0) << first.errors;
  EXPECT_THAT(first.output,
              ContainsRegex("^k/run.h5: repaired: [0-9]+ frames, (can be resumed from step [0-9]+|finished)\n$"));
  EXPECT_THAT(run(folder_, {"repair", file}).output, ContainsRegex("^k/run.h5: nothing to do: [0-9]+ frames\n$"));
  const hid_t plain = H5Fopen((folder_ / file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(plain, 0);
  H5Fclose(plain);
  EXPECT_EQ(run(folder_, {"verify", file}).code, 0);
  const std::string state = state_in(run(folder_, {"simulate", "k.toml", "--quiet", "-o", "whole"}), 3000);
  EXPECT_EQ(state_in(run(folder_, {"resume", file, "--threads", "1"}), 3000), state);
  EXPECT_EQ(run(folder_, {"diff", file, "whole/run.h5"}).code, 0);
}

TEST_F(ProgramRepair, DamageIsNamedAndTheRestIsCopied) {
  ASSERT_EQ(run(folder_, {"simulate", "s.toml"}).code, 0);
  flip(folder_ / "s/run.h5", place_of(folder_ / "s/run.h5", "/particles/all/position/value", 0, 5 * 48 + 3));
  flip(folder_ / "s/run.h5", place_of(folder_ / "s/run.h5", "/observables/total_energy/value", 0, 9 * 8));
  const Outcome outcome = run(folder_, {"repair", "s/run.h5", "-o", "rest.h5"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.output,
            "s/run.h5: frame 5: it does not match its checksum\n"
            "s/run.h5: row 9: it does not match its checksum\n"
            "rest.h5: 20 of 21 frames and 20 of 21 rows\n");
  const Outcome sound_now = run(folder_, {"repair", "rest.h5"});
  EXPECT_EQ(sound_now.code, 0);
  EXPECT_EQ(sound_now.output, "rest.h5: nothing to do: 20 frames\n");
  const Outcome in_place = run(folder_, {"repair", "s/run.h5"});
  EXPECT_EQ(in_place.code, 1);
  EXPECT_THAT(in_place.output,
              StartsWith("s/run.h5: cannot be repaired in place; -o NEW.h5 copies what is sound of 21 frames\n"));
  const Outcome diff = run(folder_, {"diff", "rest.h5", "s/run.h5"});
  EXPECT_EQ(diff.code, 2) << "rows of the other cannot be read";
  EXPECT_EQ(run(folder_, {"verify", "rest.h5"}).code, 0);
  const Outcome again = run(folder_, {"repair", "s/run.h5", "-o", "rest.h5"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.errors, "orrery: rest.h5: exists already: give another name with -o\n");
}

TEST_F(ProgramRepair, CopyWithoutRowsIsResumed) {
  write(folder_ / "n.toml",
        "[initial]\nkind = \"random-cube\"\nn = 2\n[force]\nsoftening = 0.1\n"
        "[integrator]\ndt = 1e-9\nsteps = 1e12\n[trajectory]\nframes = 2\n");
  const auto stopped = [&](const std::vector<std::string>& arguments, const std::string& file) {
    Running running(folder_, arguments);
    EXPECT_TRUE(wait_until([&] { return being_written(folder_ / file); }));
    EXPECT_TRUE(wait_until_read(file, [](const TrajectoryReader& run) { return run.restart().has_value(); }));
    running.send(SIGINT);
    return running.wait();
  };
  ASSERT_EQ(stopped({"simulate", "n.toml", "--quiet"}, "n/run.h5").code, 130);
  flip(folder_ / "n/run.h5", place_of(folder_ / "n/run.h5", "/observables/momentum/value", 0, 3));
  EXPECT_THAT(run(folder_, {"repair", "n/run.h5", "-o", "rest.h5"}).output,
              HasSubstr("rest.h5: 1 of 1 frames and 0 of 1 rows\n"));
  const Outcome rest = stopped({"resume", "rest.h5"}, "rest.h5");
  EXPECT_EQ(rest.code, 130);
  EXPECT_THAT(rest.output, HasSubstr("rest.h5: goes on from step "));
}

TEST_F(ProgramRepair, UnrepairableFilesAreRefused) {
  EXPECT_EQ(run(folder_, {"repair", "nix.h5"}).errors, "orrery: nix.h5: no such file\n");
  EXPECT_THAT(run(folder_, {"repair", "s.toml"}).errors, HasSubstr("s.toml: not an HDF5 file"));
  write(folder_ / "l.toml", with(sound, "steps = 20", "steps = 1e12"));
  Running running(folder_, {"simulate", "l.toml", "--quiet"});
  ASSERT_TRUE(wait_until([&] { return being_written(folder_ / "l/run.h5"); }));
  const Outcome live = run(folder_, {"repair", "l/run.h5"});
  EXPECT_EQ(live.code, 2);
  EXPECT_EQ(live.errors, "orrery: l/run.h5: another orrery is writing it: wait for it, or stop it\n");
}

}  // namespace
}  // namespace orrery::pipeline::testing
