// SPDX-License-Identifier: MIT
// orrery study: results survive a round trip; comparisons, pages, and the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "common/error.hpp"
#include "pipeline/study/compare.hpp"
#include "pipeline/study/page.hpp"
#include "pipeline/study/study.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

StudyResult made_up_result() {
  const render::Curve curve{
      .name = "one", .x = {1, 3}, .y = {0.1, none}, .stroke = render::Curve::Stroke::dashed, .note = "N²"};
  return {.study = "bodies",
          .question = "How long?",
          .command = "orrery study bodies",
          .program = "orrery 1.0",
          .quick = true,
          .machine = {.name = "machine-2", .has_gpu = false, .facts = {{"processor", "A | B"}}},
          .method = {"As it is."},
          .findings = {"Twice \"as\" fast,\nor so."},
          .limit = "3 % of it",
          .tables = {{.name = "time",
                      .title = "Time",
                      .columns = {{.name = "bodies"},
                                  {.name = "time", .unit = "s", .role = Role::less_is_better},
                                  {.name = "rate", .unit = "/s", .role = Role::more_is_better},
                                  {.name = "note", .role = Role::remark}},
                      .rows = {{33.0, 2e-3, 5e9, std::string("a|b, c")}, {257.0, none, 7e9, Cell()}}}},
          .charts = {{"time",
                      {.title = "Time",
                       .x = log_axis("bodies"),
                       .y = {.name = "time", .unit = "s"},
                       .curves = {curve, bars_of(curve, {0.05, 0.1}, {0.2, 0.3}), marked_curve("two")}}}},
          .maps = {{"map",
                    {.title = "Map",
                     .x = log_axis("dt"),
                     .y = log_axis("softening"),
                     .value = log_axis("error"),
                     .xs = {1, 2},
                     .ys = {3, 4},
                     .values = {0.5, none, 1, 2}}}}};
}

std::filesystem::path written(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

TEST(StudyResults, AreReadBackFromJson) {
  const Folder folder;
  const StudyResult result = made_up_result();
  const StudyResult back = read_result(written(folder / "result.json", to_json(result)));
  EXPECT_EQ(to_json(back), to_json(result));
  EXPECT_EQ(back.findings, result.findings);
  EXPECT_EQ(std::get<double>(back.tables[0].rows[0][1]), 2e-3);
  const std::vector<render::Curve>& curves = back.charts[0].chart.curves;
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_TRUE(std::isnan(curves[0].y[1]));
  EXPECT_EQ(curves[0].stroke, render::Curve::Stroke::dashed);
  EXPECT_EQ(curves[1].low[2], 0.1) << "an error bar";
  EXPECT_EQ(curves[2].stroke, render::Curve::Stroke::both);
  EXPECT_EQ(page(std::vector{back}), page(std::vector{result}));
}

TEST(StudyResults, InvalidFilesAreRefusedInOneLine) {
  const Folder folder;
  const std::string good = to_json(made_up_result());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1, 2"), good.substr(0, good.size() / 2),
        with("\"study\": \"bodies\"", "\"study\": 3"), with("\"machine-2\"", "\"../../etc\""),
        with("\"dashed\"", "\"wavy\""), with("\"less_is_better\"", "\"best\""),
        with("\"greatest\": [\n      0.2,", "\"greatest\": ["),
        with("\"ys\": [\n    3.0", "\"ys\": [\n    2.5, 3.0")}) {
    try {
      (void)read_result(written(folder / "bad.json", text));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("bad.json: is no result of `orrery study`"), Not(HasSubstr("\n"))));
      EXPECT_EQ(error.fault(), Fault::request);
    }
  }
  EXPECT_THROW((void)read_result(folder / "absent.json"), Error);
}

TEST(StudyResults, AreComparedRowByRow) {
  const StudyResult then = made_up_result();
  StudyResult now = then;
  now.tables[0].rows[0][1] = 3e-3;   // slower
  now.tables[0].rows[0][2] = 10e9;   // more a second
  now.tables[0].rows[1][2] = 6.3e9;  // fewer
  const ResultComparison found = compare(then, now);
  EXPECT_EQ(found.compared, 3U);
  EXPECT_DOUBLE_EQ(found.worst, 2e-3 / 3e-3);
  EXPECT_THAT(found.where, AllOf(HasSubstr("33"), HasSubstr("time")));
  EXPECT_THAT(found.table, AllOf(HasSubstr("0.667"), HasSubstr("2.000"), HasSubstr("0.900")));
  now.tables[0].rows[0][0] = 34.0;  // another row
  EXPECT_EQ(compare(then, now).compared, 1U);
}

