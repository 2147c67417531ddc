// SPDX-License-Identifier: MIT
// `orrery grade`: hand-ins of an exercise.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/grade/grade.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Grading : public ::testing::Test {
 protected:
  Grading() {
    write(
        folder_ / "ex.toml",
        "title = \"Exercise\"\n[[initial]]\nkind = \"two-body\"\nmasses = [1.0, 0.5]\neccentricity = 0.3\n"
        "[integrator]\nkind = \"leapfrog\"\ndt = \"0.005 periods\"\ntime = \"1 period\"\n[trajectory]\nframes = 41\n");
    simulate(folder_, "ex.toml", "own");
    fs::create_directories(hand_ins_);
  }
  fs::path of(const std::string& name) {
    fs::create_directories(hand_ins_ / name);
    return hand_ins_ / name;
  }
  /// Rows by hand-in, of cells by column.
  std::map<std::string, std::map<std::string, std::string>> grade(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"grade", "ex.toml", "hand", "-o", "grades.csv", "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    outcome_ = run(folder_, arguments);
    EXPECT_EQ(outcome_.code, 0) << outcome_.errors;
    std::map<std::string, std::map<std::string, std::string>> rows;
    std::vector<std::string> names;
    std::string text = read(folder_ / "grades.csv");
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const auto fields = fields_of(std::string_view(text).substr(begin, end - begin), ',');
      if (names.empty()) names = fields;
      for (std::size_t k = 0; k < fields.size(); ++k) rows[fields[0]][names[k]] = fields[k];
      begin = end + 1;
    }
    return rows;
  }

  Folder folder_;
  fs::path hand_ins_ = folder_ / "hand";
  Outcome outcome_;
};

TEST_F(Grading, SaysWhatEachIsWorth) {
  fs::copy_file(folder_ / "own" / "run.h5", of("anna/deep/er") / "x.h5");
  ASSERT_EQ(run(folder_, {"export", "own/run.h5", "--format", "csv", "-o", "hand/bert.csv"}).code, 0);
  simulate(folder_, "ex.toml", "other", {"integrator.kind=rk4"});
  fs::copy_file(folder_ / "other" / "run.h5", of("carl") / "run.h5");
  simulate(folder_, "ex.toml", "wrong", {"initial.eccentricity=0.31"});
  fs::copy_file(folder_ / "wrong" / "run.h5", of("dora") / "run.h5");
  fs::copy_file(folder_ / "wrong" / "run.h5", of("emil") / "mine.h5");
  write(of("fritz") / "run.h5", read(folder_ / "own" / "run.h5").substr(0, 9000));
  write(of("greta") / "notes.pdf", "no frames");
  write(of("hans") / "x.csv", "t,id,x,y\n0,1,0,0\n0,2,nan,0\n");
  write(of("ines") / "x.csv", "t,id,x,y\n0,1,0,0\n1,1,0,1\n");
  write(of("=SUM(1)") / "x.csv", "t,id,x,y,z\n");
  std::string part = read(hand_ins_ / "bert.csv");
  write(of("karl") / "x.csv", part.substr(0, part.find("\n6,") + 1));
  write(of("lena") / "try1.csv", part);
  write(of("lena") / "try2.csv", "t,id,x,y\n0,1,0,0\n");
  auto rows = grade();
  EXPECT_EQ(rows["anna"]["verdict"], "same bits");
  EXPECT_EQ(rows["anna"]["expected"], "yes");
  EXPECT_EQ(rows["anna"]["file"], "anna/deep/er/x.h5");
  EXPECT_EQ(rows["bert.csv"]["verdict"], "same bits");
  EXPECT_EQ(rows["carl"]["verdict"], "same physics") << rows["carl"]["why"];
  EXPECT_EQ(rows["carl"]["expected"], "no");
  EXPECT_EQ(rows["dora"]["verdict"], "parts");
  EXPECT_THAT(rows["dora"]["why"], HasSubstr("eccentricity (there 0.31, here 0.3)"));
  EXPECT_NE(rows["dora"]["parts_at"], "");
  EXPECT_EQ(rows["dora"]["identical"], "emil");
  EXPECT_EQ(rows["emil"]["identical"], "dora");
  EXPECT_EQ(rows["anna"]["identical"], "") << "whoever has the exercise's own bits needs not have copied them";
  EXPECT_EQ(rows["fritz"]["verdict"], "damaged");
  EXPECT_EQ(rows["greta"]["verdict"], "empty");
  EXPECT_EQ(rows["hans"]["verdict"], "unreadable");
  EXPECT_THAT(rows["hans"]["why"], AllOf(HasSubstr("3: `nan` in column `x`"), ::testing::Not(HasSubstr(folder_ / ""))));
  EXPECT_THAT(rows["ines"]["why"], HasSubstr("has 1 bodies, the scenario 2"));
  EXPECT_EQ(rows.count("'=SUM(1)"), 1U) << "no formula for a spreadsheet";
  EXPECT_EQ(rows["karl"]["verdict"], "parts");
  EXPECT_THAT(rows["karl"]["why"], HasSubstr("ends before the exercise"));
  EXPECT_EQ(rows["lena"]["verdict"], "same bits") << "the better of two attempts";
  EXPECT_THAT(outcome_.errors + outcome_.output, HasSubstr("12 hand-ins: 3 same bits, 1 same physics, 3 parts"));
}

