// SPDX-License-Identifier: MIT
// For a key in the wrong table the message names the table it belongs to.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/pictures/pictures.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::HasSubstr;

TEST(MisplacedKey, ErrorSaysWhereItBelongs) {
  EXPECT_EQ(refusal(with(sound, "kind = \"two-body\"", "kind = \"two-body\"\nunits = \"si\"")),
            "s.toml:3:1: unknown key `units`: it belongs at the top of the file, before the first table");
  EXPECT_EQ(refusal(and_then("[trajectory]\ntime = 3")),
            "s.toml:12:1: unknown key `time`; did you mean `times`? (`time` belongs to [integrator])");
  EXPECT_EQ(refusal(and_then("[trajectory]\ndt = 3")), "s.toml:12:1: unknown key `dt`: it belongs to [integrator]");
  EXPECT_EQ(refusal("dt = 3\n" + sound), "s.toml:1:1: unknown key `dt`: it belongs to [integrator]");
  EXPECT_EQ(refusal(sound, {"trajectory.threads=3"}),
            "--set trajectory.threads=3: unknown key `threads`: it belongs to [backend]");
  EXPECT_THAT(refusal(and_then("[trajectory]\nspacing = \"log\"\nrows = 4")),
              HasSubstr("unknown key `rows`: it belongs to [observables]"));
  EXPECT_THAT(refusal(and_then("[observables]\nsoftening = 0.1")), HasSubstr("`softening`: it belongs to [force]"));
  EXPECT_THAT(refusal(and_then("[observables]\ncombine = \"zip\"")), HasSubstr("`combine`: it belongs to [sweep]"));
  EXPECT_THAT(refusal(and_then("[observables.trajectory]\nframes = 3")),
              HasSubstr("unknown key `trajectory`: it is a table of its own: write [trajectory]"));
  EXPECT_THAT(refusal(and_then("[domain]\nlength = 2.0")), HasSubstr("unknown key `length`; did you mean `edges`?"));
  if (!draws_pictures()) return;
  const std::string panels = "[[figure]]\nkind = \"panels\"\nfile = \"a.png\"\n";
  EXPECT_THAT(refusal(and_then(panels + "panels = []")), HasSubstr("unknown key `panels`; did you mean `part`?"));
  const std::string words = refusal(and_then(panels + "qqqq = 1"));
  EXPECT_EQ(words.find("trails"), words.rfind("trails")) << words << ": once, although the kind describes it anew";
  EXPECT_THAT(refusal(and_then("[trajectory]\nfps = 25")), HasSubstr("`fps`: it belongs to [[film]]"));
  EXPECT_THAT(refusal(and_then("[trajectory]\ntheme = \"dark\"")),
              HasSubstr("`theme`: it belongs to [[figure]], [[film]]"));
}

TEST(MisplacedKey, ErrorNamesTheKindsThatHaveIt) {
  EXPECT_THAT(refusal(with(sound, "masses", "tolerance = 1\nmasses")),
              HasSubstr("unknown key `tolerance`: it belongs to [integrator] with kind = \"rk45\", \"ias15\""));
  EXPECT_EQ(refusal(with(sound, "dt = 0.1", "dt = 0.1\ntolerance = 1")),
            "s.toml:8:1: unknown key `tolerance`: it belongs to [integrator] with kind = \"rk45\", \"ias15\"");
}

TEST(MisplacedKey, IsFoundForEveryKeyOfEverySection) {
  constexpr std::string_view sections[] = {"",       "integrator", "trajectory", "observables", "initial",
                                           "domain", "force",      "perturb",    "backend"};
  for (const std::string_view home : sections) {
    for (const Parameter& key : section_keys(home)) {
      if (key.name == "kind") continue;
      for (const std::string_view other : sections) {
        if (other == home) continue;
        EXPECT_THAT(where_key_belongs(key.name, other),
                    HasSubstr(home.empty() ? "at the top of the file" : fmt::format("[{}]", home)))
            << key.name << " in " << other;
      }
    }
  }
  for (const auto* state : sim::initial_states()) {
    for (const Parameter& key : state->parameters)
      EXPECT_THAT(where_key_belongs(key.name, "trajectory"), HasSubstr("[initial]")) << key.name;
  }
  for (const char* table : {"figure", "film"}) {
    for (const auto& figure : figure_descriptions(table)) {
      for (const Parameter& key : figure.parameters) {
        if (key.name == "kind") continue;
        EXPECT_THAT(where_key_belongs(key.name, "trajectory"), HasSubstr(table)) << key.name;
      }
    }
  }
  EXPECT_EQ(where_key_belongs("parrot", "trajectory"), "");
}

}  // namespace
}  // namespace orrery::pipeline::testing
