// SPDX-License-Identifier: MIT
// Files and pictures made by earlier versions are the same runs today.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A run of the archive, and its properties when it was made.
struct Archived {
  std::string name;
  std::int64_t steps;
  std::string state;  ///< at its end
  friend void PrintTo(const Archived& of, std::ostream* out) { *out << of.name; }
};

/// "own-steps" as the name of a test.
std::string in_letters(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

const std::filesystem::path archive = std::filesystem::path(ORRERY_SOURCE_DIR) / "tests/archive/format-5";

const std::vector<Archived> finished{{"two-body", 600, "ff629426fe63498d"},
                                     {"own-steps", 60, "c09ab05e6db208c8"},
                                     {"field", 60, "8e8e5be5bd97b047"},
                                     {"table", 90, "c805392f39d03fd2"}};
const std::vector<Archived> killed{{"killed", 12000, "9d480b94249b678e"}};

class ArchivedRun : public ::testing::TestWithParam<Archived> {
 protected:
  ArchivedRun() {
    unpack(GetParam().name + ".h5", "run.h5");
    std::filesystem::copy_file(archive / (GetParam().name + ".toml"), folder_ / "run.toml");
    if (GetParam().name == "table") std::filesystem::copy_file(archive / "ions.csv", folder_ / "ions.csv");
  }

  void unpack(const std::string& name, const std::string& to) {
    const std::string command =
        fmt::format("gzip -dc '{}.gz' > '{}'", (archive / name).string(), (folder_ / to).string());
    EXPECT_EQ(std::system(command.c_str()), 0);
  }

  /// Runs its scenario again in the folder of the file.
  Outcome asked_again() {
    std::filesystem::create_directory(folder_ / "again");
    std::filesystem::copy_file(folder_ / "run.h5", folder_ / "again/run.h5");
    return run(folder_, {"run", "run.toml", "-o", "again"});
  }

  Folder folder_;
};

class ArchivedFinished : public ArchivedRun {};
class ArchivedKilled : public ArchivedRun {};

TEST_P(ArchivedFinished, InfoPrintsItsContents) {
  const Outcome told = run(folder_, {"info", "run.h5"});
  EXPECT_EQ(told.code, 0) << told.errors;
  EXPECT_THAT(told.output,
              AllOf(HasSubstr(fmt::format("{}, finished", GetParam().steps)), HasSubstr(GetParam().state)));
}

TEST_P(ArchivedFinished, IsReusedByItsScenario) {
  const Outcome again = asked_again();
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.output, HasSubstr("reused, the same physics"));
  EXPECT_EQ(state_in(again, GetParam().steps), GetParam().state);
}

TEST_P(ArchivedFinished, ResumeReportsItAsFinished) {
  const Outcome resumed = run(folder_, {"resume", "run.h5"});
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, HasSubstr("finished already"));
  EXPECT_EQ(state_in(resumed, GetParam().steps), GetParam().state);
}

TEST_P(ArchivedFinished, IsVerifiedToTheLastBit) {
  const Outcome same = run(folder_, {"verify", "run.h5", "--quiet"});
  EXPECT_EQ(same.code, 0) << same.output << same.errors;
  EXPECT_THAT(same.output, AllOf(HasSubstr("yes, to the last bit"), Not(HasSubstr("physics"))));
}

TEST_P(ArchivedFinished, EqualsTheRunComputedNow) {
  ASSERT_EQ(run(folder_, {"simulate", "run.toml", "-o", "new", "--quiet"}).code, 0);
  const Outcome same = run(folder_, {"diff", "run.h5", "new/run.h5"});
  EXPECT_EQ(same.code, 0) << same.output << same.errors;
}

TEST_P(ArchivedFinished, NeedsNoRepair) {
  const Outcome repaired = run(folder_, {"repair", "run.h5"});
  EXPECT_EQ(repaired.code, 0) << repaired.errors;
  EXPECT_THAT(repaired.output, HasSubstr("nothing to do"));
  const Outcome copied = run(folder_, {"repair", "run.h5", "-o", "copy.h5"});
  EXPECT_EQ(copied.code, 0) << copied.errors;
  EXPECT_EQ(run(folder_, {"diff", "run.h5", "copy.h5"}).code, 0);
  EXPECT_EQ(run(folder_, {"verify", "copy.h5", "--quiet"}).code, 0);
}

