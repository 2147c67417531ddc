// SPDX-License-Identifier: MIT
// Every kind of error in a scenario: one line that says where and what, often with a suggestion.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "pipeline/memory.hpp"
#include "pipeline/run/plan.hpp"
#include "pipeline/scenario/section.hpp"
#include "tests/complaint.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Refused {
  std::string text;
  std::string place;  ///< "line:column" in s.toml
  std::string words;
};

void expect_refused(const std::vector<Refused>& cases) {
  for (const Refused& c : cases) {
    const std::string message = refusal(c.text);
    EXPECT_THAT(message, StartsWith("s.toml:" + c.place + ": ")) << c.text;
    EXPECT_THAT(message, HasSubstr(c.words)) << c.text;
  }
}

/// The valid scenario with one more line, which is line 11.
TEST(ScenarioRefusal, ValidScenarioIsAccepted) {
  EXPECT_EQ(refusal(sound), "");
}

TEST(ScenarioRefusal, UnknownKeys) {
  expect_refused({
      {"titel = \"x\"\n" + sound, "1:1", "unknown key `titel`; did you mean `title`?"},
      {"xyzzyxyzzy = 1\n" + sound, "1:1", "unknown key `xyzzyxyzzy`"},
      {and_then("[intial]"), "11:2", "unknown key `intial`; did you mean `initial`?"},
      {and_then("[output]"), "11:2", "unknown key `output`"},
      {with(sound, "dt =", "dtt ="), "7:1", "unknown key `dtt`; did you mean `dt`?"},
      {with(sound, "masses =", "  mass ="), "3:3", "unknown key `mass`; did you mean `masses`?"},
      {and_then("[trajectory]\nvelocites = true"), "12:1", "did you mean `velocities`?"},
      {and_then("[force]\nsoftning = 0.1"), "12:1", "did you mean `softening`?"},
      {and_then("[backend]\nthread = 2"), "12:1", "did you mean `threads`?"},
      {and_then("[observables]\nevry = 2"), "12:1", "did you mean `every`?"},
      {and_then("[[initial]]\nkind = \"table\"\nbodies = [\n"
                "  { mass = 1, position = [1, 2, 3], velocity = [0, 0, 0] },\n"
                "  { mass = 1, postion = [1, 2, 3], velocity = [0, 0, 0] } ]"),
       "15:15", "unknown key `postion`; did you mean `position`?"},
  });
}

/// All of them at once, in the order of the file.
TEST(ScenarioRefusal, SeveralUnknownKeys) {
  const std::string bodies =
      "[[initial]]\nkind = \"table\"\nbodies = [\n"
      "  { mass = 1, position = [1, 2, 3], velocity = [0, 0, 0], nom = \"x\" },\n"
      "  { mass = 1, positon = [1, 2, 3], velocity = [0, 0, 0] } ]\n";
  EXPECT_EQ(refusal("titel = 1\n" + with(sound, "dt =", "dtt =") + bodies + "[force]\nsoftning = 1\n[outputs]\n"),
            "s.toml:1:1: unknown key `titel`; did you mean `title`?; "
            "s.toml:8:1: unknown key `dtt`; did you mean `dt`?; "
            "s.toml:15:59: unknown key `nom`; did you mean `name`?; "
            "s.toml:16:15: unknown key `positon`; did you mean `position`?; "
            "s.toml:18:1: unknown key `softning`; did you mean `softening`?; "
            "s.toml:19:2: unknown key `outputs` (there are: initial, perturb, domain, force, integrator, backend, "
            "trajectory, observables, figure, film, sweep, title, seed, units, epoch)");
  std::string many = "[force]\n";
  for (int k = 0; k < 200; ++k) many += "key" + std::to_string(k) + " = 1\n";
  EXPECT_THAT(refusal(and_then(many)), ::testing::EndsWith("; and 190 more"));
}

