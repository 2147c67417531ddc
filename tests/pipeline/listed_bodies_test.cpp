// SPDX-License-Identifier: MIT
// Bodies listed in a scenario are columns of the trajectory: nothing else is needed to resume, check or draw it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/columns.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string scenario = R"(title = "Bodies of a file"
[[initial]]
kind = "two-body"
offset = [0, 0, 50]
[[initial]]
kind = "table"
file = "crowd.csv"
component = "crowd"
[[force]]
kind = "gravity"
softening = 0.5
[integrator]
kind = "leapfrog"
dt = 0.01
steps = 6
[trajectory]
frames = 3
[[figure]]
kind = "energy-error"
file = "energy.svg"
)";

/// `n` bodies with names, some of which need quotes.
std::string crowd_of(int n) {
  std::string text = "name,mass,x,y,z,vx,vy,vz\n";
  for (int i = 0; i < n; ++i)
    text += fmt::format("\"b{}, \"\"{}\"\"\",{},{},{},{},0.1,{},-0.25\n", i, i % 7, 1e-3 * (i % 5), i % 11, i / 11,
                        i % 3, 0.01 * (i % 13));
  return text;
}

class ListedBodies : public ::testing::Test {
 protected:
  void simulate(int n, const std::string& command = "simulate") {
    write(folder_ / "s.toml", scenario);
    write(folder_ / "crowd.csv", crowd_of(n));
    const Outcome outcome = run(folder_, {command, "s.toml"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    state_ = state_in(outcome, 6);
  }
  Folder folder_;
  std::string state_;
};

TEST_F(ListedBodies, AreStoredAsColumns) {
  simulate(257);
  const TrajectoryReader trajectory(folder_ / "s/run.h5");
  EXPECT_EQ(trajectory.initial_rows(0), 0U) << "two-body lists none";
  EXPECT_EQ(trajectory.initial(0), nullptr);
  ASSERT_EQ(trajectory.initial_rows(1), 257U);
  const SharedColumns bodies = trajectory.initial(1);
  EXPECT_EQ(bodies->texts.at("name")[9], "b9, \"2\"");
  EXPECT_EQ(bodies->numbers.at("position")[3 * 12 + 1], 1);
  EXPECT_EQ(bodies->numbers.count("charge"), 0U);
  const std::string& text = trajectory.record().resolved;
  EXPECT_THAT(text, AllOf(HasSubstr("file = \"crowd.csv\"\nxxh3 = \"" + hash_text(*bodies) + "\"\n"),
                          Not(HasSubstr("bodies = "))));
  const auto read = run(folder_, {"diff", "s/run.h5", "s/run.h5"});
  EXPECT_EQ(read.code, 0) << read.errors;
}

TEST_F(ListedBodies, CsvIsNotReadAgain) {
  simulate(33);
  std::filesystem::remove(folder_ / "crowd.csv");
  const Outcome verified = run(folder_, {"verify", "s/run.h5", "--quiet"});
  EXPECT_EQ(verified.code, 0) << verified.errors;
  EXPECT_EQ(state_in(run(folder_, {"resume", "s/run.h5"}), 6), state_);
  if (draws_pictures()) {
    EXPECT_EQ(run(folder_, {"render", "s/run.h5"}).code, 0);
  }
  const Outcome again = run(folder_, {"simulate", "s.toml"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.errors, "orrery: s.toml:7:8: crowd.csv: cannot be read: No such file or directory\n");
}

TEST_F(ListedBodies, ArePartOfThePhysics) {
  simulate(33);
  const auto copy = [&](const std::string& name, const std::string& bodies) {
    write(folder_ / name, bodies);
    return run(folder_, {"simulate", "s.toml", "--set", fmt::format("initial[1].file=\"{}\"", name)});
  };
  EXPECT_EQ(state_in(copy("renamed.csv", crowd_of(33)), 6), state_) << "the name of the file is nothing to the run";
  const Outcome other = copy("other.csv", with(crowd_of(33), "0.001", "0.0011"));
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.errors, HasSubstr("holds another run: initial[1].bodies (there (33 bodies, XXH3 "));
}

TEST_F(ListedBodies, AreKeptByRepairAndCheckedByIt) {
  simulate(33);
  EXPECT_EQ(run(folder_, {"repair", "s/run.h5", "-o", "copy.h5"}).code, 0);
  EXPECT_EQ(*TrajectoryReader(folder_ / "copy.h5").initial(1), *TrajectoryReader(folder_ / "s/run.h5").initial(1));
  // Changes one byte of a column of numbers: the hash in the scenario and the column's own no longer match.
  const double mark = 0.01 * 12;  // a velocity that stands nowhere else
  std::string bytes = read(folder_ / "s/run.h5");
  const std::string wanted(reinterpret_cast<const char*>(&mark), sizeof mark);
  const std::size_t at = bytes.find(wanted);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = static_cast<char>(bytes[at + 2] ^ 1);
  write(folder_ / "bad.h5", bytes);
  EXPECT_THAT(run(folder_, {"repair", "bad.h5"}).output,
              HasSubstr("bad.h5: /parameters/initial/1/velocity does not match its checksum"));
  EXPECT_THAT(run(folder_, {"verify", "bad.h5"}).errors,
              HasSubstr("bad.h5: /parameters/initial/1/velocity does not match its checksum"));
}

TEST_F(ListedBodies, UpToAThousandAreInPictures) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  simulate(1000, "run");
  std::filesystem::remove(folder_ / "crowd.csv");
  std::filesystem::copy_file(folder_ / "s/energy.svg", folder_ / "alone.svg");
  EXPECT_EQ(state_in(run(folder_, {"simulate", "alone.svg"}), 6), state_);
  const Outcome same = run(folder_, {"diff", "s/run.h5", "alone/run.h5"});
  EXPECT_EQ(same.code, 0) << same.output;
}

TEST_F(ListedBodies, ManyAreInPicturesByHash) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  simulate(1001, "run");
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::copy_file(folder_ / "s/energy.svg", folder_ / "elsewhere/energy.svg");
  EXPECT_THAT(run(folder_, {"info", "elsewhere/energy.svg"}).output,
              AllOf(HasSubstr("# The 1001 bodies are too many for a picture: put the file below beside it"),
                    HasSubstr("file = \"crowd.csv\"\nxxh3 = ")));
  const std::vector<std::string> command{"simulate", "elsewhere/energy.svg", "-o", "again"};
  const Outcome without = run(folder_, command);
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.errors, HasSubstr("elsewhere/crowd.csv: cannot be read: No such file or directory; the bodies of "
                                        "this run are stored only there"));
  write(folder_ / "elsewhere/crowd.csv", crowd_of(1002));
  EXPECT_THAT(run(folder_, command).errors, HasSubstr("these are other bodies: their XXH3 is "));
  write(folder_ / "elsewhere/crowd.csv", crowd_of(1001));
  EXPECT_EQ(state_in(run(folder_, command), 6), state_);
}

