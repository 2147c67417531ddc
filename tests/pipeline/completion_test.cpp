// SPDX-License-Identifier: MIT
// The completion for bash, called as bash calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "pipeline/bench/suites.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/validate/suites.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto* entry : list) names.emplace_back(entry->name);
  return names;
}

class Completion : public ::testing::Test {
 protected:
  Completion() {
    write(folder_ / "a.toml", "");
    write(folder_ / "b.txt", "");
    write(folder_ / "r.h5", "");
    std::filesystem::create_directory(folder_ / "dir");
  }

  /// The completions of the last of these words.
  std::vector<std::string> after(const std::vector<std::string>& words) {
    std::string script = "cd '" + (folder_ / "").string() + "'; source '" ORRERY_SOURCE_DIR "/pipeline/orrery.bash'\n";
    script += "compopt() { :; }\nCOMP_WORDS=(";  // which works only while a key is being pressed
    for (const std::string& word : words) script += "'" + word + "' ";
    script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) + "\n_orrery '" ORRERY_PROGRAM "'\n";
    script += "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    write(folder_ / ".script", script);
    std::FILE* bash = ::popen(("bash '" + (folder_ / ".script").string() + "' 2>&1").c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer{};
    std::size_t n = 0;
    while ((n = std::fread(buffer.data(), 1, buffer.size(), bash)) > 0) text.append(buffer.data(), n);
    EXPECT_EQ(::pclose(bash), 0);
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) found.push_back(line);
    }
    return found;
  }

  Folder folder_;
};

TEST_F(Completion, Commands) {
  EXPECT_THAT(after({"orrery", ""}),
              ::testing::IsSupersetOf({"run", "simulate", "info", "list", "new", "bench", "--version"}));
  EXPECT_THAT(after({"orrery", "si"}), ElementsAre("simulate"));
  EXPECT_THAT(after({"orrery", "x"}), IsEmpty());
}

TEST_F(Completion, Flags) {
  EXPECT_THAT(after({"orrery", "run", "a.toml", "--"}),
              UnorderedElementsAre("--help", "--output", "--force", "--set", "--unset", "--backend", "--threads",
                                   "--device", "--quiet", "--task"));
  EXPECT_THAT(after({"orrery", "info", "--j"}), ElementsAre("--json"));
  EXPECT_THAT(after({"orrery", "bench", "--"}),
              UnorderedElementsAre("--help", "--suite", "--n", "--neighbours", "--all", "--quick", "--backend",
                                   "--threads", "--device", "--quiet", "--json", "--output", "--force"));
  EXPECT_THAT(after({"orrery", "bench", "--suite", ""}), UnorderedElementsAreArray(names_of(suites())));
  EXPECT_THAT(after({"orrery", "validate", "--suite", ""}), UnorderedElementsAreArray(names_of(validation_suites())));
  EXPECT_THAT(after({"orrery", "bench", "--n", ""}), IsEmpty());
  EXPECT_THAT(after({"orrery", "run", "a.toml", "--backend", ""}),
              UnorderedElementsAre("auto", "reference", "cpu", "cuda"));
  EXPECT_THAT(after({"orrery", "run", "a.toml", "--backend", "=", "cp"}), ElementsAre("cpu"));
  EXPECT_THAT(after({"orrery", "run", "a.toml", "--threads", ""}), IsEmpty());
}

/// Ranges of letters depend on the language: in Turkish, i is not between a and z.
TEST_F(Completion, UsesNoRangesOfLetters) {
  for (const char* script : {"/pipeline/orrery.bash", "/bootstrap"})
    EXPECT_EQ(read(std::string(ORRERY_SOURCE_DIR) + script).find("[a-z"), std::string::npos) << script;
}

TEST_F(Completion, ListsPlugins) {
  EXPECT_THAT(after({"orrery", "list", "in"}), UnorderedElementsAre("initial", "integrator"));
  EXPECT_THAT(after({"orrery", "list", "initial", "ta"}), ElementsAre("table"));
  EXPECT_THAT(after({"orrery", "list", "initial", "table", ""}), IsEmpty());
  EXPECT_THAT(after({"orrery", "new", "two"}), ElementsAre("two-body"));
}

TEST_F(Completion, Files) {
  EXPECT_THAT(after({"orrery", "run", ""}), UnorderedElementsAre("a.toml", "dir"));
  EXPECT_THAT(after({"orrery", "check", "a"}), ElementsAre("a.toml"));
  EXPECT_THAT(after({"orrery", "table", ""}), UnorderedElementsAre("r.h5", "dir"));
  EXPECT_THAT(after({"orrery", "export", ""}), UnorderedElementsAre("a.toml", "r.h5", "dir"));
  EXPECT_THAT(after({"orrery", "bench", "--json", "d"}), ElementsAre("dir"));
  EXPECT_THAT(after({"orrery", "info", "--json", ""}), UnorderedElementsAre("r.h5", "dir"));
  EXPECT_THAT(after({"orrery", "info", ""}), UnorderedElementsAre("r.h5", "dir"));
  for (const char* command : {"resume", "verify", "repair"})
    EXPECT_THAT(after({"orrery", command, ""}), UnorderedElementsAre("r.h5", "dir")) << command;
  EXPECT_THAT(after({"orrery", "diff", "r.h5", "r"}), ElementsAre("r.h5"));
  EXPECT_THAT(after({"orrery", "new", "two-body", "-o", "d"}), ElementsAre("dir"));
  EXPECT_THAT(after({"orrery", "run", "a.toml", "-o", ""}), Contains("b.txt"));
  write(folder_ / "film.webm", "");
  EXPECT_THAT(after({"orrery", "join", ""}), UnorderedElementsAre("film.webm", "dir"));
  EXPECT_THAT(after({"orrery", "render", "r.h5", "--piece", ""}), IsEmpty());
}

/// Every format that --help names, since each stores the run it shows.
TEST_F(Completion, OffersPicturesAsScenarios) {
  std::vector<std::string> pictures;
  std::istringstream words{std::string(picture_operand_note)};
  for (std::string word; words >> word;) {
    std::erase(word, ',');
    if (word.starts_with('.')) pictures.push_back("picture" + word);
  }
  ASSERT_GE(pictures.size(), 6U);
  for (const std::string& picture : pictures) {
    ASSERT_TRUE(is_picture(picture)) << picture;
    write(folder_ / picture, "");
  }
  for (const char* command : {"run", "simulate", "check", "info"})
    EXPECT_THAT(after({"orrery", command, "pic"}), UnorderedElementsAreArray(pictures)) << command;
}

}  // namespace
}  // namespace orrery::pipeline::testing