TEST(ScenarioRefusal, WrongTypes) {
  expect_refused({
      {"title = 3\n" + sound, "1:9", "`title` must be a text in quotes"},
      {"seed = \"one\"\n" + sound, "1:8", "`seed` must be a number"},
      {"seed = 1.5\n" + sound, "1:8", "`seed` must be a whole number"},
      {with(sound, "0.1", "true"), "7:6", "`dt` must be a number or a text in quotes"},
      {with(sound, "[1.0, 0.5]", "1.0"), "3:10", "`masses` must be an array"},
      {with(sound, "[1.0, 0.5]", "[1.0, \"a\"]"), "3:16", "`masses` must be a number, or with a unit"},
      {with(sound, "\"two-body\"", "2"), "2:8", "`kind` must be a text"},
      {with(sound, "\"two-body\"", "\"table\"\nbodies = [1]"), "4:1", "unknown key `masses`"},
      {and_then("[[initial]]\nkind = \"table\"\nbodies = [1]"), "13:11", "must be a table"},
      {and_then("[[initial]]\nkind = \"table\"\nbodies = 3"), "13:10", "`bodies` must be an array"},
      {and_then("[trajectory]\nvelocities = 1"), "12:14", "`velocities` must be true or false"},
      {"force = 1\n" + sound, "1:9", "`force` must be a table: write [force]"},
      {"initial = 1\n[integrator]\ndt = 1\nsteps = 1\n", "1:11", "`initial` must be a table"},
      {"initial = [1]\n[integrator]\ndt = 1\nsteps = 1\n", "1:12", "`initial` must be a table"},
  });
}

TEST(ScenarioRefusal, OutOfRange) {
  expect_refused({
      {"seed = -1\n" + sound, "1:8", "`seed` = -1 must be at least 0"},
      {with(sound, "0.1", "0"), "7:6", "`dt` must not be 0: a positive dt runs forward, a negative one backward"},
      {with(sound, "0.1", "\"-0/100 period\""), "7:6", "`dt` must not be 0"},
      {with(sound, "0.1", "nan"), "7:6", "`dt` must be finite"},
      {with(sound, "0.1", "inf"), "7:6", "`dt` must be finite"},
      {with(sound, "20", "-1"), "8:9", "`steps` = -1 must be in [0, 1e15]"},
      {with(sound, "20", "1e18"), "8:9", "`steps` = 1e18 must be in [0, 1e15]"},
      {with(sound, "0.5]", "-0.5]"), "3:16", "`masses` = -0.5 must be at least 0"},
      {with(sound, "0.5]", "nan]"), "3:16", "`masses` must be finite"},
      {with(sound, ", 0.5]", "]"), "3:10", "`masses` must have 2 entries, it has 1"},
      {with(sound, "[1.0, 0.5]", "[0, 0]"), "3:10", "no orbit: these masses do not attract each other"},
      {with(sound, "masses", "eccentricity = 1.0\nmasses"), "3:16", "`eccentricity` = 1 must be in [0, 1)"},
      {and_then("[trajectory]\nframes = 0"), "12:10", "`frames` = 0 must be at least 1"},
      {and_then("[trajectory]\nframes = 22"), "12:10", "at most 21"},
      {and_then("[trajectory]\nframes = 1_000_000_000_000"), "12:10", "at most 21"},
      {and_then("[trajectory]\ntimes = [0.0, 2.1]"), "12:9", "t = 2.1 is after the end of the run"},
      {and_then("[trajectory]\ntimes = []"), "12:9", "`times` is empty"},
      {and_then("[trajectory]\nstore = \"float16\""), "12:9", "did you mean `float64`?"},
      {and_then("[trajectory]\nfile = \"a/run.h5\""), "12:8", "must be a name with"},
      {and_then("[trajectory]\nfile = \"../run.h5\""), "12:8", "must be a name with"},
      {and_then("[trajectory]\nfile = \"/tmp/run.h5\""), "12:8", "must be a name with"},
      {and_then("[trajectory]\nfile = \"run\\u0000.h5\""), "12:8", "`file` has a zero byte"},
      {and_then("[trajectory]\nfile = \"run\\n.h5\""), "12:8", "must be a name with"},
      {and_then("[trajectory]\nfile = \"" + std::string(300, 'x') + ".h5\""), "12:8", "must be a name with"},
      {and_then("[trajectory]\nfile = \"run.txt\""), "12:8", ".h5, .hdf5 or .vtkhdf"},
      {and_then("[backend]\nthreads = 0"), "12:11", "must be in [1, 4096]"},
      {and_then("[[initial]]\nkind = \"random-cube\"\nn = 0"), "13:5", "`n` = 0 must be in [1, 1e8]"},
      {and_then("[[initial]]\nkind = \"random-cube\"\nn = 1e12"), "13:5", "`n` = 1e12 must be in [1, 1e8]"},
      {and_then("[[initial]]\nkind = \"random-cube\"\nmass = [2, 1]"), "13:8", "the lower limit must come first"},
  });
}