TEST_F(ListedBodies, TooManyInAScenarioAreInPicturesByHash) {
  if (!draws_pictures()) GTEST_SKIP() << "this build draws no pictures";
  std::string list = "bodies = [";
  for (int i = 0; i < 1001; ++i)
    list += fmt::format("{{ mass = 0.001, position = [{}, {}, 0], velocity = [0, 0, 0] }},\n", i % 37, i / 37);
  write(folder_ / "s.toml", with(scenario, "file = \"crowd.csv\"", list + "]"));
  const Outcome outcome = run(folder_, {"run", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(run(folder_, {"info", "s/energy.svg"}).output,
              HasSubstr("# The 1001 bodies were listed in the scenario"));
  const Outcome again = run(folder_, {"simulate", "s/energy.svg"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.errors, HasSubstr("the bodies are not here: give a CSV file that holds them, `file = \"….csv\"`"));
}

TEST(Columns, RowsWithMissingFields) {
  Columns table;
  add_row(table, {{"m", 1.0}, {"x", std::vector<double>{1, 2, 3}}, {"s", std::string()}});
  add_row(table, {{"m", 2.0}, {"x", std::vector<double>{4, 5, 6}}, {"q", 7.0}, {"s", std::string()}});
  add_row(table, {{"m", 3.0}, {"x", std::vector<double>{7, 8, 9}}, {"s", std::string()}});
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.numbers.at("q"), (std::vector<double>{0, 7, 0}));
  EXPECT_EQ(table.numbers.at("x"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  drop_empty_texts(table);
  EXPECT_THAT(table.texts, IsEmpty());
  EXPECT_EQ(to_toml(row_of(table, 1).numbers("x")), "[4.0, 5.0, 6.0]");
}

TEST(Columns, HashesOfDifferentTablesDiffer) {
  Columns a;
  add_row(a, {{"m", 0.0}, {"s", std::string("xy")}});
  Columns b = a, c = a, d = a;
  b.numbers.at("m")[0] = -0.0;
  c.texts.at("s")[0] = "xz";
  d.texts.at("s") = {"x", "y"};
  EXPECT_EQ(hash_of(a), hash_of(Columns(a)));
  EXPECT_NE(hash_of(a), hash_of(b)) << "bits count";
  EXPECT_NE(hash_of(a), hash_of(c));
  EXPECT_NE(hash_of(a), hash_of(d));
}

}  // namespace
}  // namespace orrery::pipeline::testing
