// SPDX-License-Identifier: MIT
// Films are decoded again: every frame is there, in its place, of the right kind; and nothing pretends to be finished.
#include "render/film.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <functional>

#include "common/error.hpp"
#include "film_probe.hpp"
#include "film_scene.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::HasSubstr;

TEST(Mp4, HoldsEveryFrameAndStreams) {
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
  expect_the_bar(film, 1, 14);
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
  expect_the_bar(film, 1, 14);
}

TEST(Mp4, AbandonedItPlaysUnderAnotherName) {
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
  write_film(scratch / "a.mp4", {160, 120}, 4);
  write_film(scratch / "a.mp4", {160, 120}, 9);
  EXPECT_EQ(probed(scratch / "a.mp4").frames, 9);
}

TEST(Gif, HoldsEveryFrameIsOpaqueAndLoops) {
  const Scratch scratch;
  write_film(scratch / "a.gif", {640, 360}, 50, {.frames_per_second = 20});
  const FilmProperties film = probed(scratch / "a.gif");
  EXPECT_EQ(film.frames, 50);
  EXPECT_NEAR(film.duration, 2.5, 0.011);
  EXPECT_EQ(film.size, (Size{480, 270}));
  EXPECT_EQ(film.codec, "gif");
  EXPECT_TRUE(film.opaque);
  expect_the_bar(film, 0.75, 24);
  EXPECT_THAT(contents(scratch / "a.gif"), HasSubstr(std::string("NETSCAPE2.0\x03\x01\x00\x00", 15))) << "for ever";
  EXPECT_THAT(names_in(scratch), testing::ElementsAre("a.gif"));
}

TEST(Gif, KeepsItsLengthWhereTheRateIsNoWholeNumberOfHundredths) {
  const Scratch scratch;
  write_film(scratch / "a.gif", {160, 120}, 60, {.frames_per_second = 30});
  const FilmProperties film = probed(scratch / "a.gif");
  EXPECT_EQ(film.frames, 60);
  EXPECT_NEAR(film.duration, 2, 0.03);
}

TEST(Gif, AbandonedItLeavesNothing) {
  const Scratch scratch;
  {
    Film film(scratch / "a.gif", {160, 120});
    for (int i = 0; i < 5; ++i) film.add(moving_bar({160, 120}, i));
    EXPECT_TRUE(names_in(scratch).empty());
  }
  EXPECT_TRUE(names_in(scratch).empty());
}

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

TEST(Gif, MemoryDoesNotGrowWithLength) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer keeps what was freed";
#endif
  // Peaks of children only ever rise, so the short film comes first.
  const Scratch scratch;
  std::vector<long> peaks;
  for (const int frames : {80, 600}) {
    const pid_t child = fork();
    if (child == 0) {
      write_film(scratch / "a.gif", {480, 270}, frames, {.frames_per_second = 25});
      std::_Exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    peaks.push_back(peak_kilobytes());
  }
  // 520 more frames of half a megabyte would be 270 MB.
  EXPECT_LT(peaks[1] - peaks[0], 20000) << peaks[0] << " kB and " << peaks[1] << " kB";
}

TEST(Film, ShowsAFigureInMotion) {
  const Scratch scratch;
  const Story run = circles(3, 12);
  const FigureKind& kind = kind_named("view3d");
  Canvas canvas({320, 240}, Theme::dark);
  const auto figure = kind.make(canvas, run.cast, defaults(kind), Trails{0.3});
  Film film(scratch / "a.mp4", canvas.size());
  for (const Frame& frame : run.frames) {
    figure->show(frame);
    film.add(canvas.capture());
  }
  film.finish();
  const FilmProperties seen = probed(scratch / "a.mp4");
  ASSERT_EQ(seen.frames, 12);
  for (std::size_t i = 1; i < seen.images.size(); ++i) {
    int changed = 0;
    for (std::size_t k = 0; k < seen.images[i].rgb.size(); ++k) {
      changed += std::abs(seen.images[i].rgb[k] - seen.images[i - 1].rgb[k]) > 40 ? 1 : 0;
    }
    EXPECT_GT(changed, 60) << "between frames " << i - 1 << " and " << i;
  }
  EXPECT_LT(distance(seen.images[5].at(2, 2), canvas.look().background), 6);
}

TEST(Film, WhatCannotBeWrittenIsNamed) {
  const Scratch scratch;
  EXPECT_THAT(complaint([&] { Film(scratch / "a.avi", {160, 120}); }, 2), HasSubstr("a.avi"));
  EXPECT_THAT(complaint([&] { Film(scratch / "a.gif", {160, 120}, {.frames_per_second = 60}); }, 2), HasSubstr("50"));
  EXPECT_THAT(complaint(
                  [&] {
                    Film(scratch / "a.mp4", {160, 120}, {.frames_per_second = 0});
                  },
                  2),
              HasSubstr("frames a second"));
  for (const char* name : {"no/such/folder/a.mp4", "no/such/folder/a.gif"}) {
    EXPECT_THAT(complaint([&] { Film(scratch / name, {160, 120}); }, 1), HasSubstr("No such file"));
  }
  for (const char* name : {"b.mp4", "b.gif"}) {
    EXPECT_THAT(complaint([&] { Film(scratch / name, {160, 120}).finish(); }, 1), HasSubstr(name));
    Film film(scratch / name, {160, 120});
    EXPECT_THAT(complaint([&] { film.add(moving_bar({162, 120}, 0)); }, 1), HasSubstr("162"));
  }
}

TEST(Film, AFullDiskIsToldOnce) {
  const Scratch scratch;
  std::filesystem::create_symlink("/dev/full", scratch / "a.part.mp4");
  EXPECT_THAT(complaint(
                  [&] {
                    write_film(scratch / "a.mp4", {320, 240}, 200);
                  },
                  1),
              testing::AllOf(HasSubstr("a.part.mp4"), HasSubstr("No space left")));
  std::filesystem::create_symlink("/dev/full", scratch / "b.part.gif");
  EXPECT_THAT(complaint([&] { write_film(scratch / "b.gif", {320, 240}, 3); }, 1), HasSubstr("No space left"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.mp4"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "b.gif"));
}

}  // namespace
}  // namespace orrery::render