/// "a.a.a" of so many parts.
std::string parts(std::size_t count) {
  std::string key = "a";
  while (--count > 0) key += ".a";
  return key;
}

/// toml++ parses, moves and destroys nested tables by recursion.
TEST(ScenarioRefusal, DeepTextIsNotParsed) {
  constexpr std::size_t many = 35'000;
  const std::string long_key = "a key has at most 32 parts", deep = "arrays and tables are at most 32 deep";
  const auto repeated = [](const std::string& text) {
    std::string all;
    for (std::size_t k = 0; k < many; ++k) all += text;
    return all;
  };
  expect_refused({
      {parts(many) + " = 1\n" + sound, "1:64", long_key},
      {parts(33) + " = 1\n" + sound, "1:64", long_key},
      {and_then("[" + parts(many) + "]"), "11:65", long_key},
      {and_then("[[" + parts(many) + "]]"), "11:66", long_key},
      {"a = 'x' # '.\n" + with(sound, "\"two-body\"", "{ " + parts(many) + " = 1 }"), "3:73", long_key},
      {"a = " + repeated("["), "1:37", deep},
      {"a = " + repeated("{b="), "1:101", deep},
      {"a = \"\"\"\n\\\"\"\"\"\"\" " + repeated("["), "2:41", deep},
      {parts(32) + " = 1\n" + sound, "1:1", "unknown key `a`"},
      {"title = \"" + parts(many) + repeated("[") + "\"\nb = 1\n" + sound, "2:1", "unknown key `b`"},
      {"title = '''\n" + parts(many) + "''''\nb = 1\n" + sound, "3:1", "unknown key `b`"},
  });
}

/// The work of a suggestion is bounded, whatever the lengths of the words.
TEST(ScenarioRefusal, LongWordIsRefusedQuickly) {
  const std::string word(5'000'000, 'k');
  const std::clock_t begin = std::clock();  // of a processor, which other tests share
  EXPECT_THAT(refusal(word + " = 1\n" + sound), StartsWith("s.toml:1:1: unknown key `kkk"));
  EXPECT_THAT(refusal(with(sound, "two-body", word)), StartsWith("s.toml:2:8: there is no initial \"kkk"));
  const std::vector<std::string> names(20'000, word.substr(0, 255));
  const std::vector<std::string_view> views(names.begin(), names.end());
  EXPECT_EQ(suggestion(std::string(255, 'x'), views), "");
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5);
}

