// SPDX-License-Identifier: MIT
// Checks the rules of ARCHITECTURE.md: dependencies between folders and the places of third-party libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = ORRERY_SOURCE_DIR;

std::vector<fs::path> sources(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension();
    if (extension == ".hpp" || extension == ".cpp" || extension == ".cu" || extension == ".cuh")
      files.push_back(entry.path());
  }
  return files;
}

std::vector<std::string> lines(const fs::path& file) {
  std::vector<std::string> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

/// Whether the line has one of the words, which is found out sooner than whether it matches a regular expression.
bool has_one_of(const std::string& line, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return line.find(word) != std::string::npos; });
}

std::vector<std::string> includes(const fs::path& file) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^">]+)[">])");
  std::vector<std::string> all;
  std::smatch match;
  for (const std::string& line : lines(file)) {
    if (has_one_of(line, {"include"}) && std::regex_search(line, match, include)) all.push_back(match[1]);
  }
  return all;
}

TEST(Architecture, IncludesFollowTheDependencyGraph) {
  const std::map<std::string, std::set<std::string>> allowed{
      {"common", {"common"}},
      {"sim", {"sim", "common"}},
      {"render", {"render", "common"}},
      {"pipeline", {"pipeline", "sim", "render", "common"}},
  };
  for (const auto& [folder, may] : allowed) {
    ASSERT_FALSE(sources(folder).empty()) << folder;
    for (const auto& file : sources(folder)) {
      for (const std::string& header : includes(file)) {
        const std::string target = header.substr(0, header.find('/'));
        if (allowed.contains(target) && header.find('/') != std::string::npos) {
          EXPECT_TRUE(may.contains(target)) << file << " includes " << header;
        }
      }
    }
  }
}

TEST(Architecture, CommandImplementationsAreIncludedOnlyByTheirCommands) {
  static const std::regex client("^pipeline/(bench|validate|commands)/");
  std::size_t commands = 0;
  for (const std::string folder : {"common", "sim", "render", "pipeline"}) {
    for (const auto& file : sources(folder)) {
      const std::string name = fs::relative(file, root).generic_string(), parent = name.substr(0, name.rfind('/'));
      for (const std::string& header : includes(file)) {
        if (!std::regex_search(header, client) || header.starts_with(parent + "/")) continue;
        ++commands;
        EXPECT_TRUE(parent == "pipeline/commands" || name == "pipeline/main.cpp") << name << " includes " << header;
      }
    }
  }
  EXPECT_GE(commands, 2U);
}

TEST(Architecture, ForeignLibrariesStayInTheirFoldersAndOutOfPublicHeaders) {
  // Files that may include a library: those of one top-level folder, or fewer.
  const std::vector<std::pair<std::regex, std::regex>> borders{
      {std::regex("^vtk|^EGL/|^GL/"), std::regex("^render/(canvas/vtk_window|view/body_scene_vtk)\\.cpp$")},
      {std::regex("^libav|^libsw"), std::regex("^render/(film|metadata)/.*\\.cpp$|^render/film/av.*\\.hpp$")},
      {std::regex("^cairo"), std::regex("^render/canvas/(painter\\.[ch]pp|pdf\\.cpp)$")},
      {std::regex("^hdf5|^H5"), std::regex("^pipeline/trajectory")},
      {std::regex("^toml\\+\\+"),
       std::regex("^pipeline/(scenario/(section(_overrides|_reader|_retired)?|to_toml)|report)\\.(cpp|hpp)$")},
      {std::regex("^CLI/"), std::regex("^pipeline/commands/")},
      {std::regex("^mpi\\.h"), std::regex("^sim/ranks/mpi/")},
      {std::regex("^hwy/"), std::regex("^sim/backends/simd/lanes\\.hpp$")},
      {std::regex("^cuda"), std::regex("^sim/backends/|^render/point_cloud/gpu_light\\.cu$")},
  };
  for (const std::string folder : {"common", "sim", "render", "pipeline"}) {
    for (const auto& file : sources(folder)) {
      const std::string name = fs::relative(file, root).generic_string();
      for (const std::string& header : includes(file)) {
        for (const auto& [library, place] : borders) {
          if (std::regex_search(header, library)) {
            EXPECT_TRUE(std::regex_search(name, place)) << name << " includes " << header;
          }
        }
      }
    }
  }
}

