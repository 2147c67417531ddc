// SPDX-License-Identifier: MIT
// GIFs: their contents, display times and size.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "film_probe.hpp"
#include "film_scene.hpp"
#include "render/film/film.hpp"
#include "scene.hpp"

namespace orrery::render {
namespace {

using testing::HasSubstr;

TEST(Gif, HasEveryFrameIsOpaqueAndLoops) {
  const Scratch scratch;
  write_film(scratch / "a.gif", {480, 270}, 50, {.frames_per_second = 20});
  const FilmProperties film = probed(scratch / "a.gif");
  EXPECT_EQ(film.frames, 50);
  EXPECT_NEAR(film.duration, 2.5, 0.011);
  EXPECT_EQ(film.size, (Size{480, 270}));
  EXPECT_EQ(film.codec, "gif");
  EXPECT_TRUE(film.opaque);
  expect_the_bar(film, 24);
  EXPECT_THAT(contents(scratch / "a.gif"), HasSubstr(std::string("NETSCAPE2.0\x03\x01\x00\x00", 15))) << "for ever";
  EXPECT_THAT(names_in(scratch), testing::ElementsAre("a.gif"));
}

TEST(Gif, KeepsItsDurationAtFractionalDelays) {
  const Scratch scratch;
  write_film(scratch / "a.gif", {160, 120}, 60, {.frames_per_second = 30});
  const FilmProperties film = probed(scratch / "a.gif");
  EXPECT_EQ(film.frames, 60);
  EXPECT_NEAR(film.duration, 2, 0.03);
}

TEST(Gif, NoiseBelowThresholdIsNotStored) {
  const Scratch scratch;
  const auto length = [&](int frames) {
    Film film(scratch / "a.gif", {160, 120}, {.replacing = Replacing::anything});
    std::uint32_t state = 1;
    for (int i = 0; i < frames; ++i) {
      Image image{{160, 120}, std::vector<std::uint8_t>(std::size_t{3} * 160 * 120)};
      for (std::uint8_t& level : image.rgb) {
        state = 1664525 * state + 1013904223;
        level = static_cast<std::uint8_t>(100 + (state >> 29));  // 100 … 107
      }
      film.add(std::move(image));
    }
    film.finish();
    return std::filesystem::file_size(scratch / "a.gif");
  };
  EXPECT_LT(length(7), 2 * length(1));
}

TEST(Gif, DelaysSumToTheDuration) {
  const Scratch scratch;
  for (const double rate : {30.0, 7.0, 24.0, 33.0, 48.0}) {
    const int frames = static_cast<int>(2 * rate) + 1;
    write_film(scratch / "a.gif", {160, 120}, frames, {.frames_per_second = rate, .replacing = Replacing::anything});
    const std::string bytes = contents(scratch / "a.gif"), control("\x21\xf9\x04", 3);
    std::vector<int> delays;
    for (auto at = bytes.find(control); at != std::string::npos; at = bytes.find(control, at + 1))
      delays.push_back(static_cast<unsigned char>(bytes[at + 4]) + 256 * static_cast<unsigned char>(bytes[at + 5]));
    ASSERT_EQ(delays.size(), static_cast<std::size_t>(frames)) << rate;
    int sum = 0;
    for (const int delay : delays) {
      EXPECT_LT(std::abs(delay - 100 / rate), 1) << rate;
      sum += delay;
      EXPECT_GE(delay, 2);
    }
    EXPECT_EQ(sum, std::lround(100 * frames / rate)) << rate;
  }
}

/// Every pixel of every frame differs; deterministic for a given frame number.
Image noise(Size size, int number) {
  Image image{size, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(size.width * size.height))};
  std::uint32_t state = 977 * static_cast<std::uint32_t>(number) + 1;
  for (std::uint8_t& level : image.rgb) {
    state = 1664525 * state + 1013904223;
    level = static_cast<std::uint8_t>(state >> 24);
  }
  return image;
}

/// A film of noise at 25 frames a second: the worst case.
constexpr int noisy_frames = 20;
Fit noisy(const std::filesystem::path& file, double max_bytes, double min_rate = 10) {
  Film film(file, {64, 48},
            {.frames_per_second = 25,
             .replacing = Replacing::anything,
             .max_bytes = static_cast<std::uintmax_t>(max_bytes),
             .min_rate = min_rate});
  for (int i = 0; i < noisy_frames; ++i) film.add(noise({64, 48}, i));
  return film.finish();
}

TEST(Gif, SizeLimitDropsFramesAndKeepsDuration) {
  const Scratch scratch;
  EXPECT_EQ(noisy(scratch / "all.gif", 0).every, 1);
  const auto all = static_cast<double>(std::filesystem::file_size(scratch / "all.gif"));
  ASSERT_EQ(noisy(scratch / "fits.gif", all).every, 1) << "what fits is as it was";
  EXPECT_EQ(contents(scratch / "fits.gif"), contents(scratch / "all.gif"));
  using Case = std::tuple<double, double, int>;  // minimum rate, share of its bytes, frame interval
  for (const auto& [min_rate, share, every] : {Case{10, 0.7, 2}, {10, 0.99, 2}, {5, 0.25, 5}, {0, 0.15, 10}}) {
    const Fit fit = noisy(scratch / "a.gif", share * all, min_rate);
    EXPECT_LE(fit.too_large, 1) << share;
    EXPECT_EQ(fit.every, every) << share;
    EXPECT_LE(static_cast<double>(std::filesystem::file_size(scratch / "a.gif")), share * all);
    const FilmProperties film = probed(scratch / "a.gif");
    EXPECT_EQ(film.frames, noisy_frames / every) << share;
    EXPECT_NEAR(film.duration, noisy_frames / 25.0, 0.011) << share;
    const std::string first = contents(scratch / "a.gif");
    (void)noisy(scratch / "a.gif", share * all, min_rate);
    EXPECT_EQ(contents(scratch / "a.gif"), first) << "again";
  }
}

TEST(Gif, TooLargeGifIsRemoved) {
  const Scratch scratch;
  (void)noisy(scratch / "all.gif", 0);
  const auto all = static_cast<double>(std::filesystem::file_size(scratch / "all.gif"));
  const Fit fit = noisy(scratch / "a.gif", all / 4);
  EXPECT_EQ(fit.every, 2);
  EXPECT_NEAR(fit.too_large, 2, 0.6) << "a half of the frames is twice a quarter";
  EXPECT_THAT(names_in(scratch), testing::ElementsAre("all.gif"));
}

TEST(Gif, SmallDotKeepsItsColorBesideManyBodies) {
  const Scratch scratch;
  const Size size{160, 120};
  const Color dot{244, 144, 60};
  Film film(scratch / "a.gif", size);
  std::uint32_t state = 1;
  for (int i = 0; i < 6; ++i) {
    Image image{size, std::vector<std::uint8_t>(std::size_t{3} * 160 * 120)};
    for (std::size_t p = 0; p < image.rgb.size(); p += 3) {
      state = 1664525 * state + 1013904223;
      for (std::size_t k = 0; k < 3; ++k) image.rgb[p + k] = static_cast<std::uint8_t>(state >> (8 + 8 * k));
    }
    for (std::size_t y = 100; y < 104; ++y) {
      for (std::size_t x = 10; x < 14; ++x) {
        const std::size_t p = 3 * (160 * y + x);
        image.rgb[p] = dot.red, image.rgb[p + 1] = dot.green, image.rgb[p + 2] = dot.blue;
      }
    }
    film.add(std::move(image));
  }
  film.finish();
  for (const Image& image : probed(scratch / "a.gif").images) EXPECT_LE(distance(image.at(12, 102), dot), 12);
}

TEST(Gif, AbandonedGifIsRemoved) {
  const Scratch scratch;
  {
    Film film(scratch / "a.gif", {160, 120});
    for (int i = 0; i < 5; ++i) film.add(moving_bar({160, 120}, i));
    EXPECT_TRUE(names_in(scratch).empty());
  }
  EXPECT_TRUE(names_in(scratch).empty());
}

}  // namespace
}  // namespace orrery::render