TEST(ScenarioRefusal, NoBodies) {
  const std::string table = "[[initial]]\nkind = \"table\"\nbodies = []\n", rest = "[[initial]]\nkind = \"plummer\"\n",
                    steps = "[integrator]\ndt = 0.1\nsteps = 3\n";
  for (const char* method : {"direct", "tree"}) {
    const std::string force = fmt::format("[force]\nmethod = \"{}\"\n", method);
    for (const auto& [text, place] :
         {std::pair{table + steps, "s.toml:3:10"}, std::pair{table + rest + steps, "s.toml:3:10"},
          std::pair{rest + table + steps, "s.toml:5:10"}}) {
      const Scenario scenario = parse_scenario(text + force, "s.toml");
      EXPECT_EQ(orrery::complaint([&] { (void)set_up_to_step(scenario); }, 2),
                place + std::string(": a table needs at least one body"));
    }
  }
}

TEST(ScenarioRefusal, Missing) {
  expect_refused({
      {"", "1:1", "there are no bodies"},
      {"# nothing but a comment\n", "1:1", "there are no bodies"},
      {"initial = []\n", "1:1", "there are no bodies"},
      {with(sound, "kind = \"two-body\"\n", ""), "1:1", "[initial] needs a `kind`: one of two-body"},
      {with(sound, "dt = 0.1\n", ""), "5:1", "[integrator] needs `dt`: time step"},
      {with(sound, "steps = 20\n", ""), "5:1", "[integrator] needs `time` or `steps`"},
      {"[initial]\nkind = \"two-body\"\n", "1:1", "[integrator] needs `dt`"},
      {and_then("[[initial]]\nkind = \"table\""), "12:8", "a table needs `bodies = […]` or `file = \"….csv\"`"},
      {and_then("[[initial]]\nkind = \"table\"\nbodies = []"), "13:10", "at least one body"},
      {and_then("[[initial]]\nkind = \"table\"\nbodies = [\n { mass = 1, position = [1, 2, 3] } ]"), "14:2",
       "this entry of `bodies` needs `velocity`"},
  });
}

TEST(ScenarioRefusal, UnknownKinds) {
  expect_refused({
      {with(sound, "two-body", "two-bodies"), "2:8", "there is no initial \"two-bodies\"; did you mean `two-body`?"},
      {with(sound, "two-body", ""), "2:8", "there is no initial \"\""},
      {with(sound, "leapfrog", "leap-frog"), "6:8",
       "there is no integrator \"leap-frog\"; did you mean `leapfrog`? (there are: symplectic-euler, leapfrog, "},
      // names that courses use
      {with(sound, "leapfrog", "verlet"), "6:8", "did you mean `leapfrog`?"},
      {with(sound, "leapfrog", "velocity-verlet"), "6:8", "did you mean `leapfrog`?"},
      {with(sound, "leapfrog", "euler"), "6:8", "did you mean `symplectic-euler`?"},
      {with(sound, "leapfrog", "rk"), "6:8", "did you mean `rk4`?"},
      {with(sound, "dt = 0.1", "timestep = 0.1"), "7:1", "did you mean `dt`?"},
      {with(sound, "steps = 20", "t_end = 20"), "8:1", "did you mean `time`?"},
      {with(sound, "kind = \"leapfrog\"", "method = \"leapfrog\""), "6:1", "did you mean `kind`?"},
      {and_then("[force]\neps = 0.1"), "12:1", "did you mean `softening`?"},
      {and_then("[trajectory]\ninterval = 3"), "12:1", "did you mean `every`?"},
      {and_then("[movie]\nfps = 25"), "11:2", "did you mean `film`?"},
      {with(sound, "leapfrog", "xyz"), "6:8", "there is no integrator \"xyz\" (there are: symplectic-euler, "},
      {and_then("[force]\nkind = \"grvity\""), "12:8", "did you mean `gravity`?"},
      {and_then("[backend]\nkind = \"cpus\""), "12:8", "did you mean `cpu`?"},
      {and_then("[backend]\nkind = \"gpu\""), "12:8", "did you mean `cuda`?"},
      {and_then("[domain]\nedges = [1.0, 1.0, 1.0]\n[[initial]]\nkind = \"lattice\"\nn = 1\ntemperature = 1.0"),
       "16:15", "choose a temperature of 0, or more bodies"},
  });
}

