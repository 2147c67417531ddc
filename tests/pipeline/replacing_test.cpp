// SPDX-License-Identifier: MIT
// Texts and trajectories replace only files that orrery made, unless forced.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "common/new_file.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "tests/complaint.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::UnorderedElementsAre;

const std::string their_notes = "somebody's notes\n",
                  unwritten = ": exists and was not written by orrery; --force replaces it";

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with('.')) names.push_back(name);  // .output and .errors are what the program said
  }
  return names;
}

TEST(NewFile, HasAnUnpredictableName) {
  const Folder folder;
  std::set<std::string> names;
  for (int k = 0; k < 50; ++k) {
    const NewFile file(folder / "run.csv"), film(folder / "orbit.mp4", ".mp4");
    EXPECT_THAT(file.path().filename().string(), MatchesRegex("run\\.csv\\.part-[a-zA-Z0-9]{6}"));
    EXPECT_THAT(film.path().filename().string(), MatchesRegex("orbit\\.part-[a-zA-Z0-9]{6}\\.mp4"));
    names.insert(file.path().filename());
  }
  EXPECT_EQ(names.size(), 50U);
  EXPECT_THAT(names_in(folder / ""), IsEmpty()) << "it goes with its object";
}

TEST(NewFile, PermissionsFollowTheUmask) {
  for (const mode_t mask : {0022, 0002, 0077}) {
    const Folder folder;
    const mode_t before = ::umask(mask);
    NewFile file(folder / "a");
    ::umask(before);
    file.rename_to(folder / "a", Replacing::nothing, nullptr);
    struct stat status {};
    ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0666U & ~mask);
  }
}

TEST(NewFile, DoesNotReplaceAFileThatAppears) {
  const Folder folder;
  NewFile file(folder / "a");
  file.write("ours");
  write(folder / "a", their_notes);
  EXPECT_FALSE(file.rename_to_new(folder / "a"));
  fs::create_symlink(folder / "nowhere", folder / "b");
  EXPECT_FALSE(file.rename_to_new(folder / "b"));
  EXPECT_EQ(read(folder / "a"), their_notes);
  EXPECT_TRUE(file.rename_to_new(folder / "c"));
  EXPECT_EQ(read(folder / "c"), "ours");
  EXPECT_THAT(names_in(folder / ""), UnorderedElementsAre("a", "b", "c"));
}

TEST(NewFile, ReplacesOnlyIfAllowed) {
  const Folder folder;
  const IsOurs ours = [](const fs::path& file) { return read(file) == "ours"; };
  const auto may = [&](const std::string& name, Replacing what) { return may_replace(folder / name, what, ours); };
  write(folder / "ours", "ours");
  write(folder / "theirs", their_notes);
  write(folder / "empty", "");
  fs::create_symlink("nowhere", folder / "dangling");
  fs::create_symlink("theirs", folder / "link");
  fs::create_directory(folder / "folder");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0666), 0);
  for (const char* name : {"none", "empty", "dangling"}) EXPECT_TRUE(may(name, Replacing::nothing)) << name;
  EXPECT_FALSE(may("ours", Replacing::nothing));
  EXPECT_TRUE(may("ours", Replacing::ours));
  for (const char* name : {"theirs", "link", "fifo"}) {
    EXPECT_FALSE(may(name, Replacing::ours)) << name;
    EXPECT_TRUE(may(name, Replacing::anything)) << name;
  }
  EXPECT_FALSE(may("folder", Replacing::anything));
}

/// The commands that write a text to -o or --json, given a run `s` and a sweep `w`.
struct Writer {
  const char* what;
  std::vector<std::string> arguments;
  bool marked;  ///< the text says that orrery wrote it
};

