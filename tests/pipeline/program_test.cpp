// SPDX-License-Identifier: MIT
// The commands on the command line: their output, refusals and exit codes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/shipped_scenarios.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Program : public ::testing::Test {
 protected:
  Program() { write(folder_ / "s.toml", "title = \"A \\\"title\\\"\"\n" + sound); }

  /// Runs and expects an error with this exit code and these words, in one line, and no output.
  void expect_refused(int code, const std::string& words, const std::vector<std::string>& arguments) {
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.code, code) << outcome.errors;
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: "), HasSubstr(words)));
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }

  Folder folder_;
};

TEST_F(Program, HelpAndVersion) {
  const Outcome help = run(folder_, {});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.output, run(folder_, {"--help"}).output);
  for (const char* word : {"run", "simulate", "render", "check", "info", "table", "list", "new", "--version"}) {
    EXPECT_THAT(help.output, HasSubstr(std::string("  ") + word));
  }
  const Outcome version = run(folder_, {"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.output, ::testing::MatchesRegex("orrery [0-9.]+ .*\n"));
  EXPECT_THAT(run(folder_, {"run", "--help"}).output, HasSubstr("Usage: orrery run [OPTIONS] SCENARIO.toml"));
  for (const char* command : {"run", "simulate", "check", "info"})
    EXPECT_THAT(run(folder_, {command, "--help"}).output, HasSubstr("or a picture that orrery drew"));
  EXPECT_TRUE(is_picture("a.b/C.PNG") && is_picture("x.gif") && is_picture("y.Mp4"));
  EXPECT_FALSE(is_picture("png") || is_picture("a.png.h5") || is_picture("a.toml"));
}

/// Only what writes temporary files needs a folder for them.
TEST_F(Program, NeedsNoFolderForTemporaryFiles) {
  write(folder_ / "a file", "");
  for (const std::string& where : {std::string(), std::string("/nowhere"), (folder_ / "a file").string()}) {
    const Streams streams{.launcher = {"/usr/bin/env", "TMPDIR=" + where}};
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--version"}, {"list"}, {"study"}})
      EXPECT_EQ(run(folder_, words, streams).code, 0) << where;
    if (where.empty() || !draws_pictures()) continue;
    const Outcome outcome = run(folder_, {"bench", "--suite", "render", "--quick"}, streams);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(
        last_line(outcome.errors),
        fmt::format("orrery: TMPDIR={}: is not a folder: set it to one for temporary files, or give -o DIR", where));
  }
}

TEST_F(Program, RefusesUnknownArguments) {
  expect_refused(2, "there is no command `rnu`; did you mean `run`? (see `orrery --help`)", {"rnu"});
  expect_refused(2, "there is no command `s.toml`", {"s.toml"});
  expect_refused(2, "`orrery` has no flag `--verson`; did you mean `--version`?", {"--verson"});
  expect_refused(2, "`orrery run` has no flag `--forse`; did you mean `--force`? (see `orrery run --help`)",
                 {"run", "s.toml", "--forse"});
  expect_refused(2, "did you mean `--threads`?", {"run", "s.toml", "--thread=3"});
  expect_refused(2, "`--quiet` belongs after the command", {"--quiet", "run", "s.toml"});
  expect_refused(2, "`orrery list` has no flag `--json`", {"list", "--json"});
  expect_refused(2, "`orrery run` takes 1 argument: SCENARIO.toml", {"run"});
  expect_refused(2, "`orrery run` takes 1 argument: SCENARIO.toml", {"run", "s.toml", "t.toml"});
  expect_refused(2, "`orrery resume` has no flag `--digits` (see", {"resume", "run.h5", "--digits", "3"});
  expect_refused(2, "`orrery diff` takes 2 arguments", {"diff", "run.h5"});
  write(folder_ / "-x.toml", "");
  expect_refused(2, "`orrery check` has no flag `-x.toml`; the file is `./-x.toml`", {"check", "-x.toml"});
  expect_refused(2, "`orrery list` takes 0 to 2 arguments", {"list", "a", "b", "c"});
  expect_refused(2, "--threads: Value 0 not in range", {"run", "s.toml", "--threads", "0"});
  expect_refused(2, "--threads", {"run", "s.toml", "--threads", "many"});
  expect_refused(2, "there is no backend \"gpu\"", {"run", "s.toml", "--backend", "gpu"});
  expect_refused(2, "there is no backend \"a\"b\"", {"run", "s.toml", "--backend", "a\"b"});
}

TEST_F(Program, RefusedScenariosLeaveNoFiles) {
  write(folder_ / "bad.toml", with(sound, "dt =", "dtt ="));
  for (const char* command : {"run", "simulate", "check"}) {
    expect_refused(2, "bad.toml:7:1: unknown key `dtt`; did you mean `dt`?", {command, "bad.toml"});
    expect_refused(2, "--set integrator.steps=-3: `steps` = -3", {command, "s.toml", "--set", "integrator.steps=-3"});
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s"));
}

TEST_F(Program, InvalidScenarioFiles) {
  expect_refused(2, "nix.toml: there is no such file; `orrery new` writes a scenario to start from",
                 {"run", "nix.toml"});
  expect_refused(2, "s: there is no such file; did you mean `s.toml`?", {"run", "s"});
  std::filesystem::create_directory(folder_ / "dir.toml");
  expect_refused(2, "dir.toml: is a folder, not a scenario", {"run", "dir.toml"});
  expect_refused(2, "/dev/null: is a device, not a scenario", {"run", "/dev/null"});
  write(folder_ / "empty.toml", "");
  expect_refused(2, "empty.toml:1:1: there are no bodies: add [initial]", {"run", "empty.toml"});
  write(folder_ / "run.h5", "\x89HDF\r\n");
  expect_refused(2, "run.h5: not an HDF5 file", {"run", "run.h5"});
  expect_refused(2, "sh:1:", {"check", "/bin/sh"});  // an ELF file
}

/// The summary of a reused run is touched; otherwise Make would run it again each time.
TEST_F(Program, SummariesOfReusedRunsAreRewritten) {
  write(folder_ / "s.toml", sound);
  ASSERT_EQ(run(folder_, {"simulate", "s.toml", "--quiet"}).code, 0);
  const auto summary = folder_ / "s/summary.json";
  const auto before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(summary, before);
  ASSERT_EQ(run(folder_, {"simulate", "s.toml"}).code, 0);
  EXPECT_GT(std::filesystem::last_write_time(summary), before + std::chrono::minutes(30));
}

TEST_F(Program, List) {
  const Outcome all = run(folder_, {"list"});
  EXPECT_EQ(all.code, 0);
  for (const char* name : {"\n  two-body ", "\n  gravity ", "\n  leapfrog ", "\n  cpu ", "\n  lagrange ", "\n  run "}) {
    EXPECT_THAT(all.output, HasSubstr(name));
  }
  EXPECT_THAT(all.output, HasSubstr(run(folder_, {"list", "integrator"}).output));
  for (const auto& [name, text] : shipped_scenarios()) {
    EXPECT_EQ(run(folder_, {"list", "scenario", std::string(name)}).output, text);
  }
  EXPECT_THAT(run(folder_, {"list", "command", "info"}).output, HasSubstr("orrery info [OPTIONS] RUN.h5"));
  for (const char* section : {"domain", "trajectory", "observables", "backend", "sweep"}) {
    EXPECT_THAT(run(folder_, {"list", "section", section}).output, HasSubstr(fmt::format("\n[{}]\n", section)));
  }
  EXPECT_THAT(run(folder_, {"list", "section", "trajectory"}).output, HasSubstr("\n# bodies = [\"…\"] "));
  const std::string top = run(folder_, {"list", "section", "top"}).output;
  EXPECT_THAT(top, HasSubstr("\n# units = \"si\" "));
  EXPECT_THAT(top, HasSubstr("nbody | si | astronomical | galactic | au-yr | stellar | gadget | cgs\n"));
  EXPECT_THAT(top, Not(HasSubstr("\n[")));
  const std::string backend = run(folder_, {"list", "section", "backend"}).output;
  EXPECT_THAT(backend, HasSubstr("\n# kind = \"auto\" "));
  EXPECT_THAT(backend, HasSubstr("\n# threads = "));
  const std::string sweep = run(folder_, {"list", "section", "sweep"}).output;
  write(folder_ / "pasted.toml",
        top + "[initial]\nkind = \"two-body\"\n[integrator]\nsteps = 1\ndt = 0.1\n" + backend + sweep);
  EXPECT_THAT(run(folder_, {"check", "pasted.toml"}).output, HasSubstr("members")) << sweep;
  expect_refused(2, "there is no list `intial`; did you mean `initial`?", {"list", "intial"});
  expect_refused(2, "there is no initial `twobody`; did you mean `two-body`?", {"list", "initial", "twobody"});
}

TEST_F(Program, New) {
  EXPECT_THAT(run(folder_, {"new"}).output, HasSubstr("two-body\n"));
  for (const auto& [name, text] : shipped_scenarios()) {
    const std::string file = std::string(name) + ".toml";
    const Outcome outcome = run(folder_, {"new", std::string(name)});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.output, file + "\n");
    EXPECT_EQ(read(folder_ / file), text);
  }
  write(folder_ / "two-body.toml", "mine");
  expect_refused(2, "two-body.toml: already exists; --force replaces it", {"new", "two-body"});
  EXPECT_EQ(read(folder_ / "two-body.toml"), "mine");
  EXPECT_EQ(run(folder_, {"new", "two-body", "--force"}).code, 0);
  EXPECT_NE(read(folder_ / "two-body.toml"), "mine");
  std::filesystem::create_directory(folder_ / "dir");
  EXPECT_EQ(run(folder_, {"new", "two-body", "-o", "dir"}).output, "dir/two-body.toml\n");
  EXPECT_EQ(run(folder_, {"new", "two-body", "-o", "mine.toml"}).output, "mine.toml\n");
  expect_refused(2, "there is no scenario `two-bodies`; did you mean `two-body`?", {"new", "two-bodies"});
  expect_refused(1, "no/such/dir.toml: cannot be written: No such file", {"new", "two-body", "-o", "no/such/dir.toml"});
}

TEST_F(Program, Check) {
  const std::string finer = "integrator.dt=0.01";
  const Outcome plan = run(folder_, {"check", "s.toml", "--set", finer});
  EXPECT_EQ(plan.code, 0);
  for (const char* fact :
       {"title ", "A \"title\"", "bodies ", "20, to t = 0.2", "period 5.13", "E₀ = -0.25\n", "2T/|Σ m x·a| = 1.5",
        "frames ", "file size ", "memory ", "of stepping", "leapfrog, order 2"}) {
    EXPECT_THAT(plan.output, HasSubstr(fact));
  }
  EXPECT_THAT(plan.output, Not(HasSubstr("warning")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s"));
  const Outcome json = run(folder_, {"check", "s.toml", "--set", finer, "--json"});
  EXPECT_TRUE(is_json(json.output)) << json.output;
  for (const char* fact : {"\"bodies\": 2", "\"steps\": 20", "\"energy\": -0.25", "\"title\": \"A \\\"title\\\"\"",
                           "\"warnings\": []", "\"file_size\": "}) {
    EXPECT_THAT(json.output, HasSubstr(fact));
  }
}

/// However long the run: adaptive steps that become tiny, forces that take minutes, many members of a sweep.
TEST_F(Program, CheckAnswersInAMoment) {
  const auto scenario = [](const std::string& initial, const std::string& rest) {
    return "[initial]\n" + initial + rest;
  };
  const auto adaptive = [&](const char* kind) {
    return scenario("kind = \"plummer\"\nn = 30\nmass = 1e15\n",
                    fmt::format("[integrator]\nkind = \"{}\"\ndt = 0.01\nsteps = 1000\n", kind));
  };
  const std::string leapfrog =
      "[force]\nsoftening = 0.01\n[integrator]\ndt = 0.01\nsteps = 1000\n[trajectory]\nframes = 3\n";
  std::string seeds;
  for (int k = 0; k < 100'000; ++k) seeds += fmt::format("{}{}", k > 0 ? ", " : "", k);
  const struct {
    std::string text, words;
  } cases[] = {{adaptive("ias15"), "of one dt"},
               {adaptive("rk45"), "of one dt"},
               {adaptive("hermite4"), "of stepping"},
               {scenario("kind = \"plummer\"\nn = 200000\n", leapfrog), "roughly "},
               {scenario("kind = \"plummer\"\nn = 3\n", leapfrog + "[sweep]\nseed = [" + seeds + "]\n"),
                "100000 members are too many to check in a moment"}};
  for (const auto& [text, words] : cases) {
    write(folder_ / "s.toml", text);
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = run(folder_, {"check", "s.toml"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr(words));
    EXPECT_THAT(outcome.output, HasSubstr(" of stepping"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20))
        << "2 on a machine that is not loaded";
  }
}

/// An evaluation of these forces takes the reference many seconds, in which nothing looks at signals.
TEST_F(Program, HeedsASignalWithinASecondWhateverItDoes) {
  write(folder_ / "s.toml",
        "[initial]\nkind = \"random-cube\"\nn = 50000\n[force]\nsoftening = 0.1\n[integrator]\ndt = 0.1\nsteps = 10\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"simulate", "s.toml", "--backend", "reference"}, {"check", "s.toml"}}) {
    Running running(folder_, words);
    if (words.front() == "simulate") {
      ASSERT_TRUE(wait_until([&] { return running.heeds(SIGTERM) || running.ended(); }));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto begin = std::chrono::steady_clock::now();
    running.send(SIGTERM);
    EXPECT_EQ(running.wait().code, 143) << words.front();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3)) << words.front();
  }
}

TEST_F(Program, CheckWarns) {
  write(folder_ / "hot.toml",
        "[initial]\nkind = \"random-cube\"\nn = 20\nvelocity = [-50, 50]\n"
        "[integrator]\ndt = 10.0\nsteps = 5\n");
  const Outcome plan = run(folder_, {"check", "hot.toml"});
  for (const char* warning : {"warning: the softening of gravity is 0", "warning: dt is ", " times the shortest orbit",
                              "warning: the energy is positive"}) {
    EXPECT_THAT(plan.output, HasSubstr(warning));
  }
  EXPECT_THAT(run(folder_, {"check", "hot.toml", "--set", "integrator.dt=0.1"}).output, HasSubstr("dt is 1/"));
  EXPECT_TRUE(is_json(run(folder_, {"check", "hot.toml", "--json"}).output));
  // Values that can never fit are reported at their key.
  expect_refused(2, "--set trajectory.every=1: 1000000000000001 frames come to",
                 {"check", "s.toml", "--set", "integrator.steps=1e15", "--set", "trajectory.every=1"});
}

TEST_F(Program, Info) {
  ASSERT_EQ(run(folder_, {"simulate", "s.toml"}).code, 0);
  const Outcome info = run(folder_, {"info", "s/run.h5"});
  EXPECT_EQ(info.code, 0);
  for (const char* fact : {"A \"title\"", "20, finished", "0 … 2", "orrery simulate s.toml", "E₀ = -0.25,"}) {
    EXPECT_THAT(info.output, HasSubstr(fact));
  }
  const Outcome json = run(folder_, {"info", "s/run.h5", "--json"});
  EXPECT_TRUE(is_json(json.output)) << json.output;
  EXPECT_THAT(json.output, AllOf(HasSubstr("\"finished\": true"), HasSubstr("\"frames\": 21")));
  expect_refused(2, "nix.h5: ", {"info", "nix.h5"});
  expect_refused(1, "s.toml: not an HDF5 file", {"info", "s.toml"});
  expect_refused(1, "s: a folder", {"info", "s"});
}

TEST_F(Program, OutputErrorsAreReported) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"list"}, {"check", "s.toml"}, {"new"}, {"--help"}, {"simulate", "s.toml"}}) {
    const Outcome outcome = run(folder_, arguments, {.output = "/dev/full", .errors = ""});
    EXPECT_EQ(outcome.code, 1) << arguments.front();
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("orrery: "), HasSubstr("could not be written")));
  }
}

TEST(IsJson, AcceptsOnlyJson) {
  for (const char* good : {"{}", "[]", "1", " {\"a\": [1, -2.5e-3, \"x\\\"y\\u00e9\", true, null, {\"b\": {}}]}\n"}) {
    EXPECT_TRUE(is_json(good)) << good;
  }
  for (const char* bad :
       {"", "{", "{a: 1}", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\": inf}", "\"a", "\"\\x\"", "01", "{}{}"}) {
    EXPECT_FALSE(is_json(bad)) << bad;
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
