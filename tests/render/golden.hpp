// SPDX-License-Identifier: MIT
// Small pictures kept beside the tests, and how far what is drawn today may be from them.
#pragma once

#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "scene.hpp"

namespace orrery::render {

/// Of 255: the mean over the picture, and what 99 of 100 places stay below.
struct Difference {
  double mean = 255, high = 255;
};

/// What another rasteriser of fonts, or another Mesa, may do to a picture, and to a label seen closely.
inline constexpr Difference tolerance{.mean = 1.5, .high = 6}, label_tolerance{.mean = 2.2, .high = 24};

inline bool passes(const Difference& d, const Difference& most = tolerance) {
  return d.mean <= most.mean && d.high <= most.high;
}

/// The part of `image` of that size about a place; what lies outside is black.
inline Image crop(const Image& image, Point center, Size size) {
  Image part{size, {}};
  const int left = static_cast<int>(center.x) - size.width / 2, top = static_cast<int>(center.y) - size.height / 2;
  for (int y = top; y < top + size.height; ++y) {
    for (int x = left; x < left + size.width; ++x) {
      const bool inside = x >= 0 && y >= 0 && x < image.size.width && y < image.size.height;
      const Color c = inside ? image.at(x, y) : Color{};
      part.rgb.insert(part.rgb.end(), {c.red, c.green, c.blue});
    }
  }
  return part;
}

/// Each channel the mean of the places about it, in steps of 4: what is kept, so that it takes little room.
inline Image blurred(const Image& image) {
  Image soft = image;
  const auto [w, h] = image.size;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        int sum = 0, n = 0;
        for (int v = std::max(0, y - 1); v <= std::min(h - 1, y + 1); ++v) {
          for (int u = std::max(0, x - 1); u <= std::min(w - 1, x + 1); ++u, ++n)
            sum += image.rgb[3 * static_cast<std::size_t>(v * w + u) + c];
        }
        soft.rgb[3 * static_cast<std::size_t>(y * w + x) + c] = static_cast<std::uint8_t>(sum / n / 4 * 4);
      }
    }
  }
  return soft;
}

/// All, where the sizes differ.
inline Difference difference(const Image& a, const Image& b) {
  if (a.size != b.size) return {};
  std::vector<int> each;
  double sum = 0;
  for (int y = 0; y < a.size.height; ++y) {
    for (int x = 0; x < a.size.width; ++x) {
      each.push_back(distance(a.at(x, y), b.at(x, y)));
      sum += each.back();
    }
  }
  const auto high = each.begin() + static_cast<std::ptrdiff_t>(each.size() * 99 / 100);
  std::ranges::nth_element(each, high);
  return {.mean = sum / static_cast<double>(each.size()), .high = static_cast<double>(*high)};
}

/// Where they lie.
inline std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(ORRERY_SOURCE_DIR) / "tests" / "render" / "golden" / (name + ".png");
}

/// An empty picture where there is no such file, or it is no PNG.
inline Image golden(const std::string& name) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, golden_file(name).c_str()) == 0) return {};
  png.format = PNG_FORMAT_RGB;
  Image image{{static_cast<int>(png.width), static_cast<int>(png.height)}, {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0) return {};
  return image;
}

/// How far `small` is from the picture of that name; with ORRERY_NEW_GOLDEN set it becomes that picture.
inline Difference from_golden(const std::string& name, const Image& small) {
  const Image soft = blurred(small);
  if (std::getenv("ORRERY_NEW_GOLDEN") != nullptr) {
    std::filesystem::create_directories(golden_file(name).parent_path());
    std::filesystem::remove(golden_file(name));  // no run made it, so that it would not be replaced
    write_png(soft, golden_file(name), 96);
  }
  return difference(soft, golden(name));
}

}  // namespace orrery::render
