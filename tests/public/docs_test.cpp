// SPDX-License-Identifier: MIT
// docs/library.md shows the programs that are built and run.
#include "tests/public/support.hpp"

namespace orrery_test {
namespace {

std::string source(const std::string& file) {
  return read(std::string(ORRERY_SOURCE_DIR) + "/" + file);
}

TEST(PublicDocs, ShowTheProgramsThatAreTested) {
  const std::string page = source("docs/library.md");
  for (const auto& [language, file] :
       {std::pair("cpp", "program1.cpp"), std::pair("c", "program1.c"), std::pair("toml", "program1.toml")}) {
    const std::string text = source(std::string("tests/consumer/") + file);
    ASSERT_FALSE(text.empty()) << file;
    EXPECT_THAT(page, ::testing::HasSubstr("```" + std::string(language) + "\n" + text + "```\n")) << file;
  }
}

TEST(PublicDocs, NameFunctionsThatThereAre) {
  const std::string page = source("docs/library.md"), header = source("pipeline/public/orrery.h");
  for (std::size_t at = page.find("orrery_"); at != std::string::npos; at = page.find("orrery_", at + 1)) {
    const std::size_t end = page.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at);
    const std::string name = page.substr(at, end - at);
    if (name.ends_with('_') || page[end] == 'X' || page.compare(end, 3, ".so") == 0)
      continue;  // orrery_X_create, modules
    EXPECT_THAT(header, ::testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace orrery_test
