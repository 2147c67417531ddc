// SPDX-License-Identifier: MIT
// A film whose frames can be distinguished, and checks that apply to any film.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "film_probe.hpp"
#include "render/film/film.hpp"
#include "scene.hpp"
#include "tests/complaint.hpp"

namespace orrery::render {

/// A dark background with a bright bar whose position is `i`.
inline Image moving_bar(Size size, int i) {
  Image image{size, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(size.width * size.height), 20)};
  for (int y = 0; y < size.height; ++y) {
    for (int x = 4 * i % size.width; x < std::min(size.width, 4 * i % size.width + 12); ++x) {
      std::uint8_t* p = &image.rgb[3 * static_cast<std::size_t>(y * size.width + x)];
      p[0] = 230, p[1] = 120, p[2] = 20;
    }
  }
  return image;
}

inline void write_film(const std::filesystem::path& file, Size size, int frames, FilmOptions options = {}) {
  Film film(file, size, std::move(options));
  for (int i = 0; i < frames; ++i) film.add(moving_bar(size, i));
  film.finish();
}

inline void expect_the_bar(const FilmProperties& film, int tolerance) {
  for (std::size_t i = 0; i < film.images.size(); ++i) {
    const int x = 4 * static_cast<int>(i) + 6, y = film.size.height / 2;
    EXPECT_LT(distance(film.images[i].at(x, y), {230, 120, 20}), tolerance) << i;
    EXPECT_LT(distance(film.images[i].at((x + film.size.width / 2) % film.size.width, y), {20, 20, 20}), tolerance)
        << i;
  }
}

/// Whether any two consecutive frames differ visibly.
inline bool moves(const FilmProperties& film) {
  for (std::size_t i = 1; i < film.images.size(); ++i) {
    int changed = 0;
    for (std::size_t k = 0; k < film.images[i].rgb.size(); ++k)
      changed += std::abs(film.images[i].rgb[k] - film.images[i - 1].rgb[k]) > 40 ? 1 : 0;
    if (changed <= 60) return false;
  }
  return film.images.size() > 1;
}

/// Whether no frame is empty.
inline bool lit(const FilmProperties& film) {
  for (const Image& image : film.images) {
    const auto [least, greatest] = std::ranges::minmax(image.rgb);
    if (greatest - least < 60) return false;
  }
  return !film.images.empty();
}

inline std::vector<std::string> names_in(const Scratch& scratch) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.folder()))
    names.push_back(entry.path().filename());
  return names;
}

}  // namespace orrery::render
