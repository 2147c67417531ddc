// SPDX-License-Identifier: MIT
// Several processes that mpirun has started: the same hash from any number, stopped and killed in any way.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/run/run_record.hpp"
#include "tests/pipeline/program_support.hpp"

#ifndef ORRERY_MPIEXEC
#define ORRERY_MPIEXEC ""
#endif

namespace orrery::pipeline::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

/// 929 bodies in eight chunks.
std::string scenario(int steps, const std::string& force = "softening = 0.05", const std::string& method = "leapfrog") {
  return fmt::format(R"([initial]
kind = "plummer"
n = 929
[integrator]
kind = "{}"
dt = 0.01
steps = {}
[trajectory]
frames = 5
[force]
{}
[backend]
kind = "cpu"
)",
                     method, steps, force);
}

class ProgramRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(ORRERY_MPIEXEC).empty()) GTEST_SKIP() << "built without MPI";
    // As root, in a container without a network, with more processes than cores.
    for (const char* name :
         {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
      ::setenv(name, "1", 1);
    ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    ::setenv("OMPI_MCA_btl", "self,vader", 1);
    ::setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
  }
  /// Under sanitizers, what Open MPI keeps would be reported as leaks of every rank.
  static Streams launched(int ranks) {
    return {.launcher = {"/usr/bin/env", "LSAN_OPTIONS=detect_leaks=0", ORRERY_MPIEXEC, "-n", std::to_string(ranks)}};
  }
  Outcome orrery(int ranks, const std::vector<std::string>& arguments) {
    return run(folder_, arguments, launched(ranks));
  }
  std::string hash(int ranks, const std::vector<std::string>& arguments, std::int64_t steps) {
    const Outcome outcome = ranks == 1 ? run(folder_, arguments) : orrery(ranks, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return state_in(outcome, steps);
  }
  /// The processes of a rank that work in the test's folder.
  [[nodiscard]] std::vector<pid_t> processes_of(int rank) const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::error_code error;
      if (std::filesystem::read_symlink(entry.path() / "cwd", error) != std::filesystem::canonical(folder_ / "") ||
          error)
        continue;
      std::ifstream file(entry.path() / "environ");
      for (std::string word; std::getline(file, word, '\0');) {
        if (word == fmt::format("OMPI_COMM_WORLD_RANK={}", rank) || word == fmt::format("PMI_RANK={}", rank))
          found.push_back(std::stoi(entry.path().filename()));
      }
    }
    return found;
  }
  [[nodiscard]] bool has_begun(const std::string& file) const { return std::filesystem::exists(folder_ / file); }

  Folder folder_;
};

TEST_F(ProgramRanks, BitsOfAnyNumber) {
  for (const auto& [force, method] :
       std::vector<std::pair<std::string, std::string>>{{"softening = 0.05", "leapfrog"},
                                                        {"softening = 0.05\nmethod = \"tree\"", "yoshida4"},
                                                        {"softening = 0.05", "hermite4"}}) {
    write(folder_ / "a.toml", scenario(6, force, method));
    const std::string expected = hash(1, {"simulate", "a.toml", "--force"}, 6);
    for (const int ranks : {2, 3, 5, 7})
      EXPECT_EQ(hash(ranks, {"simulate", "a.toml", "-o", std::to_string(ranks), "--force"}, 6), expected)
          << ranks << method;
  }
}

/// A run is stopped, resumed by other numbers of ranks, and verified.
TEST_F(ProgramRanks, AnyNumberGoesOn) {
  constexpr int steps = 1500;
  write(folder_ / "whole.toml", scenario(steps));
  const std::string expected = hash(1, {"simulate", "whole.toml"}, steps);
  write(folder_ / "a.toml", scenario(steps));
  Running stopped(folder_, {"simulate", "a.toml"}, launched(2));
  ASSERT_TRUE(wait_until([&] { return has_begun("a/run.h5"); }));
  // Not mpirun, which waits for a second before it passes signals on, and then loses what rank 0 says last.
  for (const pid_t process : processes_of(0)) ::kill(process, SIGINT);
  const Outcome outcome = stopped.wait();
  EXPECT_THAT(outcome.errors, HasSubstr("goes on from there"));
  EXPECT_EQ(hash(3, {"resume", "a/run.h5"}, steps), expected);
  const Outcome verified = orrery(2, {"verify", "a/run.h5"});
  EXPECT_EQ(verified.code, 0) << verified.output << verified.errors;
}

