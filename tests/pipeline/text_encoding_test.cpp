// SPDX-License-Identifier: MIT
// All text is UTF-8: what is not is refused, with its place and the encoding that it seems to have.
#include "pipeline/text_encoding.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/printable.hpp"
#include "tests/pipeline/program_support.hpp"
#include "tests/pipeline/scenario_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::string_literals;

std::string utf16(std::string_view ascii, bool little, bool mark) {
  std::string text = !mark ? "" : little ? "\xFF\xFE" : "\xFE\xFF";
  for (const char c : ascii) text += little ? std::string{c, '\0'} : std::string{'\0', c};
  return text;
}

std::string found(const std::string& text) {
  const auto place = misencoded(text);
  return place ? fmt::format("{}:{}: {}", place->line, place->column, place->why) : "";
}

TEST(TextEncoding, FindsThePlaceAndTheEncoding) {
  for (const char* fine : {"", "a\nb\r\n", "δοκιμή ☉ 🪐", "\xEF\xBB\xBFmass"})
    EXPECT_EQ(found(fine), "") << fine;
  EXPECT_EQ(
      found("mass\nSaturne, V\xE9nus\n"),
      "2:11: is not UTF-8 text: byte 0xe9 is “é” in Latin-1; save it as UTF-8, as `iconv -f LATIN1 -t UTF-8` does");
  EXPECT_THAT(found("Größe\xDF"), HasSubstr("1:6: is not UTF-8 text: byte 0xdf is “ß” in Latin-1"));
  EXPECT_THAT(found("5 \x80"), HasSubstr("1:3: is not UTF-8 text: byte 0x80 is perhaps Windows-1252"));
  EXPECT_THAT(found("\xC0\x80"), HasSubstr("1:1: is not UTF-8"));      // overlong
  EXPECT_THAT(found("\xED\xA0\x80"), HasSubstr("1:1: is not UTF-8"));  // a surrogate
  for (const bool little : {false, true}) {
    for (const bool mark : {false, true})
      EXPECT_THAT(found(utf16("mass,x", little, mark)), HasSubstr("is UTF-16 text: save it as UTF-8"))
          << little << mark;
  }
  EXPECT_EQ(found("ab\nc\0d"s + "\0\0\0"s), "2:2: has a zero byte, so it is no text");
}

TEST(TextEncoding, ScenariosAndOverrides) {
  EXPECT_THAT(refusal("title = \"Kepler\xE9\"\n" + sound),
              HasSubstr("s.toml:1:16: is not UTF-8 text: byte 0xe9 is “é”"));
  EXPECT_THAT(refusal(utf16(sound, true, true)), HasSubstr("s.toml:1:1: is UTF-16 text"));
  EXPECT_THAT(refusal(utf16(sound, true, false)), HasSubstr("is UTF-16 text"));
  EXPECT_THAT(refusal(sound, {"title=\"\xE9\""}), AllOf(HasSubstr("--set title="), HasSubstr("is not UTF-8 text")));
  EXPECT_THAT(refusal(sound, {"title=\xE9t\xE9"}), HasSubstr("is not UTF-8 text"));
  EXPECT_THAT(refusal("title = \"a\\u0000b\"\n" + sound), HasSubstr("s.toml:1:9: `title` has a zero byte"));
  EXPECT_EQ(refusal("title = \"Képler ☉\"\n" + sound, {"title=\"é\""}), "");
}

TEST(TextEncoding, Tables) {
  const Folder folder;
  write(folder / "s.toml", "[initial]\nkind = \"table\"\nfile = \"b.csv\"\n[integrator]\ndt = 1\nsteps = 1\n");
  const auto refused = [&](const std::string& csv) {
    write(folder / "b.csv", csv);
    const Outcome outcome = run(folder, {"simulate", "s.toml"});
    EXPECT_EQ(outcome.code, 2) << csv;
    return outcome.errors;
  };
  const std::string csv = "name,mass,x,y,z\nSoleil,1,0,0,0\n";
  EXPECT_THAT(refused(csv + "V\xE9nus,1,1,0,0\n"),
              HasSubstr("b.csv:3:2: is not UTF-8 text: byte 0xe9 is “é” in Latin-1"));
  EXPECT_THAT(refused(csv + "# com\xE8te\n"), HasSubstr("b.csv:3:6: is not UTF-8 text"));
  for (const bool mark : {false, true}) {
    for (const bool little : {false, true}) {
      EXPECT_THAT(refused(utf16(csv + "A,1,2,x,0\n", little, mark)), HasSubstr("b.csv:3: `x` in column `y`"));
      write(folder / "b.csv", utf16(csv + "A,1,2,3,0\n", little, mark));
      EXPECT_EQ(run(folder, {"check", "s.toml"}).code, 0) << mark << little;
    }
  }
  write(folder / "b.csv", "\xEF\xBB\xBF" + csv + "Vénus,0.3,1,0,0\n");
  EXPECT_EQ(run(folder, {"simulate", "s.toml", "--force"}).code, 0);
}

/// A file may have any name, but what is stored about the command is UTF-8.
TEST(TextEncoding, RecordsOfCommands) {
  const Folder folder;
  write(folder / "r\xE9sum\xE9.toml", sound);
  ASSERT_EQ(run(folder, {"simulate", "r\xE9sum\xE9.toml", "-o", "out"}).code, 0);
  const TrajectoryReader trajectory(folder / "out" / "run.h5");
  for (const auto& [key, value] : trajectory.record().provenance) EXPECT_EQ(found(value), "") << key;
  EXPECT_THAT(trajectory.record().provenance.at("command_line"), HasSubstr("r\\xe9sum\\xe9.toml"));
}

}  // namespace
}  // namespace orrery::pipeline::testing
