// SPDX-License-Identifier: MIT
// Films are decoded again: every frame is present and in order; unfinished films are recognised as such.
#include "render/film/film.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>

#include "common/error.hpp"
#include "film_probe.hpp"
#include "film_scene.hpp"
#include "scene.hpp"
#include "small_disk.hpp"

namespace orrery::render {
namespace {

using testing::HasSubstr;

TEST(Mp4, HasEveryFrameAndIsStreamable) {
  const Scratch scratch;
  write_film(scratch / "a film: with a colon.mp4", {320, 240}, 45, {.frames_per_second = 25});
  const FilmProperties film = probed(scratch / "a film: with a colon.mp4");
  EXPECT_EQ(film.frames, 45);
  EXPECT_NEAR(film.duration, 1.8, 0.01);
  EXPECT_EQ(film.size, (Size{320, 240}));
  EXPECT_EQ(film.codec, "h264");
  EXPECT_EQ(film.pixel_format, "yuv420p");
  EXPECT_EQ(film.color_space, "bt709");
  EXPECT_EQ(film.color_range, "tv");
  expect_the_bar(film, 14);
  const std::string bytes = contents(scratch / "a film: with a colon.mp4");
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat")) << "the index comes first";
  EXPECT_EQ(bytes.find("moof"), std::string::npos);
  EXPECT_THAT(names_in(scratch), testing::ElementsAre("a film: with a colon.mp4"));
}

TEST(Mp4, OddSizesLoseARow) {
  const Scratch scratch;
  write_film(scratch / "odd.mp4", {321, 241}, 5);
  const FilmProperties film = probed(scratch / "odd.mp4");
  EXPECT_EQ(film.size, (Size{320, 240}));
  expect_the_bar(film, 14);
}

TEST(Mp4, AbandonedMp4IsPlayableUnderItsPartName) {
  const Scratch scratch;
  {
    Film film(scratch / "a.mp4", {160, 120});
    for (int i = 0; i < 20; ++i) film.add(moving_bar({160, 120}, i));
  }
  EXPECT_THAT(names_in(scratch), testing::ElementsAre("a.part.mp4"));
  EXPECT_EQ(probed(scratch / "a.part.mp4").frames, 20);
  std::filesystem::remove(scratch / "a.part.mp4");
  { const Film unused(scratch / "a.mp4", {160, 120}); }
  EXPECT_TRUE(names_in(scratch).empty());
}

TEST(Mp4, ReplacesAnOlderOne) {
  const Scratch scratch;
  const FilmOptions ours{.provenance = {.version = "orrery 0"}};
  write_film(scratch / "a.mp4", {160, 120}, 4, ours);
  write_film(scratch / "a.mp4", {160, 120}, 9, ours);
  EXPECT_EQ(probed(scratch / "a.mp4").frames, 9);
}

/// The peak memory of a separate process for a film of the given number of frames, in kilobytes.
long peak_of(const std::filesystem::path& file, Size size, int frames) {
  const pid_t child = fork();
  if (child == 0) {
    write_film(file, size, frames, {.frames_per_second = 25, .replacing = Replacing::anything});
    std::_Exit(0);
  }
  int status = 1;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

TEST(Film, MemoryDoesNotGrowWithLength) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer keeps what was freed";
#endif
  const Scratch scratch;
  // 900 more frames of 320 x 180 pixels would be 155 MB.
  for (const char* name : {"a.mp4", "a.webm", "a.gif", "a-####.png"}) {
    if (name == std::string("a.webm") && !why_missing(Codec::vp9).empty()) continue;
    const long few = peak_of(scratch / name, {320, 180}, 300), many = peak_of(scratch / name, {320, 180}, 1200);
    EXPECT_LT(many - few, 20000) << name << ": " << few << " kB and " << many << " kB";
  }
}

TEST(Film, ShowsAFigureInMotion) {
  const Scratch scratch;
  const TestRun run = circles(3, 12);
  const FigureKind& kind = kind_named("view3d");
  Canvas canvas({320, 240}, Theme::dark);
  const auto figure = made(kind, canvas, run.info, defaults(kind), Trails{0.3});
  Film film(scratch / "a.mp4", canvas.size());
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    film.add(canvas.capture(scene_of(*figure)));
  }
  film.finish();
  const FilmProperties seen = probed(scratch / "a.mp4");
  ASSERT_EQ(seen.frames, 12);
  EXPECT_TRUE(moves(seen));
  EXPECT_TRUE(lit(seen));
  EXPECT_LT(distance(seen.images[5].at(2, 2), canvas.style().background), 6);
}

/// The checks of these tests detect possible defects of films.
TEST(Film, ChecksDetectDefects) {
  const Scratch scratch;
  const Size size{160, 120};
  const Image black{size, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(size.width * size.height), 0)};
  const auto film_of = [&](const char* name, const std::function<Image(int)>& frame) {
    Film film(scratch / name, size, {.frames_per_second = 25, .replacing = Replacing::anything});
    for (int i = 0; i < 12; ++i) film.add(frame(i));
    film.finish();
    return probed(scratch / name);
  };
  for (const char* name : {"a.mp4", "a.gif"}) {
    const FilmProperties sound = film_of(name, [&](int i) { return moving_bar(size, i); });
    EXPECT_TRUE(moves(sound) && lit(sound) && sound.opaque) << name;
    EXPECT_FALSE(moves(film_of(name, [&](int) { return moving_bar(size, 3); }))) << "a still film";
    EXPECT_FALSE(moves(film_of(name, [&](int i) { return moving_bar(size, i == 7 ? 6 : i); }))) << "it halts";
    EXPECT_FALSE(lit(film_of(name, [&](int i) { return i == 4 ? black : moving_bar(size, i); }))) << "a black frame";
  }
  (void)film_of("a.gif", [&](int i) { return moving_bar(size, i); });
  std::string bytes = contents(scratch / "a.gif");
  // In every graphic control block a colour is transparent, and it is the background's.
  const std::string control("\x21\xf9\x04", 3);
  bool seen = false;
  for (int color = 0; color < 256 && !seen; ++color) {
    std::string spoilt = bytes;
    for (auto at = spoilt.find(control); at != std::string::npos; at = spoilt.find(control, at + 1)) {
      spoilt[at + 3] = static_cast<char>(spoilt[at + 3] | 1);
      spoilt[at + 6] = static_cast<char>(color);
    }
    std::ofstream(scratch / "b.gif", std::ios::binary) << spoilt;
    seen = !probed(scratch / "b.gif").opaque;
  }
  EXPECT_TRUE(seen) << "a transparent GIF";
}