TEST_P(ArchivedFinished, IsExported) {
  for (const char* format : {"csv", "json", "xdmf", "cs267"}) {
    const Outcome out = run(folder_, {"export", "run.h5", "--format", format, "-o", fmt::format("run.{}", format)});
    EXPECT_EQ(out.code, 0) << format << ": " << out.errors;
    EXPECT_GT(std::filesystem::file_size(folder_ / fmt::format("run.{}", format)), 100) << format;
  }
}

TEST_P(ArchivedFinished, IsDrawn) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  const Outcome drawn = run(folder_, {"render", "run.h5", "-o", "pictures"});
  EXPECT_EQ(drawn.code, 0) << drawn.errors;
  // These runs have few frames; pictures say it where they show less than what happened.
  EXPECT_THAT(drawn.errors, AnyOf(IsEmpty(), HasSubstr("too far apart"), HasSubstr("frames are too few")));
  EXPECT_LE(std::ranges::count(drawn.errors, '\n'), 1);
  EXPECT_THAT(drawn.output, HasSubstr("pictures/"));
}

INSTANTIATE_TEST_SUITE_P(Archive, ArchivedFinished, ::testing::ValuesIn(finished),
                         [](const auto& run) { return in_letters(run.param.name); });

TEST_P(ArchivedKilled, ResumesToTheSameState) {
  EXPECT_THAT(run(folder_, {"info", "run.h5"}).output, HasSubstr("202 of 12000, not finished"));
  const Outcome resumed = run(folder_, {"resume", "run.h5"});
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_EQ(state_in(resumed, GetParam().steps), GetParam().state);
  EXPECT_EQ(run(folder_, {"verify", "run.h5", "--quiet"}).code, 0);
}

TEST_P(ArchivedKilled, ResumesWithItsScenario) {
  const Outcome again = asked_again();
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.output, HasSubstr("goes on from step 202"));
  EXPECT_EQ(state_in(again, GetParam().steps), GetParam().state);
}

TEST_P(ArchivedKilled, IsReadableAndRepairable) {
  EXPECT_EQ(run(folder_, {"export", "run.h5", "--format", "csv", "-o", "run.csv"}).code, 0);
  EXPECT_EQ(run(folder_, {"verify", "run.h5", "--quiet"}).code, 0);
  const Outcome repaired = run(folder_, {"repair", "run.h5"});
  EXPECT_EQ(repaired.code, 0) << repaired.errors;
  EXPECT_THAT(repaired.output, HasSubstr("repaired: 4 frames, can be resumed from step 202"));
  EXPECT_EQ(state_in(run(folder_, {"resume", "run.h5"}), GetParam().steps), GetParam().state);
}

INSTANTIATE_TEST_SUITE_P(Archive, ArchivedKilled, ::testing::ValuesIn(killed),
                         [](const auto& run) { return in_letters(run.param.name); });

class ArchivedPicture : public ArchivedRun {};

TEST_P(ArchivedPicture, ReproducesTheRun) {
  if (!draws_pictures()) GTEST_SKIP() << "this build reads no pictures";
  const std::string picture = GetParam().name == "table" ? "picture.svg" : "picture.png";
  if (picture.ends_with("svg")) {
    unpack(GetParam().name + ".svg", picture);
  } else {
    std::filesystem::copy_file(archive / (GetParam().name + ".png"), folder_ / picture);
  }
  EXPECT_THAT(run(folder_, {"info", picture}).output, HasSubstr(GetParam().state));
  const Outcome again = run(folder_, {"simulate", picture});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(state_in(again, GetParam().steps), GetParam().state);
  EXPECT_EQ(run(folder_, {"diff", "run.h5", "picture/run.h5"}).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Archive, ArchivedPicture, ::testing::Values(finished[0], finished[3]),
                         [](const auto& run) { return in_letters(run.param.name); });

}  // namespace
}  // namespace orrery::pipeline::testing
