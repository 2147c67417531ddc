// SPDX-License-Identifier: MIT
// Runs docs/tutorial.md: saves its files and executes its commands in order.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The commands of the page as one script, which saves each ```toml block under the name in the "Save as `…`:" before it.
std::string script_of(const std::string& page) {
  std::istringstream lines(page);
  std::string script = "set -e\n", name, block;
  for (std::string line; std::getline(lines, line);) {
    if (block.empty()) {
      if (line.starts_with("Save as `")) name = line.substr(9, line.find('`', 9) - 9);
      if (line == "```toml" || line == "```sh") block = line.substr(3);
      if (block == "toml") script += fmt::format("cat > {} <<'END OF FILE'\n", name);
    } else if (line == "```") {
      if (block == "toml") script += "END OF FILE\n";
      block.clear();
    } else {
      script += line + "\n";
    }
  }
  return script;
}

TEST(Tutorial, CommandsRunAsPrinted) {
  if (!draws_pictures()) GTEST_SKIP() << "a build without pictures";
  const Folder folder;
  write(folder / "page.sh", script_of(read(std::filesystem::path(ORRERY_SOURCE_DIR) / "docs/tutorial.md")));
  const std::string program = std::filesystem::path(ORRERY_PROGRAM).parent_path().string();
  const int status = std::system(
      fmt::format("cd '{0}' && PATH='{1}':\"$PATH\" sh page.sh > output 2> errors", (folder / "").string(), program)
          .c_str());
  const std::string output = read(folder / "output"), errors = read(folder / "errors");
  EXPECT_EQ(status, 0) << output << errors;
  EXPECT_THAT(errors, Not(HasSubstr("|ΔE|/|E₀| reached"))) << "no task shows a run that cannot be trusted";
  for (const char* made : {"moon/distance.png", "moon/energy.png", "disk/face-on.png", "disk/speeds.png", "moon.csv",
                           "compare/leapfrog/orbit.png", "compare.png", "sweep/convergence.png", "sweep.tex",
                           "energy-convergence.pdf", "arenstorf/arenstorf.mp4", "energy.pdf", "slide.gif"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / made)) << made;
  }
  EXPECT_THAT(output, HasSubstr("all positions were shifted by 4.47e+05 m"));
  EXPECT_THAT(read(folder / "sweep.tex"), HasSubstr("\\begin{tabular}"));
  EXPECT_LT(std::filesystem::file_size(folder / "slide.gif"), 8'000'000U);
}

}  // namespace
}  // namespace orrery::pipeline::testing
