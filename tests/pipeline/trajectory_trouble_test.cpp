// SPDX-License-Identifier: MIT
// A disk that accepts no more data: one line of message, and a file as of its last commit.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

void limit_files(rlim_t bytes) {
  struct rlimit limit {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

RunRecord record_of(const SyntheticRun& run) {
  RunRecord record = run.record();
  record.frames = static_cast<std::int64_t>(run.frames);
  return record;
}

/// Writes the run, from its beginning or resuming the file, in a process that may write at most `bytes` to a file;
/// returns how far it came and what stopped it.
struct Attempt {
  std::int64_t committed = -1;
  std::string trouble;

  Attempt(const SyntheticRun& run, const Folder& folder, rlim_t bytes, bool go_on) {
    const auto note = folder / "note";
    std::filesystem::remove(note);
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      limit_files(bytes);
      std::int64_t last = -1;
      const auto path = folder / "run.h5";
      std::string said;
      {
        std::optional<TrajectoryWriter> writer;
        said = complaint([&] {
          std::int64_t from = 0;
          if (go_on) {
            from = TrajectoryReader(path).restart()->step + 1;
            writer.emplace(path, run.options);
          } else {
            writer.emplace(path, run.initial_bodies(), record_of(run), run.options);
          }
          run.write(*writer, from, run.last_step(), [&](std::int64_t step) { last = step; });
          writer->finish(run.at(run.last_step()));
        });
        // The error is permanent.
        if (!said.empty() && writer) {
          EXPECT_EQ(complaint([&] { writer->append(run.at(1000000), true); }), said);
          EXPECT_EQ(complaint([&] { writer->commit(run.at(1000000)); }), said);
          EXPECT_EQ(complaint([&] { writer->finish(run.at(1000000)); }), said);
        }
      }
      std::ofstream(note) << last << ' ' << said;
      ::_exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << bytes;
    std::ifstream in(note);
    in >> committed;
    in.get();
    std::getline(in, trouble);
  }
};

void expect_what_was_committed(const SyntheticRun& run, const std::filesystem::path& path, std::int64_t committed) {
  ASSERT_EQ(complaint([&] { (void)TrajectoryReader(path).restart(); }), "");
  const TrajectoryReader reader(path);
  ASSERT_GE(reader.size(), static_cast<std::size_t>(committed / run.rows_a_frame + 1));
  ASSERT_NO_FATAL_FAILURE(expect_frames(run, reader));
  ASSERT_TRUE(reader.restart());
  ASSERT_GE(reader.restart()->step, committed);
  ASSERT_TRUE(reader.restart()->position == run.at(reader.restart()->step).position);
}

/// For many limits on the file size: some between its minimum and maximum, and some near its end, where additions are
/// small.
void expect_every_limit_survived(const SyntheticRun& run, rlim_t coarse, rlim_t fine) {
  const Folder calm;
  EXPECT_EQ(Attempt(run, calm, RLIM_INFINITY, false).trouble, "");
  const auto size = std::filesystem::file_size(calm / "run.h5");
  std::vector<rlim_t> limits;
  for (rlim_t k = 1; k < coarse; ++k) limits.push_back(size * k / coarse);
  for (rlim_t k = 1; k < fine; ++k) limits.push_back(size - 20000 * k / fine);
  for (const rlim_t bytes : limits) {
    SCOPED_TRACE(::testing::Message() << bytes << " of " << size << " bytes");
    const Folder folder;
    const auto path = folder / "run.h5";
    const Attempt first(run, folder, bytes, false);
    ASSERT_THAT(first.trouble, HasSubstr("run.h5: "));
    ASSERT_THAT(first.trouble, HasSubstr("File too large"));
    if (!std::filesystem::exists(path)) continue;  // there was no room for a beginning
    if (first.committed < 0 && first.trouble.find("and try again") != std::string::npos) continue;
    ASSERT_THAT(first.trouble, AllOf(HasSubstr("; the file holds everything up to step "), HasSubstr("ulimit -f"),
                                     EndsWith("`orrery resume " + path.string() + "` goes on from there")));
    ASSERT_NO_FATAL_FAILURE(expect_what_was_committed(run, path, first.committed)) << first.trouble;
    // With the same limit as before, then with a larger one.
    const Attempt second(run, folder, bytes, true);
    ASSERT_NO_FATAL_FAILURE(expect_what_was_committed(run, path, std::max(first.committed, second.committed)))
        << second.trouble;
    if (!TrajectoryReader(path).finished()) {
      ASSERT_NO_FATAL_FAILURE(run.go_on(path));
    }
    ASSERT_NO_FATAL_FAILURE(expect_same_content(path, calm / "run.h5"));
  }
}

const SyntheticRun small{.bodies = 40, .frames = 60, .columns = 1, .commit_every = 7};
const SyntheticRun large{.bodies = 3000, .frames = 40, .commit_every = 3, .options = {.velocities = false}};

TEST(TrajectoryTrouble, FileSizeLimitKeepsCommittedData) {
  expect_every_limit_survived(small, 17, 11);
  expect_every_limit_survived(large, 17, 7);
}

TEST(TrajectoryTrouble, EveryLimitSlow) {
  expect_every_limit_survived(small, 500, 300);
  expect_every_limit_survived(large, 500, 100);
}

TEST(TrajectoryTrouble, RemovedFileIsDetected) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{};
  const std::string said = path.string() +
                           ": it was removed, moved or replaced while it was being written; wherever it is, it holds "
                           "everything up to step 3";
  for (const bool replaced : {false, true}) {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
    run.write(writer, 0, 3);
    writer.commit(run.at(3));
    std::filesystem::rename(path, folder / "moved.h5");
    if (replaced) std::ofstream(path) << "mine";
    EXPECT_EQ(complaint([&] { writer.commit(run.at(4)); }), said);
    EXPECT_EQ(complaint([&] { writer.finish(run.at(4)); }), said);
    if (replaced) {
      EXPECT_EQ(read(path), "mine");
    }
    std::filesystem::remove(path);
  }
  EXPECT_EQ(TrajectoryReader(folder / "moved.h5").size(), 4U);
}

TEST(TrajectoryTrouble, ProgramReportsItInOneLine) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"random-cube\"\nn = 50\n[force]\nsoftening = 0.1\n[integrator]\ndt = 1e-3\nsteps = 3000\n"
        "[trajectory]\nevery = 1\ncommit = 0.001\n");
  const std::string state = state_in(run(folder, {"simulate", "s.toml", "-o", "calm"}), 3000);
  limit_files(8'000'000);
  const Outcome outcome = run(folder, {"simulate", "s.toml", "--quiet"});
  limit_files(RLIM_INFINITY);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      outcome.errors,
      ::testing::MatchesRegex("orrery: s/run.h5: H5[A-Za-z_]+: File too large; the file holds everything up to step "
                              "[0-9]+: raise the limit .*, and `orrery resume s/run.h5` goes on from there\n"));
  EXPECT_GT(TrajectoryReader(folder / "s/run.h5").size(), 100U);
  EXPECT_EQ(state_in(run(folder, {"simulate", "s.toml"}), 3000), state);
  expect_same_content(folder / "s/run.h5", folder / "calm/run.h5");
}

}  // namespace
}  // namespace orrery::pipeline::testing
