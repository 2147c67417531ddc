// SPDX-License-Identifier: MIT
// Every film format and codec: decoded again, cut short, and asked for its provenance.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <map>

#include "common/error.hpp"
#include "film_probe.hpp"
#include "film_scene.hpp"
#include "render/film/film.hpp"
#include "render/metadata/provenance.hpp"

namespace orrery::render {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct TestFormat {
  const char* extension;
  Codec codec;
};
constexpr TestFormat formats[] = {
    {".mp4", Codec::h264}, {".mp4", Codec::hevc}, {".mp4", Codec::av1}, {".webm", Codec::vp9}, {".webm", Codec::av1}};

std::string name_of(const TestFormat& format) {
  return std::string(render::name_of(format.codec)) + format.extension;
}

/// The formats that the installed FFmpeg can write.
std::vector<TestFormat> available() {
  std::vector<TestFormat> all;
  for (const TestFormat& format : formats) {
    if (why_missing(format.codec).empty()) all.push_back(format);
  }
  return all;
}

TEST(FilmFormats, EachFormatHasEveryFrame) {
  const Scratch scratch;
  ASSERT_FALSE(available().empty());
  for (const TestFormat& format : available()) {
    SCOPED_TRACE(name_of(format));
    const auto file = scratch / name_of(format);
    write_film(file, {321, 241}, 50, {.frames_per_second = 25, .codec = format.codec});
    const FilmProperties film = probed(file);
    EXPECT_EQ(film.frames, 50);
    EXPECT_NEAR(film.duration, 2, 0.02);
    EXPECT_EQ(film.size, (Size{320, 240})) << "odd sizes lose a row";
    EXPECT_EQ(film.codec, render::name_of(format.codec));
    EXPECT_EQ(film.pixel_format, "yuv420p");
    EXPECT_EQ(film.color_space, "bt709");
    EXPECT_EQ(film.color_range, "tv");
    EXPECT_EQ(film.color_primaries, "bt709");
    EXPECT_EQ(film.color_transfer, "iec61966-2-1") << "that of sRGB";
    expect_the_bar(film, 24);
    const std::string bytes = contents(file);
    EXPECT_EQ(bytes.find("hvc1") != std::string::npos, format.codec == Codec::hevc);
    EXPECT_EQ(bytes.find("moov") < bytes.find("mdat"), std::string(format.extension) == ".mp4")
        << "the index comes first";
    std::filesystem::remove(file);
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
  }
}

TEST(FilmFormats, EachPixelFormatThatTheEncoderHas) {
  const Scratch scratch;
  for (const TestFormat& format : available()) {
    for (const std::string_view pixels : pixel_formats) {
      SCOPED_TRACE(name_of(format) + " " + std::string(pixels));
      const auto file = scratch / name_of(format);
      const FilmOptions options{.frames_per_second = 25, .codec = format.codec, .pixel_format = pixels};
      if (const std::string why = why_not_written(format.codec, pixels); !why.empty()) {
        EXPECT_NE(pixels, pixel_formats.front());
        EXPECT_THAT(why, AllOf(HasSubstr(std::string(pixels)), HasSubstr("use yuv420p"), Not(HasSubstr("\n"))));
        EXPECT_THAT(complaint([&] { write_film(file, {320, 240}, 1, options); }, 1), HasSubstr(why));
        EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
        continue;
      }
      write_film(file, {320, 240}, 10, options);
      const FilmProperties film = probed(file);
      EXPECT_EQ(film.frames, 10);
      EXPECT_THAT(film.pixel_format, StartsWith(std::string(pixels)));
      EXPECT_EQ(film.pixel_format.find("10") != std::string::npos, pixels.ends_with("10"));
      EXPECT_EQ(film.color_range, "tv");
      EXPECT_EQ(film.color_transfer, "iec61966-2-1");
      expect_the_bar(film, 24);
      std::filesystem::remove(file);
    }
  }
  EXPECT_THAT(complaint(
                  [&] {
                    Film(scratch / "a.mp4", {160, 120}, {.pixel_format = "rgb24"});
                  },
                  2),
              HasSubstr("there is no pixel format rgb24"));
}

TEST(FilmFormats, AfterAKillIsPlayableToTheLastWholeSecond) {
  const Scratch scratch;
  for (const TestFormat& format : available()) {
    SCOPED_TRACE(name_of(format));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Film film(scratch / name_of(format), {160, 120}, {.frames_per_second = 25, .codec = format.codec});
      for (int i = 0; i < 250; ++i) film.add(moving_bar({160, 120}, i));
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto names = names_in(scratch);
    ASSERT_EQ(names.size(), 1U);
    const std::string stem = std::filesystem::path(name_of(format)).stem();
    EXPECT_THAT(names.front(), AllOf(StartsWith(stem + ".part-"), EndsWith(std::string(format.extension))));
    const FilmProperties film = probed(scratch / names.front());
    std::filesystem::remove(scratch / names.front());
    EXPECT_GE(film.frames, 200) << "what waits in the encoder is less than a second, and so is what is not whole";
    EXPECT_LT(film.frames, 250);
  }
}

TEST(FilmFormats, AbandonedWebmIsPlayable) {
  if (!why_missing(Codec::vp9).empty()) GTEST_SKIP() << why_missing(Codec::vp9);
  const Scratch scratch;
  {
    Film film(scratch / "a.webm", {160, 120});
    for (int i = 0; i < 20; ++i) film.add(moving_bar({160, 120}, i));
  }
  EXPECT_THAT(names_in(scratch), ElementsAre("a.part.webm"));
  EXPECT_EQ(probed(scratch / "a.part.webm").frames, 20);
}

TEST(FilmFormats, SequenceHasOnePicturePerFrame) {
  const Scratch scratch;
  const FilmOptions ours{.provenance = {.version = "orrery 0"}};
  write_film(scratch / "frame-###.png", {161, 121}, 12, ours);
  EXPECT_EQ(names_in(scratch).size(), 12U);
  write_film(scratch / "frame-###.png", {161, 121}, 9, ours);
  EXPECT_EQ(names_in(scratch).size(), 9U) << "the older film was longer";
  const FilmProperties frame = probed(scratch / "frame-007.png");
  EXPECT_EQ(frame.frames, 1);
  EXPECT_EQ(frame.images.front().rgb, moving_bar({161, 121}, 7).rgb) << "not a bit is lost";
  {
    Film film(scratch / "cut-##.png", {160, 120});
    for (int i = 0; i < 3; ++i) film.add(moving_bar({160, 120}, i));
  }
  EXPECT_TRUE(std::filesystem::exists(scratch / "cut-02.png")) << "those of an interrupted film stay";
}

TEST(FilmFormats, NumberedFileNames) {
  const std::map<std::string, int> digits{{"f-####.png", 4}, {"#.png", 1},      {"##-f.png", 2}, {"f.png", 0},
                                          {"f-#-#.png", 0},  {"f-####.jpg", 0}, {"", 0}};
  for (const auto& [name, count] : digits) EXPECT_EQ(digits_of(name), count) << name;
  EXPECT_EQ(numbered("f-####.png", 42), "f-0042.png");
  EXPECT_EQ(numbered("#b.png", 12), "12b.png");
}

TEST(FilmFormats, UnsupportedCodecsAreRefused) {
  const Scratch scratch;
  for (const auto& [file, codec] : std::map<std::string, Codec>{{"a.mp4", Codec::vp9}, {"a.webm", Codec::h264}}) {
    EXPECT_THAT(complaint(
                    [&, f = file, c = codec] {
                      Film(scratch / f, {160, 120}, {.codec = c});
                    },
                    2),
                HasSubstr(file));
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

TEST(FilmFormats, MissingEncodersAreNamed) {
  const auto only = [](std::string_view there) { return [there](const char* encoder) { return there == encoder; }; };
  EXPECT_EQ(why_missing(Codec::hevc, only("libx265")), "");
  EXPECT_THAT(why_missing(Codec::hevc, only("libsvtav1")),
              AllOf(HasSubstr("hevc"), HasSubstr("libx265"), HasSubstr("libavcodec-freeworld"),
                    HasSubstr("here there is av1")));
  EXPECT_THAT(why_missing(Codec::av1, only("libx264")),
              AllOf(HasSubstr("libsvtav1 or libaom-av1 or librav1e"), HasSubstr("h264"), Not(HasSubstr("Fedora"))));
  EXPECT_THAT(why_missing(Codec::vp9, only("")), HasSubstr("none but that of .gif"));
  EXPECT_THAT(why_missing(Codec::vp9, only("")), Not(HasSubstr("\n")));
  for (const TestFormat& format : formats) {
    EXPECT_EQ(codec_named(render::name_of(format.codec)), format.codec);
  }
  EXPECT_FALSE(codec_named("h265"));
}

/// Texts that have caused errors in some format: quotes, tags, other scripts, lengths beyond one and two bytes.
Provenance awkward() {
  Provenance provenance{.version = "orrery 9.8.7 (0123abc-dirty, GNU 12.2.0)", .state = "0123456789abcdef"};
  provenance.scenario = "title = \"ΔE/E₀ = 10⁻¹² & <b>'\\\"\"\n\n\t# 日本語 🪐 %s \\n; = # \r\n";
  while (provenance.scenario.size() < 20'000)
    provenance.scenario += "key_" + std::to_string(provenance.scenario.size()) + " = 1\n";
  return provenance;
}

void expect_same(const std::optional<Provenance>& read, const Provenance& written) {
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, written.version);
  EXPECT_EQ(read->state, written.state);
  EXPECT_EQ(read->scenario, written.scenario);
}

TEST(FilmProvenance, IsStoredCompletelyInEachFormat) {
  const Scratch scratch;
  std::vector<std::filesystem::path> files{scratch / "a.gif"};
  for (const TestFormat& format : available()) files.push_back(scratch / name_of(format));
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename());
    FilmOptions options;
    for (const TestFormat& format : available()) {
      if (name_of(format) == file.filename()) options.codec = format.codec;
    }
    for (const Provenance& provenance :
         {awkward(), Provenance{.scenario = "a = 1"},
          Provenance{.version = "", .state = "1", .scenario = std::string(255 - 51, 'x')}}) {
      options.provenance = provenance;
      write_film(file, {160, 120}, 5, options);
      EXPECT_EQ(probed(file).frames, 5);
      expect_same(provenance_of_film(file), provenance);
    }
    options.provenance = {};
    write_film(file, {160, 120}, 5, options);
    EXPECT_FALSE(provenance_of_film(file));
  }
}

TEST(FilmProvenance, TruncatedFilmHasIt) {
  const Scratch scratch;
  for (const char* name : {"a.mp4", "a.webm"}) {
    const std::filesystem::path file = scratch / name;
    if (!why_missing(format_with(file.extension().string())->codecs.front()).empty()) continue;
    {
      Film film(file, {160, 120}, {.provenance = awkward()});
      film.add(moving_bar({160, 120}, 0));
    }
    expect_same(provenance_of_film(std::filesystem::path(file).replace_extension(".part" + file.extension().string())),
                awkward());
  }
}

TEST(FilmProvenance, ConcatListOpensNoFiles) {
  const Scratch scratch;
  write_film(scratch / "a.gif", {160, 120}, 2);
  std::ofstream(scratch / "list.mp4") << "ffconcat version 1.0\nfile a.gif\n";
  const int watch = inotify_init1(IN_NONBLOCK);
  ASSERT_GE(watch, 0);
  ASSERT_GE(inotify_add_watch(watch, (scratch / "a.gif").c_str(), IN_OPEN), 0);
  std::array<char, 4096> events{};
  EXPECT_FALSE(provenance_of_film(scratch / "list.mp4"));
  EXPECT_LT(read(watch, events.data(), events.size()), 0) << "the film in the list was opened";
  (void)provenance_of_film(scratch / "a.gif");
  EXPECT_GT(read(watch, events.data(), events.size()), 0);
  close(watch);
}

TEST(FilmProvenance, OtherFilesHaveNone) {
  const Scratch scratch;
  std::ofstream(scratch / "text.mp4") << "not a film at all\n";
  EXPECT_FALSE(provenance_of_film(scratch / "text.mp4"));
  EXPECT_FALSE(provenance_of_film(scratch / "not there.mp4"));
  EXPECT_FALSE(provenance_of_film(scratch.folder()));
}

TEST(FilmProvenance, PartialFilmIsReported) {
  const Scratch scratch;
  write_film(scratch / "a.gif", {160, 120}, 5, {.provenance = awkward()});
  const std::string whole = contents(scratch / "a.gif");
  const std::map<std::string, std::string> files{{"empty.mp4", ""},
                                                 {"head.gif", "GIF89a"},
                                                 {"short.gif", "GIF89a\x50\x3c\x80"},
                                                 {"cut.gif", whole.substr(0, whole.size() / 2)},
                                                 {"comment.gif", whole.substr(0, whole.size() - 100)},
                                                 {"wild.gif", whole.substr(0, 900) + std::string(4000, '\xff')},
                                                 {"box.mp4", std::string("\0\0\0\x20"
                                                                         "ftypisom",
                                                                         12)},
                                                 {"segment.webm", "\x1a\x45\xdf\xa3\x84"}};
  for (const auto& [name, bytes] : files) {
    std::ofstream(scratch / name, std::ios::binary) << bytes;
    try {
      (void)provenance_of_film(scratch / name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), (scratch / name).string() + (bytes.empty() ? ": is empty" : ": is cut short") +
                                  ": take a whole copy of the picture");
    }
  }
}

}  // namespace
}  // namespace orrery::render
