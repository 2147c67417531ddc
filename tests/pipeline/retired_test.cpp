// SPDX-License-Identifier: MIT
// Keys that later versions no longer have: ignored in runs and pictures, refused in new scenarios.
#include "pipeline/scenario/retired.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::ElementsAre;

constexpr Retired retired_keys[] = {
    {.table = "backend", .key = "unroll", .since = "0.3"},
    {.table = "backend", .key = "kernel", .value = "\"direct\"", .instead = "\"auto\"", .since = "0.3"},
    {.table = "initial", .key = "kind", .value = "\"pair\"", .instead = "\"two-body\"", .since = "0.4"},
    {.table = "figure.part", .key = "shine", .since = "0.5"},
    {.table = "", .key = "author", .since = "0.2"},
};

const std::string old = R"(author = "me"
[[initial]]
kind = "pair"
[[initial]]
kind = "two-body"
[backend]
unroll = 4
kernel = "direct"
[[figure]]
kind = "panels"
[[figure.part]]
shine = 2
[[figure]]
kind = "panels"
[[figure.part]]
kind = "view3d"
[[figure.part]]
shine = 3
)";

TEST(Retired, KeysInArchivedScenariosAreIgnored) {
  const Document document(old, "old.png", {}, true, retired_keys);
  EXPECT_THAT(document.notes(),
              ElementsAre("old.png:7:10: `backend.unroll` was removed in version 0.3, and is ignored",
                          "old.png:8:10: `backend.kernel = \"direct\"` is called \"auto\" since version 0.3",
                          "old.png:3:8: `initial.kind = \"pair\"` is called \"two-body\" since version 0.4",
                          "old.png:12:9: `figure.part.shine` was removed in version 0.5, and is ignored",
                          "old.png:18:9: `figure.part.shine` was removed in version 0.5, and is ignored",
                          "old.png:1:10: `author` was removed in version 0.2, and is ignored"));
  constexpr std::string_view kinds[] = {"two-body"};
  EXPECT_EQ(document.kind("initial", 0, kinds, ""), "two-body");
  EXPECT_EQ(document.where("backend", 0, "unroll"), std::nullopt);
  EXPECT_EQ(document.table("backend", 0, {{.name = "kernel", .kind = Kind::text, .meaning = "x"}})->text("kernel"),
            "auto");
}

TEST(Retired, KeysInNewScenariosAreRefused) {
  const auto words = [](const std::string& text) -> std::string {
    try {
      (void)Document(text, "s.toml", {}, false, retired_keys);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(words("[backend]\nunroll = 4"), "s.toml:2:10: `backend.unroll` was removed in version 0.3: leave it out");
  EXPECT_EQ(words("[initial]\nkind = \"pair\""),
            "s.toml:2:8: `initial.kind = \"pair\"` was removed in version 0.4: write \"two-body\"");
  EXPECT_EQ(words("[backend]\nkernel = \"tiled\""), "") << "another value";
}

/// Retired keys for kernel launches are ignored silently in files that have them.
TEST(Retired, KernelLaunchKeysAreIgnored) {
  const std::string text = "[backend]\nblock = 64\nunroll = 2\nkernel = \"direct\"\n";
  const Document archived(text, "old.h5", {}, true);
  EXPECT_TRUE(archived.notes().empty());  // they changed no bit
  EXPECT_EQ(archived.where("backend", 0, "block"), std::nullopt);
  EXPECT_EQ(archived.table("backend", 0, {{.name = "kernel", .kind = Kind::text, .meaning = "x"}})->text("kernel"),
            "auto");
  EXPECT_THROW(Document(text, "s.toml", {}, false), Error);
}

}  // namespace
}  // namespace orrery::pipeline::testing