const std::vector<Writer> writers{
    {"csv", {"export", "s/run.h5", "--format", "csv", "-o", "out"}, false},
    {"cs267", {"export", "s/run.h5", "--format", "cs267", "-o", "out"}, false},
    {"json", {"export", "s/run.h5", "--format", "json", "-o", "out"}, true},
    {"xdmf", {"export", "s/run.h5", "--format", "xdmf", "-o", "out"}, true},
    {"table", {"table", ".", "-o", "out"}, false},
    {"new", {"new", "two-body", "-o", "out"}, false},
    {"bench", {"bench", "--n", "3", "--backend", "reference", "--quiet", "--json", "out"}, true},
    {"validate", {"validate", "--quick", "--suite", "reversal", "--integrator", "leapfrog", "--json", "out"}, true},
};

TEST(ReplacingTexts, OnlyOurFilesAreReplaced) {
  const Folder folder;
  write(folder / "s.toml", sound);
  ASSERT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  for (const Writer& writer : writers) {
    SCOPED_TRACE(writer.what);
    const auto forced = [&] {
      auto arguments = writer.arguments;
      arguments.emplace_back("--force");
      return arguments;
    };
    const auto out = folder / "out";
    write(out, their_notes);
    const Outcome refused = run(folder, writer.arguments);
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.output, "") << "before any work";
    EXPECT_EQ(refused.errors, std::string("orrery: out: ") +
                                  (writer.marked ? "exists and was not written by orrery" : "already exists") +
                                  "; --force replaces it\n");
    EXPECT_EQ(read(out), their_notes);
    fs::remove(out);
    write(folder / "target", their_notes);
    fs::create_symlink(folder / "target", out);
    EXPECT_EQ(run(folder, writer.arguments).code, 2);
    EXPECT_EQ(run(folder, forced()).code, 0);
    EXPECT_FALSE(fs::is_symlink(out)) << "a link is replaced, not followed";
    EXPECT_EQ(read(folder / "target"), their_notes);
    EXPECT_NE(read(out), their_notes);
    EXPECT_EQ(run(folder, writer.arguments).code, writer.marked ? 0 : 2);
    EXPECT_EQ(written_by_orrery(out), writer.marked);
    write(out, "");
    EXPECT_EQ(run(folder, writer.arguments).code, 0) << "an empty file is nobody's loss";
    EXPECT_NE(read(out), "");
    fs::remove(out);
    EXPECT_THAT(drafts_in(folder / ""), IsEmpty());
  }
}

/// Predictable names of temporary files would allow writing through a planted link.
TEST(ReplacingTexts, PlantedFilesAreNotFollowed) {
  const Folder folder, elsewhere;
  write(folder / "s.toml", sound);
  write(elsewhere / "kept", their_notes);
  fs::create_directory(folder / "s");
  for (const char* planted : {"s/run.h5.new", "s/run.h5.part", "s/summary.json.part", "out.part", "out.new"})
    fs::create_symlink(elsewhere / "kept", folder / planted);
  EXPECT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  EXPECT_TRUE(TrajectoryReader(folder / "s/run.h5").finished());
  for (const Writer& writer : writers) {
    EXPECT_EQ(run(folder, writer.arguments).code, 0) << writer.what;
    fs::remove(folder / "out");
  }
  EXPECT_EQ(read(elsewhere / "kept"), their_notes);
  EXPECT_THAT(names_in(folder / "s"),
              UnorderedElementsAre("run.h5", "summary.json", "run.h5.new", "run.h5.part", "summary.json.part"));
}

TEST(ReplacingTexts, DevicesAndPipesAreWrittenTo) {
  const Folder folder;
  write(folder / "s.toml", sound);
  ASSERT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  const std::string text = run(folder, {"export", "s/run.h5", "--format", "csv"}).output;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0666), 0);
  std::string seen;
  std::thread reader([&] { seen = read(folder / "fifo"); });
  EXPECT_EQ(run(folder, {"export", "s/run.h5", "--format", "csv", "-o", "fifo"}).code, 0);
  reader.join();
  EXPECT_EQ(seen, text);
  EXPECT_EQ(run(folder, {"export", "s/run.h5", "--format", "csv", "-o", "/dev/stdout"}).output, text);
  EXPECT_TRUE(fs::is_symlink("/dev/stdout")) << "also where it leads to a file";
  EXPECT_EQ(run(folder, {"new", "two-body", "-o", "-"}).output.substr(0, 1), "#");
}

