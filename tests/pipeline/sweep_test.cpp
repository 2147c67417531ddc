// SPDX-License-Identifier: MIT
// [sweep]: the members that lists produce, and every error message at its place.
#include "pipeline/run/sweep.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <set>

#include "tests/complaint.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The valid scenario with a sweep, which begins on line 11.
std::string swept_by(const std::string& lists) {
  return sound + "[sweep]\n" + lists + "\n";
}

std::vector<std::string> names(const std::string& lists, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> all;
  for (const Member& member : parse_sweep(swept_by(lists), "s.toml", overrides).members) {
    EXPECT_EQ(member.task, all.size());
    all.push_back(member.name());
  }
  return all;
}

/// The message with which a sweep is refused, for its lists or for its first invalid member.
std::string sweep_refusal(const std::string& lists, const std::vector<std::string>& overrides = {}) {
  try {
    for (const Member& member : parse_sweep(swept_by(lists), "s.toml", overrides).members) {
      std::vector<std::string> all = overrides;
      all.insert(all.end(), member.overrides.begin(), member.overrides.end());
      member.with_context([&] { return set_up(parse_scenario(swept_by(lists), "s.toml", all)); });
    }
  } catch (const Error& error) {
    std::string message = error.what();
    EXPECT_EQ(error.fault(), Fault::request) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  return "";
}

TEST(Sweep, IsAbsent) {
  EXPECT_TRUE(parse_sweep(sound, "s.toml").members.empty());
}

TEST(Sweep, LastKeyIsFastest) {
  EXPECT_THAT(names("seed = [1, 2]\n\"integrator.dt\" = [0.1, 0.05, 0.025]"),
              ElementsAre("seed=1, integrator.dt=0.1", "seed=1, integrator.dt=0.05", "seed=1, integrator.dt=0.025",
                          "seed=2, integrator.dt=0.1", "seed=2, integrator.dt=0.05", "seed=2, integrator.dt=0.025"));
}

/// Members follow the order of the file, not the alphabet; keys with quotes or without.
TEST(Sweep, OrderIsThatOfTheFile) {
  EXPECT_THAT(
      parse_sweep(swept_by("seed = [1]\n\"integrator.dt\" = [0.1]\nforce.softening = [0]\n"
                           "\"initial[0].eccentricity\" = [0.5]\nintegrator.kind = [\"leapfrog\"]\ntitle = [\"a\"]\n"
                           "[sweep.backend]\nthreads = [1]\n"),
                  "s.toml")
          .keys,
      ElementsAre("seed", "integrator.dt", "force.softening", "initial[0].eccentricity", "integrator.kind", "title",
                  "backend.threads"));
}

TEST(Sweep, ValuesOfEveryKindAreWrittenAsToml) {
  EXPECT_THAT(names("initial.masses = [[1, 0.5], [1e-300, 2]]"),
              ElementsAre("initial.masses=[1, 0.5]", "initial.masses=[1e-300, 2]"));
  EXPECT_THAT(
      names("integrator.dt = [\"1/500 period\", 0.1, 0.0001, 1]"),
      ElementsAre("integrator.dt=\"1/500 period\"", "integrator.dt=0.1", "integrator.dt=0.0001", "integrator.dt=1"));
  EXPECT_THAT(names("initial.recentre = [true, false]"),
              ElementsAre("initial.recentre=true", "initial.recentre=false"));
  EXPECT_THAT(names("title = ['a \"b\" \\', \"\"\"two\nlines\"\"\"]"),
              ElementsAre("title=\"a \\\"b\\\" \\\\\"", "title=\"two\\nlines\""));
  EXPECT_THAT(names("force = [{ kind = \"gravity\", softening = 0.5 }]"),
              ElementsAre("force={ \"kind\" = \"gravity\", \"softening\" = 0.5 }"));
}

TEST(Sweep, Zip) {
  EXPECT_THAT(names("combine = \"zip\"\nseed = [1, 2, 3]\nintegrator.dt = [0.1, 0.05, 0.025]"),
              ElementsAre("seed=1, integrator.dt=0.1", "seed=2, integrator.dt=0.05", "seed=3, integrator.dt=0.025"));
  EXPECT_EQ(names("combine = \"product\"\nseed = [1, 2]\ninitial.eccentricity = [0, 0.5]").size(), 4U);
}

/// `combine` is a string, so a list under a key of that name would be a sweep; but there is no such key.
TEST(Sweep, TablesSetTheirKeysTogether) {
  const std::string lists = "integrator = [{kind = \"leapfrog\"}, {eta = 0.02, kind = \"hermite4\"}]\nseed = [1, 2]";
  EXPECT_THAT(names(lists), ElementsAre("integrator.kind=\"leapfrog\", seed=1", "integrator.kind=\"leapfrog\", seed=2",
                                        "integrator.kind=\"hermite4\", integrator.eta=0.02, seed=1",
                                        "integrator.kind=\"hermite4\", integrator.eta=0.02, seed=2"));
  EXPECT_THAT(parse_sweep(swept_by(lists), "s.toml").keys, ElementsAre("integrator.kind", "integrator.eta", "seed"));
  EXPECT_EQ(sweep_refusal(lists), "");
  EXPECT_EQ(parse_sweep(swept_by("force = [{ kind = \"gravity\" }]"), "s.toml").keys, std::vector<std::string>{"force"})
      << "another table replaces the section, as ever";
}

TEST(Sweep, CombineIsNotASweptKey) {
  for (const Parameter& key : section_keys("")) EXPECT_NE(key.name, "combine");
  EXPECT_THAT(refusal("combine = 1\n" + sound), HasSubstr("unknown key `combine`"));
}

TEST(Sweep, SetChangesLists) {
  EXPECT_THAT(names("seed = [1, 2]", {"sweep.seed=[7]"}), ElementsAre("seed=7"));
  EXPECT_THAT(names("seed = [1, 2]", {"sweep.integrator.dt=[0.1]"}),
              ElementsAre("seed=1, integrator.dt=0.1", "seed=2, integrator.dt=0.1"));
  EXPECT_THAT(names("seed = [1, 2]", {"force.G=2"}), ElementsAre("seed=1", "seed=2"));
}

TEST(Sweep, MembersAreTheScenarioWithTheirValues) {
  const std::string text = swept_by("\"initial[0].eccentricity\" = [0.1, 0.5]\ninitial.masses = [[1, 0.5], [3, 2]]");
  const auto members = parse_sweep(text, "s.toml").members;
  ASSERT_EQ(members.size(), 4U);
  std::set<std::map<std::string, std::string>> different;
  for (const Member& member : members) {
    const Scenario scenario = parse_scenario(text, "s.toml", member.overrides);
    different.insert(physics_texts(scenario, set_up(scenario)));
    EXPECT_THAT(resolved(scenario), Not(HasSubstr("sweep")));
    EXPECT_TRUE(parse_sweep(resolved(scenario), "resolved").members.empty());
  }
  EXPECT_EQ(different.size(), 4U);
  EXPECT_EQ(setup_of(text, members[1].overrides).model.bodies.mass, (std::vector<double>{3, 2}));
}

TEST(Sweep, FoldersHaveAsManyDigitsAsNeeded) {
  std::string seeds;
  for (int k = 0; k < 1001; ++k) seeds += std::to_string(k) + ", ";
  const Sweep many = parse_sweep(swept_by("seed = [" + seeds + "]"), "s.toml"),
              few = parse_sweep(swept_by("seed = [1, 2]"), "s");
  EXPECT_EQ(many.folder(many.members[7]), "0007");
  EXPECT_EQ(many.folder(many.members[1000]), "1000");
  EXPECT_EQ(few.folder(few.members[1]), "001");
}

/// The lists are compared by name in less than the square of their number.
TEST(Sweep, HostileListsAreRefusedQuickly) {
  std::string deep = "a", many = "[sweep]\n";
  for (int k = 0; k < 60'000; ++k) deep += ".a";
  EXPECT_EQ(orrery::complaint([&] { (void)parse_sweep("[sweep]\n\"" + deep + "\" = [1]\n", "s.toml"); }, 2),
            "s.toml:2:120007: a key has at most 32 parts");
  for (int k = 0; k < 100'000; ++k) many += fmt::format("\"a{}.b\" = [1]\n", k);
  const std::clock_t begin = std::clock();  // of a processor, which other tests share
  EXPECT_EQ(parse_sweep(many, "s.toml").keys.size(), 100'000U);
  EXPECT_THAT(orrery::complaint([&] { (void)parse_sweep(many + "\"a7 .b\" = [1]\n", "s.toml"); }, 2),
              HasSubstr("has two lists"));
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10);
}

TEST(Sweep, RefusedLists) {
  struct Case {
    std::string lists, place, words;
  };
  const Case cases[] = {
      {"", "11:1", "[sweep] has no list"},
      {"combine = \"zip\"", "11:1", "[sweep] has no list"},
      {"integrator.dt = 0.1", "12:17", "`integrator.dt` must be a list: [0.1, …]"},
      {"seed = [1]\ninitial.masses = []", "13:18", "`initial.masses` has no values"},
      {"combine = \"zpi\"\nseed = [1]", "12:11", "must be one of product, zip; did you mean `zip`?"},
      {"combine = 3\nseed = [1]", "12:11", "`combine` = 3 must be one of product, zip"},
      {"combine = \"zip\"\nseed = [1, 2]\nintegrator.dt = [0.1]", "14:17",
       "`integrator.dt` has 1 values and `seed` has 2: zipped lists need equal lengths"},
      {"\"integrator.dt\" = [0.1]\nintegrator.dt = [0.1]", "13:17", "`integrator.dt` has two lists"},
      {"\"initial[0].eccentricity\" = [0.1]\ninitial.eccentricity = [0.1]", "13:24", "has two lists"},
      {"\"seed=3\" = [1]", "12:12", "`seed=3` is not a key of a scenario"},
      {"sweep.seed = [1]", "12:14", "`sweep.seed` is not a key of a scenario"},
      {"integrator = [{}]", "12:15", "a table without keys sets nothing"},
      {"integrator = [{kind = \"rk4\"}, \"rk4\"]", "12:14", "`integrator` has values and tables"},
      {"integrator = [{dt = 0.1}]\n\"integrator.dt\" = [0.1]", "13:19", "`integrator.dt` has two lists"},
  };
  for (const Case& c : cases) {
    const std::string message = sweep_refusal(c.lists);
    EXPECT_THAT(message, StartsWith("s.toml:" + c.place + ": ")) << c.lists;
    EXPECT_THAT(message, HasSubstr(c.words)) << c.lists;
  }
  std::string long_list = " = [0";
  for (int k = 0; k < 999; ++k) long_list += ",0";
  long_list += "]\n";
  EXPECT_THAT(sweep_refusal("a" + long_list + "b" + long_list),
              StartsWith("s.toml:13:5: [sweep] has more than 100000"));
}

/// Errors are reported at the entry of the list, with the name of its member.
TEST(Sweep, RefusedValues) {
  struct Case {
    std::string lists, place, words;
  };
  const Case cases[] = {
      {"integrator.dtt = [0.1]", "12:19", "unknown key `dtt`; did you mean `dt`? (task 0: integrator.dtt=0.1)"},
      {"integrator = [{dt = 0.1},\n  {dtt = 0.1}]", "13:3",
       "unknown key `dtt`; did you mean `dt`? (task 1: integrator.dtt=0.1)"},
      {"sed = [1]", "12:8", "unknown key `sed`; did you mean `seed`?"},
      {"seed = [1, 2]\n\"integrator.dt\" = [0.1,\n  0.0]", "14:3",
       "`dt` must not be 0: a positive dt runs forward, a negative one backward (task 1: seed=1, integrator.dt=0.0)"},
      {"integrator.kind = [\"leapfrog\", \"leapfrgo\"]", "12:32", "did you mean `leapfrog`?"},
      {"seed = [1, \"two\"]", "12:12", "`seed` must be a number"},
      {"initial.masses = [1, 2]", "12:19", "`masses` must be an array"},
      {"initial.masses = [[1, 2], [1, 2, 3]]", "12:27", "`masses` must have 2 entries, it has 3"},
      {"\"initial[3].eccentricity\" = [0.5]", "12:30", "`initial` has only 1 entry"},
      {"\"initial[x].eccentricity\" = [0.5]", "12:30", "write an index as name[0]"},
      // An error of two keys together: reported at the other key, naming the value.
      {"seed = [1, 2]\nforce.kind = [\"wca\"]", "3:10", "seed=1, force.kind=\"wca\"; see s.toml:12:9, s.toml:13:15)"},
  };
  for (const Case& c : cases) {
    const std::string message = sweep_refusal(c.lists);
    EXPECT_THAT(message, StartsWith("s.toml:" + c.place + ": ")) << c.lists;
    EXPECT_THAT(message, HasSubstr(c.words)) << c.lists;
  }
}

TEST(Sweep, RefusedWithSet) {
  EXPECT_THAT(
      sweep_refusal("integrator.dt = [0.1]", {"integrator[0].dt = 3"}),
      StartsWith("--set integrator[0].dt = 3: [sweep] has a list for this key; --set 'sweep.integrator.dt=[…]'"));
  EXPECT_THAT(sweep_refusal("seed = [1]", {"sweep.seed=[1, -2]"}),
              StartsWith("--set sweep.seed=[1, -2]: `seed` = -2 must be at least 0 (task 1: seed=-2)"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