/// Kills a rank at a random moment. The file is whole, and any number of ranks goes on from it.
class KilledRank : public ProgramRanks {
 protected:
  void kill_at_random(std::mt19937& random, const std::string& expected) {
    const int ranks = std::uniform_int_distribution(2, 4)(random),
              killed = std::uniform_int_distribution(0, ranks - 1)(random);
    std::filesystem::remove_all(folder_ / "a");
    Running running(folder_, {"simulate", "a.toml"}, launched(ranks));
    ASSERT_TRUE(wait_until([&] { return has_begun("a/run.h5") || running.ended(); }));
    std::this_thread::sleep_for(std::uniform_int_distribution(0, 300)(random) * 1ms);
    for (const pid_t process : processes_of(killed)) ::kill(process, SIGKILL);
    ASSERT_TRUE(wait_until([&] { return running.ended(); })) << "rank " << killed << " of " << ranks;
    const Outcome outcome = running.wait();
    ASSERT_TRUE(wait_until([&] { return processes_of(0).empty() && processes_of(1).empty(); }));
    if (outcome.code != 0 && killed > 0 && outcome.errors.find("orrery:") != std::string::npos) {
      // On a busy machine the launcher's signal may end the others before they notice.
      EXPECT_THAT(outcome.errors, AnyOf(HasSubstr("has ended"), HasSubstr("took too long to wait for")));
    }
    const int others = std::uniform_int_distribution(1, 4)(random);
    EXPECT_EQ(hash(others, {"simulate", "a.toml"}, 120), expected)
        << "rank " << killed << " of " << ranks << ", then " << others;
  }
  void kill_often(int times) {
    write(folder_ / "whole.toml", scenario(120));
    write(folder_ / "a.toml", scenario(120));
    const std::string expected = hash(1, {"simulate", "whole.toml"}, 120);
    std::mt19937 random(20);
    for (int k = 0; k < times && !HasFailure(); ++k) kill_at_random(random, expected);
  }
};

TEST_F(KilledRank, LosesNothing) {
  kill_often(3);
}
TEST_F(KilledRank, FiftyTimesLosesNothingSlow) {
  kill_often(50);
}

/// Members of a sweep go to whichever rank is free; the table is that of one process.
TEST_F(ProgramRanks, SweepsAreShared) {
  write(folder_ / "s.toml", scenario(6) + "[sweep]\nintegrator.dt = [0.01, 0.02, 0.03, 0.04]\n");
  const Outcome alone = run(folder_, {"simulate", "s.toml", "-o", "one"}),
                shared = orrery(3, {"simulate", "s.toml", "-o", "three"});
  ASSERT_EQ(alone.code, 0) << alone.errors;
  ASSERT_EQ(shared.code, 0) << shared.errors;
  EXPECT_THAT(shared.output, HasSubstr("| 3 | 0.04 |"));
  for (const char* member : {"000", "001", "002", "003"}) {
    const auto hash = [&](const char* folder) {
      return state_hash(TrajectoryReader(folder_ / folder / member / "run.h5").restart().value());
    };
    EXPECT_EQ(hash("three"), hash("one")) << member;
  }
}

/// Films are drawn in pieces and joined, frame by frame as one process draws them; the other pictures by rank 0.
TEST_F(ProgramRanks, FilmsAreShared) {
  if (!draws_pictures()) GTEST_SKIP();
  const std::string film = "kind = \"projection\"\nsize = [160, 120]\nduration = 0.4\n";
  write(folder_ / "f.toml", scenario(6) + "[[film]]\nfile = \"a.mp4\"\n" + film + "[[film]]\nfile = \"b-##.png\"\n" +
                                film + "[[film]]\nfile = \"c.gif\"\n" + film +
                                "[[figure]]\nkind = \"projection\"\nfile = \"d.png\"\n");
  ASSERT_EQ(run(folder_, {"simulate", "f.toml"}).code, 0);
  ASSERT_EQ(run(folder_, {"render", "f/run.h5", "-o", "one"}).code, 0);
  const Outcome shared = orrery(3, {"render", "f/run.h5", "-o", "three"});
  ASSERT_EQ(shared.code, 0) << shared.errors;
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "one")) {
    const std::filesystem::path name = entry.path().filename();
    EXPECT_TRUE(std::filesystem::exists(folder_ / "three" / name)) << name;
    if (name.extension() == ".mp4") continue;  // has more key frames
    EXPECT_TRUE(read(entry.path()) == read(folder_ / "three" / name)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 14U);
  const auto files = [&](const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder_ / folder), {});
  };
  EXPECT_EQ(files("three"), files("one"));
}

TEST_F(ProgramRanks, CheckSaysWhoDoesWhat) {
  write(folder_ / "a.toml", scenario(6));
  const Outcome outcome = orrery(2, {"check", "a.toml", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(is_json(outcome.output));
  for (const char* key : {"\"ranks\": 2", "\"bytes_sent\"", "\"speedup\""}) EXPECT_THAT(outcome.output, HasSubstr(key));
}

/// What is wrong is said once, by rank 0.
TEST_F(ProgramRanks, OneLineForAll) {
  write(folder_ / "a.toml", scenario(6, "softening = -1"));
  const Outcome wrong = orrery(3, {"simulate", "a.toml"});
  EXPECT_NE(wrong.code, 0);
  EXPECT_EQ(wrong.errors.find("orrery: a.toml:11:"), wrong.errors.rfind("orrery:")) << wrong.errors;
  write(folder_ / "b.toml", scenario(6));
  const Outcome many = orrery(9, {"simulate", "b.toml"});
  EXPECT_THAT(many.errors, HasSubstr("orrery: 929 bodies have pairs for at most 8 ranks, not for 9\n"));
  EXPECT_FALSE(has_begun("b/run.h5"));
}

/// Tasks of a job array have variables of Slurm, and one process may have those of a launcher.
TEST_F(ProgramRanks, OneProcessIsAlone) {
  write(folder_ / "a.toml", scenario(6));
  for (const char* name : {"SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE"}) ::setenv(name, "1", 1);
  ::setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(run(folder_, {"simulate", "a.toml"}).code, 0);
  for (const char* name : {"SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"})
    ::unsetenv(name);
}

}  // namespace
}  // namespace orrery::pipeline::testing
