// SPDX-License-Identifier: MIT
// A run of massless bodies passes every command, with finite numbers throughout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(MasslessRun, IsAcceptedByEveryCommand) {
  const Folder folder;
  write(folder / "m.toml", R"([initial]
kind = "table"
bodies = [{ mass = 0, position = [1, 0, 0], velocity = [0, 1, 0] },
          { mass = 0, position = [0, 2, 0], velocity = [0, 0, 0.5] }]
[integrator]
dt = 0.01
steps = 100
[trajectory]
frames = 11
)" + std::string(figure_descriptions().empty() ? "" : R"([[figure]]
kind = "projection"
frame = "barycentric"
color_by = "mass"
file = "orbit.png"
size = [160, 120]
[[figure]]
kind = "energy-error"
file = "energy.svg"
size = [160, 120]
)"));
  const std::vector<std::vector<std::string>> commands = {
      {"check", "m.toml"},
      {"check", "m.toml", "--json"},
      {"run", "m.toml"},
      {"info", "m/run.h5", "--json"},
      {"verify", "m/run.h5"},
      {"table", "."},
      {"export", "m/run.h5", "--format", "json"},
  };
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0]);
    const Outcome outcome = run(folder, command);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, Not(ContainsRegex("[^a-z]nan[^a-z]")));
    EXPECT_THAT(outcome.output, Not(ContainsRegex("[^a-z]inf[^a-z]")));
    EXPECT_EQ(outcome.errors, "");
  }
  EXPECT_THAT(read(folder / "m/summary.json"), HasSubstr("\"greatest_energy_error\" : 0"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