/// The frames of another run under the scenario of the exercise, as HDF5's tools could put them there, checksums and all.
TEST_F(Grading, ForgedRunIsNamed) {
  const TrajectoryReader own(folder_ / "own" / "run.h5");
  RunRecord record = own.record();
  record.frames = static_cast<std::int64_t>(own.size());
  sim::Bodies bodies = own.bodies();
  bodies.position = own.snapshot(0).position;
  bodies.velocity = own.snapshot(0).velocity;
  {
    TrajectoryWriter forged(of("mallory") / "run.h5", bodies, record, own.options());
    sim::Snapshot last;
    for (std::size_t k = 0; k < own.size(); ++k) {
      last = own.snapshot(k);
      if (k > 7) last.position.x[1] = std::nextafter(last.position.x[1], 2);
      forged.append(last, true);
    }
    forged.finish(last);
  }
  auto rows = grade();
  EXPECT_EQ(rows["mallory"]["verdict"], "forged");
  EXPECT_THAT(rows["mallory"]["why"], HasSubstr("other numbers in 33 of 41 frames"));
}

TEST_F(Grading, ExpectedHashAndFormats) {
  fs::copy_file(folder_ / "own" / "run.h5", of("anna") / "run.h5");
  EXPECT_EQ(grade({"--expect", "0123456789abcdef"})["anna"]["expected"], "no");
  EXPECT_THAT(outcome_.errors, HasSubstr("--expect 0123456789abcdef: the exercise ends with "));
  const Outcome markdown = run(folder_, {"grade", "ex.toml", "hand"});
  EXPECT_THAT(markdown.output, HasSubstr("| anna | same bits |"));
  write(of("<script>alert(1)</script>") / "x.csv", "x,y\n");
  ASSERT_EQ(run(folder_, {"grade", "ex.toml", "hand", "-o", "grades.html"}).code, 0);
  EXPECT_THAT(read(folder_ / "grades.html"), AllOf(HasSubstr("<h1>Exercise</h1>"), HasSubstr("&lt;script&gt;"),
                                                   ::testing::Not(HasSubstr("<script>"))));
  EXPECT_EQ(run(folder_, {"grade", "ex.toml", "nowhere"}).code, 2);
  EXPECT_EQ(run(folder_, {"grade", "ex.toml", "hand", "--format", "pdf"}).code, 2);
  EXPECT_EQ(run(folder_, {"grade", "none.toml", "hand"}).code, 2);
  fs::create_directory(folder_ / "nobody");
  EXPECT_THAT(run(folder_, {"grade", "ex.toml", "nobody"}).errors, HasSubstr("nobody: nothing was handed in"));
}

TEST_F(Grading, LimitsHold) {
  fs::create_symlink("/", of("linked") / "all");
  std::string line = "t,id,x,y\n", text = line;
  for (int k = 0; k < 400'000; ++k) text += fmt::format("{},{},{},1\n", k, k % 2, k);
  write(of("slow") / "x.csv", text);
  const auto rows = grade({"--seconds", "1"});
  EXPECT_LT(outcome_.seconds, 60);
  EXPECT_EQ(rows.at("linked").at("verdict"), "empty") << "links are not followed";
  EXPECT_NE(rows.at("slow").at("verdict"), "same bits");
}

TEST_F(Grading, ScenarioOutOfARun) {
  ASSERT_EQ(run(folder_, {"new", "own/run.h5", "-o", "again.toml"}).code, 0);
  simulate(folder_, "again.toml", "again");
  EXPECT_EQ(run(folder_, {"diff", "own/run.h5", "again/run.h5"}).code, 0);
  ASSERT_EQ(run(folder_, {"render", "own/run.h5", "--figure", "energy-error", "-o", "e.png"}).code, 0);
  ASSERT_EQ(run(folder_, {"new", "e.png", "-o", "picture.toml"}).code, 0);
  EXPECT_THAT(read(folder_ / "picture.toml"), HasSubstr("eccentricity"));
  EXPECT_EQ(run(folder_, {"new", "e.png", "-o", "picture.toml"}).code, 2) << "exists";
  for (const std::string file : {"bare.png", "bare.svg", "bare.pdf", "bare.json"}) {
    ASSERT_EQ(run(folder_, {"render", "own/run.h5", "--figure", "energy-error", "--without-answer", "-o", file}).code,
              0);
    EXPECT_EQ(run(folder_, {"new", file, "-o", file + ".toml"}).code, 2) << file;
    EXPECT_EQ(read(folder_ / file).find("eccentricity"), std::string::npos) << file;
    EXPECT_EQ(run(folder_, {"render", "own/run.h5", "--figure", "energy-error", "-o", file}).code, 0)
        << "it may be replaced";
  }
}

TEST(GradeText, ComesBackWhole) {
  const grading::Grade grade{.verdict = grading::Marking::damaged, .why = "a\nb", .until = "0.5", .content = "0f"};
  const grading::Grade again = grading::grade_in(grading::text_of(grade));
  EXPECT_EQ(again.verdict, grade.verdict);
  EXPECT_EQ(again.why, "a\\nb");
  EXPECT_EQ(again.until, "0.5");
  EXPECT_EQ(again.content, "0f");
  const std::string text = grading::text_of(grade);
  for (std::size_t size = 0; size + 1 < text.size(); ++size)
    ASSERT_EQ(grading::grade_in(text.substr(0, size)).verdict, grading::Marking::too_much) << size;
}

}  // namespace
}  // namespace orrery::pipeline::testing