TEST(Film, ErrorsNameTheFile) {
  const Scratch scratch;
  EXPECT_THAT(complaint([&] { Film(scratch / "a.avi", {160, 120}); }, 2), HasSubstr("a.avi"));
  EXPECT_THAT(complaint([&] { Film(scratch / "a.gif", {160, 120}, {.frames_per_second = 60}); }, 2), HasSubstr("50"));
  EXPECT_THAT(complaint(
                  [&] {
                    Film(scratch / "a.mp4", {160, 120}, {.frames_per_second = 0});
                  },
                  2),
              HasSubstr("frames per second"));
  for (const char* name : {"no/such/folder/a.mp4", "no/such/folder/a.gif"}) {
    EXPECT_THAT(complaint([&] { Film(scratch / name, {160, 120}); }, 1), HasSubstr("No such file"));
  }
  for (const char* name : {"b.mp4", "b.gif"}) {
    EXPECT_THAT(complaint([&] { Film(scratch / name, {160, 120}).finish(); }, 1), HasSubstr(name));
    Film film(scratch / name, {160, 120});
    EXPECT_THAT(complaint([&] { film.add(moving_bar({162, 120}, 0)); }, 1), HasSubstr("162"));
  }
}

TEST(Film, FullDiskErrorNamesThePlayablePart) {
  const Scratch scratch;
  const auto told = [&](const char* name, rlim_t bytes) {
    const SmallDisk disk(bytes);
    return complaint([&] { write_film(scratch / name, {320, 240}, 500, {.frames_per_second = 25}); }, 1);
  };
  for (const std::string name : {"a.mp4", "a.webm"}) {
    if (name == "a.webm" && !why_missing(Codec::vp9).empty()) continue;
    const std::string part = name.substr(0, 2) + "part" + name.substr(1), mark = "what there is of it plays for ";
    const std::string words = told(name.c_str(), 16'000);
    EXPECT_THAT(words, testing::AllOf(HasSubstr("File too large; " + mark), HasSubstr(part)));
    const double seconds = std::stod(words.substr(words.find(mark) + mark.size()));
    if (name == "a.mp4") {
      EXPECT_NEAR(probed(scratch / part).frames, 25 * seconds, 0.1) << "whole fragments alone";
    }
    EXPECT_GT(seconds, 0.5);
    EXPECT_THAT(names_in(scratch), testing::ElementsAre(part));
    std::filesystem::remove(scratch / part);
    EXPECT_THAT(told(name.c_str(), 900), testing::Not(HasSubstr("plays")));
    EXPECT_TRUE(names_in(scratch).empty()) << "what does not play is taken away";
  }
}

TEST(Film, ReportsAFullDiskOnce) {
  const Scratch scratch;
  const SmallDisk disk(300);
  for (const std::string name : {"a.mp4", "b.gif"}) {
    EXPECT_EQ(complaint(
                  [&] {
                    write_film(scratch / name, {320, 240}, 200);
                  },
                  1),
              "cannot write " + (scratch / name).string() + ": File too large");
  }
  EXPECT_TRUE(names_in(scratch).empty());
}

}  // namespace
}  // namespace orrery::render