TEST(ScenarioRefusal, SecondPairForce) {
  expect_refused({
      {and_then("[[force]]\nkind = \"gravity\"\n[[force]]\nkind = \"gravity\""), "14:8",
       "only one pair force is supported"},
  });
}

/// Keys that are only for the tree, and what it cannot compute.
TEST(ScenarioRefusal, ForcesOfTheTree) {
  const auto tree = [](const std::string& more) { return and_then("[force]\nmethod = \"tree\"\n" + more); };
  expect_refused({
      {and_then("[force]\naccuracy = 1e-3"), "12:12", "`accuracy` is for method = \"tree\""},
      {and_then("[force]\nmethod = \"direct\"\nleaf = 8"), "13:8", "`leaf` is for method = \"tree\""},
      {tree("accuracy = 1e-5"), "13:12", "1e-2, 1e-3 or 1e-4"},
      {tree("order = 7"), "13:9", "order"},
      {tree("theta = 0.9"), "13:9", "theta"},
      {tree("kind = \"wca\""), "12:10", "is for laws without a cutoff, and wca has one"},
      {with(tree(""), "leapfrog", "hermite4"), "6:8", "hermite4 needs time derivatives of forces"},
      {tree("[backend]\nprecision = \"mixed\""), "14:13", "is not supported with method = \"tree\""},
      {and_then("[[force]]\nkind = \"gravity\"\n[[force]]\nkind = \"plummer-halo\"\nmass = 1.0\naccuracy = 1e-3"),
       "16:12", "an external field has no `accuracy`"},
  });
}

/// Keys that contradict a law with a cutoff, or one without.
TEST(ScenarioRefusal, ForcesOfShortRange) {
  const auto wca = [](const std::string& more) { return and_then("[force]\nkind = \"wca\"\n" + more); };
  const auto by = [&](const std::string& integrator) { return with(wca(""), "leapfrog", integrator); };
  expect_refused({
      {and_then("[force]\nmethod = \"bush\""), "12:10", "must be one of direct, cells, tree"},
      {and_then("[force]\nmethod = \"cels\""), "12:10", "did you mean `cells`?"},
      {and_then("[force]\nmethod = \"cells\""), "12:10", "\"cells\" needs a law with a cutoff, which gravity is not"},
      {and_then("[[force]]\n[[force]]\nkind = \"logarithmic-halo\"\nmethod = \"direct\""), "14:10",
       "an external field has no `method`"},
      {wca("softening = 0.1"), "13:1", "unknown key `softening`"},
      {wca("[backend]\nprecision = \"mixed\""), "14:13", "use \"float64\" or \"float32\""},
      {wca("method = \"direct\"\n[backend]\nprecision = \"float32\""), "13:10", "use \"cells\" for float32"},
      {by("hermite4"), "6:8", "hermite4 needs time derivatives of forces, which laws with a cutoff do not provide"},
      {by("ias15"), "6:8", "ias15 needs time derivatives of forces"},
      {wca("sigma = 0"), "13:9", "`sigma` = 0 must be greater than 0"},
      {wca(""), "3:10", "no orbit: these masses do not attract each other"},
      {with(wca(""), "kind = \"two-body\"\nmasses = [1.0, 0.5]",
            "kind = \"table\"\nbodies = [{ mass = 0, position = [0, 0, 0], velocity = [0, 0, 0] }]"),
       "3:11", "body 0 has no mass: its acceleration would be infinite"},
  });
}