TEST(StudyResults, AreTablesAndCsv) {
  const ResultTable table = made_up_result().tables[0];
  EXPECT_EQ(
      to_markdown(table),
      "| bodies | time | rate | note |\n|--:|--:|--:|---|\n| 33 | 2 ms | 5 G/s | a\\|b, c |\n| 257 |  | 7 G/s |  |\n");
  EXPECT_EQ(to_csv(table), "bodies,time (s),rate (/s),note\n33,0.002,5000000000,\"a|b, c\"\n257,,7000000000,\n");
  EXPECT_EQ(to_text(Cell(1.5e-7), "s"), "150 ns");
  EXPECT_EQ(to_text(Cell(0.99999), "s"), "1 s");
  EXPECT_EQ(to_text(Cell(2.5e13), "B/s"), "25 TB/s");
  EXPECT_EQ(to_text(Cell(0.0), "s"), "0 s");
  EXPECT_EQ(to_text(Cell(0.125), "%"), "12.5 %");
  EXPECT_EQ(to_text(Cell(3.2e-9), ""), "3.20e-09");
}

TEST(StudyProgram, ListsStudiesAndRefusesOthers) {
  const Folder folder;
  const Outcome listed = run(folder, {"study"});
  EXPECT_EQ(listed.code, 0);
  for (const Study* study : studies()) EXPECT_THAT(listed.output, HasSubstr(std::string(study->question)));
  const Outcome wrong = run(folder, {"study", "bodys"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("bodies"));
  EXPECT_EQ(run(folder, {"study", "--draw"}).code, 2);
  EXPECT_EQ(run(folder, {"study", "--draw", "absent.json", "-o", "."}).code, 2);
}

TEST(StudyProgram, MeasuresWritesAndCompares) {
  const Folder folder;
  const std::string out = (folder / "out").string();
  const Outcome first = run(folder, {"study", "energy", "--quick", "--quiet", "-o", out});
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_THAT(read(folder / "out/studies.md"),
              AllOf(HasSubstr("## energy"), HasSubstr("float32 state"), HasSubstr("--quick")));
  std::filesystem::path json;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out/studies"))
    if (entry.path().extension() == ".json") json = entry.path();
  const StudyResult result = read_result(json);
  EXPECT_EQ(result.study, "energy");
  EXPECT_EQ(result.machine.facts.front().first, "processor");
  // Drawn again from the stored results, the page is the same.
  ASSERT_EQ(run(folder, {"study", "--draw", json.string(), "-o", (folder / "again").string()}).code, 0);
  EXPECT_EQ(read(folder / "again/studies.md"), read(folder / "out/studies.md"));
  // A file from another source is not replaced.
  written(folder / "out/studies.md", "mine\n");
  EXPECT_EQ(run(folder, {"study", "--draw", json.string(), "-o", out}).code, 2);
  EXPECT_EQ(read(folder / "out/studies.md"), "mine\n");

  const Outcome bodies =
      run(folder, {"study", "bodies", "--quick", "--quiet", "--n", "33,64", "-o", (folder / "b").string()});
  ASSERT_EQ(bodies.code, 0) << bodies.errors;
  std::filesystem::path before;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "b/studies"))
    if (entry.path().extension() == ".json") before = entry.path();
  const std::vector<std::string> again{"study", "bodies",    "--quick",       "--quiet",    "--n",
                                       "33,64", "--compare", before.string(), "--threshold"};
  const auto with = [&](std::string threshold) {
    std::vector<std::string> all = again;
    all.push_back(std::move(threshold));
    return run(folder, all);
  };
  const Outcome well = with("0.001"), ill = with("900");
  EXPECT_EQ(well.code, 0) << well.errors;
  EXPECT_EQ(ill.code, 1);
  EXPECT_THAT(ill.output, HasSubstr("below the threshold 900"));
  EXPECT_EQ(run(folder, {"study", "bodies", "--quick", "--compare", json.string()}).code, 2);  // of another study
}

/// docs/studies.md equals the page that the program generates from the results in docs/studies.
TEST(StudyPage, IsGeneratedFromItsResults) {
  const std::filesystem::path docs = std::filesystem::path(ORRERY_SOURCE_DIR) / "docs";
  std::vector<StudyResult> results;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(docs / "studies"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) results.push_back(read_result(file));
  EXPECT_EQ(page(results), read(docs / "studies.md"));
  for (const StudyResult& result : results) {
    for (const ResultTable& table : result.tables)
      EXPECT_TRUE(std::filesystem::exists(docs / "studies" /
                                          (result.study + "-" + result.machine.name + "-" + table.name + ".csv")));
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
