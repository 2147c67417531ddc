// SPDX-License-Identifier: MIT
// Commands that only read a run do not change it or the files beside it.
#include <gtest/gtest.h>

#include <map>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;

/// All files of a folder, except those with the output streams.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
      all[entry.path().string()] = read(entry.path());
  }
  return all;
}

TEST(ReadingCommands, DoNotModifyFiles) {
  const Folder folder;
  write(folder / "s.toml",
        "[initial]\nkind = \"two-body\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 2000\n");
  ASSERT_EQ(run(folder, {"simulate", "s.toml", "-o", "a"}).code, 0);
  {
    Running stopped(folder, {"simulate", "s.toml", "-o", "b", "--set", "integrator.steps=10_000_000"});
    ASSERT_TRUE(
        wait_until([&] { return fs::exists(folder / "b/run.h5") && TrajectoryReader(folder / "b/run.h5").restart(); }));
  }  // killed
  fs::permissions(folder / "a/run.h5", fs::perms::owner_read);
  const auto before = files_of(folder / "");
  ASSERT_GE(before.size(), 3U);
  for (const std::string file : {"a/run.h5", "b/run.h5"}) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"info", file},
                                                    {"info", file, "--json"},
                                                    {"diff", file, "a/run.h5"},
                                                    {"export", file, "--format", "json", "-o", "-"},
                                                    {"table", "a", "-o", "-"},
                                                    {"check", file}})
      (void)run(folder, command);
    if (draws_pictures()) {
      EXPECT_EQ(run(folder, {"render", file, "--figure", "projection", "-o", ".drawn"}).code, 0);
    }
  }
  EXPECT_EQ(run(folder, {"verify", "a/run.h5"}).code, 0);
  fs::permissions(folder / "a/run.h5", fs::perms::owner_read | fs::perms::owner_write);  // as `repair` needs
  EXPECT_EQ(run(folder, {"repair", "a/run.h5"}).code, 0) << "there is nothing to repair";
  const auto after = files_of(folder / "");
  for (const auto& [name, bytes] : before) {
    ASSERT_TRUE(after.contains(name)) << name;
    EXPECT_TRUE(after.at(name) == bytes) << name;
  }
  for (const auto& [name, bytes] : after)
    EXPECT_TRUE(before.contains(name) || name.find(".drawn") != name.npos) << name;
}

}  // namespace
}  // namespace orrery::pipeline::testing
