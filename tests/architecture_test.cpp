// SPDX-License-Identifier: MIT
// Checks the rules of ARCHITECTURE.md: dependencies between folders and the places of third-party libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
      {std::regex("^vtk|^EGL/|^GL/"), std::regex("^render/module/opengl/(vtk_window|body_scene)\\.cpp$")},
      {std::regex("^libav|^libsw"),
       std::regex("^render/module/(av\\.[ch]pp|(codec|gif|video|join|film_metadata)\\.cpp)$")},
      {std::regex("^cairo|^ft2|^png"), std::regex("^render/module/(painter\\.[ch]pp|(pdf|text|png)\\.cpp)$")},
      {std::regex("^render/module/"), std::regex("^render/module/")},
      {std::regex("^hdf5|^H5"), std::regex("^pipeline/trajectory")},
      {std::regex("^toml\\+\\+"),
       std::regex("^pipeline/(scenario/(section(_overrides|_reader)?|to_toml)|report)\\.(cpp|hpp)$")},
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

/// Values are looked up by the names of their keys only where tables are read, and by plug-ins that declare these keys. All others
/// have typed values, and the tables of a scenario only for the places of complaints.
TEST(Architecture, OnlyReadersLookKeysUpByText) {
  static const std::regex looked_up(
      R"((->|\.)(boolean|integer|number|text|numbers|texts|records|columns|has)\("|\.given\()"),
      tables(R"(\.tables\.\w+)"), place(R"(\.tables\.\w+(\.section)?([,)]|\.complain\())");
  const std::regex reader(
      "^pipeline/scenario/"                                    // scenarios
      "|^pipeline/run/carried_runs\\.cpp$"                     // the tables of runs in a picture
      "|^pipeline/pictures/(picture(_keys|_plan)?\\.|charts)"  // figures and films, whose keys their plug-ins declare
      "|^sim/(forces|fields|initial_states)/");
  std::size_t readings = 0;
  for (const std::string folder : {"common", "sim", "pipeline"}) {
    for (const auto& file : sources(folder)) {
      const std::string name = fs::relative(file, root).generic_string();
      const bool reads = std::regex_search(name, reader);
      for (const std::string& line : lines(file)) {
        if (has_one_of(line, {"(\"", ".given("}) && std::regex_search(line, looked_up)) {
          ++readings;
          EXPECT_TRUE(reads) << name << ": " << line;
        }
        if (!reads && has_one_of(line, {"scenario.tables", "scenario_.tables"}) && std::regex_search(line, tables)) {
          EXPECT_TRUE(std::regex_search(line, place)) << name << ": " << line;
        }
      }
    }
  }
  EXPECT_GE(readings, 50U);
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

/// CMakeLists.txt says the version, and all else that is built takes it from there; two texts for people repeat it.
TEST(Architecture, OneVersion) {
  static const std::regex version(R"(^project\(\w+ VERSION ([0-9.]+) )"), heading(R"(^## ([0-9.]+), \d{4}-\d\d-\d\d$)");
  std::smatch match;
  const auto first_of = [&](const char* file, const std::regex& pattern) {
    for (const std::string& line : lines(root / file)) {
      if (std::regex_search(line, match, pattern)) return match.str(1);
    }
    return std::string("none");
  };
  const std::string ours = first_of("CMakeLists.txt", version);
  EXPECT_NE(ours, "none");
  EXPECT_EQ(first_of("CITATION.cff", std::regex("^version: (.*)")), ours);
  EXPECT_EQ(first_of("CHANGELOG.md", heading), ours) << "the newest release has a date";
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

/// The words and punctuation of a source that matter for where types are defined. Comments, strings, numbers and lines of the
/// preprocessor are left out.
std::vector<std::string> tokens_of(const fs::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<std::string> all;
  bool line_begins = true;
  const auto after = [&](std::string_view end, std::size_t at) {
    return std::min(text.find(end, at), text.size() - end.size()) + end.size();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const char c = rest.front();
    const bool first = std::exchange(line_begins, c == '\n' || (line_begins && c == ' '));
    if (rest.starts_with("//")) {
      at = after("\n", at), line_begins = true;
    } else if (rest.starts_with("/*")) {
      at = after("*/", at);
    } else if (rest.starts_with("R\"")) {
      at = after(")" + std::string(rest.substr(2, rest.find('(') - 2)) + "\"", at);
    } else if (c == '#' && first) {
      while (text[(at = after("\n", at)) - 2] == '\\') {
      }
      line_begins = true;
    } else if (c == '"' || c == '\'') {
      for (++at; text[at] != c; ++at) at += text[at] == '\\' ? 1 : 0;
      ++at;
    } else if (is_letter(c)) {
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      std::size_t end = at;
      while (end < text.size() && (is_letter(text[end]) || (number && (text[end] == '\'' || text[end] == '.')))) ++end;
      if (!number) all.push_back(text.substr(at, end - at));
      at = end;
    } else {
      const std::size_t length = rest.starts_with("::") ? 2 : 1;
      if (std::string_view("{};<>:=(),").find(c) != std::string_view::npos) all.push_back(text.substr(at, length));
      at += length;
    }
  }
  return all;
}

/// The name of a namespace or type whose body follows the tokens of a statement; empty for anything else.
struct Opened {
  bool is_namespace = false, is_type = false;
  std::string name{};  ///< "a::b"; empty for an unnamed namespace
};
Opened opened_by(std::span<const std::string> statement) {
  if (!statement.empty() && statement.front() == "template") {
    int depth = 0;
    std::size_t k = 1;
    for (; k < statement.size(); ++k) {
      depth += statement[k] == "<" ? 1 : statement[k] == ">" ? -1 : 0;
      if (depth == 0) break;
    }
    return opened_by(statement.subspan(std::min(k + 1, statement.size())));
  }
  if (!statement.empty() && statement.front() == "inline") statement = statement.subspan(1);
  if (statement.empty()) return {};
  if (statement.front() == "namespace") {
    Opened found{.is_namespace = true};
    for (const std::string& word : statement.subspan(1)) found.name += word;
    return found;
  }
  static const std::set<std::string> kinds{"struct", "class", "union", "enum"};
  if (!kinds.contains(statement.front())) return {};
  statement = statement.subspan(statement.size() > 1 && statement[1] == "class" ? 2 : 1);
  const bool defines = !statement.empty() && statement.front() != ":" &&
                       (statement.size() == 1 || statement[1] == ":" || statement[1] == "final");
  return defines ? Opened{.is_type = true, .name = statement.front()} : Opened{};
}

/// The names, with their namespaces, of types that a source defines.
struct Types {
  std::set<std::string> of_program;  ///< visible elsewhere
  std::set<std::string> of_file;     ///< in an unnamed namespace, which the name leaves out
};
Types types_of(const fs::path& file) {
  const std::vector<std::string> tokens = tokens_of(file);
  static const std::string unnamed = "unnamed";
  std::vector<std::string> scopes;  // "" if it is no namespace
  Types found;
  for (std::size_t i = 0, begin = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (token != "{" && token != "}" && token != ";") continue;
    if (token == "}" && !scopes.empty()) scopes.pop_back();
    if (token == "{") {
      const Opened opened = opened_by(std::span(tokens).subspan(begin, i - begin));
      std::string scope;
      for (const std::string& outer : scopes) scope += outer == unnamed ? "" : outer + "::";
      const bool hidden = std::ranges::find(scopes, unnamed) != scopes.end();
      if (opened.is_type && std::ranges::none_of(scopes, &std::string::empty))
        (hidden ? found.of_file : found.of_program).insert(scope + opened.name);
      scopes.push_back(!opened.is_namespace ? "" : opened.name.empty() ? unnamed : opened.name);
    }
    begin = i + 1;
  }
  return found;
}

/// A solver is known by its folder and its line in the list. A suite that measures one of them, and a study of a kernel, have
/// its name.
TEST(Architecture, NobodyNamesASolver) {
  const std::set<std::string> exempt{"sim/solver.cpp", "pipeline/bench/tree_suite.cpp",
                                     "pipeline/study/studies/cells.cpp"};
  std::string names;
  for (const auto& entry : fs::directory_iterator(root / "sim/solvers")) {
    if (entry.is_directory()) names += (names.empty() ? "" : "|") + entry.path().filename().string();
  }
  ASSERT_NE(names.find('|'), std::string::npos);
  const std::regex named("\"(" + names + ")\\\\?\"|solvers/(" + names + ")/|\\b(" + names + ")_solver\\b");
  std::size_t found = 0;
  for (const std::string folder : {"common", "sim", "render", "pipeline"}) {
    for (const auto& file : sources(folder)) {
      const std::string name = fs::relative(file, root).generic_string();
      if (name.starts_with("sim/solvers/")) continue;
      for (const std::string& line : lines(file)) {
        if (!has_one_of(line, {"\"", "solver"}) || !std::regex_search(line.substr(0, line.find("//")), named)) continue;
        ++found;
        EXPECT_TRUE(exempt.contains(name)) << name << ": " << line;
      }
    }
  }
  EXPECT_GE(found, 6U);  // the list itself
}

/// Two types of one name, in files that do not include each other, have undefined behaviour: the linker keeps one of their
/// functions for both. A type of one file alone does not have the name of another one in its namespace, since a name means
/// one thing. Files *_absent.cpp stand in for others.
TEST(Architecture, NoTwoTypesHaveOneName) {
  std::map<std::string, fs::path> where;
  std::multimap<std::string, fs::path> of_files;
  for (const std::string folder : {"common", "sim", "render", "pipeline", "tests"}) {
    for (const auto& file : sources(folder)) {
      if (file.filename().string().ends_with("_absent.cpp")) continue;
      const Types types = types_of(file);
      for (const std::string& type : types.of_program) {
        const auto [first, fresh] = where.emplace(type, file);
        EXPECT_TRUE(fresh) << type << " is defined in " << first->second << " and in " << file;
      }
      for (const std::string& type : types.of_file) of_files.emplace(type, file);
    }
  }
  for (const auto& [type, file] : of_files) {
    EXPECT_FALSE(where.contains(type)) << type << " is defined in " << where[type] << ", and has another meaning in "
                                       << file;
  }
  EXPECT_GE(where.size(), 500U);
  EXPECT_GE(of_files.size(), 300U);
  EXPECT_TRUE(where.contains("orrery::pipeline::Sweep"));
  EXPECT_TRUE(where.contains("orrery::sim::Backend"));
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

/// Two uses of the library in one process must not see each other: what can be written and lives as long as the process is named
/// here, with the reason.
TEST(Architecture, NothingOfTheProcessIsWritten) {
  static const std::vector<std::pair<std::string, std::regex>> allowed = {
      {"the program handles signals",
       std::regex(R"(pipeline::\(anonymous namespace\)::(caught|watched|objects|longest))")},
      {"of one thread: the pool and the number of threads of its loops",
       std::regex(R"(\(anonymous namespace\)::threads_in_use|thread_pool\(int\)::pool)")},
      {"made once, then only read",
       std::regex(
           R"(\)::(once|example|meaning|names|force_keys|list|all|quota|models|grain|encoding|heavy|plain|quiet)|)"
           R"(\) const::(none|below|grain|encoding))")},
      {"fonts, which a lock guards",
       std::regex(R"(lock_fonts\(\)::mutex|font\(bool\)::fonts|face_for_cairo\(bool\)::faces)")},
      {"FFmpeg's filters and the one OpenGL context of the process",
       std::regex(
           R"(Library::get\(\)::library|make_window\(\)::is_open|with_window\(.*\)::(window|thread)|pixels_of\(.*\)( const)?::renderer)")},
      {"GPUs that are connected once, under a lock; the profiler, which a process has once",
       std::regex(
           R"(cuda::Device::connect\(int\) const::(mutex|connected)|study::\(anonymous namespace\)::(collected|cupti\(\)::opened))")},
      {"constants that compilers do not mark as such: descriptions with pointers",
       std::regex(R"(::(parameters|keys|kinds|axes|axis_names|formats|quantities|frame_parts|part_names|k[A-Z]\w+|)"
                  R"(known_features|codecs_of_\w+|\w+_solver)$)")},
  };
  const std::string libraries = std::string(ORRERY_BINARY_DIR) + "/lib/";
  const std::string command =
      "cd '" + libraries + "' && nm -C -f sysv liborrery.so $(ls orrery_pictures.so orrery_opengl.so 2> /dev/null)";
  FILE* nm = popen(command.c_str(), "r");
  ASSERT_NE(nm, nullptr);
  char text[8192];
  std::size_t found = 0;
  static const std::regex writable(R"(^(.*?) *\|[^|]*\|[^|]*\|[^|]*\|[^|]*\|[^|]*\| *\.(data|bss|tdata|tbss)\s*$)");
  while (std::fgets(text, sizeof text, nm) != nullptr) {
    const std::string line = text;
    std::smatch parts;
    if (!has_one_of(line, {"|.data", "|.bss", "|.tbss", "|.tdata"}) || !std::regex_search(line, parts, writable))
      continue;
    const std::string name = parts[1];
    if (!name.starts_with("orrery::")) continue;  // guards and type information have other names
    ++found;
    EXPECT_TRUE(std::ranges::any_of(allowed, [&](const auto& one) { return std::regex_search(name, one.second); }))
        << name << " is written by all uses of the library: pass it in a Context";
  }
  EXPECT_EQ(pclose(nm), 0);
  EXPECT_GE(found, 30U);
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