TEST(ReplacingSummaries, ForeignSummaryStopsTheRun) {
  const Folder folder;
  write(folder / "s.toml", sound);
  fs::create_directory(folder / "s");
  const auto summary = folder / "s/summary.json";
  for (const std::string& text :
       {their_notes, std::string("{\"state\": \"draft\"}\n"), std::string("{\"program\": \"x\"}")}) {
    write(summary, text);
    const Outcome refused = run(folder, {"simulate", "s.toml"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.errors, "orrery: s/summary.json" + unwritten + ", -o DIR writes elsewhere\n");
    EXPECT_EQ(read(summary), text);
    EXPECT_THAT(names_in(folder / "s"), UnorderedElementsAre("summary.json")) << "nothing is stepped";
  }
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--force"}).code, 0);
  EXPECT_TRUE(written_by_orrery(summary));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--set", "seed=2", "--force"}).code, 0) << "ours goes with its run";
  write(summary, their_notes);
  EXPECT_EQ(run(folder, {"resume", "s/run.h5"}).errors, "orrery: s/summary.json" + unwritten + "\n");
  EXPECT_EQ(read(summary), their_notes);
  EXPECT_EQ(run(folder, {"resume", "s/run.h5", "--force"}).code, 0);
  EXPECT_TRUE(written_by_orrery(summary));
}

TEST(ReplacingSummaries, ForeignSummaryOfOneMemberStopsASweep) {
  const Folder folder;
  write(folder / "s.toml", sound + "[sweep]\nseed = [1, 2, 3]\n");
  fs::create_directories(folder / "s/002");
  write(folder / "s/002/summary.json", their_notes);
  const Outcome refused = run(folder, {"simulate", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("s/002/summary.json" + unwritten));
  EXPECT_THAT(names_in(folder / "s"), UnorderedElementsAre("002"));
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--task", "2"}).code, 2);
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--task", "1"}).code, 0);
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--force"}).code, 0);
}

/// The second process that claims a name leaves the file of the first unchanged.
TEST(ReplacingTrajectories, FirstOfTwoConcurrentFilesStays) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const auto create = [&] {
    (void)trajectory::create_file(path, [&](hid_t) {
      SyntheticRun{.bodies = 2, .frames = 3}.write(path);  // the other, which is quicker
    });
  };
  EXPECT_EQ(orrery::complaint([&] { trajectory::wrap_errors(path, create); }, 2),
            path.string() + ": another orrery made it just now: give the same command again");
  EXPECT_EQ(TrajectoryReader(path).size(), 3U);
  EXPECT_THAT(names_in(folder / ""), UnorderedElementsAre("run.h5"));
  EXPECT_THAT(orrery::complaint([&] { remove_trajectory(path, false); }, 2),
              HasSubstr("another orrery made it just now"));
  EXPECT_EQ(TrajectoryReader(path).size(), 3U);
}

TEST(ReplacingTrajectories, SymlinkIsReplacedNotFollowed) {
  const Folder folder, elsewhere;
  write(folder / "s.toml", sound);
  ASSERT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  fs::rename(folder / "s/run.h5", elsewhere / "run.h5");
  const std::string before = read(elsewhere / "run.h5");
  fs::create_symlink(elsewhere / "run.h5", folder / "s/run.h5");
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--set", "seed=2"}).code, 2);
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--set", "seed=2", "--force"}).code, 0);
  EXPECT_FALSE(fs::is_symlink(folder / "s/run.h5"));
  EXPECT_EQ(read(elsewhere / "run.h5"), before);
  fs::remove(folder / "s/run.h5");
  fs::create_symlink(elsewhere / "none.h5", folder / "s/run.h5");
  EXPECT_EQ(run(folder, {"simulate", "s.toml"}).code, 0);
  EXPECT_FALSE(fs::is_symlink(folder / "s/run.h5"));
  EXPECT_FALSE(fs::exists(elsewhere / "none.h5"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