TEST(ScenarioRefusal, Twice) {
  expect_refused({
      {with(sound, "dt = 0.1", "dt = 0.1\ndt = 0.2"), "8:6", "cannot redefine existing floating-point 'dt'"},
      {and_then("[integrator]\ndt = 1"), "11:1", "cannot redefine existing table 'integrator'"},
      {with(with(sound, "[integrator]", "[[integrator]]"), "steps = 20\n",
            "steps = 20\n[[integrator]]\ndt = 1\nsteps = 1\n"),
       "9:1", "only one [integrator] is allowed"},
      {with(sound, "steps = 20", "steps = 20\ntime = 2.0"), "8:9", "give `time` or `steps`, not both"},
      {and_then("[trajectory]\nframes = 3\nevery = 2"), "12:10", "one of `frames`, `every` and `times`"},
      {and_then("[observables]\nrows = 3\nevery = 2"), "12:8", "one of `rows`, `every` and `times`"},
      {and_then("[trajectory]\nspacing = \"log\""), "12:11", "\"log\" needs `frames`"},
      {and_then("[trajectory]\nframes = 3\nfirst = 0.1"), "13:9", "`first` goes with `every` or `spacing = \"log\"`"},
      {and_then("[trajectory]\nframes = 3\nspacing = \"log\"\nfirst = 2.1"), "14:9", "not after the end of the run"},
      {and_then("[trajectory]\nframes = 13\nspacing = \"log\"\nfirst = 1.0"), "12:10", "too few for 13: at most 12"},
      {and_then("[trajectory]\nevery = 3\ntimes = [0.0]"), "12:9", "one of `frames`, `every` and `times`"},
      {"units = \"si\"\n" + and_then("[force]\nG = 2.0"), "13:5",
       "`units` sets G = 6.6743e-11: remove one of the two keys"},
      {and_then("[[initial]]\nkind = \"table\"\nbodies = [\n"
                "  { name = \"Ida\", mass = 1, position = [1, 2, 3], velocity = [0, 0, 0] },\n"
                "  { name = \"Eva\", mass = 1, position = [1, 2, 3], velocity = [0, 0, 0] },\n"
                "  { name = \"Ida\", mass = 1, position = [1, 2, 3], velocity = [0, 0, 0] } ]"),
       "16:3", "two bodies are named \"Ida\""},
  });
}

TEST(ScenarioRefusal, BrokenToml) {
  expect_refused({
      {"title = \n", "1:9", ""},
      {"title = \"open\n", "1:14", ""},
      {"[initial\n", "1:9", ""},
      {"a = [[[[[[\n", "1:12", "end-of-file"},
      {"x = 9223372036854775808\n", "1:24", "not representable in 64 bits"},
      {std::string("\x7f") + "ELF\x02\x01\x01", "1:1", ""},
      {std::string("\xff\xfe\x00\x01", 4), "1:1", "UTF-8"},
  });
}

TEST(ScenarioRefusal, ColumnsCountCharacters) {
  expect_refused({{with(sound, "masses = [1.0,", "masses = [ \t -1.0,"), "3:14", "`masses` = -1"},
                  {"\"título\" = 1\n" + sound, "1:1", "unknown key `título`"},
                  {"title = \"三体\" x\n" + sound, "1:14", "expected a comment"}});
  EXPECT_EQ(refusal("title = \"Öpik–Kozai 三体\"\n" + sound), "");
}

TEST(ScenarioRefusal, LongLines) {
  EXPECT_EQ(refusal("title = \"" + std::string(1'000'000, 'x') + "\"\n" + sound), "");
  const std::string blanks(100'000, ' ');
  expect_refused({{"seed =" + blanks + "-1\n" + sound, "1:100007", "`seed` = -1"}});
}

TEST(ScenarioRefusal, MoreBodiesThanMemoryBeforeAllocation) {
  if (static_cast<double>(usable_memory()) > 55e9) GTEST_SKIP() << "this machine could hold them";
  const std::string text = with(sound, "kind = \"two-body\"\nmasses = [1.0, 0.5]", "kind = \"random-cube\"\nn = 1e8");
  try {
    (void)set_up_to_step(parse_scenario(text, "s.toml"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("s.toml:3:5: 1e8 bodies need "));
    EXPECT_EQ(error.fault(), Fault::request);
  }
}

}  // namespace
}  // namespace orrery::pipeline::testing
