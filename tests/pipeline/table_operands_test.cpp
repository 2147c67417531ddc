// SPDX-License-Identifier: MIT
// orrery table of files, of one run and of flat folders; its columns; files that are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class TableOperands : public ::testing::Test {
 protected:
  TableOperands() {
    write(folder_ / "a.toml",
          "[initial]\nkind = \"two-body\"\neccentricity = 0.3\n[integrator]\nkind = \"yoshida4\"\ndt = 0.05\nsteps = "
          "33\n");
  }
  void simulate(const std::string& name, const std::vector<std::string>& set = {}) {
    testing::simulate(folder_, "a.toml", name, set);
  }
  Outcome table(std::vector<std::string> words) {
    words.insert(words.begin(), "table");
    return run(folder_, words);
  }
  Folder folder_;
};

TEST_F(TableOperands, OneRunAndFiles) {
  simulate("a");
  simulate("b", {"integrator.dt=0.025"});
  const Outcome one = table({"a/run.h5", "--columns", "task,steps"});
  EXPECT_EQ(one.output, "task,steps\na,33\n") << one.errors;
  EXPECT_EQ(table({"a", "--columns", "task,steps"}).output, "task,steps\na,33\n");
  EXPECT_EQ(table({"a/run.h5", "b/run.h5", "--columns", "task,integrator.dt"}).output,
            "task,integrator.dt\na,0.05\nb,0.025\n");
  std::filesystem::create_directory(folder_ / "flat");
  std::filesystem::rename(folder_ / "a/run.h5", folder_ / "flat/first.h5");
  std::filesystem::rename(folder_ / "b/run.h5", folder_ / "flat/second.h5");
  EXPECT_EQ(table({"flat", "--columns", "task,dt"}).output, "task,dt\nfirst,0.05\nsecond,0.025\n");
  EXPECT_EQ(table({"flat/second.h5", "flat/first.h5", "--columns", "task"}).output, "task\nsecond\nfirst\n");
  EXPECT_EQ(table({"flat/second.h5", "--columns", "task"}).output, "task\nsecond\n") << "not that of its folder";
  std::filesystem::create_directory(folder_ / "all");
  std::filesystem::rename(folder_ / "flat", folder_ / "all/flat");
  std::filesystem::create_directory(folder_ / "all/notes");
  const Outcome nested = table({"all", "--columns", "task,dt"});
  EXPECT_EQ(nested.output, "task,dt\nflat/first,0.05\nflat/second,0.025\n");
  EXPECT_EQ(nested.errors, "orrery: all: left out notes, which holds no run\n");
}

TEST_F(TableOperands, ColumnsOfReports) {
  simulate("all/a");
  simulate("all/b", {"initial.eccentricity=0.31"});
  write(folder_ / "c.toml",
        "[initial]\nkind = \"plummer\"\nn = 7\n[integrator]\nkind = \"yoshida4\"\ndt = 0.05\nsteps = 33\n");
  ASSERT_EQ(run(folder_, {"simulate", "c.toml", "--quiet", "-o", "all/c"}).code, 0);
  const Outcome markdown = table({"all", "--format", "markdown"});
  ASSERT_EQ(markdown.code, 0) << markdown.errors;
  EXPECT_THAT(markdown.output, AllOf(StartsWith("| task | `initial.kind` | "), HasSubstr(" | state | "),
                                     Not(HasSubstr("eccentricity")), Not(HasSubstr("| steps |"))));
  EXPECT_THAT(markdown.errors, AllOf(HasSubstr("left out keys that only some runs have: "), HasSubstr("eccentricity")));
  EXPECT_THAT(table({"all"}).output, AllOf(HasSubstr("eccentricity"), HasSubstr(",steps,"), HasSubstr(",state,")));
  const Outcome none = table({"all", "--columns", "task,setps"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.errors,
              HasSubstr("--columns: there is no column `setps`; did you mean `steps`? (there are: task, "));
}

/// A hash is printed only of a file in which every number matches its checksum.
TEST_F(TableOperands, DamagedFilesHaveNoHash) {
  simulate("all/a");
  simulate("all/b", {"integrator.dt=0.025"});
  const std::filesystem::path file = folder_ / "all/a/run.h5";
  const std::string columns = "task,finished,state";
  const std::string sound = table({"all", "--columns", columns}).output;
  const Outcome before = run(folder_, {"info", "all/a/run.h5"});
  ASSERT_EQ(before.code, 0);
  EXPECT_THAT(before.output, HasSubstr("\nstate "));
  flip(file, place_of(file, "/particles/all/position/value", 0, 5 * 2 * 3 * sizeof(double) + 3));

  const Outcome damaged = table({"all", "--columns", columns});
  EXPECT_EQ(damaged.output, "task,finished,state\na,damaged,\n" + sound.substr(sound.find("b,yes")));
  EXPECT_EQ(damaged.errors, "orrery: all/a/run.h5: is damaged: frame 5: it does not match its checksum\n");
  const Outcome info = run(folder_, {"info", "all/a/run.h5"});
  EXPECT_EQ(info.code, 1);
  EXPECT_THAT(info.output, AllOf(HasSubstr("\ndamage "), Not(HasSubstr("\nstate "))));
  EXPECT_THAT(info.errors, HasSubstr("is damaged: frame 5: it does not match its checksum"));
  const Outcome json = run(folder_, {"info", "all/a/run.h5", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.output, AllOf(HasSubstr("\"damage\": ["), Not(HasSubstr("\"state\":"))));
  for (const auto& words :
       {std::vector<std::string>{"simulate", "a.toml", "-o", "all/a"}, {"resume", "all/a/run.h5"}}) {
    const Outcome again = run(folder_, words);
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.output, Not(HasSubstr("state ")));
    EXPECT_THAT(again.errors, HasSubstr("is damaged: frame 5: it does not match its checksum"));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
