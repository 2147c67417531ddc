// SPDX-License-Identifier: MIT
// orrery table on the command line: which runs of a folder belong to its sweep, and the formats.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The cells of each line; no cell here has a comma in it.
std::vector<std::vector<std::string>> cells(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream row(line + ",");
    for (std::string cell; std::getline(row, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

class ProgramTable : public ::testing::Test {
 protected:
  Outcome orrery(const std::vector<std::string>& arguments) { return run(folder_, arguments); }
  /// A sweep of two bodies over these steps, called s.toml.
  void write_sweep(const std::string& steps, double eccentricity, const std::string& more = "") {
    write(folder_ / "s.toml", fmt::format("{}[initial]\nkind = \"two-body\"\neccentricity = {}\n"
                                          "[integrator]\ntime = 2.0\n[sweep]\nintegrator.dt = {}\n",
                                          more, eccentricity, steps));
  }
  void simulate(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"simulate", "s.toml", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = orrery(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
  }
  /// The table of the folder s.
  std::vector<std::vector<std::string>> table() {
    last_ = orrery({"table", "s"});
    EXPECT_EQ(last_.code, 0) << last_.errors;
    return cells(last_.output);
  }
  /// The second column, which here is the time step.
  std::vector<std::string> steps() {
    std::vector<std::string> all;
    for (const auto& row : table()) all.push_back(row.at(0) + ":" + row.at(1));
    return all;
  }

  Folder folder_;
  Outcome last_;
};

TEST_F(ProgramTable, MembersOfAnEarlierSweepAreOmittedAndNamed) {
  write_sweep("[0.1, 0.05, 0.025]", 0.1);
  simulate();
  write_sweep("[0.1, 0.05]", 0.9);
  simulate({"--force"});
  EXPECT_THAT(steps(), ElementsAre("task:integrator.dt", "0:0.1", "1:0.05"));
  EXPECT_EQ(last_.errors,
            "orrery: s: left out 002, which is no member of the sweep of 000: initial[0].eccentricity (there 0.1, "
            "here 0.9); remove it, or run each sweep in a folder of its own, -o DIR\n");
  // Additional runs do not count.
  write_sweep("[0.1]", 0.7);
  simulate({"--force"});
  EXPECT_THAT(steps(), ElementsAre("task:integrator.dt", "0:0.1"));
  EXPECT_THAT(last_.errors, HasSubstr("left out 001, 002, which are no members of the sweep of 000: "));
}

/// Members also depend on the values of the lists, and on --set.
TEST_F(ProgramTable, ValuesAreOfTheMemberAndOfSet) {
  write_sweep("[0.1, 0.05, 0.025]", 0.5);
  simulate();
  simulate({"--set", "sweep.integrator.dt=[0.1, 0.04]", "--task", "1", "--force"});
  EXPECT_THAT(steps(), ElementsAre("task:integrator.dt", "0:0.1", "1:0.05", "2:0.025"));
  EXPECT_THAT(last_.errors, HasSubstr("left out 001, which is no member of the sweep of 000: integrator.dt (there "));
  EXPECT_EQ(table()[2].at(2), "no");
  simulate({"--set", "initial.eccentricity=0.3", "--task", "1", "--force"});
  EXPECT_EQ(table()[2].at(2), "no");
  EXPECT_THAT(last_.errors, HasSubstr("initial[0].eccentricity (there 0.3, here 0.5)"));
  simulate({"--task", "1", "--force", "--threads", "1", "--set", "title=\"again\""});
  const auto rows = table();
  EXPECT_EQ(last_.errors, "");
  EXPECT_THAT(rows[0], ElementsAre("task", "integrator.dt", "backend.threads", "title", "finished", "steps", "dt",
                                   "time", "state", "energy_error", "greatest_energy_error", "angular_momentum_error",
                                   "greatest_angular_momentum_error", "seconds", "G", "file", "energy_error_name",
                                   "massless_error", "massless_error_name"));
  EXPECT_THAT(std::vector(rows[2].begin(), rows[2].begin() + 5), ElementsAre("1", "0.05", "1", "again", "yes"));
}

/// Its members are those that `run` would reuse: titles and pictures of the scenario may differ, lists may have grown.
TEST_F(ProgramTable, ExtendedSweepIsOneTable) {
  write_sweep("[0.1, 0.05]", 0.5);
  simulate();
  write_sweep("[0.1, 0.05, 0.025, 0.0125]", 0.5, "# finer\ntitle = \"Finer\"\n");
  simulate({"--task", "3"});
  EXPECT_THAT(steps(), ElementsAre("task:integrator.dt", "0:0.1", "1:0.05", "2:0.025", "3:0.0125"));
  EXPECT_EQ(last_.errors, "");
  EXPECT_EQ(table()[3].at(2), "no");
}

/// Keys that only some kinds have, and bodies from a file.
TEST_F(ProgramTable, KindsAndFilesAreSwept) {
  const auto bodies = [&](const char* name, const char* x) {
    write(folder_ / name, fmt::format("mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n0.001,{},0,0,0,1,0\n", x));
  };
  bodies("a.csv", "1");
  bodies("b.csv", "2");
  write(folder_ / "s.toml",
        "[initial]\nkind = \"table\"\n[integrator]\ndt = 0.1\nsteps = 4\n[sweep]\nintegrator.kind = [\"leapfrog\", "
        "\"hermite4\", \"rk45\"]\ninitial.file = [\"a.csv\", \"b.csv\"]\n");
  simulate();
  EXPECT_EQ(table().size(), 7U);
  EXPECT_EQ(last_.errors, "");
  write(folder_ / "s.toml",
        "[initial]\nkind = \"table\"\nfile = \"a.csv\"\n[integrator]\ndt = 0.1\nsteps = 4\n[sweep]\n"
        "integrator.kind = [\"leapfrog\", \"hermite4\", \"rk45\"]\n");
  simulate({"-o", "f"});
  EXPECT_EQ(cells(orrery({"table", "f"}).output).size(), 4U);
  bodies("a.csv", "3");
  simulate({"-o", "f", "--task", "0", "--force"});
  simulate({"-o", "f", "--task", "1", "--force"});
  const Outcome other = orrery({"table", "f"});
  EXPECT_EQ(cells(other.output)[3].at(2), "no");
  EXPECT_THAT(other.errors, HasSubstr("left out 002, which is no member of the sweep of 000: initial[0].bodies"));
}

/// A sweep with all that formats must escape and round: texts, counts, powers of ten.
TEST_F(ProgramTable, Formats) {
  write(folder_ / "s.toml",
        "[initial]\nkind = \"two-body\"\n[integrator]\nkind = \"yoshida4\"\ndt = 0.05\n[sweep]\n"
        "combine = \"zip\"\n"
        "integrator.steps = [12345, 20]\ninitial.eccentricity = [0.123456789, 0.0]\n"
        "initial.component = [\"a_1|50%\", \"{b}\"]\n");
  simulate();
  const std::string csv = orrery({"table", "s"}).output;
  EXPECT_EQ(orrery({"table", "s", "--format", "csv"}).output, csv);
  EXPECT_THAT(csv, HasSubstr("\n0,12345,0.123456789,a_1|50%,yes,12345,0.05,617.25"));
  EXPECT_THAT(orrery({"table", "s", "--digits", "3"}).output,
              AllOf(HasSubstr("\n0,12345,0.123,a_1|50%,yes,12345,0.05,617,"), HasSubstr("," + cells(csv)[1][8] + ",")));

  const std::string markdown = orrery({"table", "s", "--format", "markdown"}).output;
  EXPECT_THAT(
      markdown,
      StartsWith("| task | `integrator.steps` | `initial.eccentricity` | `initial.component` | steps | t | state | "
                 "\\|ΔE\\|/\\|E₀\\|, final | \\|ΔE\\|/\\|E₀\\|, greatest | \\|ΔL\\|/\\|L₀\\|, greatest | "));
  EXPECT_THAT(markdown, HasSubstr("\n|---:|---:|---:|---|---:|---:|---|---:|---:|---:|---:|\n"
                                  "| 0 | 12345 | 0.1235 | a\\_1\\|50% | 12345 | 617.2 | " +
                                  cells(csv)[1][8] + " | "));
  EXPECT_EQ(std::ranges::count(markdown, '\n'), 4);

  const std::string latex = orrery({"table", "s", "--format", "latex", "--digits", "2"}).output;
  EXPECT_THAT(latex, StartsWith("\\begin{tabular}{rrrlrrlrrrr}\n\\hline\n"
                                "task & \\texttt{integrator.steps} & \\texttt{initial.eccentricity} & "
                                "\\texttt{initial.component} & steps & $t$ & state & "));
  EXPECT_THAT(latex, HasSubstr("0 & 12345 & 0.12 & a\\_1\\textbar{}50\\% & 12345 & $6.2\\times10^{2}$ & " +
                               cells(csv)[1][8] + " & "));
  EXPECT_THAT(latex, HasSubstr("& \\{b\\} &"));
  EXPECT_THAT(latex, ::testing::ContainsRegex(R"(\& \$[0-9.]+\\times10\^\{-[0-9]+\}\$ \&)"));
  EXPECT_THAT(latex, ::testing::EndsWith(" \\\\\n\\hline\n\\end{tabular}\n"));

  const Outcome none = orrery({"table", "s", "--format", "markdwon"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.errors,
            "orrery: there is no format of a table `markdwon`; did you mean `markdown`? (there are: csv, "
            "markdown, latex)\n");
  EXPECT_EQ(orrery({"table", "s", "--digits", "0"}).code, 2);
}

/// Columns of a report have units, each its own.
TEST_F(ProgramTable, ColumnsHaveUnitsAndNoDuplicates) {
  write(folder_ / "s.toml",
        "units = \"astronomical\"\n[initial]\nkind = \"two-body\"\n[integrator]\ntime = 1\n[sweep]\n"
        "integrator.dt = [0.125, 0.25]\n");
  simulate();
  EXPECT_THAT(orrery({"table", "s", "--format", "markdown"}).output,
              StartsWith("| task | `integrator.dt` | steps | state | "));
  std::filesystem::remove_all(folder_ / "s/001");
  EXPECT_THAT(orrery({"table", "s", "--format", "latex"}).output,
              AllOf(HasSubstr("task & \\texttt{integrator.dt} & finished & steps & $t$ [d] & "),
                    HasSubstr("\n1 & 0.25 & no &  &  & ")));
}

/// A foreign run beside members is not one of them; renamed members still form a sweep.
TEST_F(ProgramTable, OtherNames) {
  write_sweep("[0.1, 0.05]", 0.5);
  simulate();
  std::filesystem::copy(folder_ / "s/001", folder_ / "s/copy");
  EXPECT_THAT(steps(), ElementsAre("task:integrator.dt", "0:0.1", "1:0.05"));
  EXPECT_THAT(last_.errors,
              HasSubstr("left out copy, which is no member of the sweep of 000: its folder has no number"));
  std::filesystem::rename(folder_ / "s/000", folder_ / "s/coarse");
  std::filesystem::rename(folder_ / "s/001", folder_ / "s/fine");
  EXPECT_THAT(steps(), ElementsAre("task:integrator.dt", "coarse:0.1", "copy:0.05", "fine:0.05"));
  EXPECT_EQ(last_.errors, "");
}

}  // namespace
}  // namespace orrery::pipeline::testing