TEST(Architecture, OutputGoesThroughEscapingFunctions) {
  static const std::regex raw(
      R"(fmt::print|\bv?f?printf|\bf?puts\(|\bf?putc|\bputchar|\bperror|std::c(out|err|log)\b)");
  std::size_t places = 0;
  for (const std::string folder : {"common", "sim", "render", "pipeline"}) {
    for (const auto& file : sources(folder)) {
      const std::string name = fs::relative(file, root).generic_string();
      for (const std::string& line : lines(file)) {
        if (!has_one_of(line, {"print", "put", "perror", "std::c"})) continue;
        if (!std::regex_search(line.substr(0, line.find("//")), raw)) continue;
        ++places;
        EXPECT_TRUE(name == "pipeline/commands/terminal.cpp") << name << ": " << line;
      }
    }
  }
  EXPECT_GE(places, 2U);
}

/// Every test named in SECURITY.md exists, and every line of its tables names one.
TEST(Architecture, TestsNamedInSecurityExist) {
  static const std::regex test(R"(^TEST(_F|_P)?\((\w+), (\w+)\))"), named(R"(`([A-Z]\w*)\.([A-Z]\w*)`)");
  std::set<std::string> there;
  std::smatch match;
  for (const auto& file : sources("tests")) {
    for (const std::string& line : lines(file)) {
      if (line.starts_with("TEST") && std::regex_search(line, match, test))
        there.insert(match.str(2) + "." + match.str(3));
    }
  }
  std::size_t promises = 0;
  bool tried = false;  // whether the line is in a table with a column of tests
  for (const std::string& line : lines(root / "SECURITY.md")) {
    if (!line.starts_with('|')) tried = false;
    std::size_t tests = 0;
    for (auto at = std::sregex_iterator(line.begin(), line.end(), named); at != std::sregex_iterator(); ++at, ++tests)
      EXPECT_TRUE(there.contains(at->str(1) + "." + at->str(2))) << at->str();
    if (tried && !line.starts_with("|---")) {
      EXPECT_GT(tests, 0U) << line;
      ++promises;
    }
    if (line.ends_with("| Test |")) tried = true;
  }
  EXPECT_GT(promises, 15U);
}

TEST(Architecture, FilesNameTheirLicence) {
  for (const std::string folder : {"common", "sim", "render", "pipeline", "tests"}) {
    for (const auto& file : sources(folder)) {
      const auto text = lines(file);
      ASSERT_FALSE(text.empty()) << file;
      EXPECT_EQ(text[0], "// SPDX-License-Identifier: MIT") << file;
    }
  }
}

/// Objects for one SIMD target must not define a function that the linker could use for all processors.
TEST(Architecture, SimdObjectsDefineOnlyTheirNamespace) {
  std::size_t objects = 0;
  for (const auto& entry : fs::recursive_directory_iterator(ORRERY_BINARY_DIR)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cpp.o") || path.find("orrery_simd_") == std::string::npos) continue;
    ++objects;
    const std::string command = "nm -C --defined-only '" + entry.path().string() + "'";
    FILE* nm = popen(command.c_str(), "r");
    ASSERT_NE(nm, nullptr);
    char line[4096];
    while (std::fgets(line, sizeof line, nm) != nullptr) {
      const std::string symbol = line;
      const bool shared = symbol.find(" W ") != std::string::npos || symbol.find(" T ") != std::string::npos;
      EXPECT_TRUE(!shared || symbol.find("orrery::sim::simd::") != std::string::npos) << entry.path() << ": " << symbol;
    }
    pclose(nm);
  }
  EXPECT_GE(objects, 1U);
}

/// The repository is public, so it must not contain absolute paths of a machine.
TEST(Architecture, NoAbsolutePaths) {
  static const std::regex path(R"((/home/|/root/|/Users/|/mnt/)\w)");
  for (const std::string folder : {"common", "sim", "render", "pipeline", "scenarios", "docs", "cmake"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || entry.path().extension() == ".png" || entry.path().extension() == ".gif")
        continue;
      for (const std::string& line : lines(entry.path())) {
        if (!has_one_of(line, {"/home/", "/root/", "/Users/", "/mnt/"})) continue;
        EXPECT_FALSE(std::regex_search(line, path)) << entry.path() << ": " << line;
      }
    }
  }
}

}  // namespace
